/** Responds to posts to the team's page: by the page again, whose forms then have the person's name. */
import { data } from "react-router";
import type { RouteContext } from "../context.ts";
import { idIn } from "../domain/row-id.ts";
import type { ReadTeamForm, SentSheet, TeamAction, TeamReply, TeamResult } from "../domain/team.ts";
import { maxClassListBytes } from "../results/class-list.ts";
import { maxTyped, readName } from "../results/typed-decision.ts";
import { privateHeaders } from "./form-route.ts";
import { incomplete, rejectionOf, type Typed, unreadablePost } from "./private-post.ts";

/** Readers of the forms by intent, which begins with the part of the page. They return undefined for an incomplete form. */
const readers: Record<string, (typed: Typed, sheet?: SentSheet) => TeamAction | undefined> = {
  "class-preview": readList,
  "class-store": (typed) =>
    typed.version ? { ...readList(typed), seenVersion: typed.version } : undefined,
  "proposals-preview": readProposals,
  "proposals-store": (typed) =>
    typed.version ? { ...readProposals(typed), seenVersion: typed.version } : undefined,
  "class-scan": readCutScan,
  "class-discard": ({ upload = "" }) =>
    upload ? { action: "discard scan", key: upload } : undefined,
  "class-file": readFileChange,
  "class-desk": () => ({ action: "open desk" }),
  "markers-open": readMarker,
  "markers-desk": () => ({ action: "open desk" }),
  "markers-close": ({ id = "" }) => {
    const linkId = idIn(id);
    return linkId === undefined ? undefined : { action: "close marker", linkId };
  },
  "markers-hand": readHandOver,
  "asked-reply": ({ id = "", reply = "" }) => {
    const questionId = idIn(id);
    return questionId === undefined ? undefined : { action: "reply", questionId, text: reply };
  },
  "publish-now": ({ open = "" }) =>
    /^\d{1,9}$/.test(open) ? { action: "publish", seenOpen: Number(open) } : undefined,
  "publish-withdraw": () => ({ action: "withdraw" }),
  "publish-reopen": () => ({ action: "reopen" }),
  "publish-share": () => ({ action: "share" }),
  "publish-end": () => ({ action: "end copies" }),
  "publish-fill": (typed, sheet) => ({
    action: "fill sheet",
    sheet,
    percentage: typed.percentage !== undefined,
    column: given(typed, "column"),
    learner: given(typed, "learner"),
    sheetName: given(typed, "sheetName"),
  }),
};

const given = (typed: Typed, name: string) => typed[name]?.trim() || undefined;

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

function readProposals({
  list = "",
  proposer = "",
  replaces,
}: Typed): Extract<TeamAction, { action: "take proposals" }> {
  return {
    action: "take proposals",
    text: list,
    proposedBy: proposer.trim() || undefined,
    replaces: replaces !== undefined,
  };
}

function readFileChange({ file = "", to = "" }: Typed): TeamAction | undefined {
  const fileId = idIn(file);
  if (fileId === undefined) return undefined;
  if (to === "none") return { action: "set file", fileId, to: "no script" };
  if (to === "new") return { action: "set file", fileId, to: "new learner" };
  const learnerId = idIn(to);
  return learnerId === undefined ? undefined : { action: "set file", fileId, to: learnerId };
}

function readCutScan({ upload = "", size = "", pages = "" }: Typed): TeamAction | undefined {
  const scriptPages = pages.trim();
  const isReadable = /^\d{1,9}$/.test(size) && /^([1-9]\d{0,2})?$/.test(scriptPages);
  return upload && isReadable
    ? {
        action: "cut scan",
        key: upload,
        size: Number(size),
        scriptPages: scriptPages ? Number(scriptPages) : null,
      }
    : undefined;
}

/** Whether a text can be the random key that the page has put into a form. */
const isKey = (key: string) => /^[\w-]{20,64}$/.test(key);

function readHandOver({ id = "", marker = "", email = "", key = "" }: Typed) {
  const linkId = idIn(id);
  if (linkId === undefined || !isKey(key)) return undefined;
  return { action: "hand over" as const, linkId, marker, email: email.trim() || undefined, key };
}

function readMarker(typed: Typed): TeamAction | undefined {
  const { marker = "", key = "" } = typed;
  if (!isKey(key)) return undefined;
  return {
    action: "open marker",
    key,
    typed: {
      marker,
      email: given(typed, "email"),
      questions: given(typed, "questions"),
      learners: given(typed, "learners"),
      showsNames: typed.names !== undefined,
      blind: given(typed, "blind"),
      isSecond: typed.second !== undefined,
      tolerance: given(typed, "tolerance")?.replace(",", "."),
      days: given(typed, "days"),
    },
  };
}

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

const tokenOf = (url: string) => new URL(url).searchParams.get("link") ?? "";

export async function teamAction(
  request: Request,
  { team, ...reading }: Pick<RouteContext, "team" | "readTexts" | "readTeamForm">,
) {
  const posted = await readPost(request, reading);
  const { list, sheet, typed } = posted ?? {};
  if (typed && list !== undefined) typed.list = list;
  const result = posted?.failure ?? (await perform(tokenOf(request.url), { typed, sheet }, team));
  const { status, ...shown } = { status: 200, ...result };
  const texts = Object.entries(typed ?? {}).map(([name, text]) => [
    name,
    text.slice(0, name === "list" ? maxClassListBytes : maxTyped),
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
  { typed, sheet }: { typed: Typed | undefined; sheet: SentSheet | undefined },
  team: RouteContext["team"],
): Promise<TeamResult | { status: number; error: string }> {
  if (!typed) return unreadablePost;
  const { intent = "" } = typed;
  const action = Object.hasOwn(readers, intent) ? readers[intent]!(typed, sheet) : undefined;
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
