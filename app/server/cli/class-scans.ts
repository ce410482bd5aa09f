/** Cover sheets of a class, and scans that are cut at them. */
import { access, constants, stat } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { counted } from "../../domain/counted.ts";
import { maxScanBytes, type SplitReport } from "../../domain/scan-upload.ts";
import { readClassList } from "../../results/class-list.ts";
import { readCsv } from "../../results/read-csv.ts";
import { classNumberOf, sendScans } from "../class-work/split-scans.ts";
import type { ClassJobDependencies } from "../jobs/class-job.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { type Json, print, printable, printJson } from "./print.ts";
import { whileRendered } from "./render-pages.ts";
import { markingTargetOf, readText, reportErrors } from "./results-io.ts";
import { reasonOf } from "./system-error.ts";
import { writeNew } from "./write-new.ts";

const megabyte = 1_048_576;

export function addScans(group: Command, { readSettings, withStore }: Installation): void {
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
    .action((reference: string, scans: string[], options: SplitOptions) =>
      withStore((store) =>
        split({ store, dataDir: readSettings().dataDir }, reference, scans, options),
      ),
    );
}

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

async function split(
  { store, dataDir }: ClassJobDependencies,
  typed: string,
  paths: string[],
  { pages, json }: SplitOptions,
): Promise<void> {
  const { reference, assessmentId } = await markingTargetOf(store, typed);
  if (pages !== undefined && !/^[1-9]\d{0,2}$/.test(pages)) {
    throw new CommandFailed(
      "--pages takes a whole number of pages from 1 to 999.",
      exitCodes.usage,
    );
  }
  const scriptPages = pages ? Number(pages) : null;
  const files = await Promise.all(paths.map(scanAt));
  const { result: key, files: rendered } = await whileRendered(
    { store, dataDir },
    assessmentId,
    () => sendScans(store, assessmentId, { files, scriptPages }),
  );
  const uploads = await store.listScanUploads(assessmentId);
  const { state } = uploads.find((upload) => upload.key === key)!;
  if (typeof state === "string") throw new Error(`The scans are ${state}.`);
  if ("failure" in state) throw new CommandFailed(state.failure);
  const { scripts, ...report } = state.report;
  if (json) printJson({ reference, scripts, ...report, files: rendered });
  else {
    for (const { number, name, pages: count } of scripts) {
      print(`${number ?? "new"}  ${name}  ${counted(count, "page")}`);
    }
  }
  process.stderr.write(reportOf(scripts.length, report));
}

/** @throws CommandFailed if it cannot be read, or is too large */
async function scanAt(file: string) {
  try {
    await access(file, constants.R_OK);
    const { size } = await stat(file);
    if (size <= maxScanBytes) return { path: file, name: printable(path.basename(file)), size };
    throw new CommandFailed(
      `${file} has ${Math.ceil(size / megabyte)} MB, and a scan may have ${maxScanBytes / megabyte}. Scan the class in several parts, in grey at 150 dpi.`,
    );
  } catch (error) {
    const reason = reasonOf(error);
    throw reason ? new CommandFailed(`${file} cannot be read: ${reason}.`) : error;
  }
}

function reportOf(scripts: number, report: Omit<SplitReport, "scripts">): string {
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
