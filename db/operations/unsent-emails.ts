/** What operators may do about letters that have not been sent. */
import { and, desc, inArray, isNotNull, isNull, like, ne, not, or } from "drizzle-orm";
import { outbox } from "../schema.ts";
import type { Db } from "../sqlite/open.ts";
import { withdraw } from "./publication.ts";
import { reportPrefix } from "./quarantine.ts";
import { assessmentsAwaiting } from "./result-links.ts";

/** Letters, newest first, without their bodies. */
export async function listEmails(db: Db, sentToo: boolean) {
  const { id, reference, createdAt, status, attempts, nextAttemptAt } = outbox;
  const { lastError, sentAt, replyTo, recipient, subject } = outbox;
  return db
    .select({
      ...{ id, reference, createdAt, status, attempts, nextAttemptAt },
      ...{ lastError, sentAt, replyTo, recipient, subject },
    })
    .from(outbox)
    .where(sentToo ? undefined : ne(outbox.status, "sent"))
    .orderBy(desc(outbox.id))
    .all();
}

/**
 * Makes letters due at once that wait or were given up, as if they had never failed. Those that brought a
 * private link are left alone once it is forgotten: they would bring nothing.
 * @param ids undefined is all of them
 * @returns those that are due now
 */
export async function retryEmails(db: Db, ids: number[] | undefined, now: Date): Promise<number[]> {
  return db
    .update(outbox)
    .set({ status: "pending", nextAttemptAt: now.toISOString(), firstAttemptAt: null })
    .where(
      and(
        inArray(outbox.status, ["pending", "failed"]),
        or(isNull(outbox.resultLinkId), isNotNull(outbox.link)),
        ids ? inArray(outbox.id, ids) : undefined,
      ),
    )
    .returning({ id: outbox.id })
    .all()
    .map(({ id }) => id);
}

/**
 * Deletes letters, and returns those that were there. A daily report is only given up: it would be written
 * again. Marks whose link was in such a letter are not published any more: nobody would ever know it.
 */
export async function discardEmails(db: Db, ids: number[], now: Date): Promise<number[]> {
  const chosen = inArray(outbox.id, ids);
  const isReport = like(outbox.reference, `${reportPrefix}%`);
  return db.transaction(
    (tx) => {
      const unpublished = assessmentsAwaiting(tx, ids);
      const reports = tx
        .update(outbox)
        .set({ status: "failed", lastError: "discarded" })
        .where(and(chosen, isReport))
        .returning({ id: outbox.id })
        .all();
      const deleted = tx
        .delete(outbox)
        .where(and(chosen, not(isReport)))
        .returning({ id: outbox.id })
        .all();
      for (const assessmentId of unpublished) withdraw(tx, assessmentId, now);
      return [...reports, ...deleted].map(({ id }) => id);
    },
    { behavior: "immediate" },
  );
}
