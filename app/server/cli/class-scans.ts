import { access, constants, stat } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { counted } from "../../domain/counted.ts";
import { maxScanBytes, maxScanUploads } from "../../domain/scan-upload.ts";
import { readClassList } from "../../results/class-list.ts";
import { readCsv } from "../../results/read-csv.ts";
import { splitSentences } from "../../results/split-sentences.ts";
import { isWorkError } from "../class-work/class-work.ts";
import { classNumberOf, coverSheets } from "../class-work/cover-sheets.ts";
import { sendScans } from "../class-work/split-scans.ts";
import { CommandFailed } from "./exit.ts";
import { wholeNumber } from "./format.ts";
import type { Installation, Opened } from "./installation.ts";
import { type Json, print, printable, printJson, printNotes } from "./print.ts";
import { queueAndRender } from "./render-pages.ts";
import { markingTargetOf, readText, reportErrors, sourceName } from "./results-io.ts";
import { reasonOf } from "./system-error.ts";
import { writeNew } from "./write-new.ts";

const megabyte = 1_048_576;

export function addScans(group: Command, { onStore }: Installation): void {
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
        : onStore(async ({ store }) => {
            const { reference } = await markingTargetOf(store, typed);
            await writeSheets(list, out, classNumberOf(reference));
          })(),
    );
  group
    .command("split <reference> <scan...>")
    .description("cut scans of a class (PDF) at the cover sheets, into a script for each learner")
    .option(
      "--pages <number>",
      "how many pages every script has; without sheets, cut at these",
      wholeNumber(1, 999),
    )
    .option("--json", "print JSON")
    .action(onStore(split));
}

async function writeSheets(list: string, out: string, classNumber?: string): Promise<void> {
  const { learners, errors } = readClassList(readCsv(await readText(list, "CSV")));
  if (errors) {
    reportErrors(errors, undefined);
    throw new CommandFailed(
      `${sourceName(list)} has ${counted(errors.length, "error")}; nothing was written.`,
    );
  }
  const pdf = await coverSheets(learners, classNumber);
  if (isWorkError(pdf)) throw new CommandFailed(pdf.error);
  await writeNew(out, pdf);
  const sentences = [
    `${counted(learners.length, "sheet")} written. Print them on one side of the paper.`,
    !classNumber &&
      "Their codes fit any class: with --for REFERENCE they have the number of theirs.",
  ];
  process.stderr.write(`${sentences.filter(Boolean).join(" ")}\n`);
}

async function split(
  opened: Opened,
  typed: string,
  paths: string[],
  { pages: scriptPages, json }: Json & { pages?: number },
): Promise<void> {
  const { store } = opened;
  const { reference, assessmentId } = await markingTargetOf(store, typed);
  const files = await Promise.all(paths.map(scanAt));
  const { result: key, files: rendered } = await queueAndRender(opened, assessmentId, () =>
    sendScans(store, assessmentId, { files, scriptPages: scriptPages ?? null }),
  );
  if (key === undefined) {
    throw new CommandFailed(`${maxScanUploads} scans of the class are not cut yet.`);
  }
  const uploads = await store.listScanUploads(assessmentId);
  const { state } = uploads.find((upload) => upload.key === key)!;
  if (typeof state === "string") throw new Error(`The scans are ${state}.`);
  if ("failure" in state) throw new CommandFailed(state.failure);
  const { scripts, ...report } = state.report;
  if (json) printJson({ reference, scripts, ...report, files: rendered });
  else {
    for (const { number, name, pages } of scripts) {
      print(`${number ?? "new"}  ${name}  ${counted(pages, "page")}`);
    }
  }
  printNotes(splitSentences(report, scripts.length));
  if (report.problems.length > 0) {
    process.stderr.write(
      "Say whose the problem pages are on the desk: marking open with --names, for all questions and learners.\n",
    );
  }
}

/** Returns the path, name and size of a scan. @throws CommandFailed if the file is unreadable, empty or too large */
async function scanAt(file: string) {
  try {
    await access(file, constants.R_OK);
    const found = await stat(file);
    if (!found.isFile()) throw new CommandFailed(`${file} is not a file.`);
    const { size } = found;
    if (size === 0) throw new CommandFailed(`${file} is empty.`);
    if (size <= maxScanBytes) return { path: file, name: printable(path.basename(file)), size };
    throw new CommandFailed(
      `${file} has ${Math.ceil(size / megabyte)} MB, and a scan may have ${maxScanBytes / megabyte}. Scan the class in several parts, in grey at 150 dpi.`,
    );
  } catch (error) {
    const reason = reasonOf(error);
    throw reason ? new CommandFailed(`${file} cannot be read: ${reason}.`) : error;
  }
}
