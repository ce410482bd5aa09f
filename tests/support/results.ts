/** Marks, as the team of a test hands them over. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { query, runCommand, type Server } from "./server.ts";
import { threeFiles, txt, uploadByApi, uploadForm } from "./upload.ts";

export const team = {
  RUBRICON_MAIL_FROM: "site@team.example",
  RUBRICON_MAIL_TO: "team@team.example",
};

/** A file as the team writes it, for submissions that were uploaded under these names. */
export const resultsFor = (names: string[], marks = 42.5) => ({
  title: "Test 1",
  questions: [
    { questionNumber: "1.1", description: "Terms", totalMarks: 20 },
    { questionNumber: "1.2", description: "Essay", totalMarks: 30 },
  ],
  submissions: names.map((fileName, place) => ({
    fileName,
    studentName: `Learner ${place + 1}`,
    feedback: "Well begun.",
    questionMarks: [
      { questionNumber: "1.1", marksAwarded: 20, feedback: "All of them." },
      { questionNumber: "1.2", marksAwarded: marks - 20 },
    ],
  })),
});

/** A demo upload with answers of these names. Returns its reference. */
export async function uploadAnswers(server: Server, names = ["learner-01.pdf"]): Promise<string> {
  const [questions, rubric, answer] = threeFiles();
  const answers = names.map((name) => ({
    ...answer!,
    name,
    bytes: name.endsWith(".txt") ? txt(`An answer ${Math.random()}`) : answer!.bytes,
  }));
  const files = [questions!, rubric!, ...answers];
  const response = await uploadByApi(server.url, uploadForm(files));
  const { reference } = (await response.json()) as { reference: string };
  return reference;
}

/** Runs `results …`; a file is handed over where one is given. */
export async function runResults(server: Server, args: string[], file?: unknown) {
  const more: string[] = [];
  if (file !== undefined) {
    writeFileSync(path.join(server.folder, "results.json"), JSON.stringify(file));
    more.push("results.json");
  }
  return runCommand(server.folder, ["results", ...args, ...more], {
    ...team,
    RUBRICON_PUBLIC_URL: server.url,
  });
}

/**
 * Publishes the marks of a class of any size, far more than one upload takes.
 * @returns the link's address on the server; its letter waits, where there is no mail server
 */
export async function publishClass(server: Server, size: number): Promise<string> {
  const reference = await uploadAnswers(server);
  const names = Array.from({ length: size }, (_, place) => `learner-${place + 1}.txt`);
  const sql = "UPDATE assessment_submissions SET submission_file_names = ?";
  change(server, sql, JSON.stringify(names));
  for (const [args, file] of [
    [["import", reference], resultsFor(names)],
    [["publish", reference], undefined],
  ] as const) {
    const { code, err } = await runResults(server, [...args], file);
    if (code !== 0) throw new Error(err);
  }
  const links = "SELECT link FROM outbox WHERE link IS NOT NULL";
  const { link } = query<{ link: string }>(server.databaseFile, links)[0]!;
  return link.slice(server.url.length);
}

/** Alters the database as a test needs it, beside the server. */
export function change({ databaseFile }: Server, sql: string, ...values: string[]): void {
  const db = new Sqlite(databaseFile);
  db.prepare(sql).run(...values);
  db.close();
}
