import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { once } from "../app/server/system/once.ts";
import type * as openModule from "../db/sqlite/open.ts";
import type * as versionModule from "../db/sqlite/schema-version.ts";
import { atEnd, type Scope, wholeFile } from "./support/at-end.ts";
import { column } from "./support/columns.ts";
import {
  baselineVersion,
  insertRequest,
  latestSchemaVersion,
  makeOldDatabase,
} from "./support/database.ts";
import { succeeded } from "./support/output-of.ts";
import { newFolder, query, runCommand, startServer } from "./support/server.ts";
import { loadSource } from "./support/source.ts";

const loadOpen = () => loadSource<typeof openModule>("/db/sqlite/open.ts");
const loadVersions = () => loadSource<typeof versionModule>("/db/sqlite/schema-version.ts");

/** A folder with a file of release 1.0.0 that has a request. */
function oldInstallation(t: Scope) {
  const folder = newFolder(t);
  const file = path.join(folder, "data/rubricon.db");
  makeOldDatabase(file, baselineVersion).exec(insertRequest).close();
  return { folder, file };
}

test("a command names the schema versions of a file that no server has migrated", async (t) => {
  const { folder, file } = oldInstallation(t);
  const before = await runCommand(folder, ["migrate", "status", "--json"]);
  const { pending, ...state } = JSON.parse(before.out);
  const versions = { schemaVersion: baselineVersion, currentSchemaVersion: latestSchemaVersion };
  assert.deepEqual(state, { file, ...versions });
  assert.equal(pending.length, latestSchemaVersion - baselineVersion);
  const early = await runCommand(folder, ["requests", "list"]);
  assert.equal(early.code, 78);
  assert.match(
    early.err,
    new RegExp(
      `has an older schema \\(version ${baselineVersion}, this program's is ${latestSchemaVersion}\\)`,
    ),
  );
});

/** An installation of release 1.0.0 that a server has migrated, with the path of the copy that the server made. */
const migrated = once(async () => {
  const { folder, file } = oldInstallation(wholeFile);
  await (await startServer(wholeFile, { folder })).stop();
  const [name, ...others] = readdirSync(path.join(folder, "data/backups"));
  assert.deepEqual(others, [`${name}.sha256`]);
  return { folder, file, copy: path.join("data/backups", name!) };
});

test("a file of release 1.0.0 is migrated with its requests", async () => {
  const { folder, file } = await migrated();
  assert.deepEqual(query(file, "SELECT reference, email FROM inbox"), [
    { reference: "ABCD-EFGH-JKMN", email: "thandi@school.example" },
  ]);
  const status = await runCommand(folder, ["migrate", "status"]);
  assert.match(status.out, new RegExp(`File: +schema version ${latestSchemaVersion} `));
  assert.match(status.err, /up to date/);
});

test("a file is copied before it is migrated", async () => {
  const { folder, copy } = await migrated();
  assert.match(copy, new RegExp(`/rubricon-before-schema-${latestSchemaVersion}-\\d{4}-.*Z\\.db$`));
  const verified = await runCommand(folder, ["backup", "verify", copy, "--json"]);
  assert.equal(JSON.parse(verified.out).requests, 1);
  const version = query(path.join(folder, copy), "PRAGMA user_version");
  assert.deepEqual(version, [{ user_version: baselineVersion }]);
});

test("the copy before a migration can be restored, to be migrated at the next start", async (t) => {
  const { openDatabase } = await loadOpen();
  const { folder, copy } = await migrated();
  const other = newFolder(t);
  const file = path.join(other, "data/rubricon.db");
  const args = ["restore", path.join(folder, copy), "--yes"];
  const restored = await succeeded(runCommand(other, args));
  assert.match(
    restored.err,
    /The backup has an older schema; the server migrates it at its next start\./,
  );
  assert.deepEqual(query(file, "PRAGMA user_version"), [{ user_version: baselineVersion }]);
  openDatabase(file, path.join(other, "backups")).close();
  assert.deepEqual(query(file, "PRAGMA user_version"), [{ user_version: latestSchemaVersion }]);
  assert.deepEqual(query(file, "SELECT reference FROM inbox"), [{ reference: "ABCD-EFGH-JKMN" }]);
});

test("a migration adds a required column only with a default, on both engines", () => {
  for (const engine of ["sqlite", "postgres"]) {
    const folder = path.join(import.meta.dirname, `../db/${engine}/migrations`);
    // 0000 is the baseline, which creates the tables.
    const names = readdirSync(folder).filter((name) => /^(?!0000).*\.sql$/.test(name));
    const statements = names.flatMap((name) =>
      readFileSync(path.join(folder, name), "utf8").split("--> statement-breakpoint"),
    );
    const added = statements.filter((one) => /ALTER TABLE \S+ ADD\b.* NOT NULL/.test(one));
    assert.ok(added.length > 0, engine);
    assert.deepEqual(
      added.filter((one) => !/\bDEFAULT\b/.test(one)),
      [],
      engine,
    );
  }
});

test("a file of every older schema version is migrated with a row in every table", async (t) => {
  const { applyMigrations } = await loadVersions();
  for (let version = baselineVersion; version < latestSchemaVersion; version += 1) {
    const old = makeOldDatabase(path.join(newFolder(t), "old.db"), version);
    const tables = old
      .prepare<[], string>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'",
      )
      .pluck()
      .all();
    old.pragma("foreign_keys = OFF");
    old.pragma("ignore_check_constraints = ON");
    for (const table of tables) {
      const columns = old.pragma(`table_info(${table})`) as { name: string; type: string }[];
      const values = columns.map(({ type }) => (type === "integer" ? "1" : "'1'"));
      old.exec(`INSERT INTO ${table} (${columns.map(({ name }) => name)}) VALUES (${values})`);
    }
    // All rows refer to those with the key 1.
    assert.deepEqual(old.pragma("foreign_key_check"), [], `schema version ${version}`);
    old.pragma("foreign_keys = ON");
    old.transaction(() => applyMigrations(old))();
    for (const table of tables) {
      const rows = old.prepare(`SELECT * FROM ${table}`).all();
      assert.equal(rows.length, 1, `${table} of schema version ${version}`);
    }
    assert.deepEqual(old.pragma("foreign_key_check"), [], `schema version ${version}`);
    old.close();
  }
});

test("a migration that fails leaves the file byte for byte as it was, without copies", async (t) => {
  const { folder, file } = oldInstallation(t);
  const bytes = readFileSync(file);
  const backups = path.join(folder, "data/backups");
  const { migrations } = await loadVersions();
  const { openDatabase } = await loadOpen();
  migrations.push({ name: "a_second_outbox", statements: "CREATE TABLE outbox (id integer)" });
  atEnd(t, () => migrations.pop());
  for (let attempt = 0; attempt < 2; attempt += 1) {
    assert.throws(
      () => openDatabase(file, backups),
      new RegExp(
        `rubricon\\.db could not be migrated from schema version ${baselineVersion} to \\d+: table \\S+ already exists\\. It was not changed\\.$`,
      ),
    );
    assert.ok(readFileSync(file).equals(bytes));
    assert.deepEqual(readdirSync(backups), []);
  }
  assert.ok(!existsSync(`${file}-wal`));
});

test("migrate status exits with 78 if the file is missing", async (t) => {
  const folder = newFolder(t);
  const missing = await runCommand(folder, ["migrate", "status"]);
  assert.equal(missing.code, 78);
  assert.match(missing.err, /^rubricon: There is no \S+rubricon\.db\.\n$/);
});

test("a migration finds the states of answers in the marks", async (t) => {
  const { openDatabase } = await loadOpen();
  const folder = newFolder(t);
  const file = path.join(folder, "rubricon.db");
  const old = makeOldDatabase(file, baselineVersion);
  const decided = { marksAwarded: 5, proposedMarks: null };
  const second = { marks: 3, tolerance: 1 };
  const marksByState = [
    ["p", { marksAwarded: 4 }],
    ["d", decided],
    ["s", { marksAwarded: null, second }],
    ["x", { ...decided, second }],
    ["b", { ...decided, second: { ...second, marks: 4 } }],
    ["b", { ...decided, second: { ...second, isResolved: true } }],
  ] as const;
  old.exec("INSERT INTO assessments (id, title, created_at) VALUES (1, 'Sums', 'now')");
  const add = old.prepare(
    "INSERT INTO submissions (assessment_id, student_name, file_name, question_marks) VALUES (1, 'Anna', 'a.pdf', ?)",
  );
  const marks = JSON.stringify(marksByState.map(([, mark]) => mark));
  for (const stored of [marks, "[]", null]) add.run(stored);
  old.close();
  openDatabase(file, path.join(folder, "backups")).close();
  const states = query(file, "SELECT answer_states FROM submissions ORDER BY id");
  const expected = marksByState.map(([state]) => state).join("");
  assert.deepEqual(column(states, "answer_states"), [expected, "", ""]);
});
