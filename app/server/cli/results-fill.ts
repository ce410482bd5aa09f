import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { byFlags } from "../../results/mark-column.ts";
import {
  type FilledSheet,
  filledName,
  fillSentences,
  fillSheet,
  learnersToFill,
  noneFilled,
} from "../class-work/fill-sheet.ts";
import { SheetError, sheetLimits } from "../results/school-sheet.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation, Opened } from "./installation.ts";
import { type Json, print, printJson, printNotes } from "./print.ts";
import { importedResultsOf } from "./results-io.ts";
import { reasonOf } from "./system-error.ts";
import { writeNew } from "./write-new.ts";

interface Options extends Json {
  out?: string;
  column?: string;
  learner?: string;
  sheet?: string;
  percentage?: true;
  withProposals?: true;
  absent?: string;
}

export function addFill(results: Command, { onStore }: Installation): void {
  results
    .command("fill <reference> <sheet>")
    .description("fill the marks into a copy of the school’s own sheet, CSV or XLSX")
    .option("--out <file>", "the copy; beside the sheet if it is not given")
    .option(
      "--column <heading>",
      "heading of the column to fill, or its name such as E; the title if not given",
    )
    .option("--learner <heading>", "heading over numbers or names, if it is not a usual one")
    .option("--sheet <name>", "the sheet of a workbook, if several fit")
    .option("--percentage", "percentages in place of marks")
    .option("--with-proposals", "also marks that no person has decided")
    .option("--absent <code>", "what to write for absent learners; nothing if not given")
    .option("--json", "print JSON")
    .action(onStore(writeFilled));
}

async function writeFilled(
  { store }: Opened,
  typed: string,
  file: string,
  options: Options,
): Promise<void> {
  // Accept only what a spreadsheet cannot take for a formula.
  if (options.absent !== undefined && !/^(-?\d{1,9}|[a-z][a-z\d ]{0,19})$/i.test(options.absent)) {
    throw new CommandFailed("--absent takes a number or a word.", exitCodes.usage);
  }
  const { reference, results } = await importedResultsOf(store, typed);
  const { title, signed } = results;
  const { column, learner, sheet, percentage, absent, withProposals = false } = options;
  const proposals = { areTaken: withProposals, howToTake: "--with-proposals" };
  const { bytes, ...done } = await withSheet(file, (sheetBytes) =>
    fillSheet(sheetBytes, {
      learners: learnersToFill(results, { percentage, absent, proposals }),
      wishes: { title, column, learner },
      percentage,
      sheetName: sheet,
      howTo: byFlags,
    }),
  );
  if (done.filled.length === 0) {
    throw new CommandFailed(`${noneFilled(done, withProposals)}: nothing was written.`);
  }
  const isSigned = signed !== undefined;
  const out = options.out ?? path.join(path.dirname(file), filledName(file, isSigned));
  await writeNew(out, bytes);
  const { heading, ...cells } = done;
  if (options.json) printJson({ reference, file: out, column: heading, ...cells });
  else print(out);
  printNotes(fillSentences(done, isSigned));
}

/** Reads a sheet and fills it. @throws CommandFailed if the sheet cannot be read or filled */
async function withSheet(file: string, fill: (bytes: Buffer) => FilledSheet): Promise<FilledSheet> {
  try {
    const { size } = await stat(file);
    if (size > sheetLimits.fileBytes) {
      throw new SheetError(`is larger than ${sheetLimits.fileBytes / 1_048_576} MB`);
    }
    return fill(await readFile(file));
  } catch (error) {
    const reason = reasonOf(error);
    if (reason) throw new CommandFailed(`${file} cannot be read: ${reason}.`);
    if (!(error instanceof SheetError)) throw error;
    throw new CommandFailed(`${file} ${error.message}. Nothing was written.`);
  }
}
