/** What a decision does to a mark. */
import {
  type Decision,
  type DecisionKind,
  decisionTexts,
  decisionTextsOf,
  type Given,
  type GivenPoint,
  type NewDecision,
  nothingElse,
  type SeenMark,
  unnamedMarker,
} from "../domain/decision.ts";
import type { MarkedSubmission, QuestionMark } from "../domain/result.ts";
import { isDecided } from "./class-report.ts";
import { gradeOf, totalOf } from "./grade.ts";

/** What a form shows of a mark, and sends back. */
export const seenOf = ({
  questionNumber,
  decision,
  marksAwarded,
  importId,
  second,
}: QuestionMark): SeenMark => ({
  questionNumber,
  decisionId: decision?.id ?? 0,
  marks: marksAwarded,
  importId: importId ?? 0,
  ...(second && { secondId: second.id }),
});

/** The marks that were proposed; null without a proposal. */
export const proposalOf = (mark: QuestionMark): number | null =>
  mark.proposedMarks === undefined ? mark.marksAwarded : mark.proposedMarks;

/** The mark as it was proposed: without what people decided. */
export const proposedMark = (mark: QuestionMark): QuestionMark => {
  const { questionNumber, description, totalMarks, choice, feedback, unsure, importId } = mark;
  return {
    questionNumber,
    description,
    totalMarks,
    feedback,
    marksAwarded: proposalOf(mark),
    ...(choice && { choice }),
    ...(unsure && { unsure }),
    ...(importId !== undefined && { importId }),
  };
};

/** What the last decision gave; undefined before there is one. */
export function givenOf(mark: QuestionMark): Given | undefined {
  if (!isDecided(mark)) return undefined;
  return {
    ...decisionTextsOf((name) => mark[name] ?? ""),
    marks: mark.notAnswered ? null : mark.marksAwarded,
    points: mark.points ?? [],
    reason: mark.takesReason ? "taken" : "left",
  };
}

/** The reason that the learner reads: empty, unless a person took it, or the mark is from before imports had ids. */
export const reasonForLearner = ({ feedback, importId, takesReason }: QuestionMark): string =>
  takesReason || importId === undefined ? feedback : "";

/** The mark as slips, scripts and reading copies have it: without a reason that the learner does not read. */
export const markForLearner = (mark: QuestionMark): QuestionMark => ({
  ...mark,
  feedback: reasonForLearner(mark),
});

/**
 * The feedback on the work as a whole as the learner reads it: empty until the marks are signed. If no mark
 * has the id of an import, the feedback is older than these ids, and is shown at once.
 */
export const feedbackForLearner = (
  { feedback, questionMarks }: Pick<MarkedSubmission, "feedback" | "questionMarks">,
  isSigned: boolean,
): string =>
  isSigned || questionMarks.every(({ importId }) => importId === undefined) ? feedback : "";

type GivenFields = Pick<QuestionMark, "takesReason" | Exclude<keyof Given, "marks" | "reason">>;

/** The fields of a mark that a decision gives besides the marks, without empty fields. */
export const givenFields = ({ marks: _, points, reason, ...others }: Given): GivenFields => ({
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== "")),
  ...(points.length > 0 && { points }),
  ...(reason === "taken" && { takesReason: true as const }),
});

/**
 * Whether a decision can be stored. "repeated": it equals the last decision. "conflict": since the form was made, the
 * mark was decided, or the decision takes or leaves the reason of a proposal that has changed. A decision that says
 * nothing of the reason is "new" even if the proposal has changed.
 */
export function checkDecision(
  mark: QuestionMark,
  { seen, given }: Pick<NewDecision, "seen" | "given">,
): "new" | "repeated" | "conflict" {
  const last = givenOf(mark);
  const { points, reason, ...others } = given;
  const isSame =
    last &&
    (Object.keys(others) as (keyof typeof others)[]).every((name) => last[name] === others[name]) &&
    (reason === undefined || reason === last.reason);
  if (isSame && areSamePoints(last.points, points)) return "repeated";
  const isCurrent =
    reason === undefined ? seenOf(mark).decisionId === seen.decisionId : isSeen(mark, seen);
  return isCurrent ? "new" : "conflict";
}

const areSamePoints = (one: GivenPoint[], other: GivenPoint[]) =>
  one.length === other.length &&
  one.every(({ id, worth, isTicked }, index) => {
    const same = other[index]!;
    return same.id === id && same.worth === worth && same.isTicked === isTicked;
  });

/** Whether a form was made from the mark as it is now. */
export function isSeen(mark: QuestionMark, { decisionId, marks, importId }: SeenMark): boolean {
  const current = seenOf(mark);
  return (
    current.decisionId === decisionId && current.marks === marks && current.importId === importId
  );
}

/** How a person decides a mark in view of its proposal. @param marks null if the question was not answered */
export function kindOf(mark: QuestionMark, marks: number | null): DecisionKind {
  const proposal = proposalOf(mark);
  if (proposal === null) return "entered";
  return marks === proposal ? "agreed" : "changed";
}

export type DecidedMark = QuestionMark & { decision: Decision };

/** The mark after a decision. Its proposal stays. */
export function decidedMark(mark: QuestionMark, given: Given, decision: Decision): DecidedMark {
  const { notAnswered: _, points: __, takesReason: ___, ...before } = mark;
  for (const name of decisionTexts) delete before[name];
  const { marks } = given;
  return {
    ...before,
    marksAwarded: marks ?? 0,
    proposedMarks: proposalOf(mark),
    ...(marks === null && { notAnswered: true as const }),
    ...givenFields(given),
    decision,
    ...(decision.how === "blind" && { blindMarks: marks ?? 0 }),
    ...(mark.second &&
      isDecided(mark) && { second: { ...mark.second, isResolved: true as const } }),
  };
}

/** The submission with other marks, and the grade that follows from them. */
export const withMarks = <Submission extends MarkedSubmission>(
  submission: Submission,
  questionMarks: QuestionMark[],
): Submission => {
  const after = { ...submission, questionMarks };
  return { ...after, grade: gradeOf(totalOf(after)) };
};

/**
 * The marks for the email about a signature: an answer without a mark counts as not answered. Do not store them: these
 * decisions have no id and no time, and grades stay as they were.
 */
export const withNoughts = (all: readonly MarkedSubmission[], by: string): MarkedSubmission[] =>
  all.map((submission) => ({
    ...submission,
    questionMarks: submission.questionMarks.map((mark) =>
      mark.marksAwarded === null
        ? decidedMark(
            mark,
            { ...nothingElse, marks: null },
            { id: 0, how: "entered", by, role: "educator", at: "" },
          )
        : mark,
    ),
  }));

/** Writes “a marker” in place of the person's name on each decision and second mark for which `isMarkers` is true. */
export const withoutMarkers = <Submission extends MarkedSubmission>(
  all: Submission[],
  isMarkers: (decision: Pick<Decision, "id" | "role">) => boolean,
): Submission[] =>
  all.map((submission) => ({
    ...submission,
    questionMarks: submission.questionMarks.map((mark) => {
      const { decision, second } = mark;
      const by = unnamedMarker;
      return {
        ...mark,
        ...(decision && isMarkers(decision) && { decision: { ...decision, by } }),
        ...(second && isMarkers({ ...second, role: "marker" }) && { second: { ...second, by } }),
      };
    }),
  }));
