/** Cuts scans and renders files in the background, one class at a time, each file in a child process. */
import type { Store } from "#db/store.ts";
import { notRendered } from "../../desk/render-failure.ts";
import type { ClassJob } from "../../domain/class-jobs.ts";
import { deleteLeftScans, type SplitDependencies, splitUpload } from "../class-work/split-scans.ts";
import type { Log } from "../log.ts";
import { type Loop, startLoop } from "./loop.ts";

/** Commands add jobs without calling `wake`. */
const pollMs = 1000;
const renewalMs = 15_000;
/** A file that was being rendered as often as this when the program ended is not tried again. */
const maxAttempts = 5;

export interface ClassJobDependencies {
  store: Store;
  /** Scans are stored in it while they are cut. */
  dataDir: string;
}

/**
 * Does the jobs of all classes, until it is closed. A job that fails is tried again when its lease has ended.
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
    try {
      while (!closing.aborted && (await store.hasFreeClassJob())) {
        const job = await store.takeClassJob();
        if (job && (await runClassJob(dependencies, job, closing))) onEnded();
      }
    } catch (error) {
      if (!closing.aborted)
        log.error("cutting or rendering a class failed; retrying in a minute", error);
    }
    return pollMs;
  });
}

/**
 * Cuts scans, renders what is not rendered, and ends the job. Stops if the lease is lost: then another server does the rest.
 * @param closing ends the child process, and gives the job back
 * @returns whether it has ended
 */
export async function runClassJob(
  { store, dataDir }: ClassJobDependencies,
  job: ClassJob,
  closing: AbortSignal,
): Promise<boolean> {
  const lost = new AbortController();
  const signal = AbortSignal.any([closing, lost.signal]);
  const renew = async () => (await store.renewClassJob(job)) || lost.abort();
  // The lease outlasts some seconds in which the store does not respond.
  const timer = setInterval(() => void renew().catch(() => {}), renewalMs);
  try {
    let skipsFirst = job.attempts > maxAttempts;
    do {
      for (const work of [cutScans, renderFiles]) {
        const count = await work({ store, folder: dataDir, signal }, job, skipsFirst);
        if (count === undefined) return false;
        skipsFirst &&= count === 0;
      }
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

/**
 * Cuts the uploads of a class.
 * @param skipsFirst fails the first one untried
 * @returns how many it has ended; undefined if the lease is lost
 */
async function cutScans(
  dependencies: SplitDependencies,
  job: ClassJob,
  skipsFirst: boolean,
): Promise<number | undefined> {
  const { store } = dependencies;
  for (let count = 0; ; count += 1) {
    const upload = await store.nextScanUpload(job.assessmentId);
    if (!upload) return count;
    const outcome =
      skipsFirst && count === 0
        ? { failure: "The program has ended several times while it cut this scan." }
        : await splitUpload(upload, job, dependencies);
    if (!(await store.renewClassJob(job))) return undefined;
    await store.endScanUpload(upload.id, outcome);
  }
}

/** Renders the files of a class, with the parameter and the result of `cutScans`. */
async function renderFiles(
  { store, signal }: SplitDependencies,
  job: ClassJob,
  skipsFirst: boolean,
): Promise<number | undefined> {
  let count = 0;
  for (const { id, name } of await store.listUnrenderedFiles(job.assessmentId)) {
    const rendered =
      skipsFirst && count === 0 ? tooOften : await render(store, { id, name }, signal);
    if (!rendered) continue;
    const file = { fileId: id, rendered };
    if (!(await store.storeJobRendering(job, file, new Date()))) return undefined;
    count += 1;
  }
  return count;
}

const tooOften = {
  kind: "original" as const,
  reason: notRendered("has ended the program that rendered it several times"),
};

/** Undefined if the file has been deleted meanwhile. */
async function render(
  store: Store,
  { id, name }: { id: number; name: string },
  signal: AbortSignal,
) {
  const { renderFile } = await import("../../desk/render-file.ts");
  const bytes = await store.readFile(id);
  return bytes && (await renderFile({ bytes, name }, undefined, signal));
}
