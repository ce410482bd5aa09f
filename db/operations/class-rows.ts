/** The rows of a class: its assessment, its learners with their marks, and its signature. */
import { and, asc, count, eq, isNull, type SQL, sql, sum } from "drizzle-orm";
import type { MarkedSubmission, Signature } from "../../app/domain/result.ts";
import { answerStatesOf } from "../../app/results/answer-states.ts";
import type { ListedDetails } from "../../app/results/class-list.ts";
import { pick, type Tx } from "../operation.ts";
import { assessmentSubmissions, assessments, signatures, submissions } from "../schema.ts";
import { type MarksText, withMarksParsed } from "../whole-class.ts";

/** A learner's row, with the marks. */
export type StoredSubmission = MarkedSubmission & LearnerRow;

/** The submissions of an assessment, in the order in which they were added. */
export const submissionRows = async (tx: Tx, assessmentId: number): Promise<StoredSubmission[]> =>
  (await storedRows(tx, eq(submissions.assessmentId, assessmentId))).map(withMarksParsed);

/** The submission of one learner; undefined if the assessment has no such learner. */
export async function submissionRow(
  tx: Tx,
  assessmentId: number,
  learnerId: number,
): Promise<StoredSubmission | undefined> {
  const isThis = and(eq(submissions.id, learnerId), eq(submissions.assessmentId, assessmentId))!;
  return (await storedRows(tx, isThis)).map(withMarksParsed)[0];
}

/** The rows of learners, with the marks as they are stored. */
export async function storedRows(tx: Tx, isWanted: SQL) {
  const rows = await tx
    .select({ ...learnerColumns, marks: sql<MarksText>`${submissions.questionMarks}` })
    .from(submissions)
    .where(isWanted)
    .orderBy(asc(submissions.id));
  return rows.map(learnerOf);
}

/** The rows of learners without the marks, which take a hundred times as long to read. */
export async function learnerRows(tx: Tx, assessmentId: number) {
  const rows = await tx
    .select(learnerColumns)
    .from(submissions)
    .where(eq(submissions.assessmentId, assessmentId))
    .orderBy(asc(submissions.id));
  return rows.map(learnerOf);
}

/** Where the fields of a class list are stored, besides the file. */
export const listedColumns = {
  number: "learnerNumber",
  name: "studentName",
} as const satisfies Record<keyof ListedDetails, keyof typeof submissions.$inferSelect>;

const learnerColumns = {
  ...pick(submissions, "id", "studentName", "fileName", "grade", "feedback"),
  ...pick(submissions, "learnerNumber", "isNumberListed", "noGrade", "isBlind"),
  ...pick(submissions, ...Object.values(listedColumns)),
};

/** Converts a row of `learnerColumns`. The specification lets feedback be null, which the program treats as empty. */
function learnerOf<
  Row extends Pick<
    typeof submissions.$inferSelect,
    "feedback" | "learnerNumber" | "isNumberListed" | "noGrade"
  >,
>({ learnerNumber: number, isNumberListed: listed, noGrade: reason, ...row }: Row) {
  return {
    ...row,
    feedback: row.feedback ?? "",
    ...(number !== null && { learnerNumber: number }),
    ...(listed && { isNumberListed: true as const }),
    ...(reason && { noGrade: reason }),
  };
}

export type LearnerRow = Awaited<ReturnType<typeof learnerRows>>[number];
export type StoredRow = LearnerRow & { marks: MarksText };

/** Columns that are stored together: the marks, and what follows from them. */
export const marksColumns = ({
  grade,
  questionMarks,
}: Pick<MarkedSubmission, "grade" | "questionMarks">) => ({
  grade,
  questionMarks,
  answerStates: answerStatesOf(questionMarks),
});

/** The signature, unless the marks were reopened since; undefined if there is none. */
export async function signatureOf(tx: Tx, assessmentId: number): Promise<Signature | undefined> {
  const [found] = await tx
    .select({ by: signatures.signedBy, at: signatures.createdAt })
    .from(signatures)
    .where(and(eq(signatures.assessmentId, assessmentId), isNull(signatures.reopenedAt)))
    .limit(1);
  return found;
}

/** Joins an assessment with what was uploaded to be marked. */
export const isOwnUpload = eq(assessmentSubmissions.id, assessments.assessmentSubmissionId);

/** Makes other decisions, signatures and imports of the assessment wait for the end of the transaction. */
export async function lockAssessment(tx: Tx, assessmentId: number): Promise<void> {
  await tx.locked(
    tx.select({ id: assessments.id }).from(assessments).where(eq(assessments.id, assessmentId)),
  );
}

/** The title of a class, with its average; undefined before questions are set or imported. */
export async function summaryOf(tx: Tx, assessmentId: number) {
  const { id, results } = assessments;
  const [found] = await tx.select({ results }).from(assessments).where(eq(id, assessmentId));
  return found?.results ?? undefined;
}

/**
 * Stores the average, the number of learners and, if given, the title of a class.
 * @param options.title needed if the class has no summary yet
 * @param options.isMarked whether to set the status to "graded" too, unless the results are published
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
