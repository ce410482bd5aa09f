/** Imports and publishes marks, as the team does. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { once } from "../../app/server/system/once.ts";
import { wholeFile } from "./at-end.ts";
import { postJson } from "./forms.ts";
import { startMailServer } from "./mail-server.ts";
import { succeeded } from "./output-of.ts";
import { runCommand, type Server, startServer, until } from "./server.ts";
import { contact, threeFiles, txt, uploaded } from "./upload.ts";

export const team = {
  RUBRICON_MAIL_FROM: "site@team.example",
  RUBRICON_MAIL_TO: "team@team.example",
};

/** A results file for submissions with these file names. @param marks of each learner, 20 to 50 */
export const resultsFor = (names: string[], marks = 42.5) => ({
  title: "Test 1",
  questions: [
    { questionNumber: "1.1", description: "Terms", totalMarks: 20 },
    { questionNumber: "1.2", description: "Essay", totalMarks: 30 },
  ],
  submissions: names.map((fileName, index) => ({
    fileName,
    studentName: `Learner ${index + 1}`,
    feedback: "Well begun.",
    questionMarks: [
      { questionNumber: "1.1", marksAwarded: 20, feedback: "All of them." },
      { questionNumber: "1.2", marksAwarded: marks - 20 },
    ],
  })),
});

/** A results file of 100 questions of 5 marks each. @param given the mark of every answer */
export function hundredQuestions(
  names: string[],
  given: { marksAwarded: number; feedback?: string },
) {
  const numbers = Array.from({ length: 100 }, (_, index) => `${index + 1}`);
  const questionMarks = numbers.map((questionNumber) => ({ questionNumber, ...given }));
  return {
    title: "Large",
    questions: numbers.map((questionNumber) => ({
      questionNumber,
      description: "Q",
      totalMarks: 5,
    })),
    submissions: names.map((fileName) => ({ fileName, studentName: fileName, questionMarks })),
  };
}

export interface ClassFiles {
  bytesOf?: (name: string) => Buffer;
  /** Leaves the files to be rendered by what is tested. */
  renders?: boolean;
}

/**
 * Posts a demo upload with submissions of these file names. Returns its reference. Its files count as rendered, because
 * rendering takes a process for each.
 */
export async function uploadSubmissions(
  server: Server,
  names = ["learner-01.pdf"],
  { bytesOf, renders = false }: ClassFiles = {},
): Promise<string> {
  const [questions, rubric, submission] = threeFiles();
  const submissions = names.map((name) => ({
    ...submission!,
    name,
    bytes:
      bytesOf?.(name) ??
      (name.endsWith(".txt") ? txt(`Answers ${Math.random()}`) : submission!.bytes),
  }));
  const files = [questions!, rubric!, ...submissions];
  const reference = await uploaded(server, files);
  if (!renders) {
    await server.change(`INSERT INTO rendered_files (file_id, kind, reason, created_at)
      SELECT file_id, 'original', 'is not rendered.', received_at FROM files_received
      WHERE reference = '${reference}'`);
  }
  return reference;
}

/** Uploads submissions and imports their marks. Returns the reference. */
export async function uploadMarked(server: Server, names = ["learner-01.pdf"], files?: ClassFiles) {
  const reference = await uploadSubmissions(server, names, files);
  await succeeded(runResults(server, ["import", reference], resultsFor(names)));
  return reference;
}

/** Uploads submissions, imports their marks and publishes them. Returns the reference. */
export async function uploadPublished(...submissions: Parameters<typeof uploadMarked>) {
  const reference = await uploadMarked(...submissions);
  await succeeded(runResults(submissions[0], ["publish", reference]));
  return reference;
}

/** The token of the link that the email about a request brings; undefined if it brings none. */
export async function teamToken({ query }: Pick<Server, "query">, reference: string) {
  const [email] = await query<{ link: string | null }>(
    `SELECT link FROM outbox WHERE kind = 'request' AND reference = '${reference}'`,
  );
  return email!.link === null ? undefined : new URL(email!.link).searchParams.get("link")!;
}

/** Runs a command as the team does, whose links lead to the server. */
export const runAsTeam = (server: Server, ...args: string[]) =>
  runCommand(server.folder, args, { ...team, RUBRICON_PUBLIC_URL: server.url });

/** Runs `results …`, with `file` as its results file if given. */
export async function runResults(server: Server, args: string[], file?: unknown) {
  const fileArgs: string[] = [];
  if (file !== undefined) {
    writeFileSync(path.join(server.folder, "results.json"), JSON.stringify(file));
    fileArgs.push("results.json");
  }
  return runAsTeam(server, "results", ...args, ...fileArgs);
}

const tokenIn = (link: string) => new URL(link).searchParams.get("results")!;

/** The token in the last email about results. */
export async function sentToken({ query }: Server): Promise<string> {
  const [last] = await query<{ link: string }>(
    "SELECT link FROM outbox WHERE kind = 'results' AND link IS NOT NULL ORDER BY id DESC",
  );
  return tokenIn(last!.link);
}

/** Shares marks as a reading copy. Returns the token of its link. */
export const shareMarks = async (server: Server, reference: string) =>
  tokenIn((await runResults(server, ["share", reference])).out.trim());

/**
 * Publishes the marks of a class of any size, even more than one upload accepts.
 * @param fileFor the results file for submissions with these names
 * @returns the private link's path and query
 */
export async function publishClass(
  server: Server,
  size: number,
  fileFor: (names: string[]) => unknown = resultsFor,
): Promise<string> {
  // Most of these learners have no file, which --yes accepts.
  await importClass(server, size, fileFor, "publish", "--yes");
  return `/?results=${await sentToken(server)}#demo`;
}

/**
 * Shares the marks of a class as a reading copy, on whose pages script opens learners in a dialog.
 * @returns the private link's path and query
 */
export async function shareClass(
  server: Server,
  size: number,
  fileFor: (names: string[]) => unknown = resultsFor,
): Promise<string> {
  const { out } = await importClass(server, size, fileFor, "share");
  return out.trim().slice(server.url.length);
}

/** Imports the marks of a class and runs a command on them. */
async function importClass(
  server: Server,
  size: number,
  fileFor: (names: string[]) => unknown,
  ...command: string[]
) {
  const reference = await uploadSubmissions(server);
  const names = Array.from({ length: size }, (_, index) => `learner-${index + 1}.txt`);
  await server.change(
    `UPDATE assessment_submissions SET submission_file_names = '${JSON.stringify(names)}'
      WHERE contact_id = (SELECT id FROM contact_requests WHERE reference = '${reference}')`,
  );
  await succeeded(runResults(server, ["import", reference], fileFor(names)));
  return succeeded(runResults(server, [...command, reference]));
}

/** A class whose marks were published by a server that sends emails, with the email to the educator. */
export const sentResults = once(async () => {
  const mail = await startMailServer(wholeFile);
  const server = await startServer(wholeFile, { env: { RUBRICON_MAIL_URL: mail.url, ...team } });
  const reference = await uploadPublished(server);
  // Wakes the outbox worker.
  await postJson(server.url, "/api/contact", { ...contact, message: "Wake up" });
  const isToEducator = ({ recipients }: { recipients: string[] }) =>
    recipients[0] === contact.email;
  const email = await until(() => mail.emails.find(isToEducator));
  const link = new URL(/^http\S+$/m.exec(email.text!)![0]);
  return { mail, server, reference, email, link, token: link.searchParams.get("results")! };
});
