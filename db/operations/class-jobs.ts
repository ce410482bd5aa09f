/** Cutting scans and rendering in the background: one job for a class, leased by the database's clock. */
import { randomUUID } from "node:crypto";
import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { ClassJob, ScriptsReady } from "../../app/domain/class-jobs.ts";
import type { RenderedFile } from "../../app/domain/page-image.ts";
import { countRows, deleteRows, type Tx, updateRows } from "../operation.ts";
import {
  classJobs,
  outbox,
  renderedFiles,
  resultLinks,
  submissionFiles,
  submissions,
} from "../schema.ts";
import { lockAssessment } from "./class-rows.ts";
import { uploadOf } from "./desk-class.ts";
import { isFree } from "./leases.ts";
import { listUnrenderedFiles, storeRendering } from "./page-images.ts";
import { nextScanUpload } from "./scan-uploads.ts";

/** Several times the interval at which class-job.ts renews a lease, so that a late renewal does not lose the lease. */
const leaseSeconds = 60;

/** Adds a job for a class with files to render or scans to cut. Returns whether the class has any. */
export async function queueClassJob(tx: Tx, assessmentId: number, now: Date): Promise<boolean> {
  await lockAssessment(tx, assessmentId);
  if (!(await hasWork(tx, assessmentId))) return false;
  await addClassJob(tx, assessmentId, now);
  return true;
}

/** Adds a job for a class, unless it has one. The caller has locked the class. */
export async function addClassJob(tx: Tx, assessmentId: number, now: Date): Promise<void> {
  await tx
    .insert(classJobs)
    .values({ assessmentId, createdAt: now.toISOString() })
    .onConflictDoNothing({ target: classJobs.assessmentId });
}

const hasWork = async (tx: Tx, assessmentId: number) =>
  (await listUnrenderedFiles(tx, assessmentId)).length > 0 ||
  (await nextScanUpload(tx, assessmentId)) !== undefined;

/** Whether there is a job that is not leased. */
export const hasFreeClassJob = async (tx: Tx): Promise<boolean> =>
  (await countRows(tx, classJobs, isFree(tx, classJobs))) > 0;

/** Leases the oldest free job, or the job of one class; undefined if no such job is free. */
export async function takeClassJob(tx: Tx, assessmentId?: number): Promise<ClassJob | undefined> {
  const { id } = classJobs;
  const isOfClass =
    assessmentId === undefined ? undefined : eq(classJobs.assessmentId, assessmentId);
  const isWanted = and(isFree(tx, classJobs), isOfClass);
  // Another server may lease the first jobs between the two statements, so several are tried.
  const free = await tx.select({ id }).from(classJobs).where(isWanted).orderBy(asc(id)).limit(8);
  for (const job of free) {
    const lease = randomUUID();
    const [taken] = await tx
      .update(classJobs)
      .set({
        lease,
        leasedUntil: tx.fromNow(leaseSeconds),
        attempts: sql`${classJobs.attempts} + 1`,
      })
      .where(and(eq(id, job.id), isWanted))
      .returning({ id, assessmentId: classJobs.assessmentId, attempts: classJobs.attempts });
    if (!taken) continue;
    const { reference } = await uploadOf(tx, taken.assessmentId);
    return { ...taken, lease, reference };
  }
  return undefined;
}

const isLeasedAs = ({ id, lease }: ClassJob) =>
  and(eq(classJobs.id, id), eq(classJobs.lease, lease));

/** Changes a job, unless its lease was lost. Returns whether the job was changed. */
const changeLeased = async (
  tx: Tx,
  job: ClassJob,
  change: SQLiteUpdateSetSource<typeof classJobs>,
): Promise<boolean> => (await updateRows(tx, classJobs, isLeasedAs(job), change)) > 0;

/** Prolongs the lease of a job. Returns false if the lease was lost. */
export const renewClassJob = (tx: Tx, job: ClassJob): Promise<boolean> =>
  changeLeased(tx, job, { leasedUntil: tx.fromNow(leaseSeconds) });

/** Ends the lease of a job, so that another server or command can go on with it, and sets its attempts to 0. */
export async function releaseClassJob(tx: Tx, job: ClassJob): Promise<void> {
  await changeLeased(tx, job, { lease: null, leasedUntil: null, attempts: 0 });
}

/**
 * Stores what rendering a file gave, unless the file has been rendered or deleted meanwhile.
 * @returns false if the lease was lost: then nothing is stored
 */
export async function storeJobRendering(
  tx: Tx,
  job: ClassJob,
  { fileId, rendered }: { fileId: number; rendered: RenderedFile },
  now: Date,
): Promise<boolean> {
  if (!(await changeLeased(tx, job, { attempts: 0 }))) return false;
  const unrendered = await listUnrenderedFiles(tx, job.assessmentId);
  if (unrendered.some(({ id }) => id === fileId)) await storeRendering(tx, fileId, rendered, now);
  return true;
}

/**
 * Deletes a job that has no work left. Then the email with the link to the results, which waited for the rendering, is
 * due.
 * @returns whether the job was deleted: false if there is work again, or the lease was lost
 */
export async function endClassJob(tx: Tx, job: ClassJob, now: Date): Promise<boolean> {
  const { assessmentId } = job;
  await lockAssessment(tx, assessmentId);
  if (await hasWork(tx, assessmentId)) return false;
  if ((await deleteRows(tx, classJobs, isLeasedAs(job))) === 0) return false;
  await makeResultsEmailDue(tx, assessmentId, now);
  return true;
}

async function makeResultsEmailDue(tx: Tx, assessmentId: number, now: Date): Promise<void> {
  const links = tx
    .select({ id: resultLinks.id })
    .from(resultLinks)
    .where(eq(resultLinks.assessmentId, assessmentId));
  const time = now.toISOString();
  await tx
    .update(outbox)
    .set({ nextAttemptAt: time })
    .where(
      and(
        eq(outbox.kind, "results"),
        eq(outbox.attempts, 0),
        gt(outbox.nextAttemptAt, time),
        inArray(outbox.resultLinkId, links),
      ),
    );
}

const hasClassJob = async (tx: Tx, assessmentId: number) =>
  (await countRows(tx, classJobs, eq(classJobs.assessmentId, assessmentId))) > 0;

/** Whether the job of a class is leased, and whether any job is leased; undefined if the class has no job. */
export async function findClassJob(tx: Tx, assessmentId: number) {
  if (!(await hasClassJob(tx, assessmentId))) return undefined;
  const leased = await tx
    .select({ assessmentId: classJobs.assessmentId })
    .from(classJobs)
    .where(gt(classJobs.leasedUntil, tx.fromNow(0)));
  return {
    isLeased: leased.some((job) => job.assessmentId === assessmentId),
    isAnyLeased: leased.length > 0,
  };
}

/** How many scripts a class has, and how many can be shown; null if it has no job, or all can be shown. */
export async function findScriptsReady(tx: Tx, assessmentId: number): Promise<ScriptsReady | null> {
  if (!(await hasClassJob(tx, assessmentId))) return null;
  const { submissionId, fileId } = submissionFiles;
  const files = await tx
    .select({ submissionId, renderedId: renderedFiles.id })
    .from(submissionFiles)
    .innerJoin(submissions, eq(submissions.id, submissionId))
    .leftJoin(renderedFiles, eq(renderedFiles.fileId, fileId))
    .where(eq(submissions.assessmentId, assessmentId));
  const all = new Set(files.map((file) => file.submissionId));
  const waiting = new Set(
    files.filter(({ renderedId }) => renderedId === null).map((file) => file.submissionId),
  );
  return waiting.size === 0 ? null : { ready: all.size - waiting.size, total: all.size };
}
