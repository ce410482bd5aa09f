/** The views that an administrator queries with SQLite: the inbox and the marks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contactTyped, postJson, referenceIn } from "./support/forms.ts";
import { resultsFor, runResults, uploadSubmissions } from "./support/results.ts";
import { emptyServer, query } from "./support/server.ts";

test("the inbox is newest first and has the status of the email", async () => {
  const server = await emptyServer();
  const reference = await uploadSubmissions(server);
  const response = await postJson(server.url, "/api/contact", contactTyped);
  const later = await referenceIn(response);
  assert.deepEqual(query(server.databaseFile, "SELECT reference, email_status FROM inbox"), [
    { reference: later, email_status: "pending" },
    { reference, email_status: "pending" },
  ]);
});

test("the view of marks has each learner", async () => {
  const server = await emptyServer();
  const reference = await uploadSubmissions(server);
  assert.deepEqual(query(server.databaseFile, "SELECT * FROM marks"), []);
  const imported = await runResults(server, ["import", reference], resultsFor(["learner-01.pdf"]));
  assert.equal(imported.code, 0, imported.err);
  const columns = "reference, status, learner, file_name, grade, feedback";
  assert.deepEqual(query(server.databaseFile, `SELECT ${columns} FROM marks`), [
    {
      reference,
      status: "graded",
      learner: "Learner 1",
      file_name: "learner-01.pdf",
      grade: 85,
      feedback: "Well begun.",
    },
  ]);
});
