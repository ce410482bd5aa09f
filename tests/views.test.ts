/** The views that an administrator queries with SQLite: the inbox and the marks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contactTyped, postJson, referenceIn } from "./support/forms.ts";
import { succeeded } from "./support/output-of.ts";
import { resultsFor, runResults, uploadSubmissions } from "./support/results.ts";
import { emptyServer, query } from "./support/server.ts";

test("the inbox is newest first and has the status of the email", async () => {
  const server = await emptyServer();
  const reference = await uploadSubmissions(server);
  const response = await postJson(server.url, "/api/contact", contactTyped);
  const later = await referenceIn(response);
  await server.change("UPDATE outbox SET status = 'sent' WHERE id = 1");
  assert.deepEqual(query(server.databaseFile, "SELECT reference, email_status FROM inbox"), [
    { reference: later, email_status: "pending" },
    { reference, email_status: "sent" },
  ]);
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
