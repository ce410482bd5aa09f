/** Posts to the team's page. Each answers the page again, whose forms then have the person's name. */
import { data } from "react-router";
import type { RouteContext, TeamServices } from "../context.ts";
import type { TeamReply } from "../domain/team.ts";
import { maxTyped, readName } from "../results/typed-decision.ts";
import { privateHeaders } from "./form-route.ts";
import { incomplete, rejectionOf, type Typed, unreadable } from "./private-post.ts";

/** A form that was posted under an open link, by a person who gave a name. */
export interface TeamPost {
  token: string;
  typed: Typed;
  by: string;
  team: TeamServices;
}

/** What was done, or why nothing was, with what the part of the page shows of it. */
export type TeamOutcome =
  | ({ status: 200; done?: string } & TeamShown)
  | ({ status: number; error: string } & TeamShown);

type TeamShown = Omit<TeamReply, "intent" | "by" | "typed" | "done" | "error">;

/** The forms of the page by their intents, which begin with the part of the page: "class-store". */
const actions: Record<string, (post: TeamPost) => Promise<TeamOutcome>> = {};

/** Texts that are longer than a line. */
const longTexts = new Set<string>([]);
const maxLongText = 60_000;

export async function teamAction(
  { searchParams: query }: URL,
  { team, readTexts }: Pick<RouteContext, "team" | "readTexts">,
) {
  const token = query.get("link") ?? "";
  const typed = await readTexts();
  const { status, ...shown } = await perform(token, typed, team);
  const texts = Object.entries(typed ?? {}).map(([name, text]) => [
    name,
    text.slice(0, longTexts.has(name) ? maxLongText : maxTyped),
  ]);
  const by = typed?.by ?? "";
  return data<TeamReply>(
    { intent: typed?.intent ?? "", by, typed: Object.fromEntries(texts), ...shown },
    { status, headers: privateHeaders },
  );
}

async function perform(
  token: string,
  typed: Typed | undefined,
  team: TeamServices,
): Promise<TeamOutcome> {
  if (!(await team.findRequest(token))) return rejectionOf({ outcome: "no link" });
  if (!typed) return unreadable;
  const act = actions[typed.intent ?? ""];
  if (!act) return incomplete;
  const by = readName(typed.by ?? "");
  if (typeof by !== "string") {
    return {
      status: 422,
      error: "Type your name: the history says who did what. Nothing was changed.",
    };
  }
  return await act({ token, typed, by, team });
}
