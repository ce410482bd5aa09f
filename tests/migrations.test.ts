import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import type * as openModule from "../db/sqlite/open.ts";
import type * as versionModule from "../db/sqlite/schema-version.ts";
import { atEnd } from "./support/at-end.ts";
import { latestSchemaVersion, makeOldDatabase } from "./support/database.ts";
import { newFolder, query, runCommand, startServer } from "./support/server.ts";
import { loadSource } from "./support/source.ts";

const now = new Date().toISOString();
const soon = new Date(Date.now() + 30 * 60_000).toISOString();

const insertRequest = `INSERT INTO contact_requests (name, email, phone, message, created_at, reference)
  VALUES ('Thandi Example', 'thandi@school.example', '+27', 'Hello', '${now}', 'ABCD-EFGH-JKMN')`;

test("a file with an older schema is copied, then migrated with all its data", async (t) => {
  const schemaVersion = 7;
  const folder = newFolder(t);
  const file = path.join(folder, "data/rubricon.db");
  makeOldDatabase(file, schemaVersion).exec(insertRequest).close();

  const before = await runCommand(folder, ["migrate", "status", "--json"]);
  const { pending, ...state } = JSON.parse(before.out);
  assert.deepEqual(state, { file, schemaVersion, currentSchemaVersion: latestSchemaVersion });
  assert.equal(pending.length, latestSchemaVersion - schemaVersion);
  const early = await runCommand(folder, ["requests", "list"]);
  assert.equal(early.code, 78);
  assert.match(
    early.err,
    new RegExp(`has an older schema \\(version 7, this program's is ${latestSchemaVersion}\\)`),
  );

  const server = await startServer(t, { folder });
  assert.deepEqual(query(file, "SELECT reference, email FROM inbox"), [
    { reference: "ABCD-EFGH-JKMN", email: "thandi@school.example" },
  ]);
  const [name, ...others] = readdirSync(path.join(folder, "data/backups"));
  assert.deepEqual(others, []);
  assert.match(
    name!,
    new RegExp(`^rubricon-before-schema-${latestSchemaVersion}-\\d{4}-.*Z\\.db$`),
  );
  const copy = path.join("data/backups", name!);
  const verified = await runCommand(folder, ["backup", "verify", copy, "--json"]);
  assert.equal(JSON.parse(verified.out).requests, 1);
  const status = await runCommand(folder, ["migrate", "status"]);
  assert.match(status.out, new RegExp(`File: +schema version ${latestSchemaVersion} `));
  assert.match(status.err, /up to date/);

  await server.stop();
  const restored = await runCommand(folder, ["restore", copy, "--yes"]);
  assert.equal(restored.code, 0, restored.err);
  assert.match(
    restored.err,
    /The backup has an older schema; the server migrates it at its next start\./,
  );
  assert.deepEqual(query(file, "PRAGMA user_version"), [{ user_version: schemaVersion }]);
  const again = await startServer(t, { folder });
  await again.stop();
  assert.deepEqual(query(file, "PRAGMA user_version"), [{ user_version: latestSchemaVersion }]);
});

test("the step to version 8 keeps the ids of emails, and gives each its kind and status", async (t) => {
  const folder = newFolder(t);
  const file = path.join(folder, "data/rubricon.db");
  const old = makeOldDatabase(file, 7);
  old.exec(insertRequest);
  old.exec(`INSERT INTO assessments (id, title, created_at) VALUES (1, 'Test', '${now}');
    INSERT INTO result_links (id, assessment_id, token_hash, created_at, expires_at)
    VALUES (4, 1, 'hash', '${now}', '${now}')`);
  const insertEmail = old.prepare(
    `INSERT INTO outbox (id, reference, recipient, status, last_error, result_link_id, attempts,
       message_id, subject, body, reply_to, next_attempt_at, created_at)
     VALUES (?, ?, ?, ?, ?, ?, 3, hex(randomblob(8)), '', 'Body', 'reply@school.example',
       '${soon}', '${now}')`,
  );
  const request = "ABCD-EFGH-JKMN";
  const educator = "thandi@school.example";
  insertEmail.run(2, request, null, "pending", "451 try again", null);
  insertEmail.run(3, "spam 2026-11-20", null, "sent", null, null);
  insertEmail.run(5, request, educator, "failed", "550 unknown", 4);
  insertEmail.run(6, request, null, "failed", "discarded", null);
  insertEmail.run(7, request, educator, "on hold", null, null);
  insertEmail.run(9, request, null, "sent", null, null);
  old.exec("UPDATE outbox SET message_id = 'message-' || id, subject = 'Subject ' || id");
  old.exec("DELETE FROM outbox WHERE id = 9");
  old.close();

  const server = await startServer(t, { folder });
  await server.stop();
  assert.deepEqual(
    query(
      file,
      `SELECT id, kind, reference, report_day, status, last_error, recipient, result_link_id
         FROM outbox ORDER BY id`,
    ).map((row) => Object.values(row)),
    [
      [2, "request", request, null, "pending", "451 try again", null, null],
      [3, "spam report", null, "2026-11-20", "sent", null, null, null],
      [5, "results", request, null, "failed", "550 unknown", educator, 4],
      [6, "request", request, null, "discarded", "discarded", null, null],
      [7, "results", request, null, "on hold", null, educator, null],
    ],
  );
  const others = "DISTINCT attempts, body, reply_to, next_attempt_at, created_at";
  assert.deepEqual(query(file, `SELECT ${others} FROM outbox`), [
    {
      attempts: 3,
      body: "Body",
      reply_to: "reply@school.example",
      next_attempt_at: soon,
      created_at: now,
    },
  ]);
  const sameId = "message_id = 'message-' || id AND subject = 'Subject ' || id";
  assert.deepEqual(query(file, `SELECT id FROM outbox WHERE NOT (${sameId})`), []);
  assert.deepEqual(query(file, "SELECT seq FROM sqlite_sequence WHERE name = 'outbox'"), [
    { seq: 9 },
  ]);
  assert.deepEqual(query(file, "SELECT kind, report_day FROM emails WHERE reference IS NULL"), [
    { kind: "spam report", report_day: "2026-11-20" },
  ]);
  assert.deepEqual(query(file, "PRAGMA foreign_key_check"), []);
  assert.deepEqual(query(file, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
});

test("of requests with the same fingerprint, the newest keeps it when a file is migrated", async (t) => {
  const folder = newFolder(t);
  const file = path.join(folder, "data/rubricon.db");
  const old = makeOldDatabase(file, 12);
  const insert = old.prepare(
    `INSERT INTO contact_requests (name, email, message, created_at, reference, fingerprint)
      VALUES ('Thandi', 'thandi@school.example', 'Hello', '${now}', ?, ?)`,
  );
  const requests = [
    ["a", "x"],
    ["b", "y"],
    ["c", "x"],
    ["d", null],
    ["e", null],
  ];
  for (const request of requests) insert.run(...request);
  old.close();
  await startServer(t, { folder });
  assert.deepEqual(
    query(file, "SELECT reference, fingerprint FROM contact_requests ORDER BY id").map((row) =>
      Object.values(row),
    ),
    [
      ["a", null],
      ["b", "y"],
      ["c", "x"],
      ["d", null],
      ["e", null],
    ],
  );
});

test("a migration that fails leaves the file byte for byte as it was, and leaves no copies", async (t) => {
  const folder = newFolder(t);
  const file = path.join(folder, "data/rubricon.db");
  const old = makeOldDatabase(file, 7);
  old.exec(insertRequest);
  old.close();
  const bytes = readFileSync(file);
  const backups = path.join(folder, "data/backups");
  const { migrations } = await loadSource<typeof versionModule>("/db/sqlite/schema-version.ts");
  const { openDatabase } = await loadSource<typeof openModule>("/db/sqlite/open.ts");
  migrations.push({ name: "a_faulty_one", statements: "CREATE TABLE outbox (id integer)" });
  atEnd(t, () => migrations.pop());
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await assert.rejects(
      openDatabase(file, backups),
      /rubricon\.db could not be migrated from schema version 7 to \d+: table \S+ already exists\. It was not changed\.$/,
    );
    assert.ok(readFileSync(file).equals(bytes));
    assert.deepEqual(readdirSync(backups), []);
  }
  assert.ok(!existsSync(`${file}-wal`));
});

test("a file that is restored and migrated again at once keeps both copies", async (t) => {
  const folder = newFolder(t);
  const file = path.join(folder, "rubricon.db");
  const backups = path.join(folder, "backups");
  makeOldDatabase(file, 7).close();
  mkdirSync(backups);
  const taken = Array.from({ length: 60 }, (_, second) => {
    const time = new Date(Date.now() + second * 1000).toISOString().replace(/\.\d+Z$/, "Z");
    return `rubricon-before-schema-${latestSchemaVersion}-${time.replaceAll(":", "-")}.db`;
  });
  for (const name of taken) writeFileSync(path.join(backups, name), "");
  const { openDatabase } = await loadSource<typeof openModule>("/db/sqlite/open.ts");
  (await openDatabase(file, backups)).close();
  const copies = readdirSync(backups).filter((name) => !taken.includes(name));
  assert.equal(copies.length, 1);
});

test("a file with a table of another origin is not migrated, nor changed", async (t) => {
  const folder = newFolder(t);
  const file = path.join(folder, "data/rubricon.db");
  const old = makeOldDatabase(file, 7);
  old.exec("CREATE TABLE notes (mine text)").close();
  const bytes = readFileSync(file);
  const { code, err } = await runCommand(folder, [], { PORT: "0" });
  assert.equal(code, 78);
  assert.match(err, /the table "notes", which this program has not created\. It was not changed\./);
  assert.ok(readFileSync(file).equals(bytes));
  assert.ok(!existsSync(path.join(folder, "data/backups")));
});

test("a file of a development build is rejected in one sentence and not changed", async (t) => {
  for (const version of [1, 3, 6]) {
    const folder = newFolder(t);
    const file = path.join(folder, "data/rubricon.db");
    const old = makeOldDatabase(file, 7);
    old.exec(insertRequest);
    old.pragma(`user_version = ${version}`);
    old.close();
    const bytes = readFileSync(file);
    for (const args of [["serve"], ["requests", "list"], ["migrate", "status"]]) {
      const { code, out, err } = await runCommand(folder, args, { PORT: "0" });
      assert.deepEqual([code, out], [78, ""], `${args}, version ${version}: ${err}`);
      assert.match(
        err,
        /^rubricon: \S+rubricon\.db was written by a development build before the first release \(schema version \d\), which this program cannot migrate\. It was not changed\.\n$/,
      );
      assert.ok(err.includes(`schema version ${version})`));
      assert.ok(readFileSync(file).equals(bytes));
      const names = readdirSync(path.dirname(file)).filter((name) => name !== ".native");
      assert.deepEqual(names, ["rubricon.db"]);
    }
  }
});

test("migrate status exits with 78 if the file is missing or not this program's", async (t) => {
  const folder = newFolder(t);
  const missing = await runCommand(folder, ["migrate", "status"]);
  assert.equal(missing.code, 78);
  assert.match(missing.err, /^rubricon: There is no \S+rubricon\.db\.\n$/);
  mkdirSync(path.join(folder, "data"), { recursive: true });
  const file = path.join(folder, "data/rubricon.db");
  new Sqlite(file).exec("CREATE TABLE notes (text)").close();
  const bytes = readFileSync(file);
  const foreign = await runCommand(folder, ["migrate", "status"]);
  assert.equal(foreign.code, 78);
  assert.match(foreign.err, /^rubricon: \S+rubricon\.db is not a database of this program\. /);
  assert.ok(readFileSync(file).equals(bytes));
});
