import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { draftToken } from "./support/drafts.ts";
import { postMultipart, referenceIn, rubricForm, rubricTyped } from "./support/forms.ts";
import { startMailServer } from "./support/mail-server.ts";
import { succeeded } from "./support/output-of.ts";
import { emptyServer, runCommand, startServer, until } from "./support/server.ts";

const files = { assessmentQuestions: "1. Define.", gradingRubric: "2 marks" };

/** A server that sends emails, with a rubric request by page and one with a memo by API. */
const withRequests = once(async () => {
  const mail = await startMailServer(wholeFile);
  const env = { RUBRICON_MAIL_URL: mail.url, RUBRICON_MAIL_TO: "team@team.example" };
  const server = await startServer(wholeFile, { env });
  const without = await postMultipart(server.url, "/latest-feature", rubricForm(files));
  assert.equal(without.status, 303);
  const withMemo = rubricForm(
    { ...files, markingMemo: "the memo" },
    { ...rubricTyped, phone: "2" },
  );
  const response = await postMultipart(server.url, "/api/rubric-regeneration", withMemo);
  const reference = await referenceIn(response);
  const run = (...args: string[]) => succeeded(runCommand(server.folder, ["requests", ...args]));
  return { server, mail, reference, run };
});

test("a rubric request is stored with its texts and files, of which the memo may be missing", async () => {
  const { server } = await withRequests();
  const stored = await server.query(
    'SELECT full_name AS "fullName", email, phone, institution, expected_improvements AS "expectedImprovements", assessment_questions AS q, grading_rubric AS r, marking_memo AS m FROM rubric_requests ORDER BY id',
  );
  assert.deepEqual(stored, [
    { ...rubricTyped, q: 1, r: 2, m: null },
    { ...rubricTyped, phone: "2", q: 3, r: 4, m: 5 },
  ]);
});

test("the email about a rubric request names its files", async () => {
  const { mail, reference } = await withRequests();
  const email = await until(() => mail.emails.find((one) => one.text?.includes(reference)));
  assert.equal(email.subject, `Rubricon rubric request ${reference}`);
  for (const name of ["assessmentQuestions.txt", "gradingRubric.txt", "markingMemo.txt"])
    assert.ok(email.text!.includes(name), name);
});

test("a rubric request is listed with the number of its files", async () => {
  const { reference, run } = await withRequests();
  const line = `^${reference}  \\S+ \\S+ \\S+  rubric-request  3      Thandi`;
  assert.match((await run("list")).out, new RegExp(line, "m"));
});

test("the files of a rubric request are written to a folder", async () => {
  const { server, reference, run } = await withRequests();
  const { out } = await run("files", reference, "--out", "files");
  const read = (file: string) => readFileSync(path.join(server.folder, file), "utf8");
  assert.deepEqual(out.trim().split("\n").map(read).sort(), ["1. Define.", "2 marks", "the memo"]);
});

test("the files of a rubric request that lacks one become a draft", async () => {
  const server = await emptyServer();
  const missing = await postMultipart(
    server.url,
    "/latest-feature",
    rubricForm({ assessmentQuestions: "1. Define." }),
  );
  assert.equal(missing.status, 422);
  const html = await missing.text();
  assert.match(
    html,
    /<h2[^>]*>Please upload both Assessment Questions and Grading Rubric files to continue<\/h2>/,
  );
  assert.match(html, /<a [^>]*href="#gradingRubric">Please choose the grading rubric file<\/a>/);
  assert.match(html, /assessmentQuestions\.txt/);
  const token = draftToken(html);
  const rest = rubricForm({ gradingRubric: "2 marks" }, { ...rubricTyped, draft: token });
  assert.equal((await postMultipart(server.url, "/latest-feature", rest)).status, 303);
  assert.equal((await server.query("SELECT * FROM uploaded_files")).length, 2);
});

test("each required text of a rubric request has its error", async () => {
  const server = await emptyServer();
  const words = {
    fullName: "Full name is required",
    email: "Please enter a valid email address",
    phone: "Contact number is required",
    expectedImprovements: "Please describe what improvements you're looking for",
  };
  for (const [field, reason] of Object.entries(words)) {
    const form = rubricForm(undefined, { ...rubricTyped, [field]: "" });
    const response = await postMultipart(server.url, "/latest-feature", form);
    assert.equal(response.status, 422, field);
    const page = await response.text();
    const escaped = reason.replaceAll("'", "&#x27;");
    // A single error is the heading of the summary.
    assert.ok(page.includes(` href="#${field}">${escaped}</a></h2>`), field);
  }
});
