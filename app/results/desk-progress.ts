/** How far the marking of a class is. */
import type { MarkedSubmission, QuestionMark } from "../domain/result.ts";
import { isDecided, needsLook } from "./class-report.ts";

/** Nothing yet, a proposal in pencil, one to look at first, or decided in red. */
export type AnswerState = "empty" | "pencil" | "look first" | "red";

export function answerState(mark: QuestionMark): AnswerState {
  if (needsLook(mark)) return "look first";
  if (isDecided(mark)) return "red";
  return mark.marksAwarded === null ? "empty" : "pencil";
}

/** Numbers of answers. */
interface Counts {
  total: number;
  decided: number;
  /** Those that are not decided and have a proposal. */
  proposed: number;
}

export interface DeskProgress extends Counts {
  questions: (Counts & { questionNumber: string })[];
  /** Whose decisions count now, most first. */
  people: { name: string; decided: number }[];
  learners: number;
  absent: number;
  unreadable: number;
}

/** Learners without a grade count nowhere but in their own numbers. */
export function deskProgress(
  submissions: readonly Pick<MarkedSubmission, "noGrade" | "questionMarks">[],
): DeskProgress {
  const graded = submissions.filter(({ noGrade }) => !noGrade);
  const marks = graded.flatMap(({ questionMarks }) => questionMarks);
  const people = Map.groupBy(
    marks.flatMap(({ decision }) => decision ?? []),
    ({ by }) => by,
  );
  const count = (reason: string) => submissions.filter(({ noGrade }) => noGrade === reason).length;
  return {
    ...countsOf(marks),
    questions: [...Map.groupBy(marks, ({ questionNumber }) => questionNumber)].map(
      ([questionNumber, own]) => ({ questionNumber, ...countsOf(own) }),
    ),
    people: [...people]
      .map(([name, decided]) => ({ name, decided: decided.length }))
      .sort((one, other) => other.decided - one.decided),
    learners: submissions.length,
    absent: count("absent"),
    unreadable: count("unreadable"),
  };
}

const countsOf = (marks: readonly QuestionMark[]): Counts => ({
  total: marks.length,
  decided: marks.filter(isDecided).length,
  proposed: marks.filter((mark) => !isDecided(mark) && mark.marksAwarded !== null).length,
});
