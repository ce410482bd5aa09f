import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { makeFolder } from "#db/engine.ts";
import { counted } from "../../domain/counted.ts";
import { namedScripts, writeLearnerScript } from "../class-work/learner-scripts.ts";
import { alreadyExists, CommandFailed } from "./exit.ts";
import type { Installation, Opened } from "./installation.ts";
import { type Json, print, printable, printJson } from "./print.ts";
import { queueAndRender } from "./render-pages.ts";
import { importedResultsOf } from "./results-io.ts";

interface Written {
  learner: string;
  file: string;
  /** Names of the learner's files that are not in the script, and have to be added by hand. */
  missing: string[];
}

export function addScripts(results: Command, { onStore }: Installation): void {
  results
    .command("scripts <reference>")
    .description("write each learner’s script as a PDF, with marks, comments and stamps")
    .requiredOption("--out <folder>", "folder for the files; made if it is missing")
    .option("--json", "print JSON")
    .action(onStore(writeScripts));
}

async function writeScripts(
  opened: Opened,
  typed: string,
  { out, json }: Json & { out: string },
): Promise<void> {
  const { store } = opened;
  const before = await importedResultsOf(store, typed);
  const { reference, assessmentId } = before;
  const existing = namedScripts(before.results)
    .map(({ name }) => path.join(out, name))
    .find((file) => existsSync(file));
  if (existing) throw alreadyExists(printable(existing));
  await queueAndRender(opened, assessmentId, () => store.queueClassJob(assessmentId, new Date()));
  // Read the marks again: while files were rendered, marks may have been decided and learners erased.
  const { results } = await importedResultsOf(store, reference);
  makeFolder(out, 0o700);
  const works = await store.listScripts(assessmentId);
  const written: Written[] = [];
  for (const { submission, name } of namedScripts(results)) {
    // A learner who was removed meanwhile has no work.
    const work = works.get(submission.learnerId!) ?? [];
    const { pdf, missing } = await writeLearnerScript(store, results, { submission, work });
    const file = path.join(out, name);
    if (!pdf) throw new CommandFailed(`${printable(file)} could not be written. Is memory short?`);
    await writeFile(file, pdf, { mode: 0o600, flag: "wx" });
    written.push({ learner: submission.studentName, file, missing });
    if (!json) print(file);
    for (const left of missing) {
      process.stderr.write(`${printable(left)} is not in ${printable(file)}: add it by hand.\n`);
    }
  }
  await store.openAudit("scripts exported", new Date(), reference);
  if (json) printJson({ reference, scripts: written });
  else process.stderr.write(`${counted(written.length, "script")} written.\n`);
}
