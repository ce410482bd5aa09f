/** Fills the marks of a class into a sheet that the school keeps, for the command and for the team's page. */
import path from "node:path";
import { counted } from "../../domain/counted.ts";
import type { MarkedSubmission, Results } from "../../domain/result.ts";
import {
  hasOpenProposal,
  isUnmarked,
  unsignedNote,
  withoutProposals,
} from "../../results/decision-progress.ts";
import { totalOf } from "../../results/grade.ts";
import {
  type Columns,
  type ColumnWishes,
  findColumns,
  type HowToName,
  type KnownLearner,
  matchRows,
} from "../../results/mark-column.ts";
import { type SchoolSheet, SheetError } from "../results/school-sheet.ts";
import { textSheets } from "../results/text-sheet.ts";
import { workbookSheets } from "../results/workbook.ts";

/** What a learner's cell gets, or why it stays as it is. */
type LearnerMark = KnownLearner & ({ value: number | string } | { reason: string });

/** What to fill into a sheet, and where. Plain data, because it is sent to a child process. */
export interface FillJob {
  learners: LearnerMark[];
  wishes: ColumnWishes;
  /** Whether the values of learners are percentages. */
  percentage?: boolean | undefined;
  /** The name of the sheet of a workbook; if missing, the only sheet that fits is filled. */
  sheetName?: string | undefined;
  howTo: HowToName;
}

interface FilledCell {
  learner: string;
  /** From 1, as spreadsheets count. */
  row: number;
  value: number | string;
  /** What was in the cell before; missing if the cell was empty or had the same value. */
  before?: string;
  /** Present if the row has another number than the learner. */
  hasOtherNumber?: true;
}

export interface FilledSheet {
  /** The heading of the column that was filled. */
  heading: string;
  filled: FilledCell[];
  notFilled: { learner: string; reason: string }[];
  /** Rows that belong to no learner. */
  unknown: { row: number; text: string }[];
  bytes: Buffer;
}

/** Returns the learners of a class, each with the mark to fill in, or the reason to fill in none. */
export const learnersToFill = ({ submissions }: Results, options: MarkOptions): LearnerMark[] =>
  submissions.map((submission) => {
    const { studentName: name, learnerNumber, isNumberListed } = submission;
    return {
      name,
      isPlace: !isNumberListed,
      ...(learnerNumber !== undefined && { number: learnerNumber }),
      ...markOf(submission, options),
    };
  });

interface MarkOptions {
  /** Whether percentages are filled in, in place of marks. */
  percentage?: boolean | undefined;
  /** Whether proposals are filled in too, and how to ask for that. Missing on the team's page, which fills in none. */
  proposals?: { areTaken: boolean; howToTake: string };
  /** The number or word for absent learners; if it is missing, their cells stay as they are. */
  absent?: string | undefined;
}

function markOf(
  submission: MarkedSubmission,
  { percentage, proposals, absent }: MarkOptions,
): { value: number | string } | { reason: string } {
  const { noGrade, questionMarks } = submission;
  if (noGrade === "absent" && absent !== undefined) {
    return { value: /^-?\d+$/.test(absent) ? Number(absent) : absent };
  }
  if (noGrade) {
    return { reason: `is ${noGrade === "absent" ? noGrade : "without a grade: unreadable"}` };
  }
  const taken = proposals?.areTaken ? submission : withoutProposals(submission);
  const value = percentage ? taken.grade : totalOf(taken).awarded;
  if (value !== null) return { value };
  return {
    reason: questionMarks.some(isUnmarked)
      ? "has a question without a mark"
      : `has ${counted(questionMarks.filter(hasOpenProposal).length, "mark")} in pencil${proposals ? `, which ${proposals.howToTake} fills in` : ""}`,
  };
}

/** Fills in the marks of learners who have a row. @throws SheetError unless one sheet has the column and learners */
export function fillSheet(bytes: Buffer, job: FillJob): FilledSheet {
  const { sheet, columns } = openSheet(bytes, job);
  const { matches, unknown } = matchRows(sheet.rows, columns, job.learners);
  const filled: FilledCell[] = [];
  const notFilled: FilledSheet["notFilled"] = [];
  const isPercentage = sheet.percentages(columns.marks);
  const valueFor = (mark: LearnerMark, row: number) => {
    if ("reason" in mark) return { reason: mark.reason };
    const reason = sheet.blocked(row, columns.marks);
    if (reason !== undefined) return { reason };
    const { value } = mark;
    if (typeof value === "string" || !isPercentage(row)) return { value };
    return job.percentage
      ? { value: value / 100 }
      : { reason: "has a cell for percentages there: ask for percentages" };
  };
  for (const { learner: mark, match } of matches) {
    const learner = mark.name;
    if ("reason" in match) {
      notFilled.push({ learner, reason: match.reason });
      continue;
    }
    const { row, hasOtherNumber } = match;
    const { reason, value } = valueFor(mark, row);
    if (reason !== undefined) {
      notFilled.push({ learner, reason });
      continue;
    }
    const before = sheet.rows[row]![columns.marks]?.trim() ?? "";
    // The sheet may have 12,5 where the value is 12.5.
    const isOther = before !== "" && before.replace(",", ".") !== String(value);
    filled.push({
      learner,
      row: row + 1,
      value,
      ...(isOther && { before }),
      ...(hasOtherNumber && { hasOtherNumber }),
    });
  }
  return {
    heading: columns.heading,
    filled,
    notFilled,
    unknown: unknown.map(({ row, text }) => ({ row: row + 1, text })),
    bytes: sheet.fill(columns.marks, new Map(filled.map(({ row, value }) => [row - 1, value]))),
  };
}

/** Returns the sheet that has the column and the learners. @throws SheetError if there is none, or several */
function openSheet(
  bytes: Buffer,
  { wishes, sheetName, howTo }: FillJob,
): { sheet: SchoolSheet; columns: Columns } {
  if (bytes.length === 0) throw new SheetError("is empty");
  const sheets = sheetsIn(bytes);
  if (sheets.length === 0) throw new SheetError("has no sheet that is shown");
  const chosen = sheetName === undefined ? sheets : sheets.filter((one) => one.name === sheetName);
  const read = chosen.map((sheet) => ({ sheet, ...findColumns(sheet.rows, wishes, howTo) }));
  const fitting = read.flatMap(({ sheet, columns }) => (columns ? [{ sheet, columns }] : []));
  const [first, second] = fitting;
  // A file of text gives a nameless sheet for each separator; the first sheet that has the columns is the right one.
  if (first && (!second || first.sheet.name === undefined)) return first;
  const namesOf = (all: SchoolSheet[]) => all.map(({ name }) => `“${name}”`).join(", ");
  if (second) {
    const names = namesOf(fitting.map(({ sheet }) => sheet));
    throw new SheetError(`has several sheets that fit; name one ${howTo.sheet}: ${names}`);
  }
  const [nearest] = read
    .flatMap(({ missing }) => missing ?? [])
    .sort((one, other) => other.headings - one.headings);
  throw new SheetError(nearest?.reason ?? `has no sheet “${sheetName}”, but ${namesOf(sheets)}`);
}

/**
 * Returns the sheets of a workbook, or a file of text split by each separator.
 * @throws SheetError for an old or encrypted workbook
 */
function sheetsIn(bytes: Buffer): SchoolSheet[] {
  const start = bytes.toString("hex", 0, 4);
  if (start === "504b0304") return workbookSheets(bytes);
  if (start !== "d0cf11e0") return textSheets(bytes);
  throw new SheetError("has a password or is an old XLS file: save it as XLSX without a password");
}

/** The name of the filled copy of a sheet. */
export function filledName(fileName: string, isSigned: boolean): string {
  const { name, ext } = path.parse(fileName);
  return `${name} - filled${isSigned ? "" : ` - ${unsignedNote}`}${ext}`;
}

/** Sentences about what was filled in, what was not, and which rows belong to no learner. */
export function fillSentences(
  { heading, filled, notFilled, unknown }: Omit<FilledSheet, "bytes">,
  isSigned: boolean,
): [string, ...string[]] {
  const byName = filled.filter((one) => one.hasOtherNumber);
  const inRows = byName.map(({ learner, row }) => `${learner} in row ${row}`).join("; ");
  const learners = counted(filled.length + notFilled.length, "learner");
  return [
    `${filled.length} of ${learners} filled into “${heading}”.`,
    ...filled.flatMap(({ learner, row, value, before }) =>
      before === undefined ? [] : [`Row ${row}, ${learner}: ${value} in place of ${before}.`],
    ),
    ...(inRows ? [`Found by name, under another number: ${inRows}.`] : []),
    ...notFilled.map(({ learner, reason }) => `Not filled: ${learner} ${reason}.`),
    ...unknown.map(({ row, text }) => `Row ${row} belongs to no learner here: ${text}.`),
    ...(isSigned ? [] : ["The marks are not signed: they may still change."]),
  ];
}

/** Returns why nothing was filled into a sheet, with the first learner's reason, as a sentence without its full stop. */
export const noneFilled = (
  { notFilled }: Pick<FilledSheet, "notFilled">,
  takesProposals = false,
) => {
  const [first] = notFilled;
  const why = first ? ` (${first.learner} ${first.reason})` : "";
  return `None of the ${counted(notFilled.length, "learner")} has a row and ${takesProposals ? "a mark" : "marks that are decided"}${why}`;
};
