/** One learner of a class: what is stored, and its erasure. */
import { and, eq, max, ne, type SQL } from "drizzle-orm";
import type {
  ErasureRejection,
  LearnerData,
  LearnerErasure,
} from "../../app/domain/data-subject.ts";
import type { WorkFile } from "../../app/domain/desk.ts";
import type { MarkedSubmission } from "../../app/domain/result.ts";
import type { SplitReport } from "../../app/domain/scan-upload.ts";
import { averageOf, gradesIn } from "../../app/results/grade.ts";
import { countRows, type Tx } from "../operation.ts";
import {
  assessmentSubmissions,
  outbox,
  pageImages,
  pageTurns,
  problemPages,
  replacedResults,
  scanUploads,
  stamps,
  submissionFiles,
  submissions,
  uploadedFiles,
} from "../schema.ts";
import { unusedFiles } from "./class-lists.ts";
import {
  lockAssessment,
  type StoredSubmission,
  signatureOf,
  submissionRows,
} from "./class-rows.ts";
import { hasPage, uploadOf } from "./desk-class.ts";
import { summarise } from "./desk-learners.ts";
import { addToAudit, openAudit, rewriteEmails, withoutLines } from "./erasure.ts";
import { archivesOf } from "./imported-results.ts";
import { FoundRows } from "./personal-data.ts";
import { belongsTo, isRequestEmail } from "./request-owner.ts";
import { listUncutScans } from "./scan-uploads.ts";
import { problemRows } from "./scans.ts";

interface Class {
  assessmentId: number;
  /** Reference of the class's request. */
  reference: string;
}

/** What is stored about the learner who has this number in a prepared class; undefined if no learner has it. */
export async function findLearner(
  tx: Tx,
  { assessmentId, reference }: Class,
  number: string,
): Promise<LearnerData | undefined> {
  const rows = await submissionRows(tx, assessmentId);
  const row = rows.find(({ learnerNumber }) => learnerNumber === number);
  if (!row) return undefined;
  const work = await workOf(tx, row.id);
  const found = new FoundRows();
  await found.addWithChildren(tx, submissions, [row.id]);
  await found.addWithChildren(tx, uploadedFiles, work.ownFileIds);
  for (const { table, ids } of await onSharedPages(tx, work)) {
    await found.addWithChildren(tx, table, ids);
  }
  const files = await tx
    .select({ id: uploadedFiles.id, name: uploadedFiles.name })
    .from(uploadedFiles)
    .where(belongsTo(tx, uploadedFiles, reference))
    .orderBy(uploadedFiles.id);
  const nameOf = new Map(files.map(({ id, name }) => [id, name]));
  const rejection = await rejectionOf(tx, assessmentId, rows);
  const archived = (await archivesOf(tx, assessmentId)).flatMap(({ replacedAt, results }) =>
    results.submissions.map((one) => ({ replacedAt, ...one, owner: ownerAmong(rows, one) })),
  );
  return {
    learnerId: row.id,
    number,
    name: row.studentName,
    ids: found.idsByName(),
    replaced: archived.flatMap(({ owner, ...one }) => (owner === row ? one : [])),
    files: files.filter(({ id }) => work.ownFileIds.includes(id)),
    shared: work.shared.map(({ fileId: id, pages }) => ({ id, name: nameOf.get(id)!, pages })),
    ...(rejection && { rejection }),
    remains: await remainsOf(tx, { assessmentId, reference }, archived),
  };
}

/** Why no learner of a class can be erased now; undefined if every learner can be erased. */
async function rejectionOf(
  tx: Tx,
  assessmentId: number,
  learners: StoredSubmission[],
): Promise<ErasureRejection | undefined> {
  const signature = await signatureOf(tx, assessmentId);
  if (signature) return { outcome: "signed", signature };
  if (learners.length === 1) return { outcome: "only learner" };
  const scans = await listUncutScans(tx, assessmentId);
  return scans.length > 0 ? { outcome: "uncut scans", scans } : undefined;
}

/** What an erasure leaves besides shared files: data of which the program cannot tell whom it is about. */
async function remainsOf(
  tx: Tx,
  { assessmentId, reference }: Class,
  archived: (MarkedSubmission & { owner: StoredSubmission | undefined })[],
): Promise<LearnerData["remains"]> {
  const gone = archived.filter(({ owner }) => !owner);
  const isSent = and(isRequestEmail(tx, reference), eq(outbox.status, "sent"));
  return {
    filesOfNobody: (await unusedFiles(tx, assessmentId)).map((file) => file.name),
    problemPages: (await problemRows(tx, assessmentId)).flatMap(
      ({ learnerId, scan, page, reason }) => (learnerId === null ? { scan, page, reason } : []),
    ),
    archivedMarks: new Set(gone.map((one) => one.learnerId ?? one.fileName)).size,
    sentEmails: await countRows(tx, outbox, isSent),
  };
}

interface Work {
  /** Ids of the files that no other learner has. */
  ownFileIds: number[];
  /** Files of which other learners have pages too, with the pages that only this learner has. */
  shared: { fileId: number; pages: number[] }[];
}

async function workOf(tx: Tx, learnerId: number): Promise<Work> {
  const { submissionId, fileId, firstPage, lastPage } = submissionFiles;
  const partsOf = async (isWanted: SQL | undefined) => {
    const columns = { fileId, firstPage, lastPage };
    const parts: WorkFile[] = await tx.select(columns).from(submissionFiles).where(isWanted);
    return Map.groupBy(parts, (part) => part.fileId);
  };
  const mine = await partsOf(eq(submissionId, learnerId));
  const ids = [...mine.keys()];
  const others = await partsOf(and(tx.isOneOf(fileId, ids), ne(submissionId, learnerId)));
  const lengths = await tx
    .select({ fileId: pageImages.fileId, pages: max(pageImages.page) })
    .from(pageImages)
    .where(tx.isOneOf(pageImages.fileId, [...others.keys()]))
    .groupBy(pageImages.fileId);
  const lengthOf = new Map(lengths.map(({ fileId, pages }) => [fileId, pages ?? 0]));
  return {
    ownFileIds: ids.filter((id) => !others.has(id)),
    shared: [...mine].flatMap(([id, parts]) => {
      const theirs = others.get(id);
      return theirs ? { fileId: id, pages: pagesOnlyIn(parts, theirs, lengthOf.get(id) ?? 0) } : [];
    }),
  };
}

/** The pages of a file that are in `parts` and not in `others`. @param length number of pages with a picture */
function pagesOnlyIn(parts: WorkFile[], others: WorkFile[], length: number): number[] {
  const ends = parts.map((part) => part.lastPage ?? part.firstPage);
  const all = Array.from({ length: Math.max(length, ...ends) }, (_, index) => index + 1);
  const isIn = (some: WorkFile[], page: number) => some.some((part) => hasPage(part, page));
  return all.filter((page) => isIn(parts, page) && !isIn(others, page));
}

/** The pictures, stamps and turns of the pages of shared files that only this learner has. */
async function onSharedPages(tx: Tx, { shared }: Work) {
  const found = [];
  const pagesOf = new Map(shared.map(({ fileId, pages }) => [fileId, pages]));
  for (const table of [pageImages, stamps, pageTurns]) {
    const rows = await tx
      .select({ id: table.id, fileId: table.fileId, page: table.page })
      .from(table)
      .where(tx.isOneOf(table.fileId, [...pagesOf.keys()]));
    const ids = rows.flatMap(({ id, fileId, page }) =>
      page !== null && pagesOf.get(fileId)?.includes(page) ? id : [],
    );
    found.push({ table, ids });
  }
  return found;
}

/** Finds the learner of an archived submission by id, file name or number: release 1.0.0 archived no ids. */
const ownerAmong = (
  rows: StoredSubmission[],
  { learnerId, fileName, learnerNumber }: MarkedSubmission,
) =>
  rows.find((row) => row.id === learnerId) ??
  rows.find((row) => row.fileName === fileName) ??
  rows.find((row) => learnerNumber !== undefined && row.learnerNumber === learnerNumber);

/** Takes the submissions of a learner out of the archives of a class. */
async function forgetInArchives(
  tx: Tx,
  assessmentId: number,
  { learner, rows }: { learner: StoredSubmission; rows: StoredSubmission[] },
): Promise<void> {
  for (const { id, results: before } of await archivesOf(tx, assessmentId)) {
    const others = before.submissions.filter((one) => ownerAmong(rows, one) !== learner);
    if (others.length === before.submissions.length) continue;
    const summary = { averageGrade: averageOf(gradesIn(others)), totalSubmissions: others.length };
    const results = { ...before, ...summary, submissions: others };
    await tx.update(replacedResults).set({ results }).where(eq(replacedResults.id, id));
  }
}

/**
 * Erases a learner: the marks with all decisions, drafts, stamps, pictures, the files that no other learner has, the
 * marks in archived results, the name in reports about scans, and the names of the files in the email about the
 * request. Marks of others stay.
 */
export async function eraseLearner(
  tx: Tx,
  { assessmentId, reference }: Class,
  learnerId: number,
  now: Date,
): Promise<LearnerErasure> {
  await lockAssessment(tx, assessmentId);
  const rows = await submissionRows(tx, assessmentId);
  const row = rows.find(({ id }) => id === learnerId);
  if (!row) return { outcome: "no learner" };
  const rejection = await rejectionOf(tx, assessmentId, rows);
  if (rejection) return rejection;
  await forgetInArchives(tx, assessmentId, { learner: row, rows });
  const work = await workOf(tx, learnerId);
  for (const { table, ids } of await onSharedPages(tx, work)) {
    await tx.delete(table).where(tx.isOneOf(table.id, ids));
  }
  await forgetFiles(tx, { assessmentId, reference }, work.ownFileIds);
  await forgetInScans(tx, assessmentId, { learner: row, rows });
  await tx.delete(submissions).where(eq(submissions.id, learnerId));
  await tx.delete(uploadedFiles).where(tx.isOneOf(uploadedFiles.id, work.ownFileIds));
  await summarise(tx, assessmentId);
  const auditId = await openAudit(tx, "learner erased", now, reference);
  const files = work.ownFileIds.length;
  await addToAudit(tx, auditId, { files });
  tx.scrubAfterCommit();
  return { outcome: "erased", files };
}

/** Removes files from the lists of their request, and the names of the files from the email about the request. */
async function forgetFiles(
  tx: Tx,
  { assessmentId, reference }: Class,
  fileIds: number[],
): Promise<void> {
  const files = await tx
    .select({ id: uploadedFiles.id, name: uploadedFiles.name })
    .from(uploadedFiles)
    .where(tx.isOneOf(uploadedFiles.id, fileIds));
  const upload = await uploadOf(tx, assessmentId);
  const others = upload.files.filter(({ id }) => id === undefined || !fileIds.includes(id));
  await tx
    .update(assessmentSubmissions)
    .set({
      submissionFileNames: others.map(({ name }) => name),
      submissionFilesData: others.flatMap(({ id }) => id ?? []),
      submissionFileCount: others.length,
    })
    .where(eq(assessmentSubmissions.id, upload.id));
  // `requestEmail` writes such lines.
  const namesFile = (line: string) => files.some(({ name }) => line.startsWith(`  ${name} (`));
  await rewriteEmails(tx, isRequestEmail(tx, reference), (body) => withoutLines(body, namesFile));
}

/** Removes the name and number of a learner from the class’s problem pages and the reports about its scans. */
async function forgetInScans(
  tx: Tx,
  assessmentId: number,
  { learner, rows }: { learner: StoredSubmission; rows: StoredSubmission[] },
): Promise<void> {
  const others = rows.filter((row) => row !== learner);
  const numbersOfOthers = new Set<string | null>(others.flatMap((row) => row.learnerNumber ?? []));
  for (const { id: pageId, reason: before } of await problemRows(tx, assessmentId)) {
    const reason = withoutLearner(before, learner);
    if (reason === before) continue;
    await tx.update(problemPages).set({ reason }).where(eq(problemPages.id, pageId));
  }
  const { id, outcome } = scanUploads;
  const uploads = await tx
    .select({ id, outcome })
    .from(scanUploads)
    .where(eq(scanUploads.assessmentId, assessmentId));
  for (const { id: uploadId, outcome: before } of uploads) {
    if (before === null || "failure" in before) continue;
    const report = reportWithout(before.report, learner, numbersOfOthers);
    await tx.update(scanUploads).set({ outcome: { report } }).where(eq(id, uploadId));
  }
}

/** The reason of a problem page, as cut-scans.ts writes it, without the number of a learner. */
function withoutLearner(reason: string, { learnerNumber }: StoredSubmission): string {
  const named = `learner ${learnerNumber}`;
  // Only at the end or before a comma: “learner 1” is also the beginning of “learner 12”.
  return reason.endsWith(named) || reason.includes(`${named},`)
    ? reason.replace(named, "an erased learner")
    : reason.replace(`the number ${learnerNumber},`, "the number of an erased learner,");
}

/**
 * A report without a learner's name and number. The learner may have had another number when the scan was cut, so
 * scripts are found by the name too. A script with the number of another learner stays: two may have the same name.
 */
function reportWithout(
  report: SplitReport,
  learner: StoredSubmission,
  numbersOfOthers: ReadonlySet<string | null>,
): SplitReport {
  const { learnerNumber, studentName } = learner;
  const isOther = (number: string) => number !== learnerNumber;
  const isTheirs = ({ number, name }: SplitReport["scripts"][number]) =>
    number === learnerNumber || (name === studentName && !numbersOfOthers.has(number));
  return {
    scripts: report.scripts.map((script) =>
      isTheirs(script) ? { ...script, number: null, name: "an erased learner" } : script,
    ),
    problems: report.problems.map((one) => ({
      ...one,
      reason: withoutLearner(one.reason, learner),
    })),
    missing: report.missing.filter(isOther),
    longer: report.longer.filter(isOther),
    double: report.double.filter(isOther),
    unknown: report.unknown.filter(isOther),
    withoutPages: report.withoutPages.filter(isOther),
    blank: report.blank,
    splitBefore: report.splitBefore,
  };
}
