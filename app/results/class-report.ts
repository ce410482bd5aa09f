/** What the marks of a class say about its questions. */
import type { MarkedSubmission, QuestionMark } from "../domain/result.ts";
import { averageOf, percentageOf, sum, totalOf, wholePercentage } from "./grade.ts";
import { compareKeys, naturalKey } from "./learner-order.ts";

export interface QuestionReport {
  questionNumber: string;
  description: string;
  totalMarks: number;
  /** Mean of the marks, not rounded; null if no learner has a mark. */
  averageMarks: number | null;
  /** The mean as a whole percentage. */
  percentage: number | null;
  /** Number of learners with a mark. */
  marked: number;
  /** Number of learners with less than half of the marks. */
  lessThanHalf: number;
  /** Number of learners with all marks. */
  full: number;
  /** Number of learners with a mark of 0. */
  none: number;
  /** Whether no question has a lower percentage; false if all are equal. */
  isLowest: boolean;
  /** Whether no question has a higher percentage; false if all are equal. */
  isHighest: boolean;
}

/** Whether the learner left out a question of a choice, which says nothing of what they know. */
export const isLeftOut = ({ choice, notAnswered }: QuestionMark): boolean =>
  choice !== undefined && notAnswered === true;

/** Reports on every question, in the order of the paper. Counts only learners with a grade who did not leave it out. */
export function questionReports(submissions: MarkedSubmission[]): QuestionReport[] {
  const questions = submissions[0]!.questionMarks.map((question, index) => {
    const marks = submissions.flatMap(({ questionMarks, noGrade }) => {
      const mark = questionMarks[index]!;
      return noGrade || isLeftOut(mark) ? [] : (mark.marksAwarded ?? []);
    });
    const awarded = sum(marks);
    const total = question.totalMarks * marks.length;
    return { question, marks, awarded, total, share: percentageOf(awarded, total) };
  });
  // A question without a mark has no share (0 of 0), so it is neither the lowest nor the highest.
  const known = questions.flatMap(({ share }) => (Number.isNaN(share) ? [] : share));
  const lowest = Math.min(...known);
  const highest = Math.max(...known);
  const areAllEqual = lowest === highest;
  return questions.map(({ question, marks, awarded, total, share }) => {
    const { questionNumber, description, totalMarks } = question;
    const count = (matches: (mark: number) => boolean) => marks.filter(matches).length;
    return {
      questionNumber,
      description,
      totalMarks,
      averageMarks: averageOf(marks),
      percentage: total === 0 ? null : wholePercentage(awarded, total),
      marked: marks.length,
      lessThanHalf: count((mark) => mark < totalMarks / 2),
      full: count((mark) => mark === totalMarks),
      none: count((mark) => mark === 0),
      isLowest: !areAllEqual && share === lowest,
      isHighest: !areAllEqual && share === highest,
    };
  });
}

/** Whether a person should look at a mark first: the model was unsure and nothing is decided, or two markers differ. */
export const needsLook = (mark: QuestionMark): boolean => isUnsure(mark) || hasDifference(mark);

const isUnsure = (mark: QuestionMark): boolean => mark.unsure === true && !isDecided(mark);

type Marked = Pick<MarkedSubmission, "noGrade" | "questionMarks">;

/** Why marks of a class are to be looked at first, as the rest of a sentence. */
export function whyLook(submissions: readonly Marked[]): string {
  const marks = gradedMarks(submissions);
  const reasons = [
    marks.some(isUnsure) && "the proposal was marked as unsure",
    marks.some(hasDifference) && "two markers differ",
  ];
  return `${reasons.filter(Boolean).join(", or ")}.`;
}

/** Whether a second marker's mark differs by more than is tolerated, and is not resolved. */
export const hasDifference = (mark: QuestionMark): boolean => {
  const { marksAwarded, second } = mark;
  if (!isDecided(mark) || !second || second.isResolved) return false;
  return Math.abs(marksAwarded! - second.marks) > second.tolerance;
};

/** The marks that count: those of learners who get a grade. */
export const gradedMarks = (submissions: readonly Marked[]): QuestionMark[] =>
  submissions.flatMap(({ questionMarks, noGrade }) => (noGrade ? [] : questionMarks));

export const isDecided = ({ proposedMarks }: QuestionMark): boolean => proposedMarks !== undefined;

/** The share of the marks that was lost, in quarters, rounded up; 0 if the answer was left out or has no mark. */
export const lossOf = (mark: QuestionMark): number => {
  const { marksAwarded, totalMarks } = mark;
  if (marksAwarded === null || isLeftOut(mark)) return 0;
  return Math.ceil(((totalMarks - marksAwarded) * 4) / totalMarks);
};

/** What a class can be sorted by: names in alphabetical order, or marks, highest first and none last. */
export type SortKey = "name" | "mark";

/** The positions of the submissions, from 0, in the order that `sort` names. */
export function sortedIndexes(submissions: MarkedSubmission[], sort: SortKey): number[] {
  const keys = submissions.map(({ studentName }) => naturalKey(studentName));
  const byName = [...submissions.keys()].sort((one, other) =>
    compareKeys(keys[one]!, keys[other]!),
  );
  if (sort === "name") return byName;
  // Percentages are rounded, so different marks may have the same percentage: sort by marks.
  const awarded = submissions.map((submission) => totalOf(submission).awarded ?? -1);
  return byName.sort((one, other) => awarded[other]! - awarded[one]!);
}
