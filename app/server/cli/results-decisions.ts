/** What people have decided: its history, its agreement with the proposals, and reopening it. */
import type { Command } from "commander";
import type { Store } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import { zonedTime } from "../../domain/day.ts";
import type { MarksEvent } from "../../domain/decision.ts";
import type { Results } from "../../domain/result.ts";
import { type Agreement, agreementOf, decidedProposals } from "../../results/agreement.ts";
import { noMark } from "../../results/grade.ts";
import { nameOf } from "../../results/who-decided.ts";
import type { Installation } from "./installation.ts";
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

async function printHistory(store: Store, typed: string, { json }: Json): Promise<void> {
  const { reference, assessmentId } = await importedResultsOf(store, typed);
  const events = await store.listMarksEvents(assessmentId);
  if (json) printJson({ reference, events });
  else for (const event of events) print(`${zonedTime(event.at)}  ${sentenceOf(event)}`);
  if (events.length === 0) {
    process.stderr.write(`Nothing has been decided about request ${reference} yet.\n`);
  }
}

function sentenceOf(event: MarksEvent): string {
  if (event.event === "signed") return `signed by ${event.by} (educator)`;
  if (event.event === "reopened") return "reopened by the team";
  if (event.event === "replaced") {
    const { discardedDecisions: count } = event;
    return `replaced by an import or other questions${count > 0 ? `; ${counted(count, "decision")} discarded` : ""}`;
  }
  const { studentName, questionNumber, from, to, notAnswered, how, comment } = event;
  const mark = notAnswered ? "not answered" : to;
  const kind =
    { rest: "agreed with the rest", blind: "decided blind", second: "second mark" }[
      how as string
    ] ?? how;
  return `${studentName}  ${questionNumber}  ${from ?? noMark} to ${mark}  ${kind} by ${nameOf(event, { kind: "team" })}${comment ? `: ${comment}` : ""}`;
}

async function reopen(store: Store, typed: string, { json }: Json): Promise<void> {
  const { reference, assessmentId } = await importedResultsOf(store, typed);
  const now = new Date();
  const isReopened = await store.reopenResults(assessmentId, now);
  if (isReopened) await store.openAudit("results reopened", now, reference);
  if (json) printJson({ reopened: isReopened ? reference : null });
  process.stderr.write(
    isReopened
      ? `The marks of request ${reference} can be changed again, under the link that is open. If it has ended: results publish.\n`
      : `The marks of request ${reference} are not signed; nothing was changed.\n`,
  );
}

async function printAgreement(
  store: Store,
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
  for (const { assessmentId } of await store.listMarkedRequests()) {
    classes.push((await store.findImportedResults(assessmentId))!);
  }
  return { reference: null, classes };
}

/** Proposals that were decided one by one, those that were hidden, and those that were agreed with in one press, never together. */
interface AgreementReport {
  shown: Agreement;
  blind: Agreement;
  withTheRest: Agreement;
  questions: {
    questionNumber: string;
    shown: Agreement;
    blind: Agreement;
    withTheRest: Agreement;
  }[];
}

function agreementReport(
  classes: Results[],
  { byQuestion }: { byQuestion: boolean },
): AgreementReport {
  const all = decidedProposals(classes);
  const measure = (questionNumber?: string) => {
    const own = all.filter(
      (one) => questionNumber === undefined || one.questionNumber === questionNumber,
    );
    return {
      shown: agreementOf(own.filter(({ how }) => how !== "rest" && how !== "blind")),
      blind: agreementOf(own.filter(({ how }) => how === "blind")),
      withTheRest: agreementOf(own.filter(({ how }) => how === "rest")),
    };
  };
  const paper = byQuestion ? classes[0]!.submissions[0]!.questionMarks : [];
  return {
    ...measure(),
    questions: paper.map(({ questionNumber }) => ({ questionNumber, ...measure(questionNumber) })),
  };
}

function agreementLines({ shown, blind, withTheRest, questions }: AgreementReport): string[] {
  return [
    "Agreement of decisions with the proposals that were shown, and with hidden ones. It says nothing about who is right.",
    `decided one by one     ${lineOf(shown)}`,
    `decided blind          ${lineOf(blind)}`,
    `agreed with the rest   ${lineOf(withTheRest)}`,
    ...questions.flatMap((one) => [
      `question ${one.questionNumber}`,
      `  decided one by one   ${lineOf(one.shown)}`,
      `  decided blind        ${lineOf(one.blind)}`,
      `  agreed with the rest ${lineOf(one.withTheRest)}`,
    ]),
  ];
}

function lineOf({ n, exact, withinOne, meanDifference, kappa, interval }: Agreement): string {
  if (n === 0) return "no decided proposal";
  const share = (count: number) => `${count} (${Math.round((count * 100) / n)}%)`;
  const range = interval
    ? `${interval[0].toFixed(2)} to ${interval[1].toFixed(2)}`
    : "interval undefined";
  return [
    `n ${n}`,
    `exact ${share(exact)}`,
    `within one mark ${share(withinOne)}`,
    `mean difference ${signed(meanDifference!)}`,
    kappa === null ? "kappa undefined" : `kappa ${kappa.toFixed(2)} (${range})`,
  ].join("  ");
}

const signed = (difference: number) => `${difference > 0 ? "+" : ""}${difference.toFixed(2)}`;
