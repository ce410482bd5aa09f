/** Responds to posts to the team's page: by the page again, whose forms then have the person's name. */
import { data } from "react-router";
import type { RouteContext } from "../context.ts";
import type { ReadTeamForm, TeamReply, TeamResult } from "../domain/team.ts";
import { maxClassListBytes } from "../results/class-list.ts";
import { readTeamAction } from "../results/team-form.ts";
import { maxTyped, readName } from "../results/typed-decision.ts";
import { privateHeaders } from "./form-route.ts";
import { incomplete, rejectionOf, type Typed, unreadablePost } from "./private-post.ts";

/** Reads a post of the page, which is multipart if its form has a field for a file; undefined if it cannot be read. */
async function readPost(
  { headers }: Request,
  token: string,
  { readTexts, readTeamForm }: Pick<RouteContext, "readTexts" | "readTeamForm">,
): Promise<ReadTeamForm | undefined> {
  const hasFiles = /^multipart\//i.test(headers.get("Content-Type") ?? "");
  if (hasFiles) return await readTeamForm(token);
  const typed = await readTexts();
  return typed && { typed };
}

export async function teamAction(
  request: Request,
  { team, ...reading }: Pick<RouteContext, "team" | "readTexts" | "readTeamForm">,
) {
  const query = new URL(request.url).searchParams;
  const token = query.get("link") ?? "";
  const unreadable: ReadTeamForm = { typed: {}, failure: unreadablePost };
  const read = (await readPost(request, token, reading)) ?? unreadable;
  const typed: Typed = { ...read.typed, ...(read.list !== undefined && { list: read.list }) };
  const by = readName(typed.by ?? "");
  const perform = async (): Promise<TeamResult | { status: number; error: string }> => {
    const action = readTeamAction(typed, read.sheet);
    if (!action) return incomplete;
    if (typeof by !== "string") return nameless;
    // Browsers post a line end as two characters; count it as one.
    if ((typed.list ?? "").replaceAll("\r\n", "\n").length > maxClassListBytes) return longList;
    const result = await team.perform(token, by, action);
    return result ?? rejectionOf({ outcome: "no link" });
  };
  const { status, ...shown } = { status: 200, ...(read.failure ?? (await perform())) };
  const texts = Object.entries(typed).map(([name, text]) => [
    name,
    // Return a list whole: posted again, a shortened list would be stored without its last rows.
    name === "list" ? text : text.slice(0, maxTyped),
  ]);
  return data<TeamReply>(
    {
      // The URL names the form too, for a post that cannot be read.
      intent: typed.intent ?? query.get("form") ?? "",
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
