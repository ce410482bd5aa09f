import { randomUUIDv7 } from "node:crypto";
import { and, asc, count, eq, lte } from "drizzle-orm";
import { outbox } from "../schema.ts";
import type { Db } from "../sqlite/open.ts";
import { placeholders, prepared } from "../sqlite/prepared.ts";
import { truncateWalSoon } from "../sqlite/wal.ts";

export interface Email {
  subject: string;
  body: string;
  /** One validated address. */
  replyTo: string;
  /** One validated address; without it the letter goes to the team. */
  recipient?: string;
}

export type OutboxEmail = typeof outbox.$inferSelect;

/**
 * Called inside the transaction that stores what the letter tells of.
 * @param held written, and not sent
 * @param secret a private link that the letter brings: kept only until it is sent
 */
export function addToOutbox(
  db: Db,
  email: Email,
  reference: string,
  createdAt: string,
  held = false,
  secret: { link?: string; resultLinkId?: number } = {},
): void {
  // In the order of time: the index of a crowd’s letters then grows at its end, and not all over.
  const messageId = randomUUIDv7();
  const status = held ? "on hold" : "pending";
  insertEmail(db).run({
    recipient: null,
    link: null,
    resultLinkId: null,
    ...email,
    ...secret,
    status,
    reference,
    messageId,
    createdAt,
    nextAttemptAt: createdAt,
  });
}

const insertEmail = prepared((db) =>
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
export async function nextDueEmail(db: Db, now: Date): Promise<OutboxEmail | undefined> {
  return db
    .select()
    .from(outbox)
    .where(and(eq(outbox.status, "pending"), lte(outbox.nextAttemptAt, now.toISOString())))
    .orderBy(asc(outbox.nextAttemptAt), asc(outbox.id))
    .limit(1)
    .get();
}

/** When the next letter falls due, or undefined where none waits. */
export async function nextDueTime(db: Db): Promise<Date | undefined> {
  const next = db
    .select({ at: outbox.nextAttemptAt })
    .from(outbox)
    .where(eq(outbox.status, "pending"))
    .orderBy(asc(outbox.nextAttemptAt))
    .limit(1)
    .get();
  return next && new Date(next.at);
}

/** When the oldest letter was written that still waits, as ISO 8601, or undefined. */
export async function oldestPendingEmail(db: Db): Promise<string | undefined> {
  return db
    .select({ at: outbox.createdAt })
    .from(outbox)
    .where(eq(outbox.status, "pending"))
    .orderBy(asc(outbox.createdAt))
    .limit(1)
    .get()?.at;
}

/** How many letters there are in each status. */
export async function countEmails(db: Db): Promise<Record<OutboxEmail["status"], number>> {
  const counts = db
    .select({ status: outbox.status, n: count() })
    .from(outbox)
    .groupBy(outbox.status);
  return {
    ...{ pending: 0, "on hold": 0, sent: 0, failed: 0, discarded: 0 },
    ...Object.fromEntries(counts.all().map(({ status, n }) => [status, n])),
  };
}

export async function countPendingEmails(db: Db): Promise<number> {
  return db.select({ n: count() }).from(outbox).where(eq(outbox.status, "pending")).get()!.n;
}

export async function markSent(db: Db, email: OutboxEmail, now: Date): Promise<void> {
  db.update(outbox)
    .set({
      status: "sent",
      sentAt: now.toISOString(),
      attempts: email.attempts + 1,
      lastError: null,
      link: null,
    })
    .where(eq(outbox.id, email.id))
    .run();
  if (email.link) truncateWalSoon(db.$client);
}

/** Notes a failed attempt. Without a next attempt the letter is given up. */
export async function markFailed(
  db: Db,
  email: OutboxEmail,
  reason: string,
  nextAttempt: Date | undefined,
  now: Date,
): Promise<void> {
  db.update(outbox)
    .set({
      attempts: email.attempts + 1,
      firstAttemptAt: email.firstAttemptAt ?? now.toISOString(),
      lastError: reason,
      ...(nextAttempt
        ? { nextAttemptAt: nextAttempt.toISOString() }
        : { status: "failed", link: null }),
    })
    .where(eq(outbox.id, email.id))
    .run();
  if (email.link && !nextAttempt) truncateWalSoon(db.$client);
}
