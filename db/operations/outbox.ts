import { randomUUIDv7 } from "node:crypto";
import { and, asc, count, eq, lte } from "drizzle-orm";
import { outbox } from "../schema.ts";
import type { Db } from "../sqlite/open.ts";
import { placeholders, prepared } from "../sqlite/prepared.ts";
import { emptyLogSoon } from "../sqlite/wal.ts";

export interface Letter {
  subject: string;
  body: string;
  /** One validated address. */
  replyTo: string;
  /** One validated address; without it the letter goes to the team. */
  recipient?: string;
}

export type WaitingLetter = typeof outbox.$inferSelect;

/**
 * Called inside the transaction that stores what the letter tells of.
 * @param held written, and not sent
 * @param secret a private link that the letter brings: kept only until it is sent
 */
export function putInOutbox(
  db: Db,
  letter: Letter,
  reference: string,
  createdAt: string,
  held = false,
  secret: { link?: string; resultLinkId?: number } = {},
): void {
  // In the order of time: the index of a crowd’s letters then grows at its end, and not all over.
  const messageId = randomUUIDv7();
  const status = held ? "held" : "waiting";
  insertLetter(db).run({
    recipient: null,
    link: null,
    resultLinkId: null,
    ...letter,
    ...secret,
    status,
    reference,
    messageId,
    createdAt,
    nextAttemptAt: createdAt,
  });
}

const insertLetter = prepared((db) =>
  db
    .insert(outbox)
    .values(
      placeholders(
        "subject",
        "body",
        "replyTo",
        "status",
        "reference",
        "messageId",
        "createdAt",
        "nextAttemptAt",
        "recipient",
        "link",
        "resultLinkId",
      ),
    )
    .prepare(),
);

/** The letter that has been due for longest, or undefined. */
export async function nextDueLetter(db: Db, now: Date): Promise<WaitingLetter | undefined> {
  return db
    .select()
    .from(outbox)
    .where(and(eq(outbox.status, "waiting"), lte(outbox.nextAttemptAt, now.toISOString())))
    .orderBy(asc(outbox.nextAttemptAt), asc(outbox.id))
    .limit(1)
    .get();
}

/** When the next letter falls due, or undefined where none waits. */
export async function nextDueTime(db: Db): Promise<Date | undefined> {
  const next = db
    .select({ at: outbox.nextAttemptAt })
    .from(outbox)
    .where(eq(outbox.status, "waiting"))
    .orderBy(asc(outbox.nextAttemptAt))
    .limit(1)
    .get();
  return next && new Date(next.at);
}

/** When the oldest letter was written that still waits, as ISO 8601, or undefined. */
export async function oldestWaitingLetter(db: Db): Promise<string | undefined> {
  return db
    .select({ at: outbox.createdAt })
    .from(outbox)
    .where(eq(outbox.status, "waiting"))
    .orderBy(asc(outbox.createdAt))
    .limit(1)
    .get()?.at;
}

/** How many letters there are in each status. */
export async function countLetters(db: Db): Promise<Record<WaitingLetter["status"], number>> {
  const counts = db
    .select({ status: outbox.status, n: count() })
    .from(outbox)
    .groupBy(outbox.status);
  return {
    ...{ waiting: 0, held: 0, sent: 0, "given up": 0 },
    ...Object.fromEntries(counts.all().map(({ status, n }) => [status, n])),
  };
}

export async function countWaitingLetters(db: Db): Promise<number> {
  return db.select({ n: count() }).from(outbox).where(eq(outbox.status, "waiting")).get()!.n;
}

export async function markSent(db: Db, letter: WaitingLetter, now: Date): Promise<void> {
  db.update(outbox)
    .set({
      status: "sent",
      sentAt: now.toISOString(),
      attempts: letter.attempts + 1,
      lastError: null,
      link: null,
    })
    .where(eq(outbox.id, letter.id))
    .run();
  if (letter.link) emptyLogSoon(db.$client);
}

/** Notes a failed attempt. Without a next attempt the letter is given up. */
export async function markFailed(
  db: Db,
  letter: WaitingLetter,
  reason: string,
  nextAttempt: Date | undefined,
  now: Date,
): Promise<void> {
  db.update(outbox)
    .set({
      attempts: letter.attempts + 1,
      firstAttemptAt: letter.firstAttemptAt ?? now.toISOString(),
      lastError: reason,
      ...(nextAttempt
        ? { nextAttemptAt: nextAttempt.toISOString() }
        : { status: "given up", link: null }),
    })
    .where(eq(outbox.id, letter.id))
    .run();
  if (letter.link && !nextAttempt) emptyLogSoon(db.$client);
}
