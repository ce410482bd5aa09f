/** The form of problem pages: what a post says becomes of them. */
import type { ProblemChange, ProblemPage } from "../domain/scan.ts";
import type { PageTurn } from "../domain/stamp.ts";

/** Pages of one form: a post has a limited number of fields. */
export const maxShownProblems = 24;

/** What a button posts that turns a page clockwise from how it is shown, so that a repeated post turns it once. */
export const turnedProblem = ({ id, turn }: Pick<ProblemPage, "id" | "turn">) =>
  `${id}-${(turn + 90) % 360}`;

/** The ids of the ticked pages. */
export const tickedIn = (typed: Record<string, string>): number[] =>
  Object.keys(typed)
    .flatMap((name) => /^page-(\d{1,15})$/.exec(name)?.[1] ?? [])
    .map(Number);

/** @returns undefined if the post is none of this form */
export function readProblemChange(
  typed: Record<string, string>,
): ProblemChange | { error: string } | undefined {
  const { intent, to = "", turn, back } = typed;
  const [, id, degrees] = /^(\d{1,15})-(0|90|180|270)$/.exec(turn ?? "") ?? [];
  if (id) return { change: "turn", ids: [Number(id)], turn: Number(degrees) as PageTurn };
  if (back !== undefined && /^\d{1,15}$/.test(back)) {
    return { change: "put back", ids: [Number(back)] };
  }
  if (intent !== "give" && intent !== "discard") return undefined;
  const ids = tickedIn(typed);
  if (ids.length === 0) return { error: "Tick the pages first." };
  if (intent === "discard") return { change: "discard", ids };
  if (to === "") return { error: "Choose whose the ticked pages are." };
  return /^\d{1,15}$/.test(to) ? { change: "give", ids, learnerId: Number(to) } : undefined;
}
