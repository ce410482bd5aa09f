/** How far the answers of a learner are: a character for each question, in the order of the paper. */
import type { QuestionMark } from "../domain/result.ts";
import { hasDifference, isDecided } from "./class-report.ts";

/** "-": it waits for a decision, "d": decided, "s": a second marker alone has marked it, "b": both, "x": both, and they differ. */
const stateOf = (mark: QuestionMark): string => {
  if (!mark.second) return isDecided(mark) ? "d" : "-";
  if (!isDecided(mark)) return "s";
  return hasDifference(mark) ? "x" : "b";
};

export const answerStatesOf = (marks: readonly QuestionMark[]): string =>
  marks.map(stateOf).join("");

/** The states in which an answer waits for a marker, or for a second one. */
export const isOpenState = (state: string | undefined, { isSecond }: { isSecond: boolean }) =>
  state === "-" || state === (isSecond ? "d" : "s");

/** Whether two markers differ, and no decision was made in view of both. */
export const isDifferentState = (state: string | undefined) => state === "x";
