import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import { succeeded } from "./support/output-of.ts";
import { resultsFor, runResults, uploadSubmissions } from "./support/results.ts";
import { copiedFolder, emptyServer, newFolder, query, runCommand } from "./support/server.ts";

/** By table, the columns that the specification requires, and some that are ours. */
const requiredColumns: Record<string, string> = {
  users: "id username password",
  assessments:
    "id user_id title questions_file rubric_file questions_content rubric_content assessment_data status results created_at",
  submissions:
    "id assessment_id student_name file_name submission_content grade feedback question_marks processed_at",
  contact_requests: "id name email institution phone message request_type created_at",
  assessment_submissions:
    "id contact_id questions_file_name rubric_file_name submission_file_count submission_file_names questions_file_data rubric_file_data submission_files_data status created_at",
  uploaded_files: "id name media_type size sha256",
  rubric_requests: "id full_name email phone institution expected_improvements",
  outbox: "id subject body status attempts",
};

test("the tables and columns have the specification's names", async () => {
  const server = await emptyServer();
  for (const [table, required] of Object.entries(requiredColumns)) {
    const columns = query<{ name: string }>(server.databaseFile, `PRAGMA table_info(${table})`);
    const names = columns.map(({ name }) => name);
    assert.deepEqual(
      required.split(" ").filter((name) => !names.includes(name)),
      [],
      table,
    );
  }
});

test("a file that is no database of this version is rejected in one line and left as it is", async (t) => {
  const newerFile = path.join(copiedFolder(t, await emptyServer()), "data/rubricon.db");
  new Sqlite(newerFile).exec("PRAGMA user_version = 9999").close();
  const newer = readFileSync(newerFile);
  const foreignFile = path.join(newFolder(t), "foreign.db");
  new Sqlite(foreignFile).exec("CREATE TABLE notes (text)").close();
  const foreign = "is not a database of";
  const fromNewer = "was written by a newer";
  for (const [what, content, command, reason] of [
    ["text", Buffer.from("These are my notes, not a database.\n".repeat(9)), ["serve"], foreign],
    ["short text", Buffer.from("x"), ["serve"], foreign],
    ["another program's database", readFileSync(foreignFile), ["serve"], foreign],
    [
      "another program's database, whose schema is asked for",
      readFileSync(foreignFile),
      ["migrate", "status"],
      foreign,
    ],
    ["a newer version's database", newer, ["serve"], fromNewer],
    ["a newer version's database, listed", newer, ["requests", "list"], fromNewer],
  ] as const) {
    const folder = newFolder(t);
    const file = path.join(folder, "data/rubricon.db");
    mkdirSync(path.dirname(file));
    writeFileSync(file, content);
    const { code, err } = await runCommand(folder, [...command], { PORT: "0" });
    assert.equal(code, 78, what);
    assert.match(err, new RegExp(`^rubricon: \\S+rubricon\\.db ${reason} [^\\n]+\\n$`), what);
    assert.ok(readFileSync(file).equals(content), what);
  }
});

test("a second server on the same file does not start", async () => {
  const server = await emptyServer();
  const second = await runCommand(server.folder, [], { PORT: "0" });
  assert.equal(second.code, 75);
  assert.match(second.err, /A server is using/);
});

test("the view of marks has each learner", async () => {
  const server = await emptyServer();
  const names = ["a.txt", "b.txt"];
  const reference = await uploadSubmissions(server, names);
  assert.deepEqual(query(server.databaseFile, "SELECT * FROM marks"), []);
  await succeeded(runResults(server, ["import", reference], resultsFor(names)));
  const columns = "reference, status, learner, file_name, grade, feedback";
  assert.deepEqual(
    query(server.databaseFile, `SELECT ${columns} FROM marks ORDER BY file_name`),
    names.map((file_name, index) => ({
      reference,
      status: "graded",
      learner: `Learner ${index + 1}`,
      file_name,
      grade: 85,
      feedback: "Well begun.",
    })),
  );
});
