/** What decisions say about the points of memos. Only those count whose mark is the sum of their ticks. */
import type { StoredPoint } from "../domain/memo-point.ts";
import type { QuestionMark, Results } from "../domain/result.ts";
import { gradedMarks } from "./class-report.ts";
import { isAnyTicked, isSumOfTicks } from "./ticks.ts";

/** How many learners of a class had a point. */
export interface PointReport extends StoredPoint {
  had: number;
  /** Number of learners with a decision that says whether they had it. A mark of 0 says that they had none. */
  known: number;
}

type ClassResults = Pick<Results, "submissions" | "points">;

/** Reports on the points of a question, in the order of its memo; none if no mark counts them. */
export function pointReports(
  { submissions, points = {} }: ClassResults,
  questionNumber: string,
): PointReport[] {
  const marks = gradedMarks(submissions).filter(
    (mark) => mark.questionNumber === questionNumber && isSumOfTicks(mark),
  );
  if (!marks.some((mark) => isAnyTicked(mark.points!))) return [];
  return (points[questionNumber] ?? [])
    .filter(({ isWithdrawn }) => !isWithdrawn)
    .map((point) => {
      const given = marks.flatMap((mark) => mark.points!.filter(({ id }) => id === point.id));
      const had = given.filter(({ isTicked }) => isTicked).length;
      return { ...point, had, known: given.length };
    });
}

/** For example "spines: 8 of 30 had it". */
export const sentenceOfPoint = ({ text, had, known }: PointReport): string =>
  known === 0 ? `${text}: not marked yet` : `${text}: ${had} of ${known} had it`;

/**
 * The points that the fewest learners had, if not all had them.
 * @param marked learners with a mark: a few of them say nothing about the class
 */
export function rarestPoints(reports: readonly PointReport[], marked: number): PointReport[] {
  const known = reports.filter((one) => one.known > 0 && one.known * 2 >= marked);
  const least = Math.min(...known.map(shareOf));
  return known.filter((one) => shareOf(one) === least && least < 1);
}

const shareOf = ({ had, known }: PointReport) => had / known;

/**
 * The points that a learner's decided mark names, in the memo's words; undefined if it names none, or without a memo. None
 * is missed with full marks: more points would have earned nothing.
 */
export function earnedPoints(
  mark: QuestionMark,
  points: Results["points"] = {},
): { earned: string[]; missed: string[] } | undefined {
  const memo = points[mark.questionNumber];
  if (!memo || !isSumOfTicks(mark) || !isAnyTicked(mark.points!)) return undefined;
  const words = new Map(memo.map(({ id, text }) => [id, text]));
  const wordsOf = (isWanted: boolean) =>
    mark.points!.flatMap(({ id, worth, isTicked }) =>
      isTicked === isWanted && words.has(id) ? [`${words.get(id)} (${worth})`] : [],
    );
  const missed = mark.marksAwarded === mark.totalMarks ? [] : wordsOf(false);
  return { earned: wordsOf(true), missed };
}
