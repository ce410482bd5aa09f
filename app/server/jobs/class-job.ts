import type { Store } from "#db/store.ts";
import { notRendered, sentenceOf } from "../../desk/render-failure.ts";
import type { ClassJob } from "../../domain/class-jobs.ts";
import { deleteLeftScans, type SplitDependencies, splitUpload } from "../class-work/split-scans.ts";
import type { Log } from "../log.ts";
import { type Loop, startLoop } from "./loop.ts";

/** Time between checks for jobs, because commands add jobs without calling `wake`. */
const pollMs = 1000;
/** Time until the next attempt if the store fails. Each failure is logged. */
const failedMs = 60_000;
const renewalMs = 15_000;
/** Max attempts without progress, each ended by a crash or an error. Then the next scan or file fails without a try. */
const maxAttempts = 5;

export interface ClassJobDependencies {
  store: Store;
  /** The folder for scans while they are cut. */
  dataDir: string;
}

/**
 * Does the jobs of all classes, until it is closed. A job that fails is tried again when its lease has ended. First
 * deletes the scans that a killed program has left in the data folder.
 * @param onEnded called after a job: an email may be due
 */
export function startClassJobs(
  dependencies: ClassJobDependencies,
  log: Log,
  onEnded: () => void,
): Loop {
  const { store } = dependencies;
  deleteLeftScans(dependencies.dataDir);
  return startLoop(async (closing) => {
    const logFailure = (error: unknown) => {
      if (!closing.aborted)
        log.error("cutting or rendering a class failed; retrying in a minute", error);
    };
    try {
      while (!closing.aborted && (await store.hasFreeClassJob())) {
        const job = await store.takeClassJob();
        // A failed job stays leased for up to a minute, in which the jobs of other classes are done.
        if (job && (await runClassJob(dependencies, job, closing).catch(logFailure))) onEnded();
      }
    } catch (error) {
      logFailure(error);
      return failedMs;
    }
    return pollMs;
  });
}

/**
 * Cuts scans, renders what is not rendered, and ends the job. Stops if the lease is lost: then another server goes on.
 * @param closing on abort, the child process is ended and the job is released
 * @returns whether the job has ended
 */
export async function runClassJob(
  { store, dataDir }: ClassJobDependencies,
  job: ClassJob,
  closing: AbortSignal,
): Promise<boolean> {
  const lost = new AbortController();
  const signal = AbortSignal.any([closing, lost.signal]);
  const renew = async () => {
    if (!(await store.renewClassJob(job))) lost.abort();
  };
  // The lease outlasts some seconds in which the store does not respond.
  const timer = setInterval(() => void renew().catch(() => {}), renewalMs);
  try {
    if (job.attempts > maxAttempts) await failNext(store, job);
    do {
      if (!(await cutUploads({ store, folder: dataDir, signal }, job))) return false;
      if (!(await renderFiles(store, job, signal))) return false;
      if (await store.endClassJob(job, new Date())) return true;
    } while (await store.renewClassJob(job));
    return false;
  } catch (error) {
    if (!signal.aborted) throw error;
    await store.releaseClassJob(job);
    return false;
  } finally {
    clearInterval(timer);
  }
}

/** Fails the next scan or file without trying it: every attempt so far has ended at it. */
async function failNext(store: Store, job: ClassJob): Promise<void> {
  const upload = await store.nextScanUpload(job.assessmentId);
  if (upload) {
    const failure =
      "The program stopped, or an error occurred, in several attempts to cut this scan.";
    if (await store.renewClassJob(job)) await store.endScanUpload(upload.id, { failure });
    return;
  }
  const [file] = await store.listUnrenderedFiles(job.assessmentId);
  if (!file) return;
  const failure = notRendered("took several attempts: the program stopped, or an error occurred");
  const rendered = { kind: "original" as const, reason: sentenceOf(failure) };
  await store.storeJobRendering(job, { fileId: file.id, rendered }, new Date());
}

/** Cuts the uploaded scans of a class. Returns false if the lease is lost. */
async function cutUploads(dependencies: SplitDependencies, job: ClassJob): Promise<boolean> {
  const { store } = dependencies;
  for (;;) {
    const upload = await store.nextScanUpload(job.assessmentId);
    if (!upload) return true;
    const outcome = await splitUpload(upload, job, dependencies);
    if (!(await store.renewClassJob(job))) return false;
    await store.endScanUpload(upload.id, outcome);
  }
}

/** Renders the files of a class that are not rendered. Returns false if the lease is lost. */
async function renderFiles(store: Store, job: ClassJob, signal: AbortSignal): Promise<boolean> {
  for (const { id, name } of await store.listUnrenderedFiles(job.assessmentId)) {
    const rendered = await render(store, { id, name }, signal);
    if (!rendered) continue;
    if (!(await store.storeJobRendering(job, { fileId: id, rendered }, new Date()))) return false;
  }
  return true;
}

/** Renders a file; undefined if it has been deleted meanwhile. */
async function render(
  store: Store,
  { id, name }: { id: number; name: string },
  signal: AbortSignal,
) {
  const { renderFile } = await import("../../desk/render-file.ts");
  const bytes = await store.readFile(id);
  return bytes && (await renderFile({ bytes, name }, signal));
}
