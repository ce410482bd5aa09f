import { eq, lt, sql } from "drizzle-orm";
import {
  audit,
  contactRequests,
  inbox,
  outbox,
  rubricRequests,
  subscriptions,
  uploadedFiles,
} from "../schema.ts";
import type { Db } from "../sqlite/open.ts";
import { ownedBy } from "./uploaded-files.ts";

type Action = (typeof audit.$inferSelect)["action"];

/** How many of each were deleted. */
export interface Deleted {
  requests: number;
  files: number;
  emails: number;
  subscriptions: number;
}

/**
 * Deletes requests with their files, letters and assessments, and subscriptions, and leaves a line in the
 * audit that names nobody. Each request is a transaction of its own: visitors write in between. What was
 * deleted still stands in the log: clearTraces() is to follow.
 */
export async function erase(
  db: Db,
  what: { references?: string[]; subscription?: string },
  action: Action,
  now: Date,
): Promise<Deleted> {
  const { references = [], subscription } = what;
  const total: Deleted = { requests: 0, files: 0, emails: 0, subscriptions: 0 };
  const line = db
    .insert(audit)
    .values({ action, createdAt: now.toISOString() })
    .returning({ id: audit.id })
    .get();
  const note = (deleted: Deleted, tx: Pick<Db, "update">) => {
    for (const key of Object.keys(total) as (keyof Deleted)[]) total[key] += deleted[key];
    tx.update(audit).set(total).where(eq(audit.id, line.id)).run();
  };
  for (const reference of references) {
    db.transaction((tx) => note(deleteRequest(tx, reference), tx), { behavior: "immediate" });
  }
  if (subscription !== undefined) {
    db.transaction((tx) => note(deleteSubscription(tx, subscription), tx), {
      behavior: "immediate",
    });
  }
  return total;
}

/** The references of requests that were received before a time. */
export async function referencesBefore(db: Db, date: Date): Promise<string[]> {
  return db
    .select({ reference: inbox.reference })
    .from(inbox)
    .where(lt(inbox.receivedAt, date.toISOString()))
    .all()
    .map(({ reference }) => reference);
}

/** An address as it is compared. */
export const plainAddress = (address: string) => address.trim().toLowerCase();

type Tx = Pick<Db, "select" | "delete">;

/** What belongs to the request goes with it, by the tables' own rules; letters only bear its reference. */
function deleteRequest(tx: Tx, reference: string): Deleted {
  const files = tx
    .select({ n: sql<number>`count(*)` })
    .from(uploadedFiles)
    .where(ownedBy(tx, reference))
    .get()!.n;
  const emails = tx.delete(outbox).where(eq(outbox.reference, reference)).run().changes;
  const requests = [contactRequests, rubricRequests]
    .map((table) => tx.delete(table).where(eq(table.reference, reference)).run().changes)
    .reduce((sum, changes) => sum + changes);
  return { requests, files, emails, subscriptions: 0 };
}

function deleteSubscription(tx: Tx, address: string): Deleted {
  const isTheirs = eq(subscriptions.email, plainAddress(address));
  const { changes } = tx.delete(subscriptions).where(isTheirs).run();
  return { requests: 0, files: 0, emails: 0, subscriptions: changes };
}
