/** Previews and stores what a class list does to a class. */
import { and, asc, eq } from "drizzle-orm";
import { scannedPages } from "../../app/domain/scan.ts";
import type { ListedLearner } from "../../app/results/class-list.ts";
import {
  type ClassListOptions,
  type ClassListOutcome,
  type ClassPlan,
  type PlannedLearner,
  planClassList,
  type UnusedFile,
} from "../../app/results/class-plan.ts";
import type { Tx } from "../operation.ts";
import {
  assessmentSubmissions,
  assessments,
  problemPages,
  submissionFiles,
  submissions,
  uploadedFiles,
} from "../schema.ts";
import { hashOf } from "../token.ts";
import { freeNumber, prepareDesk, uploadOf, workFilesOf } from "./desk-class.ts";
import { hasDecision, insertLearner, joinRows, nameFiles, summarise } from "./desk-learners.ts";
import { type StoredSubmission, signatureOf, submissionRows } from "./imported-results.ts";

/**
 * Gives learners their numbers, names and files from a class list: all of it, or nothing.
 * @param options.seenVersion of the preview that a person has seen; without it, nothing is stored
 */
export async function takeClassList(
  tx: Tx,
  assessmentId: number,
  listed: ListedLearner[],
  { seenVersion, ...options }: ClassListOptions & { seenVersion?: string } = {},
): Promise<ClassListOutcome> {
  // Locks the assessment until the transaction ends.
  await prepareDesk(tx, assessmentId);
  const rows = await submissionRows(tx, assessmentId);
  const files = await workFilesOf(tx, rows);
  const learners = rows.map((row) => ({
    id: row.id,
    number: row.learnerNumber!,
    isNumberListed: row.isNumberListed === true,
    name: row.studentName,
    fileName: row.fileName,
    hasWork: files.has(row.id),
    hasDecision: hasDecision(row),
  }));
  const unused = await unusedFiles(tx, assessmentId);
  const { plan, errors } = planClassList(listed, { learners, unused }, options);
  if (errors) return { outcome: "rejected", errors };
  const signature = await signatureOf(tx, assessmentId);
  if (signature && changesWork(plan)) return { outcome: "signed", signature };
  const version = hashOf(JSON.stringify(plan));
  if (seenVersion === undefined) return { outcome: "preview", version, plan };
  if (seenVersion !== version) return { outcome: "changed" };
  await storePlan(tx, assessmentId, rows, plan);
  return { outcome: "stored", plan };
}

const changesWork = ({ learners, removed }: ClassPlan) =>
  removed.length > 0 ||
  learners.some(
    ({ learnerId, joined, files }) => learnerId === null || joined.length > 0 || files.length > 0,
  );

/** The request's files to be marked that no learner has, without problem pages. */
export async function unusedFiles(tx: Tx, assessmentId: number): Promise<UnusedFile[]> {
  const { fileIds } = await uploadOf(tx, assessmentId);
  const found = await tx
    .select({
      fileId: uploadedFiles.id,
      name: uploadedFiles.name,
      field: uploadedFiles.field,
      partId: submissionFiles.id,
      problemId: problemPages.id,
    })
    .from(uploadedFiles)
    .innerJoin(
      assessmentSubmissions,
      eq(assessmentSubmissions.contactId, uploadedFiles.contactRequestId),
    )
    .innerJoin(
      assessments,
      and(
        eq(assessments.assessmentSubmissionId, assessmentSubmissions.id),
        eq(assessments.id, assessmentId),
      ),
    )
    .leftJoin(submissionFiles, eq(submissionFiles.fileId, uploadedFiles.id))
    .leftJoin(problemPages, eq(problemPages.fileId, uploadedFiles.id))
    .orderBy(asc(uploadedFiles.id));
  return found.flatMap(({ fileId, name, field, partId, problemId }) => {
    const isWork = field === scannedPages || fileIds.includes(fileId);
    return isWork && partId === null && problemId === null ? { fileId, name } : [];
  });
}

async function storePlan(
  tx: Tx,
  assessmentId: number,
  rows: StoredSubmission[],
  { learners, removed }: ClassPlan,
): Promise<void> {
  const rowOf = (id: number) => rows.find((row) => row.id === id)!;
  for (const { learnerId, joined } of learners.filter((one) => one.joined.length > 0)) {
    let row = rowOf(learnerId!);
    for (const { id } of joined) row = await joinRows(tx, row, rowOf(id));
  }
  for (const { id } of removed) await tx.delete(submissions).where(eq(submissions.id, id));
  await storeNumbers(tx, await submissionRows(tx, assessmentId), learners);
  for (const { learnerId, number, name, files } of learners) {
    const id =
      learnerId ?? (await insertLearner(tx, assessmentId, { number, name, isNumberListed: true }));
    for (const { fileId } of files) {
      await tx.insert(submissionFiles).values({ submissionId: id, fileId });
    }
    if (files.length > 0) await nameFiles(tx, { id });
  }
  await summarise(tx, assessmentId);
}

/** Stores numbers and names. Learners who are not on the list keep their numbers unless it gives them away. */
async function storeNumbers(
  tx: Tx,
  rows: StoredSubmission[],
  learners: PlannedLearner[],
): Promise<void> {
  const taken = new Set(learners.map(({ number }) => number));
  for (const { id, learnerNumber } of rows) {
    const listed = learners.find(({ learnerId }) => learnerId === id);
    const unlisted = taken.has(learnerNumber!)
      ? { learnerNumber: freeNumber(taken), isNumberListed: false }
      : { learnerNumber: learnerNumber! };
    const own = listed
      ? { learnerNumber: listed.number, isNumberListed: true, studentName: listed.name }
      : unlisted;
    taken.add(own.learnerNumber);
    await tx.update(submissions).set(own).where(eq(submissions.id, id));
  }
}
