/** Cuts scans of a class into a script for each learner, and problem pages. */
import { createHash, randomUUID } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import type { Store } from "#db/store.ts";
import { type Cut, type CutScript, cutScans } from "../../desk/cut-scans.ts";
import { capitalised } from "../../domain/capitalised.ts";
import { withoutExtension } from "../../domain/file-name.ts";
import { type NewScan, type ScannedPage, scannedPages } from "../../domain/scan.ts";
import { type QueuedUpload, type SplitOutcome, scanPartBytes } from "../../domain/scan-upload.ts";
import { safeName } from "../requests/request-files.ts";
import { classNumberOf } from "./cover-sheets.ts";

interface ReadScan {
  name: string;
  /** Path of a copy of the scan on this machine, which is deleted when the scan is cut. */
  file: string;
  sha256: string;
  pages: ScannedPage[];
}

/** Ends the cutting of an upload. The message is a sentence that says why nothing more of it is stored. */
class SplitFailure extends Error {}

interface Target {
  reference: string;
  assessmentId: number;
}

export interface SplitDependencies {
  store: Store;
  /** The folder for scans while they are cut. */
  folder: string;
  signal: AbortSignal;
}

const folderPrefix = ".scans-";

/** Deletes copies of scans that a killed program left in a data folder. A command that uses a copy begins again. */
export function deleteLeftScans(dataDir: string): void {
  // On PostgreSQL the data folder may not exist before the first scan.
  for (const name of existsSync(dataDir) ? readdirSync(dataDir) : []) {
    if (name.startsWith(folderPrefix)) {
      rmSync(path.join(dataDir, name), { recursive: true, force: true });
    }
  }
}

/**
 * Cuts the scans of an upload. Each scan has a transaction of its own, so that after a kill only the rest is cut again.
 * @throws the reason of the signal if it aborts
 */
export async function splitUpload(
  upload: QueuedUpload,
  target: Target,
  dependencies: SplitDependencies,
): Promise<SplitOutcome> {
  for (;;) {
    const folder = path.join(dependencies.folder, `${folderPrefix}${randomUUID()}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      return { report: await split(upload, target, { ...dependencies, folder }) };
    } catch (error) {
      // A server that has started meanwhile has deleted the folder: begin again.
      if (!dependencies.signal.aborted && !existsSync(folder)) continue;
      if (error instanceof SplitFailure) return { failure: error.message };
      throw error;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function split(upload: QueuedUpload, target: Target, dependencies: SplitDependencies) {
  const { store } = dependencies;
  const { assessmentId, reference } = target;
  await store.prepareDesk(assessmentId);
  const { scans, splitBefore } = await readScans(upload, assessmentId, dependencies);
  const learners = await store.listClass(assessmentId);
  const cut = cutScans(scans, learners, upload.scriptPages ?? undefined, classNumberOf(reference));
  const [foreign] = cut.ofAnotherClass;
  if (foreign) {
    throw new SplitFailure(
      `${foreign.name} has cover sheets of another class; nothing was stored. Is ${reference} the class that was scanned?`,
    );
  }
  const [plain] = cut.withoutSheets;
  if (plain) {
    throw new SplitFailure(
      `${plain.name} has no cover sheet that can be read; nothing was stored. If all scripts have the same number of pages, cut by it.`,
    );
  }
  const report = reportOf(scans, cut, splitBefore);
  for (const scan of scans) {
    const ends = scan === scans.at(-1) && { ends: { uploadId: upload.id, report } };
    await storeCut({ scan, cut, ...ends }, target, dependencies);
  }
  return report;
}

function reportOf(scans: ReadScan[], cut: Cut, splitBefore: string[]) {
  const { longer, double, unknown, withoutPages } = cut;
  return {
    scripts: cut.scripts.map((script) => ({
      number: script.learner?.number ?? null,
      name: script.learner?.name ?? fileStem(script),
      scan: script.scan.name,
      pages: script.pages.length,
    })),
    problems: cut.problems.map(({ scan, page, reason }) => ({
      scan: scan.name,
      page: page.page,
      reason,
    })),
    missing: cut.missing.map(({ number }) => number),
    longer,
    double,
    unknown,
    withoutPages,
    blank: scans.flatMap(({ name, pages }) =>
      pages.flatMap(({ page, isBlank }) => (isBlank ? [{ scan: name, page }] : [])),
    ),
    splitBefore,
  };
}

/** Reads the scans of an upload that were not cut before. @throws SplitFailure if a scan cannot be read */
async function readScans(
  { id: uploadId, names }: QueuedUpload,
  assessmentId: number,
  { store, folder, signal }: SplitDependencies,
) {
  const { readScan } = await import("../../desk/render-file.ts");
  const scans: ReadScan[] = [];
  const splitBefore: string[] = [];
  for (const [index, name] of names.entries()) {
    const file = path.join(folder, `${index}.pdf`);
    const sha256 = await writeScan(store, { uploadId, scan: index }, file);
    const [isStored] = await store.findScans(assessmentId, [sha256]);
    if (isStored || scans.some((scan) => scan.sha256 === sha256)) {
      splitBefore.push(name);
      continue;
    }
    const { pages, failed } = await readScan(file, signal);
    if (failed !== undefined) throw new SplitFailure(`${name}: ${failed} Nothing was stored.`);
    scans.push({ name, file, sha256, pages });
  }
  return { scans, splitBefore };
}

/** Writes the parts of a scan into a file. Returns the SHA-256 hash of the scan. */
async function writeScan(
  store: Store,
  scan: { uploadId: number; scan: number },
  file: string,
): Promise<string> {
  const hash = createHash("sha256");
  await using target = await open(file, "wx", 0o600);
  for (let position = 0; ; position += 1) {
    const part = await store.readScanPart({ ...scan, position });
    if (!part) return hash.digest("hex");
    hash.update(part);
    await target.writeFile(part);
  }
}

/** Stores the scripts and problem pages of a scan, unless they are stored already. @throws SplitFailure */
async function storeCut(
  { scan, cut, ends }: { scan: ReadScan; cut: Cut } & Pick<NewScan, "ends">,
  { assessmentId }: Target,
  dependencies: SplitDependencies,
): Promise<void> {
  const { store } = dependencies;
  const stem = withoutExtension(scan.name);
  const scripts: NewScan["scripts"] = [];
  const problems: NewScan["problems"] = [];
  for (const script of cut.scripts.filter((one) => one.scan === scan)) {
    const name = safeName(`${fileStem(script)}.pdf`);
    const fileId = await stagePages(scan, script.pages, name, dependencies);
    scripts.push({ learnerId: script.learner?.id ?? null, fileId });
  }
  for (const { page, reason } of cut.problems.filter((one) => one.scan === scan)) {
    const name = safeName(`${stem} page ${page.page}.pdf`);
    const fileId = await stagePages(scan, [page], name, dependencies);
    problems.push({ page: page.page, reason, fileId });
  }
  const { name, sha256 } = scan;
  const cutScan = { name, sha256, scripts, problems, ...(ends && { ends }) };
  const stored = await store.storeScan(assessmentId, cutScan, new Date());
  if (stored.outcome === "signed") {
    throw new SplitFailure(
      `${stored.signature.by} has signed these marks, so nothing of ${name} was stored. Reopen them first.`,
    );
  }
  if (stored.outcome === "changed") {
    throw new SplitFailure(
      `The class has changed meanwhile, so nothing of ${name} was stored. Send it again.`,
    );
  }
}

/**
 * Stages pages of a scan as a file of their own, one file at a time: a class does not fit into memory. What a kill
 * leaves behind is deleted like any staged file.
 * @throws SplitFailure if the pages cannot be copied
 */
async function stagePages(
  { name: scanName, file }: ReadScan,
  pages: ScannedPage[],
  name: string,
  { store, signal }: SplitDependencies,
): Promise<number> {
  const { copyPages } = await import("../../desk/render-file.ts");
  const turned = pages.map(({ page, turn }) => ({ page, turn }));
  const bytes = await copyPages(file, turned, signal);
  if (!bytes) {
    throw new SplitFailure(
      `${capitalised(rangeOf(pages))} of ${scanName} cannot be copied, so nothing of it was stored. Scan it again.`,
    );
  }
  const cut = { field: scannedPages, name, mediaType: "application/pdf", bytes };
  // The limit of staged bytes is for visitors' posts.
  return (await store.stageFile(cut, Number.MAX_SAFE_INTEGER, new Date())).id;
}

/** A script is named after its learner's number, or its pages of the scan. */
function fileStem({ scan, learner, pages }: CutScript): string {
  return learner?.number ?? `${withoutExtension(scan.name)} ${rangeOf(pages)}`;
}

/** Returns "page 3" or "pages 3 to 5". @param pages at least one, as every script has */
function rangeOf(pages: ScannedPage[]): string {
  const [first, last] = [pages[0]!.page, pages.at(-1)!.page];
  return first === last ? `page ${first}` : `pages ${first} to ${last}`;
}

/**
 * Queues scan files of this machine. Returns the upload's key; undefined if too many uploads of the class wait.
 * @throws Error if the size of a file is not the one that was given
 */
export async function sendScans(
  store: Store,
  assessmentId: number,
  {
    files,
    scriptPages,
  }: { files: { path: string; name: string; size: number }[]; scriptPages: number | null },
): Promise<string | undefined> {
  const key = randomUUID();
  const names = files.map(({ name }) => name);
  const upload = await store.openScanUpload(assessmentId, { key, names }, new Date());
  if (!upload) return undefined;
  try {
    for (const [scan, file] of files.entries()) {
      let position = 0;
      for await (const bytes of createReadStream(file.path, { highWaterMark: scanPartBytes })) {
        await store.addScanPart({ uploadId: upload.id, scan, position, bytes });
        position += 1;
      }
    }
    const sizes = files.map(({ size }) => size);
    const queued = await store.queueScanUpload(upload.id, { sizes, scriptPages }, new Date());
    if (queued !== "missing") return key;
    throw new Error(
      `${names.join(", ")} changed while it was read, so nothing was stored. Is it still being written?`,
    );
  } catch (error) {
    // An upload that stays open counts against the limit of the class.
    await store.discardScanUpload(assessmentId, key);
    throw error;
  }
}
