/** Private links that open the desk: markers' own, and the educator's to the results. */
import type { Column } from "drizzle-orm";
import { eq } from "drizzle-orm";
import type { LinkRejection } from "../../app/domain/decision.ts";
import { type DeskLink, type MarkingLinkState, opensWholeClass } from "../../app/domain/desk.ts";
import type { LinkKind } from "../../app/domain/result.ts";
import type { Tx } from "../operation.ts";
import { lockAssessment, signatureOf } from "./class-rows.ts";
import type { DecidingPerson, LinkOwner } from "./decisions.ts";
import { markingLinkOf } from "./marking-links.ts";
import { linkOf } from "./result-links.ts";
import { teamLinkOf } from "./team-links.ts";

/** A link that opens a desk, with the ids under which its drafts, stamps and decisions are stored. */
export interface OpenedDesk extends LinkOwner {
  assessmentId: number;
  link: DeskLink;
}

/** Why a token opens no desk. "unprepared": the marks of the class were imported, and its desk was never opened. */
export interface Closed {
  state: Exclude<MarkingLinkState, "open"> | "reading copy" | "unprepared";
}

/** The desk of a token, or why it opens none. */
export async function deskOf(tx: Tx, token: string, now: Date): Promise<OpenedDesk | Closed> {
  const markerLink = await markingLinkOf(tx, token, now);
  if (markerLink) {
    const { assessmentId, link } = markerLink;
    const { state, ...opened } = link;
    if (state !== "open") return { state };
    return {
      assessmentId,
      link: { ...opened, isEducators: false },
      markingLinkId: link.id,
      resultLinkId: null,
    };
  }
  const resultLink = await linkOf(tx, token, now);
  if (!resultLink) return { state: "unknown" };
  if (resultLink.kind === "read") return { state: "reading copy" };
  const { assessmentId, kind: _, isTest: __, sender: marker, ...opened } = resultLink;
  return {
    assessmentId,
    link: { ...opened, ...wholeClass, marker, isEducators: true },
    markingLinkId: null,
    resultLinkId: resultLink.id,
  };
}

/** What a link to all answers of a class opens. */
export const wholeClass = { questions: null, learners: null, showsNames: true, tolerance: null };

/** What a token opens: a desk, results to read, or the team's page; undefined if it opens nothing. */
export async function findLinkKind(
  tx: Tx,
  token: string,
  now: Date,
): Promise<"marking" | "team" | LinkKind | undefined> {
  const found = await deskOf(tx, token, now);
  if (!("state" in found)) return found.link.isEducators ? "decide" : "marking";
  if (found.state === "reading copy") return "read";
  return (await teamLinkOf(tx, token)) ? "team" : undefined;
}

/** Selects the rows that were made under a link. */
export const isOwn = (
  table: { markingLinkId: Column; resultLinkId: Column },
  { markingLinkId, resultLinkId }: LinkOwner,
) =>
  markingLinkId === null
    ? eq(table.resultLinkId, resultLinkId)
    : eq(table.markingLinkId, markingLinkId);

/** A person at work under a link, with the name under which decisions are recorded. */
export type PersonAtDesk = OpenedDesk & DecidingPerson;

/** Checks that the person may decide, and locks the assessment until the transaction ends. */
export async function openDesk(
  tx: Tx,
  token: string,
  now: Date,
): Promise<
  PersonAtDesk | Extract<LinkRejection, { outcome: "no link" | "reading copy" | "signed" }>
> {
  const known = await deskOf(tx, token, now);
  if (!("state" in known)) await lockAssessment(tx, known.assessmentId);
  // The link may have been closed while this transaction waited for the lock.
  const found = "state" in known ? known : await deskOf(tx, token, now);
  if ("state" in found) {
    return { outcome: found.state === "reading copy" ? "reading copy" : "no link" };
  }
  const signature = await signatureOf(tx, found.assessmentId);
  return signature ? { outcome: "signed", signature } : { ...found, by: found.link.marker };
}

/** Why a link may not change the class as a whole; undefined if the link may change it. */
export function wholeClassRejection(
  link: DeskLink,
): Extract<LinkRejection, { outcome: "limited link" | "educator’s link" }> | undefined {
  if (link.isEducators) return { outcome: "educator’s link" };
  return opensWholeClass(link) ? undefined : { outcome: "limited link" };
}
