/** What a decision does to a mark. */
import {
  type Decision,
  type DecisionKind,
  type DecisionTexts,
  decisionTexts,
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
export const seenOf = ({ questionNumber, decision, marksAwarded }: QuestionMark): SeenMark => ({
  questionNumber,
  decisionId: decision?.id ?? 0,
  marks: marksAwarded,
});

/** The marks that were proposed; null if none were. */
export const proposalOf = (mark: QuestionMark): number | null =>
  mark.proposedMarks === undefined ? mark.marksAwarded : mark.proposedMarks;

/** What the last decision gave; undefined before there is one. */
export function givenOf(mark: QuestionMark): Given | undefined {
  if (!isDecided(mark)) return undefined;
  const texts = decisionTexts.map((name) => [name, mark[name] ?? ""]);
  return {
    ...(Object.fromEntries(texts) as DecisionTexts),
    marks: mark.notAnswered ? null : mark.marksAwarded,
    points: mark.points ?? [],
  };
}

/** How a mark keeps what was given beside the marks: what there is. */
export const keptOf = ({
  points,
  ...given
}: Omit<Given, "marks">): Partial<Omit<Given, "marks">> => ({
  ...Object.fromEntries(
    decisionTexts.flatMap((name) => (given[name] ? [[name, given[name]]] : [])),
  ),
  ...(points.length > 0 && { points }),
});

/**
 * What becomes of a decision. "repeated": it is the last one already. "conflict": the mark is no longer
 * the one that was decided on.
 */
export function checkDecision(
  mark: QuestionMark,
  { seen, given }: Pick<NewDecision, "seen" | "given">,
): "new" | "repeated" | "conflict" {
  const last = givenOf(mark);
  const isSame =
    last && (["marks", ...decisionTexts] as const).every((name) => last[name] === given[name]);
  if (isSame && areSame(last.points, given.points)) return "repeated";
  return isSeen(mark, seen) ? "new" : "conflict";
}

const areSame = (one: GivenPoint[], other: GivenPoint[]) =>
  one.length === other.length &&
  one.every(({ id, worth, isTicked }, index) => {
    const same = other[index]!;
    return same.id === id && same.worth === worth && same.isTicked === isTicked;
  });

/** Whether a form was made from the mark as it is. */
export function isSeen(mark: QuestionMark, { decisionId, marks }: SeenMark): boolean {
  const current = seenOf(mark);
  return current.decisionId === decisionId && current.marks === marks;
}

export function kindOf(mark: QuestionMark, marks: number | null): DecisionKind {
  const proposal = proposalOf(mark);
  if (proposal === null) return "entered";
  return marks === proposal ? "agreed" : "changed";
}

/** The mark after a decision. Its proposal stays. */
export function decidedMark(mark: QuestionMark, given: Given, decision: Decision): QuestionMark {
  const { notAnswered: _, points: __, ...before } = mark;
  for (const name of decisionTexts) delete before[name];
  const { marks } = given;
  return {
    ...before,
    marksAwarded: marks ?? 0,
    proposedMarks: proposalOf(mark),
    ...(marks === null && { notAnswered: true as const }),
    ...keptOf(given),
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

/** The marks as the educator's signature leaves them: an answer without a mark counts as not answered. */
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

/** Leaves out the names of markers. */
export const withoutMarkers = <Submission extends MarkedSubmission>(
  all: Submission[],
  isMarkers: (decision: Pick<Decision, "id" | "role">) => boolean,
): Submission[] =>
  all.map((submission) => ({
    ...submission,
    questionMarks: submission.questionMarks.map(({ decision, second, ...mark }) => ({
      ...mark,
      ...(decision && {
        decision: isMarkers(decision) ? { ...decision, by: unnamedMarker } : decision,
      }),
      ...(second && {
        second: isMarkers({ ...second, role: "marker" })
          ? { ...second, by: unnamedMarker }
          : second,
      }),
    })),
  }));
