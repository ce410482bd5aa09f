/** How far the marking of a class is. */
import type { MarkedSubmission, QuestionMark } from "../domain/result.ts";
import { gradedMarks, hasDifference, isDecided, needsLook } from "./class-report.ts";
import { hasOpenProposal } from "./decision-progress.ts";
import { type Decider, whoDecided } from "./who-decided.ts";

/** Nothing yet, a proposal in pencil, one to look at first, decided in red, or decided and another marker differs. */
export type AnswerState = "empty" | "pencil" | "look first" | "red" | "differs";

export function answerState(mark: QuestionMark): AnswerState {
  if (hasDifference(mark)) return "differs";
  if (isDecided(mark)) return "red";
  if (needsLook(mark)) return "look first";
  return mark.marksAwarded === null ? "empty" : "pencil";
}

interface Counts {
  total: number;
  decided: number;
  /** Answers that are not decided and have a proposal. */
  proposed: number;
}

export interface DeskProgress extends Counts {
  questions: (Counts & { questionNumber: string })[];
  /** Whose decisions count now, most first. */
  people: Decider[];
  /** Answers on which two markers differ still. */
  differences: number;
  learners: number;
  absent: number;
  unreadable: number;
}

/** Learners without a grade count only in the numbers of learners. */
export function deskProgress(
  submissions: readonly Pick<MarkedSubmission, "noGrade" | "questionMarks">[],
): DeskProgress {
  const marks = gradedMarks(submissions);
  const count = (reason: string) => submissions.filter(({ noGrade }) => noGrade === reason).length;
  return {
    ...countsOf(marks),
    questions: [...Map.groupBy(marks, ({ questionNumber }) => questionNumber)].map(
      ([questionNumber, own]) => ({ questionNumber, ...countsOf(own) }),
    ),
    people: whoDecided(submissions).deciders,
    differences: marks.filter(hasDifference).length,
    learners: submissions.length,
    absent: count("absent"),
    unreadable: count("unreadable"),
  };
}

const countsOf = (marks: readonly QuestionMark[]): Counts => ({
  total: marks.length,
  decided: marks.filter(isDecided).length,
  proposed: marks.filter(hasOpenProposal).length,
});
