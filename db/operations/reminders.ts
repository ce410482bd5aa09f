/** Reminders of links that end before the marks are signed. */
import { and, eq, gt, inArray, isNotNull, isNull, lte, notInArray } from "drizzle-orm";
import { dayMs } from "../../app/domain/duration.ts";
import type { Email } from "../../app/domain/email.ts";
import type { EndingLink } from "../../app/domain/publication.ts";
import { type Tx, updateRows } from "../operation.ts";
import {
  assessmentSubmissions,
  assessments,
  contactRequests,
  outbox,
  resultLinks,
  signatures,
} from "../schema.ts";
import { addToOutbox } from "./add-to-outbox.ts";
import { isOwnUpload } from "./class-rows.ts";
import { isItsEmail, isOpen, wasSent } from "./result-links.ts";

const signedAssessments = (tx: Tx) =>
  tx.select({ id: signatures.assessmentId }).from(signatures).where(isNull(signatures.reopenedAt));

/** Selects reminders in the outbox whose links are open and lead to unsigned marks. The reminders contain no link. */
export function isTimelyReminder(tx: Tx, now: Date) {
  const { id, assessmentId } = resultLinks;
  const isUnsigned = notInArray(assessmentId, signedAssessments(tx));
  const links = tx
    .select({ id })
    .from(resultLinks)
    .where(and(isOpen(resultLinks, now), isUnsigned));
  return and(eq(outbox.kind, "reminder"), inArray(outbox.resultLinkId, links));
}

/**
 * Educators' links to unsigned results that end within some days, if the educator has not been reminded. Leaves out
 * links that were made for no more than these days, links of tests and suspected spam, and links whose email is unsent.
 */
export async function listEndingLinks(
  tx: Tx,
  { days, now }: { days: number; now: Date },
): Promise<EndingLink[]> {
  const { id, createdAt, expiresAt } = resultLinks;
  const { reference, email: recipient, isTest, spam } = contactRequests;
  const lead = days * dayMs;
  const found = await tx
    .select({ id, reference, recipient, createdAt, expiresAt })
    .from(resultLinks)
    .innerJoin(assessments, eq(assessments.id, resultLinks.assessmentId))
    .innerJoin(assessmentSubmissions, isOwnUpload)
    .innerJoin(contactRequests, eq(contactRequests.id, assessmentSubmissions.contactId))
    .leftJoin(outbox, isItsEmail)
    .where(
      and(
        eq(resultLinks.kind, "decide"),
        wasSent,
        isNull(resultLinks.revokedAt),
        isNull(resultLinks.remindedAt),
        gt(expiresAt, now.toISOString()),
        lte(expiresAt, new Date(now.getTime() + lead).toISOString()),
        notInArray(assessments.id, signedAssessments(tx)),
        isNotNull(assessments.results),
        eq(isTest, false),
        isNull(spam),
      ),
    );
  return found.filter((link) => Date.parse(link.expiresAt) - Date.parse(link.createdAt) > lead);
}

/** Puts the reminder of a link into the outbox, once. */
export async function remindOfLink(
  tx: Tx,
  { id, reference }: EndingLink,
  email: Email,
  now: Date,
): Promise<void> {
  const createdAt = now.toISOString();
  const isDue = and(eq(resultLinks.id, id), isNull(resultLinks.remindedAt));
  const reminded = await updateRows(tx, resultLinks, isDue, { remindedAt: createdAt });
  if (reminded === 0) return;
  const entry = { kind: "reminder", reference, createdAt, resultLinkId: id } as const;
  await addToOutbox(tx, email, { ...entry, isOnHold: false });
}
