import { and, count, eq, isNotNull, lt, notInArray, sql } from "drizzle-orm";
import { contactRequests, inbox, outbox, rubricRequests } from "../schema.ts";
import type { Db } from "../sqlite/open.ts";
import { addToOutbox, type Email } from "./outbox.ts";

/** A letter of the outbox that tells of a day's spam has this and the day for its reference. */
export const reportPrefix = "spam ";

/** Takes a request out of quarantine and lets its letter go. Returns whether it was in quarantine. */
export async function releaseFromSpam(db: Db, reference: string, now: Date): Promise<boolean> {
  return db.transaction(
    (tx) => {
      const changes = [contactRequests, rubricRequests].map(
        (table) =>
          tx
            .update(table)
            .set({ spam: null })
            .where(and(eq(table.reference, reference), isNotNull(table.spam)))
            .run().changes,
      );
      if (!changes.includes(1)) return false;
      tx.update(outbox)
        .set({ status: "pending", nextAttemptAt: now.toISOString() })
        .where(and(eq(outbox.reference, reference), eq(outbox.status, "on hold")))
        .run();
      return true;
    },
    { behavior: "immediate" },
  );
}

export interface SpamOfDay {
  /** As in 2026-11-21, UTC. */
  day: string;
  count: number;
}

/** The past days on which something went into quarantine, and of which no letter tells yet. */
export async function findUnreportedSpam(db: Db, now: Date): Promise<SpamOfDay[]> {
  const day = sql<string>`substr(${inbox.receivedAt}, 1, 10)`;
  const reported = db.select({ reference: outbox.reference }).from(outbox);
  return db
    .select({ day, count: count() })
    .from(inbox)
    .where(
      and(
        isNotNull(inbox.spam),
        lt(day, now.toISOString().slice(0, 10)),
        notInArray(sql`${reportPrefix} || ${day}`, reported),
      ),
    )
    .groupBy(day)
    .all();
}

/** Lets the letter go that tells of a day's spam. */
export async function reportSpam(db: Db, day: string, email: Email, now: Date): Promise<void> {
  addToOutbox(db, email, reportPrefix + day, now.toISOString());
}
