import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import Sqlite from "better-sqlite3";
import { parseCsv } from "./support/csv.ts";
import { contactTyped, postJson, postMultipart, rubricForm } from "./support/forms.ts";
import { newFolder, runCommand, startServer } from "./support/server.ts";
import { contact, sha256, threeFiles, uploadByApi, uploadForm } from "./support/upload.ts";

/** Texts that break a careless CSV export, or run as formulas in a spreadsheet. */
const nasty = {
  name: '=HYPERLINK("http://example.org","open")',
  phone: "+27 31 555 0100",
  institution: "  @SUM(A1)",
  message: 'Two lines,\nwith “quotes”, "plain ones" and \u009b31m; é, 字',
};

async function startWithRequests(t: TestContext) {
  const server = await startServer(t);
  const files = threeFiles();
  const upload = await uploadByApi(server.url, uploadForm(files, { ...contact, ...nasty }));
  const { reference } = (await upload.json()) as { reference: string };
  // Requests of earlier versions may have control characters.
  const db = new Sqlite(server.databaseFile);
  db.prepare("UPDATE contact_requests SET message = ?").run(nasty.message);
  db.close();
  assert.equal((await postJson(server.url, "/api/contact", contactTyped)).status, 201);
  assert.equal((await postMultipart(server.url, "/latest-feature", rubricForm())).status, 303);
  const run = (...args: string[]) => runCommand(server.folder, args);
  return { server, files, reference, run };
}

test("requests are listed, shown and exported as JSON with their exact values", async (t) => {
  const { files, reference, run } = await startWithRequests(t);
  const list = JSON.parse((await run("requests", "list", "--json")).out);
  assert.deepEqual(
    list.map(({ form }: { form: string }) => form),
    ["rubric-request", "contact", "demo-upload"],
  );
  const shown = await run("requests", "show", reference, "--json");
  assert.doesNotMatch(shown.out, /\u009b/, "no control character reaches the terminal");
  const request = JSON.parse(shown.out);
  for (const [field, text] of Object.entries({ ...nasty, institution: "@SUM(A1)" })) {
    assert.equal(request[field], text);
  }
  assert.deepEqual(
    request.files.map((file: { sha256: string }) => file.sha256),
    files.map(({ bytes }) => sha256(bytes)),
  );
  assert.deepEqual(
    request.emails.map(({ status }: { status: string }) => status),
    ["pending"],
  );
  const exported = JSON.parse((await run("requests", "export", "--format", "json")).out);
  assert.equal(exported.length, 3);
  assert.deepEqual(exported[2], request);
});

test("a CSV export parses back, and a spreadsheet runs no cell as a formula", async (t) => {
  const { reference, run } = await startWithRequests(t);
  const { out, code } = await run("requests", "export", "--format", "csv");
  assert.equal(code, 0);
  const rows = parseCsv(out);
  assert.equal(rows.length, 3);
  const { receivedAt, ...row } = rows.find((one) => one.reference === reference)!;
  assert.match(receivedAt!, /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual(row, {
    reference,
    form: "demo-upload",
    requestType: "demo",
    name: `'${nasty.name}`,
    email: contact.email,
    phone: "'+27 31 555 0100",
    institution: "'@SUM(A1)",
    message: nasty.message,
    files: "3",
    spam: "",
    isTest: "false",
    confirmedAt: "",
    noticeVersion: "",
  });
  for (const one of rows.flatMap((cells) => Object.values(cells))) {
    assert.doesNotMatch(one, /^\s*[=+\-@]|^[\t\r]/);
  }
});

test("subscriptions are listed, exported without tests, and removed only when confirmed", async (t) => {
  const server = await startServer(t);
  const run = (...args: string[]) => runCommand(server.folder, ["subscriptions", ...args]);
  const email = "Thandi@school.example";
  assert.equal((await postJson(server.url, "/api/subscription", { email })).status, 201);
  const other = { email: "test@school.example" };
  assert.equal((await postJson(server.url, "/api/subscription?test", other)).status, 201);
  const list = JSON.parse((await run("list", "--json")).out);
  assert.deepEqual(
    list.map(({ email: one, isTest }: { email: string; isTest: boolean }) => [one, isTest]),
    [
      ["thandi@school.example", false],
      ["test@school.example", true],
    ],
  );
  const rows = parseCsv((await run("export", "--format", "csv")).out);
  assert.deepEqual(
    rows.map((one) => [one.email, one.consentedAt]),
    [["thandi@school.example", list[0].createdAt]],
  );
  assert.equal(JSON.parse((await run("export", "--format", "json")).out).length, 1);

  const asked = await run("remove", email);
  assert.equal(asked.code, 2);
  assert.match(asked.err, /add --yes/);
  assert.equal((await run("remove", email, "--yes")).code, 0);
  assert.equal((await run("remove", email, "--yes")).code, 1);
  assert.equal(JSON.parse((await run("list", "--json")).out).length, 1);
});

test("an export without a format, or with an unknown one, is a usage error", async (t) => {
  const folder = newFolder(t);
  for (const args of [["export"], ["export", "--format", "xlsx"]]) {
    const { code, err } = await runCommand(folder, ["requests", ...args]);
    assert.equal(code, 2);
    assert.match(err, /^rubricon: [^\n]*--format/);
  }
});
