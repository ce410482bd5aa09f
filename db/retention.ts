import { inArray, lt } from "drizzle-orm";
import type { Db } from "./open.ts";
import { contactRequests, outbox } from "./schema.ts";

/** Deletes requests received before a time, with their files, assessments and letters. Returns how many. */
export async function forgetRequestsBefore(db: Db, time: Date): Promise<number> {
  const isOld = lt(contactRequests.createdAt, time.toISOString());
  return db.transaction(
    (tx) => {
      const old = tx.select({ of: contactRequests.reference }).from(contactRequests).where(isOld);
      tx.delete(outbox).where(inArray(outbox.reference, old)).run();
      return tx.delete(contactRequests).where(isOld).run().changes;
    },
    { behavior: "immediate" },
  );
}
