import { eq, or, sql } from "drizzle-orm";
import type { ErasedCounts } from "../../app/domain/data-subject.ts";
import { erasedMarker } from "../../app/domain/decision.ts";
import type { MarkedSubmission } from "../../app/domain/result.ts";
import { normaliseAddress } from "../../app/domain/subscriber.ts";
import type { Tx } from "../operation.ts";
import {
  decisions,
  markDrafts,
  markingLinks,
  outbox,
  replacedResults,
  submissions,
} from "../schema.ts";
import { addToAudit } from "./erasure.ts";
import { lockAssessment } from "./imported-results.ts";

/** The links of a marker, by email address or by name. */
export async function markingLinksOf(
  tx: Tx,
  addressOrName: string,
): Promise<{ id: number; assessmentId: number }[]> {
  const { id, assessmentId, email, markerName } = markingLinks;
  const wanted = normaliseAddress(addressOrName);
  return await tx
    .select({ id, assessmentId })
    .from(markingLinks)
    .where(or(eq(sql`lower(trim(${email}))`, wanted), eq(sql`lower(trim(${markerName}))`, wanted)));
}

/**
 * Closes a marker's links, deletes their emails and drafts, and replaces the name and the address wherever they
 * are stored; marks and comments stay.
 */
export async function eraseMarker(
  tx: Tx,
  addressOrName: string,
  auditId: number,
  now: Date,
): Promise<ErasedCounts> {
  const links = await markingLinksOf(tx, addressOrName);
  const ids = links.map(({ id }) => id);
  const assessmentIds = new Set(links.map((link) => link.assessmentId));
  for (const assessmentId of assessmentIds) await lockAssessment(tx, assessmentId);
  const emails = await tx
    .delete(outbox)
    .where(tx.isOneOf(outbox.markingLinkId, ids))
    .returning({ id: outbox.id });
  const counts = { requests: 0, files: 0, emails: emails.length, subscriptions: 0 };
  await addToAudit(tx, auditId, counts);
  if (links.length === 0) return counts;
  await tx
    .update(markingLinks)
    .set({
      markerName: erasedMarker,
      email: null,
      revokedAt: sql`coalesce(${markingLinks.revokedAt}, ${now.toISOString()})`,
    })
    .where(tx.isOneOf(markingLinks.id, ids));
  const decided = await tx
    .update(decisions)
    .set({ decidedBy: erasedMarker })
    .where(tx.isOneOf(decisions.markingLinkId, ids))
    .returning({ id: decisions.id });
  const decisionIds = new Set(decided.map(({ id }) => id));
  for (const assessmentId of assessmentIds) {
    await renameIn(tx, assessmentId, decisionIds);
  }
  await tx.delete(markDrafts).where(tx.isOneOf(markDrafts.markingLinkId, ids));
  tx.scrubAfterCommit();
  return { ...counts, markingLinks: links.length };
}

/** Replaces the name in the marks of an assessment, and in archived ones. */
async function renameIn(tx: Tx, assessmentId: number, decisionIds: Set<number>): Promise<void> {
  const rename = <Marks extends MarkedSubmission["questionMarks"]>(marks: Marks) =>
    marks.map((mark) =>
      mark.decision && decisionIds.has(mark.decision.id)
        ? { ...mark, decision: { ...mark.decision, by: erasedMarker } }
        : mark,
    );
  const rows = await tx
    .select({ id: submissions.id, questionMarks: submissions.questionMarks })
    .from(submissions)
    .where(eq(submissions.assessmentId, assessmentId));
  for (const { id, questionMarks } of rows) {
    const renamed = rename(questionMarks ?? []);
    await tx.update(submissions).set({ questionMarks: renamed }).where(eq(submissions.id, id));
  }
  const archived = await tx
    .select({ id: replacedResults.id, results: replacedResults.results })
    .from(replacedResults)
    .where(eq(replacedResults.assessmentId, assessmentId));
  for (const { id, results } of archived) {
    const renamed = results.submissions.map((one) => ({
      ...one,
      questionMarks: rename(one.questionMarks),
    }));
    await tx
      .update(replacedResults)
      .set({ results: { ...results, submissions: renamed } })
      .where(eq(replacedResults.id, id));
  }
}
