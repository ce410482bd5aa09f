import { readFile } from "node:fs/promises";
import type { Db } from "#db/open.ts";
import { findMarkable, importResults, type Markable } from "#db/result.ts";
import { averageInFigures, bandOf, bands } from "../../results/grade.ts";
import type { Results } from "../../results/results.ts";
import { judgeResultsFile } from "../../results/results-file.ts";
import { CommandFailed } from "./exit.ts";
import { print, printable } from "./print.ts";
import { requestOf } from "./requests-show.ts";

/** Takes in all marks of a file, or names every fault in it and changes nothing; prints a summary. */
export async function resultsImport(db: Db, typed: string, file: string): Promise<void> {
  const { reference, assessmentId, fileNames } = await markableOf(db, typed);
  const { results, faults } = judgeResultsFile(await readJson(file), fileNames);
  if (faults) {
    for (const fault of faults) process.stderr.write(`${printable(fault)}\n`);
    const count = faults.length === 1 ? "a fault" : `${faults.length} faults`;
    throw new CommandFailed(`${file} has ${count}; nothing was changed.`);
  }
  const replaced = await importResults(db, assessmentId, results, new Date());
  for (const line of summaryOf(reference, results)) print(line);
  if (replaced) {
    process.stderr.write(
      "The marks from before are kept apart, and a link to them is closed: publish again when these are right.\n",
    );
  }
}

/** @throws CommandFailed where there is no such request, or none with submissions */
export async function markableOf(db: Db, typed: string): Promise<Markable & { reference: string }> {
  const { reference } = (await requestOf(db, typed)).request;
  const markable = await findMarkable(db, reference);
  if (!markable) throw new CommandFailed(`Request ${reference} brought nothing to mark.`);
  return { ...markable, reference };
}

async function readJson(file: string): Promise<unknown> {
  try {
    const bytes = await readFile(file);
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read as JSON: ${(error as Error).message}.`);
  }
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
