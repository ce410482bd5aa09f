/** Responds to posts to the team's page: by the page again, whose forms then have the person's name. */
import { data } from "react-router";
import type { RouteContext } from "../context.ts";
import type { ReadTeamForm, TeamReply, TeamResult } from "../domain/team.ts";
import { maxClassListBytes } from "../results/class-list.ts";
import { readTeamAction } from "../results/team-form.ts";
import { maxTyped, readName } from "../results/typed-decision.ts";
import { privateHeaders } from "./form-route.ts";
import { incomplete, rejectionOf, type Typed, unreadablePost } from "./private-post.ts";

/** Reads a post of the page: its texts, and why a file in it was not taken; undefined if it cannot be read. */
async function readPost(
  { url, headers }: Request,
  { readTexts, readTeamForm }: Pick<RouteContext, "readTexts" | "readTeamForm">,
): Promise<ReadTeamForm | undefined> {
  const hasFiles = /^multipart\//i.test(headers.get("Content-Type") ?? "");
  if (hasFiles) return await readTeamForm(tokenOf(url));
  const typed = await readTexts();
  return typed && { typed };
}

const queryOf = (url: string) => new URL(url).searchParams;
const tokenOf = (url: string) => queryOf(url).get("link") ?? "";

export async function teamAction(
  request: Request,
  { team, ...reading }: Pick<RouteContext, "team" | "readTexts" | "readTeamForm">,
) {
  const read: Partial<ReadTeamForm> = (await readPost(request, reading)) ?? {
    failure: unreadablePost,
  };
  const typed: Typed = { ...read.typed, ...(read.list !== undefined && { list: read.list }) };
  const by = readName(typed.by ?? "");
  const perform = async (): Promise<TeamResult | { status: number; error: string }> => {
    const action = readTeamAction(typed, read.sheet);
    if (!action) return incomplete;
    if (typeof by !== "string") return nameless;
    // Browsers post line ends of two characters, also for a list that was read from a file: count each as one.
    if ((typed.list ?? "").replaceAll("\r\n", "\n").length > maxClassListBytes) return longList;
    const result = await team.perform(tokenOf(request.url), by, action);
    return result ?? rejectionOf({ outcome: "no link" });
  };
  const { status, ...shown } = { status: 200, ...(read.failure ?? (await perform())) };
  const texts = Object.entries(typed).map(([name, text]) => [
    name,
    // A list comes back whole: the form would store a shortened one without its last rows.
    name === "list" ? text : text.slice(0, maxTyped),
  ]);
  return data<TeamReply>(
    {
      // The URL names the form too, for a post that cannot be read.
      intent: typed.intent ?? queryOf(request.url).get("form") ?? "",
      by: typeof by === "string" ? by : "",
      typed: Object.fromEntries(texts),
      ...shown,
    },
    { status, headers: privateHeaders },
  );
}

const longList = {
  status: 413,
  error: `The list has more than ${maxClassListBytes / 1000} kB, and this page takes no longer one. Nothing was stored.`,
};

const nameless = {
  status: 422,
  error: "Type your name: the history says who did what. Nothing was changed.",
};
