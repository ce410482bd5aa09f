/** Erases one learner of a class. With --export, first writes what is stored about the learner. */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { listCopies } from "#db/engine.ts";
import type { CommandStore } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import type { LearnerData, LearnerErasure } from "../../domain/data-subject.ts";
import { exportLearner } from "../requests/export-learner.ts";
import { recordExport } from "./audit.ts";
import { confirm } from "./confirm.ts";
import { addVacuumFlag, scrub } from "./erase.ts";
import { alreadyExists, CommandFailed } from "./exit.ts";
import type { Installation, Opened } from "./installation.ts";
import { type Json, print, printable, printJson, printNotes } from "./print.ts";
import { queueAndRender } from "./render-pages.ts";
import { markingTargetOf } from "./results-io.ts";

interface Options extends Json {
  export?: string;
  dryRun?: true;
  yes?: true;
  vacuum: boolean;
}

export function addRemove(group: Command, { onStore }: Installation): void {
  addVacuumFlag(
    group
      .command("remove <reference> <number>")
      .description(
        "erase one learner: marks, comments, stamps, pictures, and the files that no other learner has (POPIA)",
      )
      .option("--export <folder>", "write them into a new folder before; with --dry-run, only that")
      .option("--dry-run", "only print what would be erased, and what would remain")
      .option("--yes", "do not ask for confirmation")
      .option("--json", "print JSON"),
  ).action(onStore(remove));
}

async function remove(
  opened: Opened,
  typed: string,
  number: string,
  options: Options,
): Promise<void> {
  const { store, settings } = opened;
  const { databaseFile, backups, dropFolder } = settings;
  const { reference, assessmentId } = await markingTargetOf(store, typed);
  await store.prepareDesk(assessmentId);
  const learner = await findRendered(opened, { assessmentId, reference }, number);
  const failure = (rejection: Rejection) =>
    new CommandFailed(printable(whyNotErased(rejection, reference, number)));
  if (!learner) {
    // An earlier run may have erased the learner and failed at this step.
    if (!options.dryRun) await scrub(store, options);
    throw failure({ outcome: "no learner" });
  }
  const { rejection } = learner;
  if (rejection && !options.dryRun) throw failure(rejection);
  const exported = await exportBefore(store, reference, learner, options);
  const summary = `learner ${number}, ${learner.name}: ${summaryOf(learner)}`;
  if (options.dryRun) {
    process.stderr.write(`${printable(`To be erased: ${summary}.`)} Nothing was deleted.\n`);
  } else {
    await confirm(printable(`To be erased for good: ${summary}.`), options.yes);
    const erasure = { assessmentId, reference };
    const erased = await store.eraseLearner(erasure, learner.learnerId, new Date());
    if (erased.outcome !== "erased") throw failure(erased);
    await scrub(store, options);
  }
  const copies = listCopies(databaseFile, backups, new Date()).map(({ file }) => file);
  const { name, files, shared, remains } = learner;
  if (options.json) {
    printJson({
      reference,
      erased: !options.dryRun,
      number,
      name,
      rows: learner.ids,
      files: files.map((file) => file.name),
      exported,
      shared,
      remains,
      backups: copies,
    });
  }
  if (!options.dryRun) process.stderr.write(`${printable(`Erased: ${summary}.`)}\n`);
  printNotes([
    ...(rejection ? [whyNotErased(rejection, reference, number)] : []),
    ...remainsOf(learner, copies, dropFolder),
  ]);
}

/**
 * Finds a learner. Files that have pages of other learners too are rendered first, because only the pictures show which
 * pages are the learner's. Unused pictures are deleted after some time.
 */
async function findRendered(
  opened: Opened,
  target: { assessmentId: number; reference: string },
  number: string,
): Promise<LearnerData | undefined> {
  const { store } = opened;
  const { assessmentId } = target;
  const learner = await store.findLearner(target, number);
  const unrendered = await store.listUnrenderedFiles(assessmentId);
  if (!learner?.shared.some((file) => unrendered.some(({ id }) => id === file.id))) return learner;
  await queueAndRender(opened, assessmentId, () => store.queueClassJob(assessmentId, new Date()));
  return await store.findLearner(target, number);
}

/** Writes what is stored about a learner, if --export is set. Returns the paths of the files, otherwise null. */
async function exportBefore(
  store: CommandStore,
  reference: string,
  learner: LearnerData,
  { export: out, json }: Options,
): Promise<string[] | null> {
  if (out === undefined) return null;
  if (existsSync(out)) throw alreadyExists(out);
  const { paths, missing } = await exportLearner(store, learner, out);
  await recordExport(store, "subject exported", reference);
  if (!json) for (const line of paths) print(line);
  printNotes(missing.map((name) => `The pages of ${name} cannot be copied: add them by hand.`));
  return paths;
}

type Rejection = Exclude<LearnerErasure, { outcome: "erased" }>;

/** Returns sentences about why nothing is erased, and what to do about it. */
function whyNotErased(rejection: Rejection, reference: string, number: string): string {
  switch (rejection.outcome) {
    case "no learner":
      return `Request ${reference} has no learner with the number ${number}. results show ${reference} --json has the numbers.`;
    case "signed":
      return `${rejection.signature.by} has signed these marks, so nothing was erased. Reopen them first: results reopen ${reference}.`;
    case "uncut scans":
      return `Nothing was erased, because scans of request ${reference} are not cut yet and may have the learner’s work: ${rejection.scans.join(", ")}. Wait until they are cut, or delete them on the team’s page while they arrive.`;
    case "only learner":
      return `Learner ${number} is the only one of request ${reference}, so nothing was erased. Delete the request: requests purge ${reference}.`;
  }
}

function summaryOf({ ids, files }: LearnerData): string {
  const rows = (table: string) => ids[table]?.length ?? 0;
  return [
    counted(files.length, "file"),
    counted(rows("decisions"), "decision"),
    counted(rows("stamps"), "stamp"),
    counted(rows("mark_drafts"), "draft"),
    counted(rows("page_images"), "picture"),
  ].join(", ");
}

/** Returns sentences about what an erasure leaves, and what to do about it. */
function remainsOf(
  { shared, remains }: LearnerData,
  copies: string[],
  dropFolder: string | undefined,
): string[] {
  const { filesOfNobody, problemPages, archivedMarks, sentEmails } = remains;
  const list = (what: string, items: string[]) =>
    items.length > 0 && `${what}: ${items.join(", ")}.`;
  return [
    list(
      "Other learners have pages of these files, which stay as they are, with the learner’s",
      shared.map(({ name }) => name),
    ),
    list(
      "These files belong to no learner and stay; see whether they name this one",
      filesOfNobody,
    ),
    list(
      "These problem pages belong to no learner and stay; give those that are this one’s to the learner first",
      problemPages.map(({ scan, page, reason }) => `${scan} page ${page} ${reason}`),
    ),
    archivedMarks > 0 &&
      `Archives of replaced results have marks of ${counted(archivedMarks, "learner")} who ${archivedMarks === 1 ? "is" : "are"} not in the class any more, and stay.`,
    sentEmails > 0 &&
      `${counted(sentEmails, "email")} with the names of the files, or with the files, ${sentEmails === 1 ? "was" : "were"} sent to the team: delete them in its mailbox.`,
    list("These backups stay, and may have the learner’s data", copies),
    dropFolder !== undefined &&
      "A running server makes the request’s folder in the drop folder again within a minute.",
    "This program cannot find copies in other places, such as exported files, downloaded marks and backups stored elsewhere.",
  ].flatMap((line) => line || []);
}
