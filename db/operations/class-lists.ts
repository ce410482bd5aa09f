/** Previews and stores what a class list does to a class. */
import { and, asc, eq, isNull, or } from "drizzle-orm";
import { scannedPages } from "../../app/domain/scan.ts";
import {
  type ListedDetails,
  type ListedLearner,
  listedFields,
} from "../../app/results/class-list.ts";
import {
  type ClassListOptions,
  type ClassListOutcome,
  type ClassPlan,
  type PlannedLearner,
  planClassList,
  type UnusedFile,
} from "../../app/results/class-plan.ts";
import type { Tx } from "../operation.ts";
import { problemPages, submissionFiles, submissions, uploadedFiles } from "../schema.ts";
import { hashOf } from "../token.ts";
import { listedColumns, type StoredSubmission, signatureOf, submissionRows } from "./class-rows.ts";
import { freeNumber, prepareDesk, uploadOf, workFilesOf } from "./desk-class.ts";
import {
  hasDecision,
  insertLearner,
  joinRows,
  nameFiles,
  noFile,
  summarise,
} from "./desk-learners.ts";

/**
 * Gives learners their numbers, names and files from a class list, and adds, joins and removes learners as
 * `planClassList` plans: all of it, or nothing.
 * @param options.seenVersion version of the preview that a person has seen; without it, the list is only previewed
 */
export async function takeClassList(
  tx: Tx,
  assessmentId: number,
  listed: ListedLearner[],
  { seenVersion, ...options }: ClassListOptions & { seenVersion?: string } = {},
): Promise<ClassListOutcome> {
  // `prepareDesk` also locks the assessment until the transaction ends.
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
  // If a form is sent twice, its list is stored already and has changed the version, so this is checked first.
  if (isStored(plan, rows)) return { outcome: "stored", plan, isRepeated: true };
  if (seenVersion !== version) return { outcome: "changed" };
  await storePlan(tx, assessmentId, rows, plan);
  return { outcome: "stored", plan };
}

function isStored(plan: ClassPlan, rows: readonly StoredSubmission[]): boolean {
  const byId = new Map<number | null, StoredSubmission>(rows.map((row) => [row.id, row]));
  const isAsPlanned = (listed: PlannedLearner) => {
    const row = byId.get(listed.learnerId);
    return (
      row?.isNumberListed &&
      listedFields.every((field) => row[listedColumns[field]] === listed[field])
    );
  };
  return !changesWork(plan) && plan.learners.every(isAsPlanned);
}

/** What a list says of a learner, by column. */
const columnsOf = (listed: ListedDetails) =>
  Object.fromEntries(listedFields.map((field) => [listedColumns[field], listed[field]])) as Record<
    (typeof listedColumns)[keyof ListedDetails],
    string
  >;

const changesWork = ({ learners, removed }: ClassPlan) =>
  removed.length > 0 ||
  learners.some(
    ({ learnerId, joined, files }) => learnerId === null || joined.length > 0 || files.length > 0,
  );

/** The files to be marked that no learner has. Problem pages are left out. */
export async function unusedFiles(tx: Tx, assessmentId: number): Promise<UnusedFile[]> {
  const { contactId, files } = await uploadOf(tx, assessmentId);
  const sentIds = files.flatMap(({ id }) => id ?? []);
  const { id: fileId, name, field, contactRequestId } = uploadedFiles;
  return await tx
    .select({ fileId, name })
    .from(uploadedFiles)
    .leftJoin(submissionFiles, eq(submissionFiles.fileId, fileId))
    .leftJoin(problemPages, eq(problemPages.fileId, fileId))
    .where(
      and(
        eq(contactRequestId, contactId),
        or(eq(field, scannedPages), tx.isOneOf(fileId, sentIds)),
        isNull(submissionFiles.id),
        isNull(problemPages.id),
      ),
    )
    .orderBy(asc(fileId));
}

async function storePlan(
  tx: Tx,
  assessmentId: number,
  rows: StoredSubmission[],
  { learners, removed }: ClassPlan,
): Promise<void> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { learnerId, joined } of learners) {
    if (learnerId === null) continue;
    let row = byId.get(learnerId)!;
    for (const { id } of joined) row = await joinRows(tx, row, byId.get(id)!);
  }
  for (const { id } of removed) await tx.delete(submissions).where(eq(submissions.id, id));
  await storeNumbers(tx, await submissionRows(tx, assessmentId), learners);
  for (const { learnerId, files, ...listed } of learners) {
    const columns = { ...columnsOf(listed), isNumberListed: true as const };
    const id = learnerId ?? (await insertLearner(tx, assessmentId, columns));
    for (const { fileId } of files) {
      await tx.insert(submissionFiles).values({ submissionId: id, fileId });
    }
    if (files.length > 0) await nameFiles(tx, { id, learnerNumber: listed.number });
  }
  await summarise(tx, assessmentId);
}

/** Stores what a list says. A learner who is not on the list keeps the number, unless the list gives it to another. */
async function storeNumbers(
  tx: Tx,
  rows: StoredSubmission[],
  learners: PlannedLearner[],
): Promise<void> {
  const given = new Set(learners.map(({ number }) => number));
  const listedOf = new Map(learners.map((one) => [one.learnerId, one]));
  const others = rows.filter(({ id }) => !listedOf.has(id));
  const taken = new Set([...given, ...others.map(({ learnerNumber }) => learnerNumber)]);
  for (const { id, learnerNumber: oldNumber, fileName } of rows) {
    const listed = listedOf.get(id);
    if (!listed && !given.has(oldNumber!)) continue;
    const learnerNumber = listed?.number ?? freeNumber(taken);
    taken.add(learnerNumber);
    const values = {
      learnerNumber,
      isNumberListed: listed !== undefined,
      ...(listed && columnsOf(listed)),
      ...(fileName === noFile(oldNumber!) && { fileName: noFile(learnerNumber) }),
    };
    await tx.update(submissions).set(values).where(eq(submissions.id, id));
  }
}
