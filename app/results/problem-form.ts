/** The form of problem pages: what a post does with the pages. */

import { idIn } from "../domain/row-id.ts";
import type { ProblemChange, ProblemPage } from "../domain/scan.ts";
import type { PageTurn } from "../domain/stamp.ts";

/** Problem pages that one form shows at most, because a post has a limited number of fields. */
export const maxShownProblems = 24;

/** The value of the button that turns a page. It names the new turn, so a repeated post turns the page once. */
export const turnedProblem = ({ id, turn }: Pick<ProblemPage, "id" | "turn">) =>
  `${id}-${(turn + 90) % 360}`;

/** The value of the button that puts a page back. It names the shown learner: another may have the page by then. */
export const putBack = ({ id, learnerId }: Pick<ProblemPage, "id" | "learnerId">) =>
  `${id}-${learnerId ?? ""}`;

/** The ids of the ticked pages. */
export const tickedIn = (typed: Record<string, string>): number[] =>
  Object.keys(typed).flatMap((name) =>
    name.startsWith("page-") ? (idIn(name.slice("page-".length)) ?? []) : [],
  );

/** Reads the change that a form of problem pages asks for; undefined if the post is of another form. */
export function readProblemChange(
  typed: Record<string, string>,
): ProblemChange | { error: string } | undefined {
  const { intent, to = "", turn, back } = typed;
  const [, id, degrees] = /^(\d{1,15})-(0|90|180|270)$/.exec(turn ?? "") ?? [];
  if (id) return { change: "turn", ids: [Number(id)], turn: Number(degrees) as PageTurn };
  const [, page, from] = /^(\d{1,15})-(\d{1,15})?$/.exec(back ?? "") ?? [];
  if (page) return { change: "put back", ids: [Number(page)], learnerId: idIn(from) ?? null };
  if (intent !== "give" && intent !== "discard") return undefined;
  const ids = tickedIn(typed);
  if (ids.length === 0) return { error: "Tick the pages first." };
  if (intent === "discard") return { change: "discard", ids };
  if (to === "") return { error: "Choose whose the ticked pages are." };
  const learnerId = idIn(to);
  return learnerId === undefined ? undefined : { change: "give", ids, learnerId };
}
