/** What decisions say about the points of memos. A decision counts only if its mark is the sum of its ticks. */
import type { GivenPoint } from "../domain/decision.ts";
import { pointsOf, type StoredPoint } from "../domain/memo-point.ts";
import type { QuestionMark, Results } from "../domain/result.ts";
import { isLeftOut } from "./class-report.ts";
import { isAnyTicked, isSumOfTicks } from "./ticks.ts";

/** How many learners of a class had a point. */
interface PointReport extends StoredPoint {
  had: number;
  /** Number of learners whose decision says whether they had the point. A typed mark of 0 says that they had none. */
  known: number;
}

type ClassResults = Pick<Results, "submissions" | "points">;

/** Reports on the points of a question, in the order of its memo; empty if no mark is the sum of ticks. */
export function pointReports(
  { submissions, points = {} }: ClassResults,
  questionNumber: string,
): PointReport[] {
  // Every learner has the questions in the order of the paper.
  const at = submissions[0]!.questionMarks.findIndex(
    (one) => one.questionNumber === questionNumber,
  );
  const marks = submissions
    .flatMap(({ questionMarks, noGrade }) => (noGrade ? [] : questionMarks[at]!))
    .filter((mark) => !isLeftOut(mark))
    .filter(isSumOfTicks);
  const given = marks.flatMap((mark) => mark.points);
  if (!isAnyTicked(given)) return [];
  const byId = Map.groupBy(given, ({ id }) => id);
  return pointsOf(points, questionNumber)
    .filter(({ isWithdrawn }) => !isWithdrawn)
    .map((point) => {
      const known = byId.get(point.id) ?? [];
      const had = known.filter(({ isTicked }) => isTicked);
      return { ...point, had: had.length, known: known.length };
    });
}

/** For example "spines: 8 of 30 had it". */
export const sentenceOfPoint = ({ text, had, known }: PointReport): string =>
  known === 0 ? `${text}: not marked yet` : `${text}: ${had} of ${known} had it`;

/**
 * The points that the fewest learners had, if not all had them.
 * @param marked number of learners with a mark; points whose `known` is less than half of it are left out
 */
export function rarestPoints(reports: readonly PointReport[], marked: number): PointReport[] {
  const known = reports.filter((one) => one.known > 0 && one.known * 2 >= marked);
  const least = Math.min(...known.map(shareOf));
  return known.filter((one) => shareOf(one) === least && least < 1);
}

const shareOf = ({ had, known }: PointReport) => had / known;

/**
 * The points that a learner's decided mark names, in the memo's words with their worth. Undefined without a memo, if no
 * point is ticked, or if the mark is not the sum of the ticks.
 * With full marks no point is missed: more points would have earned nothing.
 */
export function earnedPoints(
  mark: QuestionMark,
  points: Results["points"] = {},
): { earned: string[]; missed: string[] } | undefined {
  const memo = pointsOf(points, mark.questionNumber);
  if (memo.length === 0 || !isSumOfTicks(mark) || !isAnyTicked(mark.points)) return undefined;
  const words = new Map(memo.map(({ id, text }) => [id, text]));
  const named = mark.points.filter(({ id }) => words.has(id));
  const wordsOf = ({ id, worth }: GivenPoint) => `${words.get(id)} (${worth})`;
  const missed = named.filter(({ isTicked }) => !isTicked).map(wordsOf);
  return {
    earned: named.filter(({ isTicked }) => isTicked).map(wordsOf),
    missed: mark.marksAwarded === mark.totalMarks ? [] : missed,
  };
}
