/** Cover sheets of a class, and scans that are cut at them. */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import type { Store } from "#db/store.ts";
import { type Cut, type CutScript, cutScans } from "../../desk/cut-scans.ts";
import { counted } from "../../domain/counted.ts";
import { withoutExtension } from "../../domain/file-name.ts";
import type { NewScan, ScannedPage } from "../../domain/scan.ts";
import { readClassList } from "../../results/class-list.ts";
import { readCsv } from "../../results/read-csv.ts";
import { safeName } from "../requests/request-files.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { type Json, print, printable, printJson } from "./print.ts";
import { whileRendered } from "./render-pages.ts";
import { markingTargetOf, readText, reportErrors } from "./results-io.ts";
import { reasonOf } from "./system-error.ts";
import { writeNew } from "./write-new.ts";

const megabyte = 1_048_576;
/** A child that reads a scan has room for it three times. */
const maxScanBytes = 100 * megabyte;

export function addScans(group: Command, { onStore, withStore }: Installation): void {
  group
    .command("sheets <list>")
    .description("write a cover sheet for each learner of a CSV file (- for stdin) as a PDF")
    .requiredOption("--out <file>", "the PDF, to print and put on top of each learner’s pages")
    .option(
      "--for <reference>",
      "the request of the class; its scans then take no other class’s sheet, and no copy without its number, for one of theirs",
    )
    .action((list: string, { out, for: typed }: { out: string; for?: string }) =>
      typed === undefined
        ? writeSheets(list, out)
        : withStore(async (store) => {
            const { reference } = await markingTargetOf(store, typed);
            await writeSheets(list, out, classNumberOf(reference));
          }),
    );
  group
    .command("split <reference> <scan...>")
    .description("cut scans of a class (PDF) at the cover sheets, into a script for each learner")
    .option("--pages <number>", "how many pages every script has; without sheets, cut at these")
    .option("--json", "print JSON")
    .action(onStore(split));
}

/** In the codes of a class's cover sheets. The reference is random; too little of its hash is here to find it again. */
const classNumberOf = (reference: string) =>
  createHash("sha256").update(`cover sheets of ${reference}`).digest("hex").slice(0, 8);

async function writeSheets(list: string, out: string, classNumber?: string): Promise<void> {
  const { learners, errors } = readClassList(readCsv(await readText(list)));
  if (errors) {
    reportErrors(errors, undefined);
    throw new CommandFailed(`${list} has ${counted(errors.length, "error")}; nothing was written.`);
  }
  const { writeScriptFile } = await import("../../desk/render-file.ts");
  const parts = learners.map(({ number, name }) => ({
    sheet: { number, name, ...(classNumber && { classNumber }) },
  }));
  const pdf = await writeScriptFile({ parts }, []);
  if (!pdf) throw new CommandFailed("The sheets could not be written: the list is too long.");
  await writeNew(out, pdf);
  process.stderr.write(
    `${counted(learners.length, "sheet")} written. Print them on one side of the paper.${classNumber ? "" : " Their codes fit any class: with --for REFERENCE they have the number of theirs."}\n`,
  );
}

interface SplitOptions extends Json {
  pages?: string;
}

interface ReadScan {
  /** Without its folder. */
  name: string;
  bytes: Buffer;
  sha256: string;
  pages: ScannedPage[];
}

async function split(
  store: Store,
  typed: string,
  files: string[],
  { pages, json }: SplitOptions,
): Promise<void> {
  const { reference, assessmentId } = await markingTargetOf(store, typed);
  if (pages !== undefined && !/^[1-9]\d{0,2}$/.test(pages)) {
    throw new CommandFailed(
      "--pages takes a whole number of pages from 1 to 999.",
      exitCodes.usage,
    );
  }
  await store.prepareDesk(assessmentId);
  const { scans, before } = await readScans(store, assessmentId, files);
  const learners = await store.listClass(assessmentId);
  const cut = cutScans(
    scans,
    learners,
    pages ? Number(pages) : undefined,
    classNumberOf(reference),
  );
  const [foreign] = cut.ofAnotherClass;
  if (foreign) {
    throw new CommandFailed(
      `${foreign.name} has cover sheets of another class; nothing was stored. Is ${reference} the class that was scanned?`,
    );
  }
  const [plain] = cut.withoutSheets;
  if (plain) {
    throw new CommandFailed(
      `${plain.name} has no cover sheet that can be read; nothing was stored. If all scripts have the same number of pages, cut by it: --pages.`,
    );
  }
  for (const scan of scans) await storeCut(store, { reference, assessmentId }, scan, cut);
  const { files: rendered } = await whileRendered(store, assessmentId, () =>
    store.queueClassJob(assessmentId, new Date()),
  );
  const scripts = cut.scripts.map((script) => ({
    number: script.learner?.number ?? null,
    name: script.learner?.name ?? fileStem(script),
    ...{ scan: script.scan.name, pages: script.pages.length },
  }));
  const problems = cut.problems.map(({ scan, page, reason }) => ({
    ...{ scan: scan.name, page: page.page, reason },
  }));
  const blank = scans.flatMap(({ name, pages: all }) =>
    all.flatMap(({ page, isBlank }) => (isBlank ? [{ scan: name, page }] : [])),
  );
  const missing = cut.missing.map(({ number }) => number);
  const { longer, double, unknown, withoutPages } = cut;
  const report = {
    problems,
    missing,
    longer,
    double,
    unknown,
    withoutPages,
    blank,
    splitBefore: before,
  };
  if (json) printJson({ reference, scripts, ...report, files: rendered });
  else {
    for (const { number, name, pages: count } of scripts) {
      print(`${number ?? "new"}  ${name}  ${counted(count, "page")}`);
    }
  }
  process.stderr.write(reportOf(scripts.length, report));
}

/** @throws CommandFailed if one of them cannot be read */
async function readScans(store: Store, assessmentId: number, files: string[]) {
  const { readScan } = await import("../../desk/render-file.ts");
  const scans: ReadScan[] = [];
  const before: string[] = [];
  for (const file of files) {
    const name = printable(path.basename(file));
    const bytes = await readBytes(file);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const [isStored] = await store.findScans(assessmentId, [sha256]);
    if (isStored || scans.some((scan) => scan.sha256 === sha256)) {
      before.push(name);
      continue;
    }
    const { pages, failed } = await readScan(bytes, (read, total) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${name}: ${read} of ${total}`);
    });
    if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
    if (failed !== undefined) {
      throw new CommandFailed(`${name}: ${failed} Nothing was stored.`);
    }
    scans.push({ name, bytes, sha256, pages });
  }
  return { scans, before };
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size <= maxScanBytes) return await readFile(file);
    throw new CommandFailed(
      `${file} has ${Math.ceil(size / megabyte)} MB, and a scan may have ${maxScanBytes / megabyte}. Scan the class in several parts, in grey at 150 dpi.`,
    );
  } catch (error) {
    const reason = reasonOf(error);
    throw reason ? new CommandFailed(`${file} cannot be read: ${reason}.`) : error;
  }
}

/** Stores the part of a cut that is one scan's. @throws CommandFailed if nothing of it was stored */
async function storeCut(
  store: Store,
  { reference, assessmentId }: { reference: string; assessmentId: number },
  scan: ReadScan,
  cut: Cut,
): Promise<void> {
  const stem = withoutExtension(scan.name);
  const own = { scripts: [] as NewScan["scripts"], problems: [] as NewScan["problems"] };
  for (const script of cut.scripts.filter((one) => one.scan === scan)) {
    const name = safeName(`${fileStem(script)}.pdf`);
    const bytes = await copyPages(scan, script.pages);
    own.scripts.push({ learnerId: script.learner?.id ?? null, name, bytes });
  }
  for (const { page, reason } of cut.problems.filter((one) => one.scan === scan)) {
    const name = safeName(`${stem} page ${page.page}.pdf`);
    own.problems.push({ page: page.page, reason, name, bytes: await copyPages(scan, [page]) });
  }
  const { name, sha256 } = scan;
  const now = new Date();
  const stored = await store.storeScan(assessmentId, { name, sha256, ...own }, now);
  if (stored.outcome === "signed") {
    throw new CommandFailed(
      `${stored.signature.by} has signed these marks, so nothing of ${name} was stored: results reopen ${reference}.`,
    );
  }
  if (stored.outcome === "changed") {
    throw new CommandFailed(
      `The class has changed meanwhile, so nothing of ${name} was stored. Run this again.`,
    );
  }
  if (stored.outcome === "stored") await store.openAudit("scan split", now, reference);
}

/** Pages of a scan as a file of their own. @throws CommandFailed if they can be read, and not copied */
async function copyPages({ name, bytes }: ReadScan, pages: ScannedPage[]): Promise<Buffer> {
  const { writeScriptFile } = await import("../../desk/render-file.ts");
  const part = {
    fileBytes: bytes.length,
    pages: pages.map(({ page, turn }) => ({ page, turn, stamps: [] })),
  };
  const copied = await writeScriptFile({ parts: [part] }, [bytes]);
  if (copied) return copied;
  throw new CommandFailed(
    `Page ${pages[0]!.page} of ${name} cannot be copied, so nothing of it was stored. Scan it again.`,
  );
}

/** A script is named after its learner's number, or its place in the scan. */
function fileStem({ scan, learner, pages }: CutScript): string {
  if (learner) return learner.number;
  const [first, last] = [pages[0]!.page, pages.at(-1)!.page];
  const place = first === last ? `page ${first}` : `pages ${first} to ${last}`;
  return `${withoutExtension(scan.name)} ${place}`;
}

interface Report {
  problems: { scan: string; page: number; reason: string }[];
  missing: string[];
  longer: string[];
  double: string[];
  unknown: string[];
  withoutPages: string[];
  blank: { scan: string; page: number }[];
  splitBefore: string[];
}

function reportOf(scripts: number, report: Report): string {
  const { problems, blank, splitBefore } = report;
  const list = (what: string, items: string[], advice = "") =>
    items.length > 0 && `${what}: ${items.join(", ")}.${advice}`;
  const placesOf = (pages: { scan: string; page: number }[]) =>
    pages.map(({ scan, page }) => `${scan} page ${page}`);
  const lines = [
    list(
      "Split before, and left as it is",
      splitBefore,
      " Problem pages that it has are on the desk.",
    ),
    `${counted(scripts, "script")}, ${counted(problems.length, "problem page")}.`,
    list(
      "No cover sheet was found of",
      report.missing,
      " If one of them wrote, the pages are with those that were above in the stack.",
    ),
    list("Compare the length of these scripts", report.longer),
    list("More than one cover sheet, or work before", report.double),
    list("Cover sheets with a number that no learner has", report.unknown),
    list("Nothing under the cover sheet, perhaps absent", report.withoutPages),
    list("Blank pages, which are kept", placesOf(blank)),
    ...problems.map(({ scan, page, reason }) => `${scan} page ${page} ${reason}.`),
    problems.length > 0 &&
      "Say whose the problem pages are on the desk: marking open with --names, for all questions and learners.",
  ];
  return lines.flatMap((line) => (line ? `${printable(line)}\n` : [])).join("");
}
