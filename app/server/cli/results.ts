import { type Command, Option } from "commander";
import type { Store } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import { zonedTime } from "../../domain/day.ts";
import { questionReports } from "../../results/class-report.ts";
import { formatPercentage } from "../../results/grade.ts";
import { openWorkSentences } from "../../results/open-work.ts";
import { resultsSchema } from "../../results/results-file.ts";
import { isWorkError } from "../class-work/class-work.ts";
import {
  countSentences,
  type ImportedProposals,
  importProposals,
  memoSentences,
} from "../class-work/import-proposals.ts";
import { confirm, unconfirmed } from "./confirm.ts";
import { deliveryNote } from "./delivery-note.ts";
import { CommandFailed, failed } from "./exit.ts";
import { wholeNumber } from "./format.ts";
import type { Installation, Opened } from "./installation.ts";
import { type Json, print, printable, printJson, printNotes } from "./print.ts";
import { queueAndRender } from "./render-pages.ts";
import { requestOf } from "./requests.ts";
import { addDecisions } from "./results-decisions.ts";
import { addFill } from "./results-fill.ts";
import {
  firstSentences,
  howToMark,
  importedResultsOf,
  markingTargetOf,
  printTemplate,
  readKeys,
  readResultsFile,
  reportErrors,
  sourceName,
} from "./results-io.ts";
import { addMark } from "./results-mark.ts";
import { addScripts } from "./results-scripts.ts";
import { plainResults, summaryOf } from "./results-summary.ts";

interface ImportOptions extends Json {
  by?: string;
  keys?: string;
  replace?: true;
  discardDecisions?: true;
}

export function addResults(root: Command, installation: Installation): void {
  const results = root.command("results").description("import and publish marks");
  addFileCommands(results, installation);
  addMark(results, installation);
  addDecisions(results, installation);
  addScripts(results, installation);
  addFill(results, installation);
  addPublishing(results, installation);
}

function addFileCommands(results: Command, { onStore }: Installation): void {
  results
    .command("schema")
    .description("print the JSON schema of a results file")
    .action(() => {
      process.stdout.write(`${JSON.stringify(resultsSchema(), null, 2)}\n`);
    });
  results
    .command("template <reference>")
    .description("print a results file to fill in; with the marks, if there are any")
    .addOption(new Option("--format <format>", "format").choices(["json", "csv"]).default("csv"))
    .option("--questions <count>", "number of questions to make room for", wholeNumber(1, 100), 5)
    .action(onStore(printTemplate));
  results
    .command("show <reference>")
    .description("print the marks that were imported")
    .option("--json", "print JSON")
    .action(onStore(show));
  results
    .command("import <reference> <file>")
    .description(
      "import proposals, JSON or CSV (- for stdin), of a class or a part; decided marks stay",
    )
    .option("--by <name>", "who proposes the marks, such as the name of a model, for the history")
    .option("--keys <file>", "keys.json of class pages, if the file has its keys")
    .option("--replace", "take away proposals where the file is empty, and questions that it lacks")
    .option("--discard-decisions", "replace decided marks too; results history keeps them")
    .option("--json", "print JSON")
    .action(onStore(importFile));
}

function addPublishing(results: Command, { onStore }: Installation): void {
  results
    .command("publish <reference>")
    .description("render the pages, and email the educator a private link to the marks")
    .option("--yes", "do not ask for confirmation if something is open")
    .option("--json", "print JSON")
    .action(onStore(publish));
  results
    .command("revoke <reference>")
    .description("revoke the links to the marks")
    .option("--reading", "only reading copies")
    .option("--json", "print JSON")
    .action(onStore(revoke));
  results
    .command("share <reference>")
    .description("print a private link that only reads the marks: a reading copy")
    .option("--json", "print JSON")
    .action(onStore(share));
}

/** Imports what a file contains and prints a summary, or reports every error and changes nothing. */
async function importFile(
  { store }: Opened,
  typed: string,
  file: string,
  { json, by, keys: keysName, replace, discardDecisions }: ImportOptions,
): Promise<void> {
  const { reference, assessmentId } = await markingTargetOf(store, typed);
  const outcome = await importProposals(
    { store, now: new Date() },
    { reference, assessmentId },
    await readResultsFile(file),
    {
      ...(by !== undefined && { proposedBy: by }),
      ...(keysName !== undefined && { keys: await readKeys(keysName, reference) }),
      replaces: replace,
      discardsDecisions: discardDecisions,
    },
  );
  if (outcome.outcome !== "imported") throw importFailure(outcome, file, json);
  // Results are missing only in a preview, which is made only with `seenVersion`.
  const { outcome: _, version: __, results, ...imported } = outcome;
  if (json) printJson({ reference, ...plainResults(results!), ...imported });
  else for (const line of summaryOf(reference, results!)) print(line);
  printNotes([
    ...firstSentences(imported.cleaned),
    ...firstSentences(imported.memos.flatMap(memoSentences)),
    ...countSentences(outcome),
  ]);
}

/** Reports why nothing was imported, and returns the error that ends the command. */
function importFailure(
  outcome: Exclude<ImportedProposals, { outcome: "imported" }>,
  file: string,
  json: true | undefined,
): CommandFailed {
  const source = sourceName(file);
  switch (outcome.outcome) {
    case "invalid":
      reportErrors(outcome.errors, json);
      return new CommandFailed(
        `${source} has ${counted(outcome.errors.length, "error")}; nothing was changed.`,
      );
    case "signed":
      return new CommandFailed(
        `${printable(outcome.signature.by)} has signed the marks; nothing was changed. Reopen them first: results reopen.`,
      );
    case "conflicts":
      reportErrors(outcome.conflicts, json);
      return new CommandFailed(
        `${source} would change decided marks; nothing was changed. To import it all the same: --discard-decisions.`,
      );
    case "other points":
      reportErrors(outcome.conflicts, json);
      return new CommandFailed(
        `${source} would change points of memos that are marked; nothing was changed. Type them on the desk, under “Questions”: there you say which point is which.`,
      );
  }
}

async function show({ store }: Opened, typed: string, { json }: Json): Promise<void> {
  const { reference, results } = await importedResultsOf(store, typed);
  if (json) {
    printJson({ reference, ...results });
    return;
  }
  print(results.title);
  for (const line of summaryOf(reference, results)) print(line);
  for (const { questionNumber, description, percentage } of questionReports(results.submissions)) {
    print([formatPercentage(percentage).padStart(4), questionNumber, description].join("  "));
  }
}

/**
 * Publishes the marks, or reports the link if one is open already. Then renders the files that are not rendered yet.
 * @throws CommandFailed if the marks cannot be published, or work is open and the operator does not confirm
 */
async function publish(
  opened: Opened,
  typed: string,
  { json, yes }: Json & { yes?: true },
): Promise<void> {
  const { store } = opened;
  const config = await opened.readConfig();
  const target = await markingTargetOf(store, typed);
  const { reference, assessmentId } = target;
  const { resultsLink } = await requestOf(store, reference);
  const { preparePublishing, publishClass } = await import("../class-work/publish-class.ts");
  const prepare = async () => {
    const work = { store, config, now: new Date() };
    const publishing = await preparePublishing(work, target);
    if (isWorkError(publishing)) throw failed(publishing, whatToDo);
    return { work, publishing };
  };
  let { work, publishing } = await prepare();
  const { items, unnamed } = publishing.openWork;
  printNotes(openWorkSentences(publishing.openWork));
  if (items.length > 0 && !resultsLink && !yes) {
    const consequence = `Request ${reference} would be published with this open.`;
    if (json) {
      printJson({ reference, published: false, open: items, unnamed });
      throw unconfirmed(consequence);
    }
    await confirm(consequence, yes);
    // Prepare again: the email has figures, and marks may have been decided before the confirmation.
    ({ work, publishing } = await prepare());
  }
  const { link, request } = publishing;
  const { result: open, files } = await queueAndRender(opened, assessmentId, () =>
    publishClass(work, target, publishing),
  );
  if (json) {
    const times = open ?? {
      createdAt: work.now.toISOString(),
      expiresAt: link.expiresAt.toISOString(),
    };
    printJson({ reference, published: !open, ...times, open: items, unnamed, files });
  }
  process.stderr.write(
    open
      ? `Request ${reference} is published already, since ${zonedTime(open.createdAt)}; the link is valid until ${zonedTime(open.expiresAt)}.\n`
      : `Request ${reference} is published; the link is valid until ${zonedTime(link.expiresAt.toISOString())}. ${deliveryNote(config, request.isTest)}\n`,
  );
}

const whatToDo = {
  "no marks": howToMark,
  quarantine: "Take it out first: requests not-spam.",
};

async function share({ store, readConfig }: Opened, typed: string, { json }: Json): Promise<void> {
  const config = await readConfig();
  const target = await markingTargetOf(store, typed);
  const { reference } = target;
  const { shareCopy } = await import("../class-work/publish-class.ts");
  const shared = await shareCopy({ store, config, now: new Date() }, target);
  if (isWorkError(shared)) throw failed(shared, whatToDo);
  const expiresAt = shared.expiresAt.toISOString();
  if (json) printJson({ reference, link: shared.link, expiresAt });
  else print(shared.link);
  process.stderr.write(
    `Anyone who has this link can read the marks of request ${reference} until ${zonedTime(expiresAt)}, and decide nothing. To end all reading copies: results revoke ${reference} --reading.\n`,
  );
}

async function revokeCopies(store: Store, typed: string, { json }: Json): Promise<void> {
  const target = await markingTargetOf(store, typed);
  const { reference } = target;
  const { endCopies } = await import("../class-work/publish-class.ts");
  const count = await endCopies({ store, now: new Date() }, target);
  if (json) printJson({ reference, revokedCopies: count });
  process.stderr.write(
    count > 0
      ? `Request ${reference}: the links of ${count === 1 ? "a reading copy" : `${count} reading copies`} are revoked.\n`
      : `Request ${reference} has no reading copy; nothing was changed.\n`,
  );
}

/** Revokes the links to the marks, also those in sent emails; with --reading, only the links to reading copies. */
async function revoke(
  { store }: Opened,
  typed: string,
  { json, reading }: Json & { reading?: true },
): Promise<void> {
  if (reading) return revokeCopies(store, typed, { json });
  const target = await markingTargetOf(store, typed);
  const { reference } = target;
  const { withdrawClass } = await import("../class-work/publish-class.ts");
  const isRevoked = await withdrawClass({ store, now: new Date() }, target);
  if (json) printJson({ revoked: isRevoked ? reference : null });
  process.stderr.write(
    isRevoked
      ? `The links to the marks of request ${reference} are revoked.\n`
      : `Request ${reference} has no open link; nothing was changed.\n`,
  );
}
