import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import { atEnd } from "./support/at-end.ts";
import { column, columns } from "./support/columns.ts";
import { openLink, prepareClass, readDesk } from "./support/desk.ts";
import { draftToken, formWithDraft, startDraft } from "./support/drafts.ts";
import { contactTyped, postJson, postMultipart, rubricForm } from "./support/forms.ts";
import { formOf, postForm } from "./support/html-forms.ts";
import { emptyServer, newFolder, query, setUpOnce, startServer, until } from "./support/server.ts";
import { sha256, threeFiles, uploadByApi, uploadByPage, uploadForm } from "./support/upload.ts";

/** A server with an upload, a message and a request for a rubric, and the inbox with their references in this order. */
const threeRequests = setUpOnce(async ({ url, databaseFile, change }) => {
  const files = threeFiles();
  assert.equal((await uploadByApi(url, uploadForm(files))).status, 201);
  assert.equal((await postJson(url, "/api/contact", contactTyped)).status, 201);
  const rubric = { assessmentQuestions: "1. Define.", gradingRubric: "2 marks" };
  assert.equal((await postMultipart(url, "/latest-feature", rubricForm(rubric))).status, 303);
  const inbox = query(databaseFile, "SELECT * FROM inbox ORDER BY received_at");
  return { databaseFile, change, files, rubric, inbox };
});

function assertTimes(times: unknown[]): void {
  for (const time of times) {
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
}

test("the view of the inbox has each request, newest first, with its form, files and email", async () => {
  const { databaseFile, inbox, change } = await threeRequests();
  await change(`UPDATE outbox SET status = 'sent' WHERE reference = '${inbox[0]!.reference}'`);
  const view = query(databaseFile, "SELECT * FROM inbox");
  assert.deepEqual(columns(view, "form", "files", "email_status"), [
    ["rubric-request", 2, "pending"],
    ["contact", 0, "pending"],
    ["demo-upload", 3, "sent"],
  ]);
  assert.deepEqual(column(view, "reference"), column(inbox, "reference").reverse());
  assertTimes(column(view, "received_at"));
});

test("the view of files has each file with its request, field and checksum", async () => {
  const { databaseFile, files, rubric, inbox } = await threeRequests();
  const received = query(databaseFile, "SELECT * FROM files_received ORDER BY file_id");
  const [upload, , request] = column(inbox, "reference");
  const typed = Object.entries(rubric).map(([field, text]) => ({
    ...{ field, name: `${field}.txt`, bytes: Buffer.from(text) },
  }));
  assert.deepEqual(columns(received, "reference", "form", "field", "file_name", "sha256"), [
    ...files.map(({ field, name, bytes }) => [upload, "demo-upload", field, name, sha256(bytes)]),
    ...typed.map(({ field, name, bytes }) => [
      request,
      "rubric-request",
      field,
      name,
      sha256(bytes),
    ]),
  ]);
  assertTimes(column(received, "received_at"));
});

test("the view of emails has each email with its request and times", async () => {
  const { databaseFile, inbox } = await threeRequests();
  const emails = query(databaseFile, "SELECT * FROM emails ORDER BY written_at");
  assert.deepEqual(
    columns(emails, "kind", "reference", "status"),
    inbox.map(({ reference }) => ["request", reference, "pending"]),
  );
  assertTimes(columns(emails, "written_at", "next_attempt_at").flat());
});

test("only the owner can read the database, its WAL and its lock file", async () => {
  const { url, databaseFile } = await emptyServer();
  assert.equal((await postJson(url, "/api/contact", contactTyped)).status, 201);
  const files = readdirSync(path.dirname(databaseFile)).filter((name) =>
    /\.db(-wal|-shm|-lock)?$/.test(name),
  );
  assert.equal(files.length, 4);
  for (const name of files) {
    assert.equal(statSync(path.join(path.dirname(databaseFile), name)).mode & 0o777, 0o600, name);
  }
});

/** The largest size of a WAL whose content no reader needs. */
const maxWalBytes = 67_108_864;

test("the WAL is truncated once a long read transaction has ended", async (t) => {
  const { url, databaseFile, change } = await startServer(t);
  assert.equal((await postJson(url, "/api/contact", contactTyped)).status, 201);
  const reader = new Sqlite(databaseFile, { readonly: true });
  atEnd(t, () => reader.close());
  reader.exec("BEGIN");
  const count = () => reader.prepare("SELECT count(*) FROM inbox").pluck().get();
  assert.equal(count(), 1);

  await change("CREATE TABLE other (bytes)");
  for (let round = 0; round < 4; round += 1) {
    await change("INSERT INTO other VALUES (zeroblob(30000000))");
    const typed = { ...contactTyped, message: `Message number ${round}` };
    assert.equal((await postJson(url, "/api/contact", typed)).status, 201);
  }
  assert.equal(count(), 1, "the reader still sees the state at its start");
  const wal = `${databaseFile}-wal`;
  const walBytes = statSync(wal).size;
  assert.ok(walBytes > 120_000_000, `the WAL has ${walBytes} bytes`);

  reader.exec("COMMIT");
  assert.equal(count(), 5);
  // The next commit checkpoints the WAL, the one after it starts it again from its beginning.
  for (const message of ["The first message after", "The second message after"]) {
    assert.equal((await postJson(url, "/api/contact", { ...contactTyped, message })).status, 201);
  }
  const left = statSync(wal).size;
  assert.ok(left <= maxWalBytes, `the WAL has ${left} bytes`);
});

/** Does something while another program has locked the database. */
async function whileLocked<Result>(databaseFile: string, act: () => Promise<Result>) {
  const other = new Sqlite(databaseFile);
  try {
    other.exec("BEGIN IMMEDIATE");
    return await act();
  } finally {
    other.close();
  }
}

test("while the database is locked a post is a 503 that keeps its draft", async () => {
  const server = await emptyServer();
  const { token } = await startDraft(server);
  const [response, page] = await whileLocked(server.databaseFile, async () => [
    await uploadByApi(server.url, uploadForm()),
    await uploadByPage(server.url, formWithDraft(token)),
  ]);
  assert.equal(response.status, 503);
  assert.equal(response.headers.get("Retry-After"), "60");
  assert.equal(((await response.json()) as { code: string }).code, "unavailable");
  assert.equal(page.status, 503);
  const html = await page.text();
  assert.match(html, /value="Thandi Example"/);
  assert.equal(draftToken(html), token);
  assert.equal(html.match(/<button[^>]*name="remove"/g)?.length, 3);
  assert.equal((await uploadByApi(server.url, uploadForm())).status, 201);
  assert.equal((await uploadByPage(server.url, formWithDraft(token))).status, 303);
});

test("while the database is locked a marker’s post is a 503 page that says to reload it", async () => {
  const server = await emptyServer();
  const token = await openLink(server, await prepareClass(server, ["a.txt"]));
  const form = formOf((await readDesk(server, token, { view: "mark" })).html, "save");
  const post = () => postForm(server.url, form, "save", { marks: "2" });
  const rejected = await whileLocked(server.databaseFile, post);
  assert.equal(rejected.status, 503);
  assert.equal(rejected.headers["retry-after"], "60");
  assert.match(rejected.bytes.toString(), /<h1>We cannot store anything .* Keep this page open/s);
  assert.equal((await post()).status, 303);
});

test("SQLite is loaded from a temporary file if .native cannot be written", async (t) => {
  const [folder, temp] = [newFolder(t), newFolder(t)];
  mkdirSync(path.join(folder, "data"), { mode: 0o700 });
  writeFileSync(path.join(folder, "data/.native"), "");
  const server = await startServer(t, { folder, env: { TMPDIR: temp } });
  const mapped = readFileSync(`/proc/${server.process.pid}/maps`, "utf8");
  const loaded = new Set(mapped.match(/\/\S+better_sqlite3\.node/g));
  assert.deepEqual(
    [...loaded].map((file) => path.dirname(path.dirname(file))),
    [temp],
  );
  assert.equal((await uploadByApi(server.url, uploadForm())).status, 201);
  assert.equal(await server.stop(), 0);
  assert.deepEqual(readdirSync(temp), [], "the file is deleted at the end");
});

test("deleted data leaves the WAL once a reader that blocked the checkpoint ends", async (t) => {
  const server = await startServer(t);
  const secret = `Only in one message: ${randomUUID()}`;
  await postJson(server.url, "/api/contact", { ...contactTyped, message: secret });
  const wal = `${server.databaseFile}-wal`;
  const isInWal = () => existsSync(wal) && readFileSync(wal).includes(secret);
  assert.ok(isInWal());
  const writer = new Sqlite(server.databaseFile);
  atEnd(t, () => writer.close());
  await server.stop();
  writer.exec("UPDATE contact_requests SET created_at = '2026-01-01T00:00:00.000Z'");
  const reader = new Sqlite(server.databaseFile, { readonly: true });
  atEnd(t, () => reader.close());
  reader.exec("BEGIN");
  assert.equal(reader.prepare("SELECT count(*) FROM inbox").pluck().get(), 1);
  // The server deletes the request at its start, but cannot truncate the WAL until the reader ends.
  await startServer(t, { folder: server.folder });
  await until(() => query(server.databaseFile, "SELECT 1 FROM contact_requests").length === 0);
  assert.ok(isInWal());
  reader.exec("COMMIT");
  await until(() => !isInWal() && !readFileSync(server.databaseFile).includes(secret));
});
