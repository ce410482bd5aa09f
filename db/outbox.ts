import { randomUUID } from "node:crypto";
import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  like,
  lte,
  ne,
  not,
} from "drizzle-orm";
import type { Db } from "./open.ts";
import { placeholders, prepared } from "./prepared.ts";
import { outbox } from "./schema.ts";

/** A letter of the outbox that tells of a day's spam has this and the day for its reference. */
export const reportPrefix = "spam ";

export interface Letter {
  subject: string;
  body: string;
  /** One validated address. */
  replyTo: string;
}

export type WaitingLetter = typeof outbox.$inferSelect;

/**
 * Called inside the transaction that stores what the letter tells of.
 * @param held written, and not sent
 */
export function putInOutbox(
  db: Db,
  letter: Letter,
  reference: string,
  createdAt: string,
  held = false,
): void {
  const messageId = randomUUID();
  const status = held ? "held" : "waiting";
  insertLetter(db).run({
    ...letter,
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
    })
    .where(eq(outbox.id, letter.id))
    .run();
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
      ...(nextAttempt ? { nextAttemptAt: nextAttempt.toISOString() } : { status: "given up" }),
    })
    .where(eq(outbox.id, letter.id))
    .run();
}

/** Letters, newest first, without their bodies. */
export async function listLetters(db: Db, sentToo: boolean) {
  const { body: _, messageId: __, ...columns } = getTableColumns(outbox);
  return db
    .select(columns)
    .from(outbox)
    .where(sentToo ? undefined : ne(outbox.status, "sent"))
    .orderBy(desc(outbox.id))
    .all();
}

/**
 * Makes letters due at once that wait or were given up, as if they had never failed.
 * @param ids undefined is all of them
 * @returns those that are due now
 */
export async function retryLetters(
  db: Db,
  ids: number[] | undefined,
  now: Date,
): Promise<number[]> {
  return db
    .update(outbox)
    .set({ status: "waiting", nextAttemptAt: now.toISOString(), firstAttemptAt: null })
    .where(
      and(
        inArray(outbox.status, ["waiting", "given up"]),
        ids ? inArray(outbox.id, ids) : undefined,
      ),
    )
    .returning({ id: outbox.id })
    .all()
    .map(({ id }) => id);
}

/** Deletes letters, and returns those that were there. A daily report is only given up: it would be written again. */
export async function discardLetters(db: Db, ids: number[]): Promise<number[]> {
  const chosen = inArray(outbox.id, ids);
  const isReport = like(outbox.reference, `${reportPrefix}%`);
  return db.transaction(
    (tx) => [
      ...tx
        .update(outbox)
        .set({ status: "given up", lastError: "discarded" })
        .where(and(chosen, isReport))
        .returning({ id: outbox.id })
        .all()
        .map(({ id }) => id),
      ...tx
        .delete(outbox)
        .where(and(chosen, not(isReport)))
        .returning({ id: outbox.id })
        .all()
        .map(({ id }) => id),
    ],
    { behavior: "immediate" },
  );
}
