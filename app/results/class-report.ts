/** What the marks of a class say about its questions. */
import type { MarkedSubmission, QuestionMark } from "../domain/result.ts";
import { gradeOf, percentageOf } from "./grade.ts";

export interface QuestionReport {
  questionNumber: string;
  description: string;
  totalMarks: number;
  /** Mean of the marks awarded, not rounded. */
  averageMarks: number;
  /** The same as a whole percentage. */
  percentage: number;
  /** How many learners have less than half of the marks, all of them, none. */
  lessThanHalf: number;
  full: number;
  none: number;
  /** Whether the class lost the most here; no question has it if all are equal. */
  isLowest: boolean;
}

/** Reports on every question, in the order of the paper. */
export function questionReports(submissions: MarkedSubmission[]): QuestionReport[] {
  const exact = submissions[0]!.questionMarks.map((_, index) => {
    const marks = submissions.map(({ questionMarks }) => questionMarks[index]!);
    const awarded = marks.reduce((sum, { marksAwarded }) => sum + marksAwarded, 0);
    return { marks, awarded, total: marks[0]!.totalMarks * marks.length };
  });
  const percentages = exact.map(percentageOf);
  const lowest = Math.min(...percentages);
  const isEven = percentages.every((percentage) => percentage === lowest);
  return exact.map((sum, index) => {
    const { questionNumber, description, totalMarks } = sum.marks[0]!;
    const count = (matches: (awarded: number) => boolean) =>
      sum.marks.filter(({ marksAwarded }) => matches(marksAwarded)).length;
    return {
      questionNumber,
      description,
      totalMarks,
      averageMarks: sum.awarded / sum.marks.length,
      percentage: gradeOf(sum),
      lessThanHalf: count((awarded) => awarded < totalMarks / 2),
      full: count((awarded) => awarded === totalMarks),
      none: count((awarded) => awarded === 0),
      isLowest: !isEven && percentages[index] === lowest,
    };
  });
}

/** Whether a person should look at a mark first: the model was unsure, and no decision is stored. */
export const needsLook = ({ unsure, proposedMarks }: QuestionMark): boolean =>
  unsure === true && proposedMarks === undefined;

/** Whether a person has decided a mark. */
export const isDecided = ({ proposedMarks }: QuestionMark): boolean => proposedMarks !== undefined;

/** The learners with marks to look at first, by position, with the numbers of these questions. */
export const marksToLookAt = (submissions: MarkedSubmission[]) =>
  submissions.flatMap(({ questionMarks }, index) => {
    const questions = questionMarks.filter(needsLook).map(({ questionNumber }) => questionNumber);
    return questions.length > 0 ? [{ index, questions }] : [];
  });

/** How much of a question was lost: 0 for nothing, then 1 to 4 for each quarter begun. */
export const lossOf = ({ marksAwarded, totalMarks }: QuestionMark): number =>
  Math.ceil(((totalMarks - marksAwarded) * 4) / totalMarks);

/** What a class can be sorted by: names in alphabetical order, or marks, highest first. */
export type SortKey = "name" | "mark";

/** The positions of the submissions in this order. */
export function sortedIndexes(submissions: MarkedSubmission[], sort: SortKey): number[] {
  // Loads ICU's data, which takes 10 ms: not at the start.
  const { compare } = new Intl.Collator("en", { numeric: true });
  const byName = [...submissions.keys()].sort((one, other) =>
    compare(submissions[one]!.studentName, submissions[other]!.studentName),
  );
  if (sort === "name") return byName;
  return byName.sort((one, other) => submissions[other]!.grade - submissions[one]!.grade);
}
