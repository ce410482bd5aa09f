import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import type { RenderReport } from "../../domain/class-jobs.ts";
import type { ClassJobDependencies } from "../jobs/class-job.ts";
import type { Opened } from "./installation.ts";
import { printable } from "./print.ts";

const pollMs = 200;
/** How long a command waits for a server to take a job. A running server takes a job within a second. */
const maxIdleMs = 4000;

/**
 * Queues a job for a class, and waits until its files are rendered. Shows a progress bar on a terminal, and prints
 * problems.
 * @param queue adds the job
 * @returns what `queue` returned, and the files that were rendered meanwhile
 */
export async function queueAndRender<Result>(
  { store, settings: { dataDir } }: Opened,
  assessmentId: number,
  queue: () => Promise<Result>,
): Promise<{ result: Result; files: RenderReport[] }> {
  const { stderr } = process;
  const renderedBefore = new Set((await store.listRenderings(assessmentId)).map(({ id }) => id));
  const result = await queue();
  let total = 0;
  await waitForJob({ store, dataDir }, assessmentId, async () => {
    if (!stderr.isTTY) return;
    const unrendered = await store.listUnrenderedFiles(assessmentId);
    total = Math.max(total, unrendered.length);
    stderr.write(progressBar(total - unrendered.length, total));
  });
  if (stderr.isTTY && total > 0) stderr.write("\r\u001B[K");
  const files = (await store.listRenderings(assessmentId)).flatMap(({ id, ...file }) =>
    renderedBefore.has(id) ? [] : file,
  );
  for (const { problems } of files) {
    for (const problem of problems) stderr.write(`${printable(problem)}\n`);
  }
  return { result, files };
}

/** Waits until the job of a class is done. Runs the job here if no server takes it. */
async function waitForJob(
  dependencies: ClassJobDependencies,
  assessmentId: number,
  showProgress: () => Promise<void>,
): Promise<void> {
  const { store } = dependencies;
  const { runClassJob } = await import("../jobs/class-job.ts");
  let idleSince = performance.now();
  for (;;) {
    const job = await store.findClassJob(assessmentId);
    if (!job) return;
    await showProgress();
    if (job.isAnyLeased) idleSince = performance.now();
    else if (performance.now() - idleSince > maxIdleMs) {
      const taken = await store.takeClassJob(assessmentId);
      const timer = setInterval(() => void showProgress().catch(() => {}), pollMs);
      try {
        if (taken) await runClassJob(dependencies, taken, new AbortController().signal);
      } finally {
        clearInterval(timer);
      }
    }
    await sleep(pollMs);
  }
}

function progressBar(done: number, total: number): string {
  const filled = Math.round((done * 30) / Math.max(total, 1));
  return `\r${"█".repeat(filled)}${"░".repeat(30 - filled)} ${done} of ${total} files`;
}

/** Adds the commands that the program runs itself as child processes, so no help lists them. */
export function addChildCommands(root: Command): void {
  root
    .command("render-file <extension> <first-page>", { hidden: true })
    .option("--scan")
    .action(async (extension: string, firstPage: string, { scan }: { scan?: true }) => {
      const { renderChild } = await import("../../desk/render-child.ts");
      await renderChild(extension, { firstPage: Number(firstPage), isScan: scan === true });
    });
  root.command("copy-pages <pages>", { hidden: true }).action(async (pages: string) => {
    const { copyPagesChild } = await import("../../desk/render-child.ts");
    await copyPagesChild(JSON.parse(pages));
  });
  root.command("write-script", { hidden: true }).action(async () => {
    const { writeScriptChild } = await import("../../desk/render-child.ts");
    await writeScriptChild();
  });
  root.command("fill-sheet", { hidden: true }).action(async () => {
    const { fillSheetChild } = await import("../class-work/fill-sheet-child.ts");
    await fillSheetChild();
  });
}
