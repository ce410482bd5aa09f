import { and, count, eq, inArray, isNotNull, isNull, lt, or } from "drizzle-orm";
import type { Tx } from "../operation.ts";
import {
  audit,
  inbox,
  outbox,
  requestTables,
  subscriptionReceipts,
  subscriptions,
} from "../schema.ts";

export async function countRequests(tx: Tx, before: Date): Promise<{ old: number; all: number }> {
  const counts = { old: 0, all: 0 };
  for (const table of requestTables) {
    const isOld = lt(table.createdAt, before.toISOString());
    const [old] = await tx.select({ n: count() }).from(table).where(isOld);
    const [all] = await tx.select({ n: count() }).from(table);
    counts.old += old!.n;
    counts.all += all!.n;
  }
  return counts;
}

export async function deleteRequestsBefore(tx: Tx, date: Date, now: Date): Promise<number> {
  const time = date.toISOString();
  const old = tx.select({ of: inbox.reference }).from(inbox).where(lt(inbox.receivedAt, time));
  await tx.delete(outbox).where(inArray(outbox.reference, old));
  // Spam reports and summaries.
  await tx.delete(outbox).where(and(isNull(outbox.reference), lt(outbox.createdAt, time)));
  await tx.delete(subscriptionReceipts).where(lt(subscriptionReceipts.createdAt, time));
  // Subscriptions do not expire, except suspected spam and tests.
  await tx
    .delete(subscriptions)
    .where(
      and(
        lt(subscriptions.createdAt, time),
        or(isNotNull(subscriptions.spam), eq(subscriptions.isTest, true)),
      ),
    );
  let requests = 0;
  for (const table of requestTables) {
    const deleted = await tx
      .delete(table)
      .where(lt(table.createdAt, time))
      .returning({ id: table.id });
    requests += deleted.length;
  }
  if (requests > 0) {
    const createdAt = now.toISOString();
    await tx.insert(audit).values({ action: "requests expired", createdAt, requests });
    tx.scrubAfterCommit();
  }
  return requests;
}
