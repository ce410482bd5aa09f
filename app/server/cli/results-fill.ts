/** Fills the marks into a sheet that the school already has. */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import type { Store } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import type { MarkedSubmission, Results } from "../../domain/result.ts";
import {
  hasOpenProposal,
  isUnmarked,
  unsignedMark,
  withoutProposals,
} from "../../results/decision-progress.ts";
import { totalOf } from "../../results/grade.ts";
import { type Columns, findColumns, matchRows } from "../../results/mark-column.ts";
import { type SchoolSheet, SheetError, sheetLimits } from "../results/school-sheet.ts";
import { textSheets } from "../results/text-sheet.ts";
import { workbookSheets } from "../results/workbook.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { type Json, print, printable, printJson } from "./print.ts";
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
    .action(onStore(fillSheet));
}

interface Filled {
  learner: string;
  /** From 1, as spreadsheets count. */
  row: number;
  value: number | string;
  /** Present if another value was there. */
  before?: string;
}

async function fillSheet(
  store: Store,
  typed: string,
  file: string,
  options: Options,
): Promise<void> {
  // What a spreadsheet cannot take for a formula.
  if (options.absent !== undefined && !/^(-?\d{1,9}|[a-z][a-z\d ]{0,19})$/i.test(options.absent)) {
    throw new CommandFailed("--absent takes a number or a word.", exitCodes.usage);
  }
  const { reference, results } = await importedResultsOf(store, typed);
  const { sheet, columns } = await openSheet(file, results, options);
  const { filled, notFilled, unknown, bytes } = fill(sheet, columns, results, options);
  if (filled.length === 0) {
    throw new CommandFailed(
      `None of the ${counted(results.totalSubmissions, "learner")} has a row and ${options.withProposals ? "a mark" : "marks that are decided"}: nothing was written.`,
    );
  }
  const { dir, name, ext } = path.parse(file);
  const unsigned = results.signed ? "" : ` - ${unsignedMark}`;
  const out = options.out ?? path.join(dir, `${name} - filled${unsigned}${ext}`);
  await writeNew(out, bytes);
  const { heading } = columns;
  if (options.json)
    printJson({ reference, file: out, column: heading, filled, notFilled, unknown });
  else print(out);
  const lines = [
    `${filled.length} of ${counted(results.totalSubmissions, "learner")} filled into “${heading}”.`,
    ...filled.flatMap(({ learner, row, value, before }) =>
      before === undefined ? [] : [`Row ${row}, ${learner}: ${value} in place of ${before}.`],
    ),
    ...notFilled.map(({ learner, reason }) => `Not filled: ${learner} ${reason}.`),
    ...unknown.map(({ row, text }) => `Row ${row} belongs to no learner here: ${text}.`),
    ...(results.signed ? [] : ["The marks are not signed: they may still change."]),
  ];
  for (const line of lines) process.stderr.write(`${printable(line)}\n`);
}

/** @throws CommandFailed unless one sheet of the file has the column and the learners */
async function openSheet(
  file: string,
  { title }: Results,
  { column, learner, sheet: name }: Options,
): Promise<{ sheet: SchoolSheet; columns: Columns }> {
  try {
    const sheets = sheetsIn(await readSmall(file)).map((read) => read());
    const chosen = name === undefined ? sheets : sheets.filter((one) => one.name === name);
    const wanted = { title, ...(column && { column }), ...(learner && { learner }) };
    const read = chosen.map((sheet) => ({ sheet, ...findColumns(sheet.rows, wanted) }));
    const fitting = read.flatMap(({ sheet, columns }) => (columns ? [{ sheet, columns }] : []));
    const [first, second] = fitting;
    // Text has no names; with a wrong separator it has no columns.
    if (first && (!second || first.sheet.name === undefined)) return first;
    const names = (second ? fitting : sheets).map(
      (one) => `“${"sheet" in one ? one.sheet.name : one.name}”`,
    );
    if (second)
      throw new SheetError(
        `has several sheets that fit; name one with --sheet: ${names.join(", ")}`,
      );
    const [nearest] = read
      .flatMap(({ missing }) => missing ?? [])
      .sort((one, other) => other.headings - one.headings);
    throw new SheetError(nearest?.reason ?? `has no sheet “${name}”, but ${names.join(", ")}`);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason) throw new CommandFailed(`${file} cannot be read: ${reason}.`);
    if (!(error instanceof SheetError)) throw error;
    throw new CommandFailed(`${file} ${error.message}. Nothing was written.`);
  }
}

/** Every way to read the file: the sheets of a workbook, or text with each separator. */
function sheetsIn(bytes: Buffer): (() => SchoolSheet)[] {
  const start = bytes.toString("hex", 0, 4);
  if (start === "504b0304") return workbookSheets(bytes);
  if (start !== "d0cf11e0") return textSheets(bytes);
  throw new SheetError("has a password or is an old XLS file: save it as XLSX without a password");
}

async function readSmall(file: string): Promise<Buffer> {
  const { size } = await stat(file);
  if (size === 0) throw new SheetError("is empty");
  if (size > sheetLimits.fileBytes) {
    throw new SheetError(`is larger than ${sheetLimits.fileBytes / 1_048_576} MB`);
  }
  return await readFile(file);
}

/** Fills the rows of the learners that can be matched, and says why others stay as they are. */
function fill(sheet: SchoolSheet, columns: Columns, { submissions }: Results, options: Options) {
  const learners = submissions.map(({ studentName: name, learnerNumber, isNumberListed }) => ({
    ...{ name, isPlace: !isNumberListed },
    ...(learnerNumber !== undefined && { number: learnerNumber }),
  }));
  const { rows, reasons, unknown } = matchRows(sheet.rows, columns, learners);
  const values = new Map<number, number | string>();
  const filled: Filled[] = [];
  const notFilled: { learner: string; reason: string }[] = [];
  for (const [index, submission] of submissions.entries()) {
    const learner = submission.studentName;
    const row = rows.get(index);
    const { value, reason } = valueFor(submission, options);
    const wrong = reasons.get(index) ?? reason ?? sheet.blocked(row!, columns.marks);
    if (wrong !== undefined) {
      notFilled.push({ learner, reason: wrong });
      continue;
    }
    values.set(row!, value!);
    const before = sheet.rows[row!]![columns.marks]?.trim() ?? "";
    const isOther = before !== "" && before.replace(",", ".") !== String(value);
    filled.push({ learner, row: row! + 1, value: value!, ...(isOther && { before }) });
  }
  return {
    ...{ filled, notFilled },
    unknown: unknown.map(({ row, text }) => ({ row: row + 1, text })),
    bytes: sheet.fill(columns.marks, values),
  };
}

function valueFor(
  submission: MarkedSubmission,
  { percentage, withProposals, absent }: Options,
): { value: number | string; reason?: never } | { reason: string; value?: never } {
  const { noGrade, questionMarks } = submission;
  if (noGrade === "absent" && absent !== undefined) {
    return { value: /^-?\d+$/.test(absent) ? Number(absent) : absent };
  }
  if (noGrade)
    return { reason: `is ${noGrade === "absent" ? noGrade : "without a grade: unreadable"}` };
  const own = withProposals ? submission : withoutProposals(submission);
  const value = percentage ? own.grade : totalOf(own).awarded;
  if (value !== null) return { value };
  return {
    reason: questionMarks.some(isUnmarked)
      ? "has a question without a mark"
      : `has ${counted(questionMarks.filter(hasOpenProposal).length, "mark")} in pencil, which --with-proposals fills in`,
  };
}
