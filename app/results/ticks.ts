/** The points of a memo that are ticked: their sum, and the boxes of the form that decides. */
import type { GivenPoint } from "../domain/decision.ts";
import type { MemoPoint } from "../domain/memo-point.ts";
import type { QuestionMark } from "../domain/result.ts";
import { readMarks } from "./typed-decision.ts";

type Worth = Pick<MemoPoint, "id" | "worth">;

/** The sum of the points that are ticked, but at most the question's marks. */
export const sumOfTicks = (points: readonly GivenPoint[], totalMarks: number): number =>
  Math.min(
    totalMarks,
    points.reduce((sum, { worth, isTicked }) => sum + (isTicked ? worth : 0), 0),
  );

/** Whether a mark is what its ticks add up to. Only then does the decision say which points were earned. */
export const isSumOfTicks = (
  mark: QuestionMark,
): mark is QuestionMark & Required<Pick<QuestionMark, "points">> =>
  mark.points !== undefined && mark.marksAwarded === sumOfTicks(mark.points, mark.totalMarks);

export const isAnyTicked = (points: readonly GivenPoint[]): boolean =>
  points.some(({ isTicked }) => isTicked);

/** The name of the box of a point. */
export const tickField = (id: number) => `tick-${id}`;

/** The ids of the points that are ticked, as drafts have them. */
export const ticksOf = (points: readonly GivenPoint[]): string =>
  points.flatMap(({ id, isTicked }) => (isTicked ? [id] : [])).join(" ");

/** Points with the ticks that a draft or a decision has. */
export function pointsTicked<Shown extends { id: number }>(
  points: readonly Shown[],
  ticks: string,
): (Shown & { isTicked: boolean })[] {
  const ids = new Set(ticks.split(" "));
  return points.map((point) => ({ ...point, isTicked: ids.has(String(point.id)) }));
}

/** The ids of the points that were ticked in a posted form, ascending and separated by spaces, as drafts store them. */
export const ticksIn = (typed: Record<string, string>): string =>
  Object.keys(typed)
    .flatMap((name) => /^tick-(\d{1,15})$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other)
    .join(" ");

/** The hidden field with the question's total, then the id and worth of each point of the form: `3 12:1 13:0.5`. */
export const pointsKey = (totalMarks: number, points: readonly Worth[]): string =>
  [totalMarks, ...points.map(({ id, worth }) => `${id}:${worth}`)].join(" ");

const pointsKeyPattern = /^\d{1,4}(\.\d{1,2})?( \d{1,15}:\d{1,4}(\.\d{1,2})?)+$/;

/** Reads the hidden field of `pointsKey`, with the boxes that were posted; undefined if it is missing or malformed. */
export function readPointsKey(
  typed: Record<string, string>,
): { totalMarks: number; points: GivenPoint[] } | undefined {
  const { points = "" } = typed;
  if (!pointsKeyPattern.test(points)) return undefined;
  const [totalMarks, ...pairs] = points.split(" ");
  return {
    totalMarks: Number(totalMarks),
    points: pairs.map((pair) => {
      const [idText, worth] = pair.split(":");
      const id = Number(idText);
      return { id, worth: Number(worth), isTicked: typed[tickField(id)] !== undefined };
    }),
  };
}

/** The typed marks; empty if they equal the sum of the ticks, which the form computes from its new points. */
export function marksBesidesTicks(typed: Record<string, string>): string {
  const read = readPointsKey(typed);
  const { marks = "" } = typed;
  return read &&
    isAnyTicked(read.points) &&
    readMarks(marks) === sumOfTicks(read.points, read.totalMarks)
    ? ""
    : marks;
}
