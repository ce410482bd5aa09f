import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { latestSchemaVersion, makeOldDatabase } from "./support/database.ts";
import { newFolder, query, runCommand, startServer } from "./support/server.ts";

const insertRequest = `INSERT INTO contact_requests (name, email, phone, message, created_at, reference)
  VALUES ('Thandi Example', 'thandi@school.example', '+27', 'Hello', '${new Date().toISOString()}', 'ABCD-EFGH-JKMN')`;

test("a file of an older layout is copied as it is, then brought up to date with all that is in it", async (t) => {
  const layout = 1;
  const folder = newFolder(t);
  const file = path.join(folder, "data/rubricon.db");
  makeOldDatabase(file, layout).exec(insertRequest).close();

  const before = await runCommand(folder, ["migrate", "status", "--json"]);
  const { pending, ...state } = JSON.parse(before.out);
  assert.deepEqual(state, { file, layout, currentSchemaVersion: latestSchemaVersion });
  assert.equal(pending.length, latestSchemaVersion - layout);
  const early = await runCommand(folder, ["requests", "list"]);
  assert.equal(early.code, 78);
  assert.match(early.err, /has an older layout/);

  const server = await startServer(t, { folder });
  assert.deepEqual(query(file, "SELECT reference, email FROM inbox"), [
    { reference: "ABCD-EFGH-JKMN", email: "thandi@school.example" },
  ]);
  const [copy, ...others] = readdirSync(path.join(folder, "data/backups"));
  assert.deepEqual(others, []);
  assert.match(
    copy!,
    new RegExp(`^rubricon-before-layout-${latestSchemaVersion}-\\d{4}-.*Z\\.db$`),
  );
  const kept = path.join("data/backups", copy!);
  const verified = await runCommand(folder, ["backup", "verify", kept, "--json"]);
  assert.equal(JSON.parse(verified.out).requests, 1);
  const status = await runCommand(folder, ["migrate", "status"]);
  assert.match(status.out, new RegExp(`File: +layout ${latestSchemaVersion} `));
  assert.match(status.err, /up to date/);

  await server.stop();
  const restored = await runCommand(folder, ["restore", kept, "--yes"]);
  assert.equal(restored.code, 0, restored.err);
  assert.match(restored.err, /older layout; the next start brings it up to date/);
  assert.deepEqual(query(file, "PRAGMA user_version"), [{ user_version: layout }]);
  const again = await startServer(t, { folder });
  await again.stop();
  assert.deepEqual(query(file, "PRAGMA user_version"), [{ user_version: latestSchemaVersion }]);
});

test("a migration that fails leaves the file byte for byte as it was, and no copies pile up", async (t) => {
  const folder = newFolder(t);
  const file = path.join(folder, "data/rubricon.db");
  const old = makeOldDatabase(file, 1);
  old.exec(insertRequest);
  // Somebody has made a table of the name that a later migration takes.
  old.exec("CREATE TABLE staging (mine text)").close();
  const bytes = readFileSync(file);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { code, err } = await runCommand(folder, [], { PORT: "0" });
    assert.equal(code, 78);
    assert.match(
      err,
      /rubricon: \S+rubricon\.db could not be brought from layout 1 to \d+: table .staging. already exists\. It is as it was\.\n/,
    );
    assert.ok(readFileSync(file).equals(bytes));
    assert.deepEqual(readdirSync(path.join(folder, "data/backups")), []);
  }
  assert.ok(!existsSync(`${file}-wal`));
});

test("the status of a file that is not there, or not ours, ends with 78", async (t) => {
  const folder = newFolder(t);
  const { code, err } = await runCommand(folder, ["migrate", "status"]);
  assert.equal(code, 78);
  assert.match(err, /^rubricon: There is no \S+rubricon\.db\.\n$/);
});
