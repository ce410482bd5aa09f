/** Operations on the outbox for operators' commands. */
import { and, desc, eq, inArray, isNotNull, isNull, ne, notInArray, or } from "drizzle-orm";
import type { ListedEmail } from "../../app/domain/email.ts";
import { pick, type Tx } from "../operation.ts";
import { outbox } from "../schema.ts";
import { isFree } from "./leases.ts";
import { revokeResults } from "./publish-results.ts";
import { isTimelyReminder } from "./reminders.ts";
import { assessmentsOfUnsent } from "./result-links.ts";

const unsent = ["pending", "on hold", "failed", "discarded"] as const;

/** Selects emails that some recipients have and that the mail server has rejected for others. */
const isIncomplete = and(eq(outbox.status, "sent"), isNotNull(outbox.lastError));

/** Selects emails that are of use without a private link. */
const isUsefulAlone = and(
  isNull(outbox.resultLinkId),
  isNull(outbox.markingLinkId),
  notInArray(outbox.kind, ["confirmation", "announcement"]),
);

/** Emails and webhooks, newest first. `includesSent` adds those that all recipients got or that a summary replaced. */
export async function listEmails(tx: Tx, includesSent: boolean): Promise<ListedEmail[]> {
  return await tx
    .select({
      ...pick(outbox, "id", "kind", "reference", "createdAt", "status", "attempts"),
      ...pick(outbox, "nextAttemptAt", "lastError", "sentAt", "replyTo", "recipient", "subject"),
    })
    .from(outbox)
    .where(includesSent ? undefined : or(isIncomplete, inArray(outbox.status, unsent)))
    .orderBy(desc(outbox.id));
}

/**
 * Makes emails due at once that are pending, have failed or were rejected for some recipients. Leaves out emails that
 * are being sent, and emails that are of no use because their private link was deleted.
 * @param ids of the emails to retry; undefined for all
 * @returns ids of the emails that are due now
 */
export async function retryEmails(tx: Tx, ids: number[] | undefined, now: Date): Promise<number[]> {
  const retried = await tx
    .update(outbox)
    .set({ status: "pending", nextAttemptAt: now.toISOString(), firstAttemptAt: null })
    .where(
      and(
        or(isIncomplete, inArray(outbox.status, ["pending", "failed"])),
        // A failed email about a request has lost its link too, but says how to get the files without it.
        or(isUsefulAlone, isNotNull(outbox.link), isTimelyReminder(tx, now)),
        ids ? inArray(outbox.id, ids) : undefined,
        isFree(tx, outbox),
      ),
    )
    .returning({ id: outbox.id });
  return retried.map(({ id }) => id);
}

/**
 * Deletes emails, except those that are being sent. A spam report only becomes "discarded": if it were deleted, it
 * would be composed again. Results whose link was in an unsent email are no longer published. Returns the ids of the
 * deleted or discarded emails.
 */
export async function discardEmails(tx: Tx, ids: number[], now: Date): Promise<number[]> {
  const isChosen = and(inArray(outbox.id, ids), isFree(tx, outbox));
  const chosen = await tx.locked(tx.select({ id: outbox.id }).from(outbox).where(isChosen));
  const chosenIds = chosen.map(({ id }) => id);
  const assessments = await assessmentsOfUnsent(tx, chosenIds);
  const reports = await tx
    .update(outbox)
    .set({ status: "discarded" })
    .where(and(isChosen, eq(outbox.kind, "spam report")))
    .returning({ id: outbox.id });
  const deleted = await tx
    .delete(outbox)
    .where(and(isChosen, ne(outbox.kind, "spam report")))
    .returning({ id: outbox.id });
  for (const assessmentId of assessments) await revokeResults(tx, assessmentId, now);
  return [...reports, ...deleted].map(({ id }) => id);
}
