/** Scans of a class: scripts, and pages that belong to no learner until a marker gives them to one. */
import { and, asc, eq } from "drizzle-orm";
import type { AuditAction } from "../../app/domain/data-subject.ts";
import { type DeskHead, opensProblems } from "../../app/domain/desk.ts";
import {
  isOpenProblem,
  type NewScan,
  type ProblemChange,
  type ProblemOutcome,
  type ProblemPage,
  type ScanOutcome,
} from "../../app/domain/scan.ts";
import { leadOf } from "../../app/domain/team.ts";
import { inDeskOrder } from "../../app/results/learner-order.ts";
import { pick, type Tx } from "../operation.ts";
import { pageImages, problemPages, scans, submissionFiles, uploadedFiles } from "../schema.ts";
import { queueClassJob } from "./class-jobs.ts";
import { learnerRows, lockAssessment, signatureOf } from "./class-rows.ts";
import { uploadOf, workFilesOf } from "./desk-class.ts";
import { insertLearnerOf, nameFiles, summarise } from "./desk-learners.ts";
import { deskOf, type OpenedDesk, openDesk, wholeClassRejection } from "./desk-links.ts";
import { openAudit } from "./erasure.ts";
import { endScanUpload } from "./scan-uploads.ts";
import { storeTurns, turnsOf } from "./stamps.ts";
import { assignFiles } from "./uploaded-files.ts";

/** Returns which of these SHA-256 values are of scans that the class has. */
export async function findScans(tx: Tx, assessmentId: number, sha256: string[]): Promise<string[]> {
  const found = await tx
    .select({ sha256: scans.sha256 })
    .from(scans)
    .where(and(eq(scans.assessmentId, assessmentId), tx.isOneOf(scans.sha256, sha256)));
  return found.map((scan) => scan.sha256);
}

/** The learners of a class in the order of their numbers, and whether each has work. */
export async function listClass(tx: Tx, assessmentId: number) {
  const rows = inDeskOrder(await learnerRows(tx, assessmentId), { showsNames: false });
  const files = await workFilesOf(tx, rows);
  return rows.map(({ id, learnerNumber, isNumberListed = false, studentName: name }) => ({
    id,
    number: learnerNumber!,
    isNumberListed,
    name,
    hasWork: files.has(id),
  }));
}

/**
 * Stores all that a scan was cut into, or nothing. "changed": a learner was removed or given work meanwhile. Ends the
 * upload in the same transaction: if the scan had to be cut again, the report would only say that it was cut before.
 */
export async function storeScan(
  tx: Tx,
  assessmentId: number,
  { name, sha256, scripts, problems, ends }: NewScan,
  now: Date,
): Promise<ScanOutcome> {
  await lockAssessment(tx, assessmentId);
  const signature = await signatureOf(tx, assessmentId);
  if (signature) return { outcome: "signed", signature };
  if ((await findScans(tx, assessmentId, [sha256])).length > 0) return { outcome: "stored before" };
  const learners = await listClass(tx, assessmentId);
  const isFree = (learnerId: number | null) =>
    learnerId === null || learners.some(({ id, hasWork }) => id === learnerId && !hasWork);
  if (!scripts.every(({ learnerId }) => isFree(learnerId))) return { outcome: "changed" };
  const names = await giveFiles(tx, assessmentId, [...scripts, ...problems]);
  for (const { learnerId, fileId } of scripts) {
    const id = learnerId ?? (await insertLearnerOf(tx, assessmentId, names.get(fileId)!));
    await tx.insert(submissionFiles).values({ submissionId: id, fileId });
    await nameFiles(tx, { id });
  }
  const createdAt = now.toISOString();
  const [scan] = await tx
    .insert(scans)
    .values({ assessmentId, name, sha256, createdAt })
    .returning({ id: scans.id });
  for (const { page, reason, fileId } of problems) {
    await tx.insert(problemPages).values({ scanId: scan!.id, fileId, page, reason });
  }
  await summarise(tx, assessmentId);
  await queueClassJob(tx, assessmentId, now);
  const { reference } = await uploadOf(tx, assessmentId);
  await openAudit(tx, "scan split", now, reference);
  if (ends) await endScanUpload(tx, ends.uploadId, { report: ends.report });
  return { outcome: "stored" };
}

/** Makes staged files part of the request of a class. Returns their names. */
async function giveFiles(
  tx: Tx,
  assessmentId: number,
  files: { fileId: number }[],
): Promise<Map<number, string>> {
  const { contactId: contactRequestId } = await uploadOf(tx, assessmentId);
  const ids = files.map(({ fileId }) => fileId);
  await assignFiles(tx, ids, { contactRequestId });
  const { id, name } = uploadedFiles;
  const named = await tx.select({ id, name }).from(uploadedFiles).where(tx.isOneOf(id, ids));
  return new Map(named.map((file) => [file.id, file.name]));
}

/** The problem pages of a class, in the order of the scans; empty if the link does not open them. */
export async function findProblemPages(tx: Tx, token: string, now: Date): Promise<ProblemPage[]> {
  const opened = await deskOf(tx, token, now);
  return "state" in opened ? [] : await problemPagesOf(tx, opened);
}

/** How many problem pages there are, and how many still wait for a learner; null if the link does not open them. */
export async function countProblems(
  tx: Tx,
  { assessmentId, link }: OpenedDesk,
): Promise<DeskHead["problems"]> {
  if (!opensProblems(link)) return null;
  const pages = await problemRows(tx, assessmentId);
  return { all: pages.length, open: pages.filter(isOpenProblem).length };
}

/** The problem pages of a class without their pictures, in the order of the scans. */
export async function problemRows(
  tx: Tx,
  assessmentId: number,
): Promise<Omit<ProblemPage, "size" | "turn">[]> {
  const rows = await tx
    .select({
      ...pick(problemPages, "id", "fileId", "page", "reason", "discardedAt"),
      scan: scans.name,
      learnerId: submissionFiles.submissionId,
    })
    .from(problemPages)
    .innerJoin(scans, eq(scans.id, problemPages.scanId))
    .leftJoin(submissionFiles, eq(submissionFiles.fileId, problemPages.fileId))
    .where(eq(scans.assessmentId, assessmentId))
    .orderBy(asc(problemPages.id));
  return rows.map(({ discardedAt: at, ...row }) => ({ ...row, isDiscarded: at !== null }));
}

/** Whether a link opens a file as a problem page. */
export async function opensAsProblem(
  tx: Tx,
  { assessmentId, link }: OpenedDesk,
  fileId: number,
): Promise<boolean> {
  if (!opensProblems(link)) return false;
  const found = await tx
    .select({ id: problemPages.id })
    .from(problemPages)
    .innerJoin(scans, eq(scans.id, problemPages.scanId))
    .where(and(eq(scans.assessmentId, assessmentId), eq(problemPages.fileId, fileId)));
  return found.length > 0;
}

async function problemPagesOf(tx: Tx, { assessmentId, link }: OpenedDesk): Promise<ProblemPage[]> {
  if (!opensProblems(link)) return [];
  const pages = await problemRows(tx, assessmentId);
  const fileIds = pages.map(({ fileId }) => fileId);
  const { fileId, width, height } = pageImages;
  const pictures = await tx
    .select({ fileId, width, height })
    .from(pageImages)
    .where(tx.isOneOf(fileId, fileIds));
  const sizes = new Map(pictures.map(({ fileId: id, ...size }) => [id, size]));
  const turnOf = await turnsOf(tx, fileIds);
  return pages.map((page) => ({
    ...page,
    size: sizes.get(page.fileId) ?? null,
    turn: turnOf({ fileId: page.fileId, page: 1 }),
  }));
}

const auditOf: Record<Exclude<ProblemChange["change"], "turn">, AuditAction> = {
  give: "problem pages given",
  discard: "problem pages discarded",
  "put back": "problem pages put back",
};

/** Gives, discards, puts back or turns all named problem pages, or none. A repeated change is made once. */
export async function changeProblemPages(
  tx: Tx,
  token: string,
  change: ProblemChange,
  now: Date,
): Promise<ProblemOutcome> {
  const desk = await openDesk(tx, token, now);
  if ("outcome" in desk) return desk;
  const { assessmentId, link } = desk;
  const rejected = wholeClassRejection(link);
  if (rejected) return rejected;
  if (!opensProblems(link)) return { outcome: "limited link" };
  const all = await problemPagesOf(tx, desk);
  const pages = all.filter(({ id }) => change.ids.includes(id));
  if (pages.length === 0 || pages.length < change.ids.length) return { outcome: "no problem page" };
  if (change.change === "turn") {
    const { turn } = change;
    await storeTurns(
      tx,
      pages.map(({ fileId }) => ({ fileId, page: 1, turn })),
    );
    return { outcome: "stored" };
  }
  const outcome = await movePages(tx, { assessmentId, pages }, change, now);
  if (outcome.outcome === "stored") {
    await openAudit(tx, auditOf[change.change], now, link.reference, leadOf(link.marker));
  }
  return outcome;
}

async function movePages(
  tx: Tx,
  { assessmentId, pages }: { assessmentId: number; pages: ProblemPage[] },
  change: Exclude<ProblemChange, { change: "turn" }>,
  now: Date,
): Promise<ProblemOutcome> {
  const rows = await learnerRows(tx, assessmentId);
  const fileIds = pages.map(({ fileId }) => fileId);
  const owner = change.change === "discard" ? null : change.learnerId;
  const isElsewhere = ({ learnerId }: ProblemPage) => learnerId !== null && learnerId !== owner;
  if (pages.some(isElsewhere)) return { outcome: "given" };
  const touched = new Set(pages.map(({ learnerId }) => learnerId));
  if (change.change === "put back") {
    await tx.delete(submissionFiles).where(tx.isOneOf(submissionFiles.fileId, fileIds));
  }
  if (change.change === "give") {
    const submissionId = change.learnerId;
    if (!rows.some(({ id }) => id === submissionId)) return { outcome: "no learner" };
    for (const { fileId } of pages.filter(({ learnerId }) => learnerId === null)) {
      await tx.insert(submissionFiles).values({ submissionId, fileId });
    }
    touched.add(submissionId);
  }
  const discardedAt = change.change === "discard" ? now.toISOString() : null;
  await tx
    .update(problemPages)
    .set({ discardedAt })
    .where(tx.isOneOf(problemPages.fileId, fileIds));
  for (const row of rows.filter(({ id }) => touched.has(id))) await nameFiles(tx, row);
  return { outcome: "stored" };
}
