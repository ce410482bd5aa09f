import type { Command } from "commander";
import type { Store } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import { zonedTime } from "../../domain/day.ts";
import { type DecisionKind, type MarksEvent, textsIn } from "../../domain/decision.ts";
import type { Results } from "../../domain/result.ts";
import {
  type Agreement,
  type AgreementGroup,
  agreementGroups,
  agreementOf,
  groupedProposals,
  groupLabels,
  kappaText,
  shareText,
  signedDifference,
  twoDecimals,
} from "../../results/agreement.ts";
import { noMark } from "../../results/grade.ts";
import { nameOf } from "../../results/who-decided.ts";
import type { Installation, Opened } from "./installation.ts";
import { type Json, print, printJson } from "./print.ts";
import { importedResultsOf } from "./results-io.ts";

export function addDecisions(results: Command, { onStore }: Installation): void {
  results
    .command("history <reference>")
    .description("print every decision, signature and reopening, oldest first")
    .option("--json", "print JSON")
    .action(onStore(printHistory));
  results
    .command("reopen <reference>")
    .description("end the signature, so that marks can be changed again")
    .option("--json", "print JSON")
    .action(onStore(reopen));
  results
    .command("agreement [reference]")
    .description("print how far decisions agree with proposals, of one request or of all")
    .option("--json", "print JSON")
    .action(onStore(printAgreement));
}

async function printHistory({ store }: Opened, typed: string, { json }: Json): Promise<void> {
  const { reference, assessmentId, results } = await importedResultsOf(store, typed);
  const events = await store.listMarksEvents(assessmentId);
  const words = new Map(
    Object.values(results.points ?? {}).flatMap((all) => all.map(({ id, text }) => [id, text])),
  );
  if (json) printJson({ reference, events });
  else for (const event of events) print(`${zonedTime(event.at)}  ${sentenceOf(event, words)}`);
  if (events.length === 0) {
    process.stderr.write(`Nothing has been decided about request ${reference} yet.\n`);
  }
}

/** @param words the text of each point, by its id */
function sentenceOf(event: MarksEvent, words: ReadonlyMap<number, string>): string {
  if (event.event === "signed") return `signed by ${event.by} (educator)`;
  if (event.event === "reopened") return "reopened by the team";
  if (event.event === "replaced") {
    return `replaced by an import or other questions${discardedIn(event)}`;
  }
  if (event.event === "imported") {
    const { proposals, learners, proposedBy } = event;
    const by = proposedBy ? `, proposed by ${proposedBy}` : "";
    if (proposals === 0) return `imported, with no other mark${by}${discardedIn(event)}`;
    return `imported ${counted(proposals, "proposal")} of ${counted(learners, "learner")}${by}${discardedIn(event)}`;
  }
  const { studentName, questionNumber, from, to, notAnswered, how, reason } = event;
  const mark = notAnswered ? "not answered" : to;
  const by = nameOf(event, { kind: "team" });
  const ticked = (event.points ?? []).flatMap(({ id, isTicked }) =>
    isTicked ? (words.get(id) ?? "a point that is gone") : [],
  );
  return [
    `${studentName}  ${questionNumber}  ${from ?? noMark} to ${mark}  ${kindWords[how] ?? how} by ${by}`,
    ticked.length > 0 && `, ticked: ${ticked.join("; ")}`,
    reason && `, with the reason “${reason}”`,
    ...textsIn(event).map((text) => `: ${text}`),
  ]
    .filter(Boolean)
    .join("");
}

const kindWords: Partial<Record<DecisionKind, string>> = {
  rest: "agreed with the rest",
  blind: "decided blind",
  second: "second mark",
};

const discardedIn = ({ discardedDecisions: count }: { discardedDecisions: number }) =>
  count > 0 ? `; ${counted(count, "decision")} discarded` : "";

async function reopen({ store, readConfig }: Opened, typed: string, { json }: Json): Promise<void> {
  const config = await readConfig();
  const imported = await importedResultsOf(store, typed);
  const { reference } = imported;
  const { reopenClass } = await import("../class-work/publish-class.ts");
  const isReopened = await reopenClass({ store, config, now: new Date() }, imported);
  if (json) printJson({ reopened: isReopened ? reference : null });
  process.stderr.write(
    isReopened
      ? `The marks of request ${reference} can be changed again, under the link that is open. The email to the educator about it is in the outbox. If the link has ended: results publish.\n`
      : `The marks of request ${reference} are not signed; nothing was changed.\n`,
  );
}

async function printAgreement(
  { store }: Opened,
  typed: string | undefined,
  { json }: Json,
): Promise<void> {
  const { reference, classes } = await classesOf(store, typed);
  const report = agreementReport(classes, { byQuestion: reference !== null });
  if (json) printJson({ reference, ...report });
  else for (const line of agreementLines(report)) print(line);
}

async function classesOf(store: Store, typed: string | undefined) {
  if (typed !== undefined) {
    const { reference, results } = await importedResultsOf(store, typed);
    return { reference, classes: [results] };
  }
  const classes: Results[] = [];
  for (const { assessmentId } of await store.listRequestsWithQuestions()) {
    classes.push((await store.findImportedResults(assessmentId))!);
  }
  return { reference: null, classes };
}

type Groups = Record<AgreementGroup, Agreement>;
type AgreementReport = Groups & { questions: (Groups & { questionNumber: string })[] };

function agreementReport(
  classes: Results[],
  { byQuestion }: { byQuestion: boolean },
): AgreementReport {
  const groups = groupedProposals(classes);
  const measure = (isWanted: (one: { questionNumber: string }) => boolean) =>
    Object.fromEntries(
      agreementGroups.map((name) => [name, agreementOf(groups[name].filter(isWanted))]),
    ) as Groups;
  const paper = byQuestion ? classes[0]!.submissions[0]!.questionMarks : [];
  return {
    ...measure(() => true),
    questions: paper.map(({ questionNumber }) => ({
      questionNumber,
      ...measure((one) => one.questionNumber === questionNumber),
    })),
  };
}

function agreementLines({ questions, ...all }: AgreementReport): string[] {
  const linesOf = (groups: Groups, indent: string) =>
    agreementGroups.map(
      (name) => `${indent}${groupLabels[name].padEnd(22)}${lineOf(groups[name])}`,
    );
  return [
    "Agreement of decisions with the proposals that were shown, and with hidden ones. It says nothing about who is right.",
    "In brackets, what the mean of each question’s decided marks would have got as the proposal for all. Kappa is within questions.",
    ...linesOf(all, ""),
    ...questions.flatMap((one) => [`question ${one.questionNumber}`, ...linesOf(one, "  ")]),
  ];
}

function lineOf({ n, interval, ownMean, ...measured }: Agreement): string {
  if (n === 0) return "no decided proposal";
  const share = (count: number) => shareText(count, n);
  const range = interval
    ? `, ${twoDecimals(interval[0])} to ${twoDecimals(interval[1])}`
    : ", interval undefined";
  return [
    `n ${n}`,
    `exact ${share(measured.exact)} [${share(ownMean.exact)}]`,
    `within one mark ${share(measured.withinOne)} [${share(ownMean.withinOne)}]`,
    `mean difference ${signedDifference(measured.meanDifference!)} [${signedDifference(ownMean.meanDifference!)}]`,
    `kappa ${kappaText(measured.kappa)}${measured.kappa === null ? "" : range} [${kappaText(ownMean.kappa)}]`,
  ].join("  ");
}
