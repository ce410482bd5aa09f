/** The class of a marking desk: its learners, their files and its paper. */
import { asc, eq } from "drizzle-orm";
import type { PreparedClass, WorkFile } from "../../app/domain/desk.ts";
import { withoutExtension } from "../../app/domain/file-name.ts";
import { inDeskOrder } from "../../app/results/learner-order.ts";
import { pick, type Tx } from "../operation.ts";
import {
  assessmentSubmissions,
  assessments,
  contactRequests,
  pageImages,
  submissionFiles,
  submissions,
  uploadedFiles,
} from "../schema.ts";
import { isOwnUpload, type LearnerRow, learnerRows, lockAssessment } from "./class-rows.ts";
import { paperBefore } from "./imported-results.ts";
import { questionRows, storeQuestions } from "./questions.ts";

/**
 * Adds what the desk of a class lacks: a submission for each file if the class has no submissions, numbers, the files
 * of submissions, and the questions of imported marks. Locks the assessment.
 */
export async function prepareDesk(tx: Tx, assessmentId: number): Promise<PreparedClass> {
  await lockAssessment(tx, assessmentId);
  const upload = await uploadOf(tx, assessmentId);
  if ((await learnerRows(tx, assessmentId)).length === 0) {
    for (const { name: fileName } of upload.files) {
      const studentName = withoutExtension(fileName);
      await tx
        .insert(submissions)
        .values({ assessmentId, studentName, fileName, questionMarks: [] });
    }
  }
  const rows = await learnerRows(tx, assessmentId);
  await addNumbers(tx, rows);
  await addFiles(tx, rows, upload.files);
  if ((await questionRows(tx, assessmentId)).length === 0) {
    await storeQuestions(tx, assessmentId, await paperBefore(tx, assessmentId));
  }
  const learners = inDeskOrder(await learnerRows(tx, assessmentId), { showsNames: false });
  return {
    questions: await questionRows(tx, assessmentId),
    learners: learners.map(({ id, learnerNumber, studentName: name, fileName }) => ({
      id,
      number: learnerNumber!,
      name,
      fileName,
    })),
  };
}

/** Whether all learners have numbers. An import alone gives no numbers: the desk gives them when it first opens. */
export const isPrepared = (rows: readonly { learnerNumber?: string | null }[]): boolean =>
  rows.every(({ learnerNumber }) => typeof learnerNumber === "string");

/** What was uploaded to be marked, with its request; the files of submissions in the order they were sent. */
export async function uploadOf(tx: Tx, assessmentId: number) {
  const [found] = await tx
    .select({
      ...pick(assessmentSubmissions, "id", "contactId", "questionsFileName"),
      ...pick(assessmentSubmissions, "questionsFileData", "rubricFileData"),
      fileNames: assessmentSubmissions.submissionFileNames,
      fileIds: assessmentSubmissions.submissionFilesData,
      reference: contactRequests.reference,
    })
    .from(assessments)
    .innerJoin(assessmentSubmissions, isOwnUpload)
    .innerJoin(contactRequests, eq(contactRequests.id, assessmentSubmissions.contactId))
    .where(eq(assessments.id, assessmentId));
  const { fileNames, fileIds, ...upload } = found!;
  const files = (fileNames ?? []).map((name, index) => ({ name, id: fileIds?.[index] }));
  return { ...upload, files };
}

async function addNumbers(tx: Tx, rows: LearnerRow[]): Promise<void> {
  const taken = new Set(rows.map(({ learnerNumber }) => learnerNumber));
  for (const { id, learnerNumber } of rows) {
    if (learnerNumber !== undefined) continue;
    const number = freeNumber(taken);
    taken.add(number);
    await tx.update(submissions).set({ learnerNumber: number }).where(eq(submissions.id, id));
  }
}

/** The smallest number from 1 that no learner has. */
export function freeNumber(taken: ReadonlySet<string | undefined>): string {
  let number = 1;
  while (taken.has(String(number))) number += 1;
  return String(number);
}

/**
 * Hides the proposals for learners from all markers until the marks are decided. Changes nothing if proposals of the
 * class are hidden already.
 * @returns the number of learners with hidden proposals
 */
export async function hideProposals(
  tx: Tx,
  assessmentId: number,
  learnerIds: number[],
): Promise<number> {
  await lockAssessment(tx, assessmentId);
  const hidden = (await learnerRows(tx, assessmentId)).filter(({ isBlind }) => isBlind);
  if (hidden.length > 0) return hidden.length;
  await tx.update(submissions).set({ isBlind: true }).where(tx.isOneOf(submissions.id, learnerIds));
  return learnerIds.length;
}

/**
 * Gives each submission the file with its file name; several files with one name are given in order. Does nothing if
 * any submission has a file.
 */
export async function addFiles(
  tx: Tx,
  rows: LearnerRow[],
  files: readonly { id: number | undefined; name: string }[],
): Promise<void> {
  if ((await workFilesOf(tx, rows)).size > 0) return;
  const filesLeft = Map.groupBy(files, ({ name }) => name.normalize());
  for (const { id: submissionId, fileName } of rows) {
    const fileId = filesLeft.get(fileName.normalize())?.shift()?.id;
    if (fileId !== undefined) await tx.insert(submissionFiles).values({ submissionId, fileId });
  }
}

/** Whether a part of a file has a page. */
export const hasPage = ({ firstPage, lastPage }: Omit<WorkFile, "fileId">, page: number): boolean =>
  page >= firstPage && (lastPage === null || page <= lastPage);

/** The files of submissions, with their names, by the submission's id. */
export async function workFilesOf(
  tx: Tx,
  rows: readonly { id: number }[],
): Promise<Map<number, (WorkFile & { id: number; name: string })[]>> {
  const { id, submissionId, fileId, firstPage, lastPage } = submissionFiles;
  const ids = rows.map((row) => row.id);
  const found = await tx
    .select({ id, submissionId, fileId, firstPage, lastPage, name: uploadedFiles.name })
    .from(submissionFiles)
    .innerJoin(uploadedFiles, eq(uploadedFiles.id, fileId))
    .where(tx.isOneOf(submissionId, ids))
    .orderBy(asc(id));
  return Map.groupBy(found, (file) => file.submissionId);
}

/** The files of one submission, as `workFilesOf` has them. */
export const ownFilesOf = async (tx: Tx, row: { id: number }) =>
  (await workFilesOf(tx, [row])).get(row.id) ?? [];

/** The pages of a learner's work, as the desk counts them, each with the part of a file that it is on. */
export async function ownPagesOf(tx: Tx, row: { id: number }) {
  const parts = await ownFilesOf(tx, row);
  const ids = parts.map(({ fileId }) => fileId);
  const { fileId, page } = pageImages;
  const rendered = await tx
    .select({ fileId, page })
    .from(pageImages)
    .where(tx.isOneOf(fileId, ids))
    .orderBy(asc(page));
  const pagesOfFile = Map.groupBy(rendered, (one) => one.fileId);
  return parts.flatMap((part) =>
    (pagesOfFile.get(part.fileId) ?? []).flatMap((one) =>
      hasPage(part, one.page) ? { part, page: one.page } : [],
    ),
  );
}
