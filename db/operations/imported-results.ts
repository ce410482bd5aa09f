import { and, asc, eq, isNotNull, isNull } from "drizzle-orm";
import type { ImportOutcome, MarkingTarget } from "../../app/domain/publication.ts";
import type { MarkedSubmission, Results, Signature } from "../../app/domain/result.ts";
import { importedOver } from "../../app/results/import-over.ts";
import type { Tx } from "../operation.ts";
import {
  assessmentSubmissions,
  assessments,
  contactRequests,
  replacedResults,
  signatures,
  submissions,
} from "../schema.ts";

/** The work to be marked for a request; undefined if the request has no submissions. */
export async function findMarkingTarget(
  tx: Tx,
  reference: string,
): Promise<MarkingTarget | undefined> {
  const [found] = await tx
    .select({
      assessmentId: assessments.id,
      status: assessments.status,
      fileNames: assessmentSubmissions.submissionFileNames,
    })
    .from(contactRequests)
    .innerJoin(assessmentSubmissions, eq(assessmentSubmissions.contactId, contactRequests.id))
    .innerJoin(assessments, eq(assessments.assessmentSubmissionId, assessmentSubmissions.id))
    .where(eq(contactRequests.reference, reference))
    .limit(1);
  return found && { ...found, fileNames: found.fileNames ?? [] };
}

/** Requests with imported marks, without tests; oldest first. */
export async function listMarkedRequests(
  tx: Tx,
): Promise<{ reference: string; assessmentId: number }[]> {
  return await tx
    .select({ reference: contactRequests.reference, assessmentId: assessments.id })
    .from(contactRequests)
    .innerJoin(assessmentSubmissions, eq(assessmentSubmissions.contactId, contactRequests.id))
    .innerJoin(assessments, eq(assessments.assessmentSubmissionId, assessmentSubmissions.id))
    .where(and(isNotNull(assessments.results), eq(contactRequests.isTest, false)))
    .orderBy(asc(contactRequests.id));
}

/** The marks of an assessment, published or not; undefined before the first import. */
export async function findImportedResults(
  tx: Tx,
  assessmentId: number,
): Promise<Results | undefined> {
  const [found] = await tx
    .select({ results: assessments.results })
    .from(assessments)
    .where(eq(assessments.id, assessmentId));
  if (!found?.results) return undefined;
  const signed = await signatureOf(tx, assessmentId);
  const rows = await submissionRows(tx, assessmentId);
  return {
    ...found.results,
    submissions: rows.map(({ id: _, ...row }) => row),
    ...(signed && { signed }),
  };
}

/** A learner's marks in their row. */
export type StoredSubmission = MarkedSubmission & { id: number };

/** The submissions of an assessment, in the order of the results file. */
export async function submissionRows(tx: Tx, assessmentId: number): Promise<StoredSubmission[]> {
  const { id, studentName, fileName, grade, feedback, questionMarks } = submissions;
  const rows = await tx
    .select({ id, studentName, fileName, grade, feedback, questionMarks })
    .from(submissions)
    .where(eq(submissions.assessmentId, assessmentId))
    .orderBy(asc(submissions.id));
  // Nullable by the specification; an import fills them.
  return rows.map((row) => ({
    ...row,
    feedback: row.feedback!,
    questionMarks: row.questionMarks!,
  }));
}

/** The signature that holds, if there is one. */
export async function signatureOf(tx: Tx, assessmentId: number): Promise<Signature | undefined> {
  const [found] = await tx
    .select({ by: signatures.signedBy, at: signatures.createdAt })
    .from(signatures)
    .where(and(eq(signatures.assessmentId, assessmentId), isNull(signatures.reopenedAt)))
    .limit(1);
  return found;
}

/** Makes other decisions, signatures and imports of the assessment wait for the end of the transaction. */
export async function lockAssessment(tx: Tx, assessmentId: number): Promise<void> {
  await tx.locked(
    tx.select({ id: assessments.id }).from(assessments).where(eq(assessments.id, assessmentId)),
  );
}

/**
 * Stores the marks of an assessment. Where there are marks, it replaces the proposals of undecided
 * questions, archives the earlier results, and keeps links and decisions.
 * @param options.discardsDecisions replaces decided marks too
 */
export async function importResults(
  tx: Tx,
  assessmentId: number,
  results: Results,
  now: Date,
  { discardsDecisions = false }: { discardsDecisions?: boolean | undefined } = {},
): Promise<ImportOutcome> {
  await lockAssessment(tx, assessmentId);
  const replacedAt = now.toISOString();
  const before = await findImportedResults(tx, assessmentId);
  if (!before) {
    for (const submission of results.submissions) {
      await tx.insert(submissions).values({ assessmentId, ...submission, processedAt: replacedAt });
    }
    await storeSummary(tx, assessmentId, results, { status: "graded" });
    return { outcome: "imported", results, replaced: false, decided: 0 };
  }
  if (before.signed) return { outcome: "signed", signature: before.signed };
  const { conflicts, after, decided, positions } = importedOver(before, results);
  if (conflicts.length > 0 && !discardsDecisions) return { outcome: "conflicts", conflicts };
  const imported = discardsDecisions ? results : after;
  const discardedDecisions = discardsDecisions ? decided : 0;
  await tx
    .insert(replacedResults)
    .values({ assessmentId, results: before, replacedAt, discardedDecisions });
  await replaceSubmissions(tx, assessmentId, { imported, positions, processedAt: replacedAt });
  await storeSummary(tx, assessmentId, imported);
  return { outcome: "imported", results: imported, replaced: true, decided };
}

/** Updates the rows of submissions by their positions, so that their decisions stay with them. */
async function replaceSubmissions(
  tx: Tx,
  assessmentId: number,
  {
    imported,
    positions,
    processedAt,
  }: { imported: Results; positions: (number | undefined)[]; processedAt: string },
): Promise<void> {
  const rows = await submissionRows(tx, assessmentId);
  for (const [index, submission] of imported.submissions.entries()) {
    const row = rows[positions[index] ?? -1];
    const values = { ...submission, processedAt };
    if (row) await tx.update(submissions).set(values).where(eq(submissions.id, row.id));
    else await tx.insert(submissions).values({ assessmentId, ...values });
  }
  const gone = rows.filter((_, position) => !positions.includes(position));
  for (const { id } of gone) await tx.delete(submissions).where(eq(submissions.id, id));
}

async function storeSummary(
  tx: Tx,
  assessmentId: number,
  { title, averageGrade, totalSubmissions }: Results,
  more: { status?: "graded" } = {},
): Promise<void> {
  await tx
    .update(assessments)
    .set({ results: { title, averageGrade, totalSubmissions }, ...more })
    .where(eq(assessments.id, assessmentId));
}
