/** How many marks of a class are decided, and how far decided marks differ from their proposals. */
import { counted } from "../domain/counted.ts";
import type { MarkedSubmission, QuestionMark } from "../domain/result.ts";
import { proposalOf, withMarks } from "./apply-decision.ts";
import { gradedMarks, hasDifference, isDecided } from "./class-report.ts";
import { sum, totalOf } from "./grade.ts";

export interface DecisionProgress {
  decided: number;
  total: number;
  /** Decided marks that had a proposal. */
  decidedProposals: number;
  /** Decided marks that differ from their proposals. */
  changed: number;
  /** The sum of decided marks less their proposals. */
  difference: number;
  /** What a person signs, as a text: the last decision's id, the number of marks that count, and the sums of marks. */
  figures: string;
  /** Learners with proposals that no person has decided: they block signing. */
  undecided: LearnerQuestions[];
  /** Learners with questions that have neither a proposal nor a decision. */
  unmarked: LearnerQuestions[];
  /** Learners with answers on which two markers differ. Signing accepts the differences. */
  differing: LearnerQuestions[];
}

export interface LearnerQuestions {
  /** Position in the class, from 0. */
  index: number;
  /** Numbers of the questions. */
  questions: string[];
}

/** Learners without a grade do not count, but their decisions change `figures`. */
export function progressOf(submissions: readonly MarkedSubmission[]): DecisionProgress {
  const marks = gradedMarks(submissions);
  const decided = marks.filter(isDecided);
  const ids = submissions.flatMap(({ questionMarks }) =>
    questionMarks.flatMap(({ decision, second }) => [decision?.id ?? 0, second?.id ?? 0]),
  );
  const totals = submissions.map(totalOf);
  const awarded = totals.map((one) => one.awarded ?? 0);
  const total = totals.map((one) => one.total);
  const lastDecisionId = ids.reduce((last, id) => Math.max(last, id), 0);
  const differences = decided.flatMap((mark) => {
    const proposal = proposalOf(mark);
    return proposal === null ? [] : [mark.marksAwarded! - proposal];
  });
  return {
    decided: decided.length,
    total: marks.length,
    decidedProposals: differences.length,
    changed: differences.filter((difference) => difference !== 0).length,
    difference: sum(differences),
    figures: [lastDecisionId, marks.length, sum(awarded), sum(total)].join(" "),
    undecided: learnersWith(submissions, hasOpenProposal),
    unmarked: learnersWith(submissions, isUnmarked),
    differing: learnersWith(submissions, hasDifference),
  };
}

/** Ends file names and page titles until the marks are signed; also the value of “Signed” in the file of marks. */
export const unsignedNote = "unsigned";

/** Whether a mark is proposed and no person has decided it. */
export const hasOpenProposal = (mark: QuestionMark): boolean =>
  !isDecided(mark) && mark.marksAwarded !== null;

/** Whether a question has neither a proposal nor a decision. */
export const isUnmarked = (mark: QuestionMark): boolean =>
  !isDecided(mark) && mark.marksAwarded === null;

/** The submission without marks that are only proposed. If there were any, it has no grade. */
export const withoutProposals = (submission: MarkedSubmission): MarkedSubmission =>
  withMarks(
    submission,
    submission.questionMarks.map((mark) =>
      hasOpenProposal(mark) ? { ...mark, marksAwarded: null } : mark,
    ),
  );

/** The number of answers: the sum over learners of their questions. */
export const countOfAnswers = (learners: readonly LearnerQuestions[]): number =>
  sum(learners.map(({ questions }) => questions.length));

/** For example "1.1, 2". */
export const questionList = (numbers: readonly string[]): string => numbers.join(", ");

/** For example "Anna, questions 1.1, 2". */
export const learnerQuestions = (name: string, numbers: readonly string[]): string =>
  `${name}, question${numbers.length === 1 ? "" : "s"} ${questionList(numbers)}`;

export const differencesText = (count: number): string =>
  `${counted(count, "difference")} between two markers`;

/** The learners with marks that match, without those who get no grade. */
export function learnersWith(
  submissions: readonly MarkedSubmission[],
  matches: (mark: QuestionMark) => boolean,
): LearnerQuestions[] {
  return submissions.flatMap(({ questionMarks, noGrade }, index) => {
    if (noGrade) return [];
    const questions = questionMarks.filter(matches).map(({ questionNumber }) => questionNumber);
    return questions.length > 0 ? [{ index, questions }] : [];
  });
}
