import { and, asc, count, eq, isNotNull, isNull, type SQL, sum } from "drizzle-orm";
import type { ImportOutcome, MarkingTarget } from "../../app/domain/publication.ts";
import type { MarkedSubmission, Results, Signature } from "../../app/domain/result.ts";
import { answerStatesOf } from "../../app/results/answer-states.ts";
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
import { pointRows } from "./memo-points.ts";
import { paperOf, questionRows, storeQuestions } from "./questions.ts";

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
  if (!found) return undefined;
  // Once there are submissions, they may have been joined and divided.
  const rows = await submissionRows(tx, found.assessmentId);
  const fileNames = rows.length > 0 ? rows.map((row) => row.fileName) : (found.fileNames ?? []);
  return { ...found, fileNames, learnerNames: rows.map((row) => row.studentName) };
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

/** The marks of an assessment, published or not; undefined before it has questions. */
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
  const points = await pointRows(tx, assessmentId);
  return {
    ...found.results,
    submissions: rows.map(({ id: learnerId, isBlind: _, ...row }) => ({ learnerId, ...row })),
    ...(Object.keys(points).length > 0 && { points }),
    ...(signed && { signed }),
  };
}

/** A learner's marks in their row. */
export type StoredSubmission = MarkedSubmission & { id: number; isBlind: boolean };

/** The submissions of an assessment, in the order of the results file. */
export const submissionRows = (tx: Tx, assessmentId: number): Promise<StoredSubmission[]> =>
  rowsWhere(tx, eq(submissions.assessmentId, assessmentId));

/** One learner's; undefined if the assessment has no such learner. */
export async function submissionRow(
  tx: Tx,
  assessmentId: number,
  learnerId: number,
): Promise<StoredSubmission | undefined> {
  const isThis = and(eq(submissions.id, learnerId), eq(submissions.assessmentId, assessmentId))!;
  return (await rowsWhere(tx, isThis))[0];
}

async function rowsWhere(tx: Tx, isWanted: SQL): Promise<StoredSubmission[]> {
  const { id, studentName, fileName, grade, feedback, questionMarks } = submissions;
  const { learnerNumber, isNumberListed, noGrade, isBlind } = submissions;
  const rows = await tx
    .select({
      id,
      studentName,
      fileName,
      grade,
      feedback,
      questionMarks,
      learnerNumber,
      isNumberListed,
      noGrade,
      isBlind,
    })
    .from(submissions)
    .where(isWanted)
    .orderBy(asc(submissions.id));
  // Nullable by the specification.
  return rows.map(({ learnerNumber: number, isNumberListed: listed, noGrade: reason, ...row }) => ({
    ...row,
    feedback: row.feedback ?? "",
    questionMarks: row.questionMarks ?? [],
    ...(number !== null && { learnerNumber: number }),
    ...(listed && { isNumberListed: true as const }),
    ...(reason && { noGrade: reason }),
  }));
}

/** Columns that are stored together: the marks, and what follows from them. */
export const marksColumns = ({
  grade,
  questionMarks,
}: Pick<MarkedSubmission, "grade" | "questionMarks">) => ({
  grade,
  questionMarks,
  answerStates: answerStatesOf(questionMarks),
});

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
  if (before?.signed) return { outcome: "signed", signature: before.signed };
  const rows = await submissionRows(tx, assessmentId);
  const { conflicts, after, decided, positions } = importedOver(rows, results, discardsDecisions);
  if (conflicts.length > 0 && !discardsDecisions) return { outcome: "conflicts", conflicts };
  if (before) {
    const discardedDecisions = discardsDecisions ? decided : 0;
    await tx
      .insert(replacedResults)
      .values({ assessmentId, results: before, replacedAt, discardedDecisions });
  }
  await replaceSubmissions(tx, assessmentId, {
    ...{ rows, imported: after, positions, processedAt: replacedAt },
  });
  const paper = paperOf(after.submissions[0]!.questionMarks, await questionRows(tx, assessmentId));
  await storeQuestions(tx, assessmentId, paper);
  await storeSummary(tx, assessmentId, { title: after.title, isMarked: true });
  return { outcome: "imported", results: after, replaced: before !== undefined, decided };
}

/** Updates the rows of submissions by their positions, so that their decisions stay with them. */
async function replaceSubmissions(
  tx: Tx,
  assessmentId: number,
  {
    rows,
    imported,
    positions,
    processedAt,
  }: {
    rows: StoredSubmission[];
    imported: Results;
    positions: (number | undefined)[];
    processedAt: string;
  },
): Promise<void> {
  for (const [index, submission] of imported.submissions.entries()) {
    const row = rows[positions[index] ?? -1];
    const values = { ...submission, ...marksColumns(submission), processedAt };
    if (row) await tx.update(submissions).set(values).where(eq(submissions.id, row.id));
    else await tx.insert(submissions).values({ assessmentId, ...values });
  }
  const gone = rows.filter((_, position) => !positions.includes(position));
  for (const { id } of gone) await tx.delete(submissions).where(eq(submissions.id, id));
}

/**
 * Stores what follows from the marks of a class: the average, and that there are marks.
 * @param options.title default: as it is
 */
export async function storeSummary(
  tx: Tx,
  assessmentId: number,
  { title, isMarked }: { title?: string; isMarked: boolean },
): Promise<void> {
  const [grades] = await tx
    .select({ sum: sum(submissions.grade), graded: count(submissions.grade), all: count() })
    .from(submissions)
    .where(eq(submissions.assessmentId, assessmentId));
  const isThis = eq(assessments.id, assessmentId);
  const { results, status } = assessments;
  const [found] = await tx.select({ results, status }).from(assessments).where(isThis);
  const { sum: total, graded, all } = grades!;
  await tx
    .update(assessments)
    .set({
      results: {
        title: title ?? found!.results!.title,
        averageGrade: graded === 0 ? null : Number(total) / graded,
        totalSubmissions: all,
      },
      ...(isMarked && found!.status !== "published" && { status: "graded" }),
    })
    .where(isThis);
}
