import { and, eq, gt, isNotNull, isNull, lt, max, or } from "drizzle-orm";
import { dayMs } from "../../app/domain/duration.ts";
import { countRows, type Tx } from "../operation.ts";
import {
  audit,
  clock,
  deletedRequests,
  outbox,
  requestTables,
  subscriptionReceipts,
  subscriptions,
} from "../schema.ts";
import { recordDeletion } from "./erasure.ts";

/** When data was last deleted by age, and when the newest request was received; each is undefined if never. */
export async function findPastTimes(tx: Tx) {
  const times: string[] = [];
  for (const table of requestTables) {
    const [newest] = await tx.select({ at: max(table.createdAt) }).from(table);
    if (newest?.at) times.push(newest.at);
  }
  const newest = times.sort().at(-1);
  const newestRequest = newest === undefined ? undefined : new Date(newest);
  const [row] = await tx.select({ at: clock.lastCleanupAt }).from(clock);
  return { newestRequest, lastCleanup: row && new Date(row.at) };
}

export async function recordCleanup(tx: Tx, now: Date): Promise<void> {
  const row = { lastCleanupAt: now.toISOString() };
  await tx
    .insert(clock)
    .values({ id: 1, ...row })
    .onConflictDoUpdate({ target: clock.id, set: row });
}

/** Makes emails due that are due more than a day ahead: a wrong clock put them off. */
export async function makePutOffEmailsDue(tx: Tx, now: Date): Promise<void> {
  const tomorrow = new Date(now.getTime() + dayMs).toISOString();
  await tx
    .update(outbox)
    .set({ nextAttemptAt: now.toISOString() })
    .where(and(eq(outbox.status, "pending"), gt(outbox.nextAttemptAt, tomorrow)));
}

/** The number of requests received before a time, and of all requests. */
export async function countRequests(tx: Tx, before: Date): Promise<{ old: number; all: number }> {
  const counts = { old: 0, all: 0 };
  for (const table of requestTables) {
    counts.old += await countRows(tx, table, lt(table.createdAt, before.toISOString()));
    counts.all += await countRows(tx, table);
  }
  return counts;
}

/**
 * Deletes at most `max` requests received before a time, with their files and emails. Returns their number, which the
 * audit table records. If it is below `max`, no such request is left, and other rows of that age are deleted too.
 */
export async function deleteRequestsBefore(
  tx: Tx,
  before: Date,
  max: number,
  now: Date,
): Promise<number> {
  const time = before.toISOString();
  let requests = 0;
  for (const table of requestTables) {
    const old = await tx
      .select({ id: table.id, reference: table.reference })
      .from(table)
      .where(lt(table.createdAt, time))
      .limit(max - requests);
    const references = old.map(({ reference }) => reference);
    await recordDeletion(tx, references);
    const ids = old.map(({ id }) => id);
    await tx.delete(table).where(tx.isOneOf(table.id, ids));
    requests += old.length;
  }
  if (requests < max) await deleteOthersBefore(tx, time, now);
  if (requests > 0) {
    const createdAt = now.toISOString();
    await tx.insert(audit).values({ action: "requests expired", createdAt, requests });
    tx.scrubAfterCommit();
  }
  return requests;
}

/** Minimum time for which deletions stay recorded: the drop folder may be on a share that is unmounted for months. */
const deletionsKeptMs = 365 * dayMs;

async function deleteOthersBefore(tx: Tx, time: string, now: Date): Promise<void> {
  // Spam reports, summaries and emails to subscribers are about no request. Emails about a request are deleted with it.
  const isAboutNone = and(isNull(outbox.contactRequestId), isNull(outbox.rubricRequestId));
  await tx.delete(outbox).where(and(isAboutNone, lt(outbox.createdAt, time)));
  await tx.delete(subscriptionReceipts).where(lt(subscriptionReceipts.createdAt, time));
  const yearAgo = new Date(now.getTime() - deletionsKeptMs).toISOString();
  const ofDeletions = lt(deletedRequests.createdAt, time < yearAgo ? time : yearAgo);
  await tx.delete(deletedRequests).where(ofDeletions);
  // Subscriptions do not expire, except suspected spam and tests.
  await tx
    .delete(subscriptions)
    .where(
      and(
        lt(subscriptions.createdAt, time),
        or(isNotNull(subscriptions.spam), eq(subscriptions.isTest, true)),
      ),
    );
}
