import { asc, eq } from "drizzle-orm";
import type { PaperQuestion } from "../../app/domain/desk.ts";
import type { QuestionMark } from "../../app/domain/result.ts";
import type { Tx } from "../operation.ts";
import { questions } from "../schema.ts";

/** The questions of an assessment, in the order of the paper. */
export async function questionRows(tx: Tx, assessmentId: number): Promise<PaperQuestion[]> {
  const rows = await tx
    .select()
    .from(questions)
    .where(eq(questions.assessmentId, assessmentId))
    .orderBy(asc(questions.position));
  return rows.map(({ number, total, text, memo, choiceGroup, choiceCount }) => ({
    questionNumber: number,
    totalMarks: total,
    description: text,
    memo,
    ...(choiceGroup !== null && { choice: { group: choiceGroup, best: choiceCount! } }),
  }));
}

/** Replaces the questions of an assessment; the caller updates the marks of its learners. */
export async function storeQuestions(
  tx: Tx,
  assessmentId: number,
  paper: readonly PaperQuestion[],
): Promise<void> {
  await tx.delete(questions).where(eq(questions.assessmentId, assessmentId));
  for (const [index, question] of paper.entries()) {
    await tx.insert(questions).values({
      assessmentId,
      number: question.questionNumber,
      total: question.totalMarks,
      text: question.description,
      memo: question.memo,
      position: index + 1,
      choiceGroup: question.choice?.group,
      choiceCount: question.choice?.best,
    });
  }
}

/** The questions of imported marks, without memos, which marks do not have. */
export const paperOf = (marks: readonly QuestionMark[]): PaperQuestion[] =>
  marks.map(({ questionNumber, totalMarks, description, choice }) => ({
    questionNumber,
    totalMarks,
    description,
    memo: "",
    ...(choice && { choice }),
  }));
