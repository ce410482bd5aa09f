/** Posts to the team's page. Each answers the page again, whose forms then have the person's name. */
import { data } from "react-router";
import type { RouteContext } from "../context.ts";
import type { TeamAction, TeamReply, TeamResult } from "../domain/team.ts";
import { maxTyped, readName } from "../results/typed-decision.ts";
import { privateHeaders } from "./form-route.ts";
import { incomplete, rejectionOf, type Typed, unreadable } from "./private-post.ts";

/** The forms of the page by their intents, which begin with the part of the page; undefined if one is incomplete. */
const actions: Record<string, (typed: Typed) => TeamAction | undefined> = {
  "class-preview": readList,
  "class-store": (typed) =>
    typed.version ? { ...readList(typed), seenVersion: typed.version } : undefined,
  "markers-open": readMarker,
  "markers-desk": () => ({ action: "open desk" }),
  "markers-close": ({ id = "" }) =>
    /^\d{1,15}$/.test(id) ? { action: "close marker", linkId: Number(id) } : undefined,
  "publish-now": ({ open = "" }) =>
    /^\d{1,9}$/.test(open) ? { action: "publish", seenOpen: Number(open) } : undefined,
  "publish-withdraw": () => ({ action: "withdraw" }),
  "publish-reopen": () => ({ action: "reopen" }),
  "publish-share": () => ({ action: "share" }),
  "publish-end": () => ({ action: "end copies" }),
};

/** Far more than a list of a thousand learners has. */
const maxList = 64_000;

function readList({
  list = "",
  adds,
  removes,
}: Typed): Extract<TeamAction, { action: "take list" }> {
  return {
    action: "take list",
    text: list,
    adds: adds !== undefined,
    removes: removes !== undefined,
  };
}

function readMarker(typed: Typed): TeamAction | undefined {
  const { marker = "", key = "" } = typed;
  // It was made with the page.
  if (!/^[\w-]{20,64}$/.test(key)) return undefined;
  const given = (name: string) => typed[name]?.trim() || undefined;
  return {
    action: "open marker",
    key,
    typed: {
      marker,
      email: given("email"),
      questions: given("questions"),
      learners: given("learners"),
      showsNames: typed.names !== undefined,
      blind: given("blind"),
      isSecond: typed.second !== undefined,
      tolerance: given("tolerance")?.replace(",", "."),
      days: given("days"),
    },
  };
}

export async function teamAction(
  { searchParams: query }: URL,
  { team, readTexts }: Pick<RouteContext, "team" | "readTexts">,
) {
  const token = query.get("link") ?? "";
  const typed = await readTexts();
  const result = await perform(token, typed, team);
  const { status, ...shown } = { status: 200, ...result };
  const texts = Object.entries(typed ?? {}).map(([name, text]) => [
    name,
    text.slice(0, name === "list" ? maxList : maxTyped),
  ]);
  const by = readName(typed?.by ?? "");
  return data<TeamReply>(
    {
      intent: typed?.intent ?? "",
      by: typeof by === "string" ? by : "",
      typed: Object.fromEntries(texts),
      ...shown,
    },
    { status, headers: privateHeaders },
  );
}

async function perform(
  token: string,
  typed: Typed | undefined,
  team: RouteContext["team"],
): Promise<TeamResult | { status: number; error: string }> {
  if (!typed) return unreadable;
  const action = actions[typed.intent ?? ""]?.(typed);
  if (!action) return incomplete;
  const by = readName(typed.by ?? "");
  if (typeof by !== "string") {
    return {
      status: 422,
      error: "Type your name: the history says who did what. Nothing was changed.",
    };
  }
  return (await team.perform(token, by, action)) ?? rejectionOf({ outcome: "no link" });
}
