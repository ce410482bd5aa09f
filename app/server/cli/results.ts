import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import type { Store } from "#db/store.ts";
import { newToken } from "#db/token.ts";
import type { MarkingTarget, Publication } from "../../domain/publication.ts";
import type { ListedRequest } from "../../domain/request-record.ts";
import type { Results } from "../../domain/result.ts";
import { bandOf, bands, formatAverage } from "../../results/grade.ts";
import { resultsSchema, validateResultsFile } from "../../results/results-file.ts";
import type { Config } from "../config/config.ts";
import { variableOf } from "../config/settings-table.ts";
import { resultsEmail } from "../email/compose.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { counted } from "./plural.ts";
import { print, printable, printJson } from "./print.ts";
import { requestOf } from "./requests.ts";

interface Json {
  json?: true;
}

export function addResults(root: Command, { readConfig, withStore }: Installation): void {
  const results = root.command("results").description("import and publish marks");
  results
    .command("schema")
    .description("print the JSON schema of a results file")
    .action(() => {
      process.stdout.write(`${JSON.stringify(resultsSchema(), null, 2)}\n`);
    });
  results
    .command("import <reference> <file>")
    .description("import the marks of a request; earlier marks are archived")
    .option("--json", "print JSON")
    .action((reference: string, file: string, options: Json) =>
      withStore((store) => importFile(store, reference, file, options)),
    );
  results
    .command("publish <reference>")
    .description("email the educator a private link to the marks")
    .option("--json", "print JSON")
    .action((reference: string, options: Json) =>
      withStore(async (store) => publish(store, reference, await readConfig(), options)),
    );
  results
    .command("revoke <reference>")
    .description("revoke the link to the marks")
    .option("--json", "print JSON")
    .action((reference: string, options: Json) =>
      withStore((store) => revoke(store, reference, options)),
    );
}

/** Imports all marks of a file and prints a summary, or reports every error and changes nothing. */
async function importFile(
  store: Store,
  typed: string,
  file: string,
  { json }: Json,
): Promise<void> {
  const { reference, assessmentId, fileNames } = await markingTargetOf(store, typed);
  const { results, errors } = validateResultsFile(await readJson(file), fileNames);
  if (errors) {
    reportErrors(errors, json);
    throw new CommandFailed(`${file} has ${counted(errors.length, "error")}; nothing was changed.`);
  }
  const replaced = await store.importResults(assessmentId, results, new Date());
  if (json) printJson({ reference, ...plainResults(results), replaced });
  else for (const line of summaryOf(reference, results)) print(line);
  if (replaced) {
    process.stderr.write(
      "The earlier marks were archived, and their link was revoked. Publish the new marks when they are right.\n",
    );
  }
}

/** @throws CommandFailed if there is no such request, or it has no submissions */
async function markingTargetOf(
  store: Store,
  typed: string,
): Promise<MarkingTarget & { reference: string }> {
  const { reference } = (await requestOf(store, typed)).request;
  const target = await store.findMarkingTarget(reference);
  if (!target) throw new CommandFailed(`Request ${reference} has no submissions to mark.`);
  return { ...target, reference };
}

async function readJson(file: string): Promise<unknown> {
  try {
    const bytes = await readFile(file);
    if (bytes.length === 0) throw new Error("it is empty");
    if (!isUtf8(bytes)) throw new Error("it is not UTF-8");
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    const { message } = error as Error;
    throw new CommandFailed(`${file} cannot be read as JSON: ${printable(shortened(message))}.`);
  }
}

/** A file of another kind can have thousands of errors, and very long ones. */
const maxErrors = 100;
const shortened = (text: string) => (text.length > 500 ? `${text.slice(0, 500)}…` : text);

function reportErrors(errors: string[], json: true | undefined): void {
  if (json) printJson({ errors });
  for (const error of errors.slice(0, maxErrors)) {
    process.stderr.write(`${printable(shortened(error))}\n`);
  }
  const more = errors.length - maxErrors;
  if (more > 0) process.stderr.write(`and ${more} more\n`);
}

/** The results as JSON: grades without the marks, which are in the results file. */
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
    `${reference}  graded  submissions ${submissions.length}  average ${formatAverage(averageGrade)}%`,
    counts.join(", "),
    ...submissions.map(({ grade, fileName, studentName }) =>
      [`${grade}%`.padStart(4), fileName, studentName].join("  "),
    ),
  ];
}

/** Publishes only once: if a link is open already, reports that one. */
async function publish(store: Store, typed: string, config: Config, { json }: Json): Promise<void> {
  const target = await markingTargetOf(store, typed);
  const { request } = await requestOf(store, target.reference);
  const now = new Date();
  const publication = publicationOf(request, target, config, now);
  const { reference, expiresAt } = publication;
  const open = await store.publishResults(target.assessmentId, publication, now);
  if (json) {
    const link = open ?? { createdAt: now.toISOString(), expiresAt: expiresAt.toISOString() };
    printJson({ reference, published: !open, ...link });
  }
  process.stderr.write(
    open
      ? `Request ${reference} is published already, since ${open.createdAt}; the link is valid until ${open.expiresAt}.\n`
      : `Request ${reference} is published; the link is valid until ${expiresAt.toISOString()}. ${deliveryNote(config, request.isTest)}\n`,
  );
}

/** @throws CommandFailed if the request cannot be published */
function publicationOf(
  request: ListedRequest,
  { status, fileNames }: MarkingTarget,
  { publicUrl, retentionDays, mail, brand }: Config,
  now: Date,
): Publication {
  const { reference, spam, email: recipient, receivedAt, isTest } = request;
  if (status === "pending" || status === "submitted") {
    throw new CommandFailed(`Request ${reference} has no marks yet. Import them: results import.`);
  }
  if (spam) {
    throw new CommandFailed(
      `Request ${reference} is in quarantine. Take it out first: requests not-spam.`,
    );
  }
  if (!publicUrl) {
    throw new CommandFailed(
      `Set ${variableOf("PUBLIC_URL")}: the link in the email begins with it.`,
      exitCodes.configuration,
    );
  }
  const expiresAt = earlier(after(now, linkDays), after(new Date(receivedAt), retentionDays));
  if (expiresAt <= now) {
    throw new CommandFailed(
      `Request ${reference} is older than ${counted(retentionDays, "day")}, after which requests are deleted.`,
    );
  }
  const token = newToken();
  const email = resultsEmail({
    reference,
    recipient,
    team: mail?.to[0] ?? brand.email,
    productName: brand.name,
    submissionCount: fileNames.length,
    expiresAt,
  });
  const link = `${publicUrl}/?results=${token}#demo`;
  return { reference, token, link, email, expiresAt, holdEmail: isTest };
}

/** Revokes the link. An email that contains it may have been sent. */
async function revoke(store: Store, typed: string, { json }: Json): Promise<void> {
  const { reference, assessmentId } = await markingTargetOf(store, typed);
  if (!(await store.revokeResults(assessmentId, new Date()))) {
    throw new CommandFailed(`Request ${reference} has no open link.`);
  }
  if (json) printJson({ revoked: reference });
  process.stderr.write(`The link to the marks of request ${reference} is revoked.\n`);
}

function deliveryNote({ mail }: Config, isTest: boolean): string {
  if (isTest) return "It is a test, so its email is on hold.";
  return mail
    ? "A running server sends the email within a minute."
    : `The email is sent once a mail server is set (${variableOf("MAIL_URL")}).`;
}

const linkDays = 30;
const after = (time: Date, days: number) => new Date(time.getTime() + days * 24 * 60 * 60 * 1000);
const earlier = (one: Date, other: Date) => (one < other ? one : other);
