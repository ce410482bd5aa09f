import { and, asc, eq } from "drizzle-orm";
import type { OpenLink, Publication, ReadingCopy } from "../../app/domain/publication.ts";
import { isOpenProblem } from "../../app/domain/scan.ts";
import { renderingMinutes } from "../../app/domain/service.ts";
import { type OpenWork, openWorkOf } from "../../app/results/open-work.ts";
import { type Tx, updateRows } from "../operation.ts";
import { assessments, submissions } from "../schema.ts";
import type { StoredResults } from "../whole-class.ts";
import { addTeamNotice, addToOutbox, type TeamNotice } from "./add-to-outbox.ts";
import { progressOfClass } from "./answers.ts";
import { findScriptsReady, queueClassJob } from "./class-jobs.ts";
import { signatureOf } from "./class-rows.ts";
import { workFilesOf } from "./desk-class.ts";
import { findStoredResults } from "./imported-results.ts";
import { listLeadQuestions } from "./lead-questions.ts";
import { questionRows } from "./questions.ts";
import { addLink, linkOf, openLinkOf, revokeLinks } from "./result-links.ts";
import { problemRows } from "./scans.ts";

/** The open work of a class, found without reading its marks. */
export async function findOpenWork(tx: Tx, assessmentId: number): Promise<OpenWork> {
  const { id, studentName, fileName, noGrade, answerStates } = submissions;
  const rows = await tx
    .select({ id, studentName, fileName, noGrade, states: answerStates })
    .from(submissions)
    .where(eq(submissions.assessmentId, assessmentId))
    .orderBy(asc(id));
  const files = await workFilesOf(tx, rows);
  return openWorkOf({
    learners: rows.map((row) => ({
      ...row,
      hasGrade: row.noGrade === null,
      isAbsent: row.noGrade === "absent",
    })),
    questions: (await questionRows(tx, assessmentId)).map(({ questionNumber }) => questionNumber),
    withoutWork: new Set(rows.flatMap((row) => (files.has(row.id) ? [] : row.id))),
    problemPages: (await problemRows(tx, assessmentId)).filter(isOpenProblem),
    leadQuestions: await listLeadQuestions(tx, assessmentId, { isReplied: false }),
  });
}

/**
 * Publishes the results of an assessment, unless a link to them is open already. Has the class rendered in both cases:
 * the email is due once the class is rendered, at the latest after a quarter of an hour.
 * @returns the link that was open already; undefined if these results were published
 */
export async function publishResults(
  tx: Tx,
  assessmentId: number,
  publication: Publication,
  now: Date,
): Promise<OpenLink | undefined> {
  const { reference, token, link, email, sender, expiresAt, isOnHold } = publication;
  const createdAt = now.toISOString();
  const isRendering = await queueClassJob(tx, assessmentId, now);
  const nextAttemptAt = new Date(now.getTime() + renderingMinutes * 60_000).toISOString();
  const open = await openLinkOf(tx, assessmentId, now);
  if (open) return open;
  // Revokes a link whose email has failed: `openLinkOf` does not return it, but it still opens the results.
  await revokeLinks(tx, assessmentId, createdAt, "decide");
  const resultLinkId = await addLink(tx, {
    assessmentId,
    token,
    createdAt,
    expiresAt: expiresAt.toISOString(),
    kind: "decide",
    senderName: sender,
  });
  await addToOutbox(tx, email, {
    kind: "results",
    reference,
    createdAt,
    ...(isRendering && { nextAttemptAt }),
    isOnHold,
    link,
    resultLinkId,
  });
  await tx.update(assessments).set({ status: "published" }).where(eq(assessments.id, assessmentId));
  return undefined;
}

/** Revokes the links to the results, reading copies too, and emails the notice. Returns whether anything changed. */
export async function revokeResults(
  tx: Tx,
  assessmentId: number,
  now: Date,
  notice?: TeamNotice,
): Promise<boolean> {
  const links = await revokeLinks(tx, assessmentId, now.toISOString());
  const isPublished = and(eq(assessments.id, assessmentId), eq(assessments.status, "published"));
  const changed = await updateRows(tx, assessments, isPublished, { status: "graded" });
  const isRevoked = links + changed > 0;
  if (isRevoked) await addTeamNotice(tx, notice, now);
  return isRevoked;
}

/** Adds a link that only reads the results, and has the class rendered. */
export async function shareResults(
  tx: Tx,
  assessmentId: number,
  { token, sender, expiresAt }: ReadingCopy,
  now: Date,
): Promise<void> {
  await queueClassJob(tx, assessmentId, now);
  await addLink(tx, {
    assessmentId,
    token,
    createdAt: now.toISOString(),
    expiresAt: expiresAt.toISOString(),
    kind: "read",
    senderName: sender,
  });
}

/** Revokes the links that only read the results. Returns how many were open. */
export const revokeReadingCopies = (tx: Tx, assessmentId: number, now: Date): Promise<number> =>
  revokeLinks(tx, assessmentId, now.toISOString(), "read");

/**
 * Whether the results that a token opens are signed, and how many marks they have; undefined if the token is unknown,
 * expired or revoked.
 */
export async function findResultsStatus(tx: Tx, token: string, now: Date) {
  const found = await linkOf(tx, token, now);
  if (!found) return undefined;
  const isSigned = (await signatureOf(tx, found.assessmentId)) !== undefined;
  const { total } = await progressOfClass(tx, found.assessmentId);
  return { isSigned, markCount: total };
}

/** The results that a token opens; undefined if the token is unknown, expired or revoked. */
export async function findResults(
  tx: Tx,
  token: string,
  now: Date,
): Promise<StoredResults | undefined> {
  const found = await linkOf(tx, token, now);
  if (!found) return undefined;
  const results = await findStoredResults(tx, found.assessmentId);
  if (!results) return undefined;
  const { kind, reference, sender, expiresAt, receivedAt, openedAt } = found;
  const scriptsReady = await findScriptsReady(tx, found.assessmentId);
  return {
    ...results,
    link: { kind, reference, sender, expiresAt, receivedAt, openedAt, scriptsReady },
  };
}
