import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { ErasedCounts } from "../../app/domain/data-subject.ts";
import { type Decision, erasedMarker, unnamedMarker } from "../../app/domain/decision.ts";
import { normaliseAddress } from "../../app/domain/subscriber.ts";
import { leadName } from "../../app/domain/team.ts";
import { withoutMarkers } from "../../app/results/apply-decision.ts";
import { deleteRows, type Tx } from "../operation.ts";
import {
  decisions,
  imports,
  leadQuestions,
  markDrafts,
  markingLinks,
  outbox,
  replacedResults,
  submissions,
  teamActions,
} from "../schema.ts";
import { lockAssessment, submissionRows } from "./class-rows.ts";
import { uploadOf } from "./desk-class.ts";
import { addToAudit, rewriteEmails, withoutLines } from "./erasure.ts";
import { archivesOf } from "./imported-results.ts";

/** The marking links of a marker or a lead, found by email address or by name. */
export async function markingLinksOf(tx: Tx, addressOrName: string) {
  const { id, assessmentId, email, markerName } = markingLinks;
  const wanted = normaliseAddress(addressOrName);
  const names = [wanted, leadName(wanted)];
  const rows = await tx.select({ id, assessmentId, email, markerName }).from(markingLinks);
  // SQL cannot compare these, because SQLite's lower() changes only ASCII characters.
  return rows.filter(
    (row) =>
      (row.email !== null && normaliseAddress(row.email) === wanted) ||
      names.includes(normaliseAddress(row.markerName)),
  );
}

/** What was done on the team's page under a name. */
export async function teamActionsOf(tx: Tx, name: string) {
  const { id, contactRequestId: requestId, doneBy: by } = teamActions;
  const rows = await tx.select({ id, requestId, by }).from(teamActions);
  return rows.filter((row) => normaliseAddress(row.by) === normaliseAddress(name));
}

/** The imports that name this person as the one who proposed the marks, oldest first. */
export async function importsOf(tx: Tx, name: string) {
  const { id, proposedBy: by } = imports;
  const rows = await tx.select({ id, by }).from(imports).orderBy(asc(id));
  return rows.filter((row) => normaliseAddress(row.by) === normaliseAddress(name));
}

/** Deletes a name from imports, the history of the team's page, and the emails that tell the team who acted. */
async function eraseActor(tx: Tx, name: string): Promise<void> {
  const proposed = (await importsOf(tx, name)).map(({ id }) => id);
  if (proposed.length > 0) {
    await tx.update(imports).set({ proposedBy: "" }).where(tx.isOneOf(imports.id, proposed));
    tx.scrubAfterCommit();
  }
  const done = await teamActionsOf(tx, name);
  if (done.length === 0) return;
  const ids = done.map(({ id }) => id);
  await tx.delete(teamActions).where(tx.isOneOf(teamActions.id, ids));
  const requestIds = done.map(({ requestId }) => requestId);
  const isNotice = and(
    eq(outbox.kind, "team action"),
    tx.isOneOf(outbox.contactRequestId, requestIds),
  );
  const names = new Set(done.map(({ by }) => by));
  // `teamActionEmail` writes such a line.
  const namesActor = (line: string) => names.has(/^By: (.*)$/.exec(line)?.[1]?.trim() ?? "");
  await rewriteEmails(tx, isNotice, (body) => withoutLines(body, namesActor));
  tx.scrubAfterCommit();
}

/**
 * Closes a marker's links, deletes the address, the links' emails, drafts and questions to the lead, and replaces the
 * name in links, decisions, marks and emails. Also takes `addressOrName` out of imports and the history of the team's
 * page.
 */
export async function eraseMarker(
  tx: Tx,
  addressOrName: string,
  auditId: number,
  now: Date,
): Promise<ErasedCounts> {
  const links = await markingLinksOf(tx, addressOrName);
  const ids = links.map(({ id }) => id);
  const assessmentIds = new Set(links.map((link) => link.assessmentId));
  for (const assessmentId of assessmentIds) await lockAssessment(tx, assessmentId);
  const emails = await deleteRows(tx, outbox, tx.isOneOf(outbox.markingLinkId, ids));
  await eraseActor(tx, addressOrName);
  const counts = await addToAudit(tx, auditId, { emails });
  if (links.length === 0) return counts;
  await tx
    .update(markingLinks)
    .set({
      markerName: unnamedMarker,
      email: null,
      revokedAt: sql`coalesce(${markingLinks.revokedAt}, ${now.toISOString()})`,
    })
    .where(tx.isOneOf(markingLinks.id, ids));
  const decided = await tx
    .update(decisions)
    .set({ decidedBy: unnamedMarker })
    .where(tx.isOneOf(decisions.markingLinkId, ids))
    .returning({ id: decisions.id });
  const decisionIds = new Set(decided.map(({ id }) => id));
  for (const assessmentId of assessmentIds) {
    await renameIn(tx, assessmentId, decisionIds);
    const own = links.filter((link) => link.assessmentId === assessmentId);
    await renameInEmails(tx, assessmentId, new Set(own.map(({ markerName }) => markerName)));
  }
  for (const table of [markDrafts, leadQuestions]) {
    await tx.delete(table).where(tx.isOneOf(table.markingLinkId, ids));
  }
  tx.scrubAfterCommit();
  return { ...counts, markingLinks: links.length };
}

/** Replaces the name in the marks of an assessment, and in its archived marks. */
async function renameIn(tx: Tx, assessmentId: number, decisionIds: Set<number>): Promise<void> {
  const isMarkers = ({ id }: Pick<Decision, "id">) => decisionIds.has(id);
  for (const row of withoutMarkers(await submissionRows(tx, assessmentId), isMarkers)) {
    const { id, questionMarks } = row;
    await tx.update(submissions).set({ questionMarks }).where(eq(submissions.id, id));
  }
  for (const { id, results } of await archivesOf(tx, assessmentId)) {
    const renamed = { ...results, submissions: withoutMarkers(results.submissions, isMarkers) };
    await tx.update(replacedResults).set({ results: renamed }).where(eq(replacedResults.id, id));
  }
}

/** Replaces names in the emails that say who decided, in the sentences that who-decided.ts writes. */
async function renameInEmails(tx: Tx, assessmentId: number, names: Set<string>): Promise<void> {
  const { contactId } = await uploadOf(tx, assessmentId);
  const sayWho = and(
    eq(outbox.contactRequestId, contactId),
    inArray(outbox.kind, ["results", "signed"]),
  );
  const replacements = [...names].flatMap((name) =>
    [" by ", " by a marker recorded as "].flatMap((before) =>
      [" (marker)", ",", ";", ".", "\n"].map((end) => ({
        said: `${before}${name}${end}`,
        instead: ` by ${erasedMarker}${end === " (marker)" ? "" : end}`,
      })),
    ),
  );
  await rewriteEmails(tx, sayWho, (body) =>
    replacements.reduce((text, { said, instead }) => text.replaceAll(said, instead), body),
  );
}
