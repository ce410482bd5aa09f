import { and, eq, inArray, isNotNull, like, lt, or } from "drizzle-orm";
import { contactRequests, inbox, outbox, rubricRequests, subscriptions } from "../schema.ts";
import type { Db } from "../sqlite/open.ts";
import { truncateWalSoon } from "../sqlite/wal.ts";
import { reportPrefix } from "./quarantine.ts";

/** Deletes requests received before a time, with their files, assessments and letters. Returns how many. */
export async function deleteRequestsBefore(db: Db, date: Date): Promise<number> {
  const time = date.toISOString();
  const deleted = db.transaction(
    (tx) => {
      const old = tx.select({ of: inbox.reference }).from(inbox).where(lt(inbox.receivedAt, time));
      tx.delete(outbox).where(inArray(outbox.reference, old)).run();
      tx.delete(outbox)
        .where(and(like(outbox.reference, `${reportPrefix}%`), lt(outbox.createdAt, time)))
        .run();
      // What a real visitor subscribed stays until it is removed.
      tx.delete(subscriptions)
        .where(
          and(
            lt(subscriptions.createdAt, time),
            or(isNotNull(subscriptions.spam), eq(subscriptions.isTest, true)),
          ),
        )
        .run();
      return [contactRequests, rubricRequests]
        .map((table) => tx.delete(table).where(lt(table.createdAt, time)).run().changes)
        .reduce((sum, changes) => sum + changes);
    },
    { behavior: "immediate" },
  );
  if (deleted > 0) truncateWalSoon(db.$client);
  return deleted;
}
