/** Which learner each file of a request belongs to, if any: a file among the submissions may be no script. */
import { and, asc, eq } from "drizzle-orm";
import type { WorkFile } from "../../app/domain/desk.ts";
import type { WorkFileOutcome, WorkFileOwner, WorkFileTarget } from "../../app/domain/team.ts";
import type { Tx } from "../operation.ts";
import { submissionFiles, submissions, uploadedFiles } from "../schema.ts";
import { unusedFiles } from "./class-lists.ts";
import { learnerRows, signatureOf, submissionRow } from "./class-rows.ts";
import { prepareDesk, workFilesOf } from "./desk-class.ts";
import { hasDecision, insertLearnerOf, nameFiles, summarise } from "./desk-learners.ts";

/** The files to be marked, each once for every learner who has pages of it; `learnerId` is null without a learner. */
export async function listWorkFiles(tx: Tx, assessmentId: number): Promise<WorkFileOwner[]> {
  const owned = await tx
    .select({ fileId: uploadedFiles.id, name: uploadedFiles.name, learnerId: submissions.id })
    .from(submissionFiles)
    .innerJoin(submissions, eq(submissions.id, submissionFiles.submissionId))
    .innerJoin(uploadedFiles, eq(uploadedFiles.id, submissionFiles.fileId))
    .where(eq(submissions.assessmentId, assessmentId))
    .groupBy(uploadedFiles.id, submissions.id)
    .orderBy(asc(uploadedFiles.id), asc(submissions.id));
  const unused = await unusedFiles(tx, assessmentId);
  return [...owned, ...unused.map((file) => ({ ...file, learnerId: null }))];
}

/**
 * Gives a file to a learner, or takes away a file that is no script. A file that is taken away stays with the request,
 * and can be given again. If the learner has no other work, removes the learner, unless a class list gave the number.
 */
export async function setWorkFile(
  tx: Tx,
  assessmentId: number,
  { fileId, learnerId, to }: Omit<WorkFileOwner, "name"> & { to: WorkFileTarget },
): Promise<WorkFileOutcome> {
  await prepareDesk(tx, assessmentId);
  if (await signatureOf(tx, assessmentId)) return "signed";
  const outcome =
    to === "no script"
      ? await takeAway(tx, assessmentId, { fileId, learnerId })
      : await give(tx, assessmentId, fileId, to);
  if (outcome === "stored") await summarise(tx, assessmentId);
  return outcome;
}

async function takeAway(
  tx: Tx,
  assessmentId: number,
  { fileId, learnerId }: Omit<WorkFileOwner, "name">,
): Promise<WorkFileOutcome> {
  const rows = await learnerRows(tx, assessmentId);
  const works = await workFilesOf(tx, rows);
  const isOfFile = (part: WorkFile) => part.fileId === fileId;
  // A page that was rendered before the class had learners sends null, although a learner may have the file by now.
  const row = rows.find(
    ({ id }) => (learnerId === null || id === learnerId) && works.get(id)?.some(isOfFile),
  );
  if (!row) return "no file";
  if (hasDecision((await submissionRow(tx, assessmentId, row.id))!)) return "decided";
  const isRemoved = !row.isNumberListed && works.get(row.id)?.every(isOfFile);
  // A class without learners would be prepared again, with one learner for each file.
  if (isRemoved && rows.length === 1) return "only learner";
  await tx
    .delete(submissionFiles)
    .where(and(eq(submissionFiles.submissionId, row.id), eq(submissionFiles.fileId, fileId)));
  if (isRemoved) await tx.delete(submissions).where(eq(submissions.id, row.id));
  else await nameFiles(tx, row);
  return "stored";
}

async function give(
  tx: Tx,
  assessmentId: number,
  fileId: number,
  to: Exclude<WorkFileTarget, "no script">,
): Promise<WorkFileOutcome> {
  const file = (await unusedFiles(tx, assessmentId)).find((one) => one.fileId === fileId);
  if (!file) return "no file";
  const row = to === "new learner" ? undefined : await submissionRow(tx, assessmentId, to);
  if (to !== "new learner" && !row) return "no learner";
  if (row && hasDecision(row)) return "decided";
  const id = row?.id ?? (await insertLearnerOf(tx, assessmentId, file.name));
  await tx.insert(submissionFiles).values({ submissionId: id, fileId });
  await nameFiles(tx, { id });
  return "stored";
}
