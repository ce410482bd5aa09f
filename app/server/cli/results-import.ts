import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { findMarkingTarget, importResults, type MarkingTarget } from "#db/operations/marks.ts";
import type { Db } from "#db/sqlite/open.ts";
import type { Results } from "../../domain/result.ts";
import { averageInFigures, bandOf, bands } from "../../results/grade.ts";
import { validateResultsFile } from "../../results/results-file.ts";
import { CommandFailed } from "./exit.ts";
import { print, printable, printJson } from "./print.ts";
import { requestOf } from "./requests-show.ts";

/** Takes in all marks of a file, or names what is wrong with it and changes nothing; prints a summary. */
export async function resultsImport(
  db: Db,
  typed: string,
  file: string,
  { json }: { json?: true },
): Promise<void> {
  const { reference, assessmentId, fileNames } = await markingTargetOf(db, typed);
  const { results, faults } = validateResultsFile(await readJson(file), fileNames);
  if (faults) {
    if (json) printJson({ faults });
    for (const fault of faults.slice(0, maxFaults)) {
      process.stderr.write(`${printable(shortened(fault))}\n`);
    }
    const left = faults.length - maxFaults;
    if (left > 0) process.stderr.write(`and ${left} more\n`);
    const count = faults.length === 1 ? "a fault" : `${faults.length} faults`;
    throw new CommandFailed(`${file} has ${count}; nothing was changed.`);
  }
  const replaced = await importResults(db, assessmentId, results, new Date());
  if (json) printJson({ reference, ...plainResults(results), replaced });
  else for (const line of summaryOf(reference, results)) print(line);
  if (replaced) {
    process.stderr.write(
      "The marks from before are kept apart, and a link to them is closed: publish again when these are right.\n",
    );
  }
}

/** @throws CommandFailed where there is no such request, or none with submissions */
export async function markingTargetOf(
  db: Db,
  typed: string,
): Promise<MarkingTarget & { reference: string }> {
  const { reference } = (await requestOf(db, typed)).request;
  const markingTarget = await findMarkingTarget(db, reference);
  if (!markingTarget) throw new CommandFailed(`Request ${reference} brought nothing to mark.`);
  return { ...markingTarget, reference };
}

async function readJson(file: string): Promise<unknown> {
  try {
    const bytes = await readFile(file);
    if (bytes.length === 0) throw new Error("it is empty");
    if (!isUtf8(bytes)) throw new Error("it is not in UTF-8, in which it has to be saved");
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    const { message } = error as Error;
    throw new CommandFailed(`${file} cannot be read as JSON: ${printable(shortened(message))}.`);
  }
}

/** A file of something else has more faults than a terminal can hold, and longer ones. */
const maxFaults = 100;
const shortened = (text: string) => (text.length > 500 ? `${text.slice(0, 500)}…` : text);

/** What programs need of what was taken in; the marks themselves they have. */
function plainResults({ title, averageGrade, totalSubmissions, submissions }: Results) {
  const grades = submissions.map(({ fileName, studentName, grade }) => ({
    fileName,
    studentName,
    grade,
    band: bandOf(grade).label,
  }));
  return { title, averageGrade, totalSubmissions, submissions: grades };
}

function summaryOf(reference: string, { averageGrade, submissions }: Results): string[] {
  const counts = bands.map((band) => {
    const count = submissions.filter(({ grade }) => bandOf(grade) === band).length;
    return `${band.label}: ${count}`;
  });
  return [
    `${reference}  graded  submissions ${submissions.length}  average ${averageInFigures(averageGrade)}%`,
    counts.join(", "),
    ...submissions.map(({ grade, fileName, studentName }) =>
      [`${grade}%`.padStart(4), fileName, studentName].join("  "),
    ),
  ];
}
