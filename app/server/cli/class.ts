import type { Command } from "commander";
import type { Store } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import { readClassList } from "../../results/class-list.ts";
import type { ClassListOutcome, ClassPlan } from "../../results/class-plan.ts";
import { readCsv } from "../../results/read-csv.ts";
import { addPages } from "./class-pages.ts";
import { addRemove } from "./class-remove.ts";
import { addScans } from "./class-scans.ts";
import { CommandFailed } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { type Json, print, printable, printJson } from "./print.ts";
import { markingTargetOf, readText, reportErrors } from "./results-io.ts";

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
  store: Store,
  typed: string,
  file: string,
  { add, only, dryRun, json }: Options,
): Promise<void> {
  const { reference, assessmentId } = await markingTargetOf(store, typed);
  const { learners: listed, errors } = readClassList(readCsv(await readText(file)));
  const options = { adds: add === true, removesOthers: only === true };
  const preview: ClassListOutcome = errors
    ? { outcome: "rejected", errors }
    : await store.takeClassList(assessmentId, listed, options);
  if (preview.outcome !== "preview") throw failure(preview, file, json);
  const { plan, version: seenVersion } = preview;
  say(changesIn(plan));
  if (!dryRun) {
    const outcome = await store.takeClassList(assessmentId, listed!, { ...options, seenVersion });
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
  if (dryRun) say(["Nothing was changed."]);
  else say(resultOf(plan));
  say(leftOpen(plan, options.adds));
}

function failure(outcome: ClassListOutcome, file: string, json: true | undefined): CommandFailed {
  if (outcome.outcome === "rejected") {
    reportErrors(outcome.errors, json);
    const errors = counted(outcome.errors.length, "error");
    return new CommandFailed(`${file} has ${errors}; nothing was changed.`);
  }
  return new CommandFailed(
    outcome.outcome === "signed"
      ? `${outcome.signature.by} has signed these marks: a list can only change numbers and names now. Reopen them first: results reopen. Nothing was changed.`
      : "The class has changed meanwhile. Nothing was stored; run the command again.",
  );
}

function say(lines: string[]): void {
  for (const line of lines) process.stderr.write(`${printable(line)}\n`);
}

/** Whose work changes, before anything is stored. */
function changesIn({ learners, removed }: ClassPlan): string[] {
  return [
    ...learners.flatMap(({ number, name, fileName, joined, files }) => {
      const others = [...joined.map((one) => one.fileName), ...files.map((one) => one.name)];
      if (others.length === 0) return [];
      const all = [...(fileName ? [fileName] : []), ...others].join(" and ");
      const verb = others.length === 1 && !fileName ? "becomes" : "become";
      return [`${all} ${verb} the work of ${number} ${name}.`];
    }),
    ...(removed.length > 0
      ? [
          `Removed from the desk, because they are not on the list: ${removed.map(({ fileName }) => fileName).join(", ")}. Files stay with the request: a row whose column File names one gives it to a learner again.`,
        ]
      : []),
  ];
}

function resultOf({ learners }: ClassPlan): string[] {
  const added = learners.filter(({ learnerId, files }) => learnerId === null && files.length === 0);
  return [
    `${counted(learners.length - added.length, "learner")} named.`,
    ...(added.length > 0 ? [`${counted(added.length, "learner")} added.`] : []),
  ];
}

/** Rows without work and work without a row, each named once. */
function leftOpen(plan: ClassPlan, adds: boolean): string[] {
  const { missing, noSuchFile, removed, unlisted, unused, likely } = plan;
  const withoutFile = missing.filter((row) => !noSuchFile.includes(row));
  // An added row would be the double of a learner whose file has another name.
  const isUnmatched = unused.length > 0 || [...removed, ...unlisted].some((one) => one.hasWork);
  const isAdvised = !adds && missing.length > 0 && !isUnmatched;
  return [
    ...noSuchFile.map(
      ({ number, name, file }) =>
        `The request has no file ${file}, which the list has for ${number} ${name}.`,
    ),
    ...(withoutFile.length > 0
      ? [`On the list without a file: ${withoutFile.map(({ name }) => name).join(", ")}.`]
      : []),
    ...(isAdvised ? ["To add those who have sent no work: --add."] : []),
    ...(unlisted.length > 0
      ? [`Not on the list: ${unlisted.map(({ fileName }) => fileName).join(", ")}.`]
      : []),
    ...(unused.length > 0
      ? [`Files that no learner has: ${unused.map(({ name }) => name).join(", ")}.`]
      : []),
    ...[...Map.groupBy(likely, ({ fileName }) => fileName)].map(([fileName, rows]) => {
      const learners = rows.map(({ number, name }) => `${number} ${name}`).join(" or ");
      return `${fileName} may be the work of ${learners}: say so in the column File.`;
    }),
  ];
}
