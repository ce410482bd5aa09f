/** What becomes of the points of a changed memo: a point with the same words stays, with its ticks. */
import {
  choiceKey,
  type MemoPoint,
  type PlannedPoint,
  type PointChoices,
  type PointsByQuestion,
  pointsOf,
  type QuestionPlan,
  type StoredPoint,
} from "../domain/memo-point.ts";

interface TypedMemo {
  questionNumber: string;
  totalMarks: number;
  memoPoints?: readonly MemoPoint[];
}

/**
 * Plans the points of each question that is on the paper or has stored points.
 * @param options.named ids of the points that decisions name
 */
export function planPoints(
  stored: PointsByQuestion,
  paper: readonly TypedMemo[],
  { named, choices = {} }: { named: ReadonlySet<number>; choices?: PointChoices | undefined },
): QuestionPlan[] {
  const plans = paper.map(({ questionNumber, totalMarks, memoPoints = [] }, index) => ({
    questionNumber,
    totalMarks,
    ...planQuestion(pointsOf(stored, questionNumber), memoPoints, {
      named,
      choiceOf: (place) => choices[choiceKey(index, place)],
    }),
  }));
  const numbers = new Set(paper.map(({ questionNumber }) => questionNumber));
  const left = Object.entries(stored).filter(([number]) => !numbers.has(number));
  return [
    ...plans,
    ...left.map(([questionNumber, points]) => ({
      questionNumber,
      ...planQuestion(points, [], { named, choiceOf: () => undefined }),
    })),
  ];
}

function planQuestion(
  stored: readonly StoredPoint[],
  typed: readonly MemoPoint[],
  {
    named,
    choiceOf,
  }: { named: ReadonlySet<number>; choiceOf: (place: number) => number | undefined },
): Pick<QuestionPlan, "points" | "gone" | "candidates"> {
  const isLive = ({ isWithdrawn }: StoredPoint) => !isWithdrawn;
  const byText = Map.groupBy(
    stored.toSorted((one, other) => Number(isLive(other)) - Number(isLive(one))),
    ({ text }) => comparableText(text),
  );
  const matched = typed.map(({ text, worth }) => {
    return { text, worth, same: byText.get(comparableText(text))?.shift() };
  });
  const kept = new Set(matched.map(({ same }) => same));
  const candidates = stored.filter((one) => isLive(one) && !kept.has(one));
  const isAsked = candidates.some(({ id }) => named.has(id));
  const left = new Map(candidates.map((one) => [one.id, one]));
  const points = matched.map(({ text, worth, same }, place): PlannedPoint => {
    const choice = choiceOf(place);
    const chosen = same ?? left.get(choice ?? 0);
    if (chosen) {
      left.delete(chosen.id);
      const { isWithdrawn: _, ...before } = chosen;
      return { id: chosen.id, text, worth, before };
    }
    // The choice 0 says that the point is new.
    return { id: 0, text, worth, ...(isAsked && choice !== 0 && { isUnclear: true as const }) };
  });
  return {
    points,
    gone: [...left.values()].map((one) => ({ ...one, isNamed: named.has(one.id) })),
    candidates: isAsked ? candidates : [],
  };
}

const comparableText = (text: string) =>
  text.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
