import type { Command } from "commander";
import { counted } from "../../domain/counted.ts";
import { changesIn, leftOpen, namedAndAdded } from "../../results/class-changes.ts";
import { readClassList } from "../../results/class-list.ts";
import type { ClassListOutcome } from "../../results/class-plan.ts";
import { readCsv } from "../../results/read-csv.ts";
import { addPages } from "./class-pages.ts";
import { addRemove } from "./class-remove.ts";
import { addScans } from "./class-scans.ts";
import { CommandFailed } from "./exit.ts";
import type { Installation, Opened } from "./installation.ts";
import { type Json, print, printJson, printNotes } from "./print.ts";
import { markingTargetOf, readText, reportErrors, sourceName } from "./results-io.ts";

interface Options extends Json {
  add?: true;
  only?: true;
  dryRun?: true;
}

export function addClass(root: Command, installation: Installation): void {
  const group = root
    .command("class")
    .description("who the learners of a request are, and whose the pages of a scan");
  group
    .command("list <reference> <list>")
    .description("give learners numbers, names and files from a CSV file (- for stdin)")
    .option("--add", "add those without a file")
    .option("--only", "also remove those who are not on the list and have no decided mark")
    .option("--dry-run", "only print what would be changed")
    .option("--json", "print JSON")
    .action(installation.onStore(takeList));
  addScans(group, installation);
  addRemove(group, installation);
  addPages(group, installation);
}

async function takeList(
  { store }: Opened,
  typed: string,
  file: string,
  { add, only, dryRun, json }: Options,
): Promise<void> {
  const { reference, assessmentId } = await markingTargetOf(store, typed);
  const { learners: listed, errors } = readClassList(readCsv(await readText(file, "CSV")));
  if (errors) throw failure({ outcome: "rejected", errors }, file, json);
  const options = { adds: add === true, removesOthers: only === true };
  const preview = await store.takeClassList(assessmentId, listed, options);
  if (preview.outcome !== "preview") throw failure(preview, file, json);
  const { plan, version: seenVersion } = preview;
  printNotes(changesIn(plan));
  if (!dryRun) {
    const outcome = await store.takeClassList(assessmentId, listed, { ...options, seenVersion });
    if (outcome.outcome !== "stored") throw failure(outcome, file, json);
  }
  const { learners: planned, ...rest } = plan;
  const learners = dryRun ? planned : (await store.prepareDesk(assessmentId)).learners;
  if (json) {
    const given = planned.filter(({ joined, files }) => joined.length + files.length > 0);
    printJson({ reference, dryRun: dryRun === true, learners, given, ...rest });
  } else {
    for (const { number, name, fileName } of learners) print(`${number}  ${name}  ${fileName}`);
    const verb = dryRun ? "to be removed" : "removed";
    for (const { number, name, fileName } of plan.removed) {
      print(`${verb}: ${number}  ${name}  ${fileName}`);
    }
  }
  const advice = options.adds ? undefined : "To add those who have sent no work: --add.";
  const changed = dryRun ? ["Nothing was changed."] : namedAndAdded(plan);
  printNotes([...changed, ...leftOpen(plan, advice)]);
}

/** Reports why a list was not stored, and returns the error that ends the command. */
function failure(outcome: ClassListOutcome, file: string, json: true | undefined): CommandFailed {
  switch (outcome.outcome) {
    case "rejected":
      reportErrors(outcome.errors, json);
      return new CommandFailed(
        `${sourceName(file)} has ${counted(outcome.errors.length, "error")}; nothing was changed.`,
      );
    case "signed":
      return new CommandFailed(
        `${outcome.signature.by} has signed these marks: a list can only change numbers and names now. Reopen them first: results reopen. Nothing was changed.`,
      );
    case "changed":
      return new CommandFailed(
        "The class has changed meanwhile. Nothing was stored; run the command again.",
      );
    case "preview":
    case "stored":
      throw new Error(`The list is ${outcome.outcome}, which is no failure.`);
  }
}
