import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import { atEnd } from "./support/at-end.ts";
import { contactTyped, postJson, postMultipart, rubricForm } from "./support/forms.ts";
import { newFolder, query, startServer, until } from "./support/server.ts";
import { largeFiles, sha256, threeFiles, uploadByApi, uploadForm } from "./support/upload.ts";

const root = path.join(import.meta.dirname, "..");

test("every table, view and column of the file is described in docs/database.md, and nothing else", async (t) => {
  const { databaseFile } = await startServer(t);
  const inFile = query<{ name: string }>(
    databaseFile,
    "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'",
  ).map(({ name }) => {
    const columns = query<{ name: string }>(databaseFile, `PRAGMA table_info(${name})`);
    return `${name}: ${columns.map((column) => column.name).sort()}`;
  });
  const document = readFileSync(path.join(root, "docs/database.md"), "utf8");
  const described = document
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const rows = [...section.matchAll(/^\| `(\w+)` \| [a-z ]+ \| (.*) \|$/gm)];
      for (const [row, , about] of rows) assert.match(about!, /^[A-Z“"].{5}/, row);
      return `${section.split("\n")[0]}: ${rows.map(([, name]) => name).sort()}`;
    });
  assert.deepEqual(described.sort(), inFile.sort());
});

test("docs/database.md is what the schema's comments say", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/database-doc.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
});

test("the views tell in readable columns what came, with which files and letters", async (t) => {
  const { url, databaseFile } = await startServer(t);
  const files = threeFiles();
  assert.equal((await uploadByApi(url, uploadForm(files))).status, 201);
  assert.equal((await postJson(url, "/api/contact", contactTyped)).status, 201);
  const rubric = { assessmentQuestions: "1. Define.", gradingRubric: "2 marks" };
  assert.equal((await postMultipart(url, "/latest-feature", rubricForm(rubric))).status, 303);

  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
  const inbox = query(databaseFile, "SELECT * FROM inbox ORDER BY received_at");
  assert.deepEqual(
    inbox.map(({ form, files: count }) => [form, count]),
    [
      ["demo-upload", 3],
      ["contact", 0],
      ["rubric-request", 2],
    ],
  );
  const received = query(databaseFile, "SELECT * FROM files_received ORDER BY file_id");
  assert.deepEqual(
    received.map((row) => [row.reference, row.form, row.field, row.file_name, row.sha256]),
    [
      ...files.map(({ field, name, bytes }) => [
        inbox[0]!.reference,
        "demo-upload",
        field,
        name,
        sha256(bytes),
      ]),
      ...Object.entries(rubric).map(([field, text]) => [
        inbox[2]!.reference,
        "rubric-request",
        field,
        `${field}.txt`,
        sha256(Buffer.from(text)),
      ]),
    ],
  );
  const emails = query(databaseFile, "SELECT * FROM letters");
  assert.deepEqual(
    emails.map(({ reference, status }) => [reference, status]),
    inbox.map(({ reference }) => [reference, "pending"]),
  );
  for (const time of [
    ...inbox.map((row) => row.received_at),
    ...received.map((row) => row.received_at),
    ...emails.flatMap((row) => [row.written_at, row.next_attempt_at]),
  ]) {
    assert.match(String(time), isTime);
  }
});

test("the file and its logs are their owner's alone, and say in the header what they are", async (t) => {
  const { url, databaseFile } = await startServer(t);
  assert.equal((await postJson(url, "/api/contact", contactTyped)).status, 201);
  const files = readdirSync(path.dirname(databaseFile)).filter((name) =>
    /\.db(-wal|-shm)?$/.test(name),
  );
  assert.equal(files.length, 3);
  for (const name of files) {
    assert.equal(statSync(path.join(path.dirname(databaseFile), name)).mode & 0o777, 0o600, name);
  }
  const header = readFileSync(databaseFile).subarray(0, 100);
  assert.equal(header.toString("latin1", 68, 72), "Rubr", "application_id");
  const migrations = readdirSync(path.join(root, "db/sqlite/migrations")).filter((name) =>
    name.endsWith(".sql"),
  );
  assert.equal(header.readUInt32BE(60), migrations.length, "user_version");
});

test("an administrator who reads for long holds no visitor up, and the log shrinks afterwards", async (t) => {
  const { url, databaseFile } = await startServer(t);
  assert.equal((await postJson(url, "/api/contact", contactTyped)).status, 201);
  const reader = new Sqlite(databaseFile, { readonly: true });
  atEnd(t, () => reader.close());
  reader.exec("BEGIN");
  const count = () => reader.prepare("SELECT count(*) FROM inbox").pluck().get();
  assert.equal(count(), 1);

  const slowest = { ms: 0 };
  for (let round = 0; round < 4; round += 1) {
    const files = [...threeFiles(), ...largeFiles(15)];
    assert.equal((await uploadByApi(url, uploadForm(files))).status, 201);
    const begun = performance.now();
    const typed = { ...contactTyped, message: `Message number ${round}` };
    assert.equal((await postJson(url, "/api/contact", typed)).status, 201);
    slowest.ms = Math.max(slowest.ms, performance.now() - begun);
  }
  assert.ok(slowest.ms < 1000, `a form took ${slowest.ms} ms`);
  assert.equal(count(), 1, "the reader still sees what was there when it began");
  const log = `${databaseFile}-wal`;
  const grown = statSync(log).size;
  assert.ok(grown > 120_000_000, `the log has ${grown} bytes`);

  reader.exec("COMMIT");
  assert.equal(count(), 9);
  await until(() => statSync(log).size === 0);
  t.diagnostic(
    `a form beside the reader: ${Math.round(slowest.ms)} ms at most; log ${grown} bytes, then none`,
  );
});

/** Enough for a log that is worth taking over. */
const manyFiles = () => [...threeFiles(), ...largeFiles(45)];

for (const place of [".native", "a temp folder"]) {
  test(`a long log is taken over into the file while nobody sends, and its room given back, with SQLite loaded from ${place}`, async (t) => {
    const [folder, temp] = [newFolder(t), newFolder(t)];
    if (place !== ".native") {
      mkdirSync(path.join(folder, "data"), { mode: 0o700 });
      writeFileSync(path.join(folder, "data/.native"), "");
    }
    const { url, databaseFile, stop } = await startServer(t, { folder, env: { TMPDIR: temp } });
    assert.equal((await uploadByApi(url, uploadForm(manyFiles()))).status, 201);
    const log = `${databaseFile}-wal`;
    assert.ok(statSync(log).size > 67_108_864);
    await until(() => statSync(log).size === 0);
    assert.ok(statSync(databaseFile).size > 67_108_864);
    assert.equal((await uploadByApi(url, uploadForm(manyFiles()))).status, 201);
    assert.equal(await stop(), 0);
    assert.ok(!existsSync(log));
    assert.deepEqual(readdirSync(temp), []);
    const db = new Sqlite(databaseFile, { readonly: true });
    atEnd(t, () => db.close());
    assert.equal(db.pragma("integrity_check", { simple: true }), "ok");
  });
}

test("what is forgotten while the log is being taken over leaves the log all the same", async (t) => {
  const server = await startServer(t);
  const secret = `What only one message says: ${randomUUID()}`;
  await postJson(server.url, "/api/contact", { ...contactTyped, message: secret });
  const log = `${server.databaseFile}-wal`;
  const isInWal = () => existsSync(log) && readFileSync(log).includes(secret);
  assert.ok(isInWal());
  const other = new Sqlite(server.databaseFile);
  atEnd(t, () => other.close());
  other.exec("UPDATE contact_requests SET created_at = '2026-01-01T00:00:00.000Z'");
  await server.stop();
  const reader = new Sqlite(server.databaseFile, { readonly: true });
  atEnd(t, () => reader.close());
  reader.exec("BEGIN");
  assert.equal(reader.prepare("SELECT count(*) FROM inbox").pluck().get(), 1);
  // It forgets the request at its start, and cannot empty the log before the reader is done.
  await startServer(t, { folder: server.folder });
  assert.equal(query(server.databaseFile, "SELECT 1 FROM contact_requests").length, 0);
  assert.ok(isInWal());
  reader.exec("COMMIT");
  await until(() => !isInWal() && !readFileSync(server.databaseFile).includes(secret));
});
