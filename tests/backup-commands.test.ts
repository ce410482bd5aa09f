import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import Sqlite from "better-sqlite3";
import { atEnd } from "./support/at-end.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { makeOldDatabase } from "./support/database.ts";
import { contactTyped, postJson } from "./support/forms.ts";
import { installation } from "./support/installation.ts";
import { succeeded } from "./support/output-of.ts";
import { executable, newFolder, query, runCommand, startServer } from "./support/server.ts";
import { sha256, threeFiles, uploadByApi, uploadForm } from "./support/upload.ts";

runCommandsHere();

const files = threeFiles();

/** An installation with a backup and a message that the backup lacks. Its server was killed, which leaves a WAL behind. */
const killed = installation(async ({ url, folder }) => {
  assert.equal((await uploadByApi(url, uploadForm(files))).status, 201);
  const made = await succeeded(runCommand(folder, ["backup", "copy.db"]));
  assert.equal(made.out, "copy.db  sound  1 request  3 files  every byte matches the checksum\n");
  assert.equal((await postJson(url, "/api/contact", contactTyped)).status, 201);
}, "SIGKILL");

async function withBackup(t: TestContext) {
  const { folder, databaseFile } = await killed(t);
  const run = (...args: string[]) => runCommand(folder, args);
  return { folder, databaseFile, run, copy: path.join(folder, "copy.db") };
}

const forms = (file: string) =>
  query<{ form: string }>(file, "SELECT form FROM inbox ORDER BY received_at").map(
    ({ form }) => form,
  );

test("a backup of a running server is private and has each file, byte for byte", async (t) => {
  const { copy } = await withBackup(t);
  assert.equal(statSync(copy).mode & 0o777, 0o600);
  const stored = query<{ bytes: Buffer }>(copy, "SELECT bytes FROM uploaded_file_bytes ORDER BY 1");
  assert.deepEqual(
    stored.map(({ bytes }) => sha256(bytes)).sort(),
    files.map(({ bytes }) => sha256(bytes)).sort(),
  );
});

test("a backup is verified with its size, its requests, its files and its checksum", async (t) => {
  const { run, copy } = await withBackup(t);
  const verified = JSON.parse((await run("backup", "verify", "copy.db", "--json")).out);
  const counts = { requests: 1, files: 3, matchesChecksum: true };
  assert.deepEqual(verified, { file: "copy.db", bytes: statSync(copy).size, ...counts });
});

test("the checksum beside a backup is in the format of sha256sum", async (t) => {
  const { folder } = await withBackup(t);
  const checked = execFileSync("sha256sum", ["-c", "copy.db.sha256"], { cwd: folder });
  assert.match(String(checked), /OK/);
});

test("a backup is written only under a new name, in a folder that exists", async (t) => {
  const { run, copy } = await withBackup(t);
  const before = readFileSync(copy);
  for (const [target, reason] of [
    ["copy.db", /copy\.db already exists; nothing was overwritten/],
    ["data/rubricon.db", /already exists/],
    ["nowhere/copy.db", /nowhere cannot be used: it does not exist/],
  ] as const) {
    const { code, err } = await run("backup", target);
    assert.equal(code, 1, target);
    assert.match(err, reason);
  }
  assert.ok(readFileSync(copy).equals(before));
});

test("a backup that is piped is sound, and neither it nor its verification leaves a file behind", async (t) => {
  const server = await startServer(t);
  assert.equal((await postJson(server.url, "/api/contact", contactTyped)).status, 201);
  const before = readdirSync(path.dirname(server.databaseFile)).sort();
  execFileSync("bash", ["-o", "pipefail", "-c", `${executable} backup - | cat > piped.db`], {
    cwd: server.folder,
  });
  assert.deepEqual(readdirSync(path.dirname(server.databaseFile)).sort(), before);
  const elsewhere = newFolder(t);
  copyFileSync(path.join(server.folder, "piped.db"), path.join(elsewhere, "piped.db"));
  const verified = await runCommand(elsewhere, ["backup", "verify", "piped.db"]);
  assert.match(verified.out, /sound {2}1 request .* without a checksum/, verified.err);
  const json = await runCommand(elsewhere, ["backup", "verify", "piped.db", "--json"]);
  assert.equal(JSON.parse(json.out).matchesChecksum, null);
  assert.deepEqual(readdirSync(elsewhere), ["piped.db"]);
});

test("a backup that is not piped whole is a failure, and leaves no copy behind", async (t) => {
  const { folder, databaseFile } = await startServer(t);
  const names = () => readdirSync(path.dirname(databaseFile)).sort();
  const before = names();
  for (const end of ["reader", "command"]) {
    const child = spawn(executable, ["backup", "-"], { cwd: folder });
    await once(child.stdout, "readable");
    if (end === "reader") child.stdout.destroy();
    else child.kill();
    assert.notEqual((await once(child, "exit"))[0], 0, end);
    assert.deepEqual(names(), before, end);
  }
});

/** Writes files beside a backup that are damaged, or no database that this program may restore. */
function writeUnsound(copy: string): void {
  const whole = readFileSync(copy);
  const pathOf = (name: string) => path.join(path.dirname(copy), name);
  const writeChanged = (name: string, sql: string) => {
    copyFileSync(copy, pathOf(name));
    new Sqlite(pathOf(name)).exec(sql).close();
  };
  const writeFlipped = (name: string, text: string) => {
    const flipped = Buffer.from(whole);
    flipped[whole.indexOf(text)]! ^= 1;
    writeFileSync(pathOf(name), flipped);
  };
  writeFileSync(pathOf("short.db"), whole.subarray(0, whole.length - 16_384));
  writeFileSync(pathOf("torn.db"), whole.subarray(0, 40_000));
  writeFileSync(pathOf("empty.db"), "");
  writeChanged("newer.db", "PRAGMA user_version = 9999");
  writeFlipped("flipped.db", "two marks for the definition");
  writeFlipped("reworded.db", "Thandi Example");
  copyFileSync(`${copy}.sha256`, pathOf("reworded.db.sha256"));
  copyFileSync(copy, pathOf("cut.db"));
  writeFileSync(pathOf("cut.db.sha256"), "");
  writeChanged(
    "trigger.db",
    "CREATE TRIGGER t AFTER INSERT ON outbox BEGIN UPDATE outbox SET recipient = 'a@b.example'; END",
  );
  new Sqlite(pathOf("foreign.db")).exec("CREATE TABLE notes (text)").close();
  makeOldDatabase(pathOf("bare.db"), 0).close();
  const move = (to: string, from: string) =>
    `UPDATE uploaded_file_bytes SET file_id = ${to} WHERE file_id ${from};`;
  const swap = move("-file_id", "< 3") + move("3 + file_id", "< 0");
  writeChanged("swapped.db", `PRAGMA foreign_keys = OFF; ${swap}`);
}

test("verify and restore reject an unsound backup in one sentence", async (t) => {
  const { databaseFile, run, copy } = await withBackup(t);
  writeUnsound(copy);
  const before = readFileSync(databaseFile);
  // A restore verifies as well, so each kind of reason is tried with one command.
  const isRestored = /^(short|foreign|newer|reworded|trigger)\.db$/;
  for (const [name, reason] of [
    ["short.db", /short\.db is damaged: /],
    ["torn.db", /torn\.db is damaged: /],
    ["empty.db", /empty\.db is not a database of this program/],
    ["newer.db", /newer\.db was written by a newer version/],
    ["flipped.db", /flipped\.db is damaged: file 2 does not match its checksum/],
    [
      "reworded.db",
      /reworded\.db is damaged: it does not match its checksum in reworded\.db\.sha256/,
    ],
    ["cut.db", /cut\.db\.sha256 has no SHA-256\. Delete it to go on without a checksum\./],
    ["trigger.db", /trigger\.db has the trigger t, which this program does not create/],
    ["foreign.db", /foreign\.db is not a database of this program/],
    ["bare.db", /bare\.db is damaged: no such table/],
    ["swapped.db", /swapped\.db is damaged: file 1 does not match its checksum/],
    ["missing.db", /There is no missing\.db/],
    ["data", /data is not a file/],
  ] as const) {
    const args = isRestored.test(name) ? ["restore", name, "--yes"] : ["backup", "verify", name];
    const { code, out, err } = await run(...args);
    assert.deepEqual([code, out], [1, ""], `${args}: ${err}`);
    assert.match(err, reason);
    assert.match(err, /^rubricon: [^\n]+\n$/);
  }
  assert.ok(readFileSync(databaseFile).equals(before));
});

test("an error in the content does not stop commands that work on the data", async (t) => {
  const { folder } = await withBackup(t);
  mkdirSync(path.join(folder, "texts"));
  writeFileSync(path.join(folder, "texts/brand.yaml"), "name: [");
  for (const [texts, error] of [
    ["texts", /brand\.yaml/],
    ["gone", /^rubricon: gone: cannot be read: ENOENT$/m],
  ] as const) {
    const run = (...args: string[]) => runCommand(folder, args, { RUBRICON_CONTENT_DIR: texts });
    const { code, err } = await run("serve");
    assert.equal(code, 78, "the content is invalid");
    assert.match(err, error);
    for (const args of [
      ["backup", `${texts}.db`],
      ["migrate", "status"],
      ["restore", "copy.db", "--yes"],
      ["subject", "erase", "unknown@school.example"],
    ]) {
      await succeeded(run(...args));
    }
  }
});

test("a restore that is not confirmed changes nothing", async (t) => {
  const { databaseFile, run } = await withBackup(t);
  const dryRun = await succeeded(run("restore", "copy.db", "--dry-run"));
  assert.match(
    dryRun.out,
    /rubricon\.db will be replaced with copy\.db: 1 request and 3 files \(every byte matches the checksum\)\./,
  );
  const asked = await run("restore", "copy.db");
  assert.equal(asked.code, 2);
  assert.match(asked.err, /add --yes/);
  assert.deepEqual(forms(databaseFile), ["demo-upload", "contact"]);
});

/** An installation whose database was replaced with its backup, and where the old one was set aside. */
async function restoredInstallation(t: TestContext) {
  const installed = await withBackup(t);
  // The WAL of the killed server must not be applied to the restored file.
  assert.ok(statSync(`${installed.databaseFile}-wal`).size > 0);
  const done = await succeeded(installed.run("restore", "copy.db", "--yes", "--json"));
  const { setAside, ...report } = JSON.parse(done.out);
  return { ...installed, setAside, report, err: done.err };
}

test("a restore that was confirmed sets the old database aside, with the content of its WAL", async (t) => {
  const { databaseFile, copy, setAside, report, err } = await restoredInstallation(t);
  assert.partialDeepStrictEqual(report, { restored: true, requests: 1, files: 3 });
  assert.match(setAside, /data\/rubricon-before-restore-\d{4}-\S+Z\.db$/);
  const inData = readdirSync(path.dirname(databaseFile));
  const names = inData.filter((name) => /\.db|restoring/.test(name));
  assert.deepEqual(names.sort(), [path.basename(setAside), "rubricon.db", "rubricon.db-lock"]);
  assert.deepEqual(forms(databaseFile), ["demo-upload"]);
  assert.deepEqual(forms(setAside), ["demo-upload", "contact"]);
  assert.ok(existsSync(copy));
  const again = ["subject erase", "class remove", "results revoke", "marking close"];
  for (const command of [...again, "requests link --close"])
    assert.ok(err.includes(command), command);
});

test("a restored database is private, and its audit has the restore", async (t) => {
  const { databaseFile } = await restoredInstallation(t);
  assert.equal(statSync(databaseFile).mode & 0o777, 0o600);
  const audit = query(databaseFile, "SELECT action FROM audit");
  assert.deepEqual(audit, [{ action: "backup restored" }]);
});

test("a server goes on with a restored database", async (t) => {
  const { folder, databaseFile } = await restoredInstallation(t);
  const server = await startServer(t, { folder });
  assert.equal((await postJson(server.url, "/api/contact", contactTyped)).status, 201);
  await server.stop();
  assert.deepEqual(forms(databaseFile), ["demo-upload", "contact"]);
});

test("a database that was set aside can be restored, also within a second of another restore", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const { databaseFile, run, setAside } = await restoredInstallation(t);
  await succeeded(run("restore", setAside, "--yes"));
  assert.deepEqual(forms(databaseFile), ["demo-upload", "contact"]);
  for (const file of ["copy.db", setAside]) await succeeded(run("restore", file, "--yes"));
});

test("an unreadable database is set aside unchanged, with its WAL", async (t) => {
  const { databaseFile, run } = await withBackup(t);
  const wal = readFileSync(`${databaseFile}-wal`);
  writeFileSync(databaseFile, "This was a database once.");
  const done = await succeeded(run("restore", "copy.db", "--yes", "--json"));
  const { setAside } = JSON.parse(done.out);
  assert.equal(readFileSync(setAside, "utf8"), "This was a database once.");
  assert.ok(readFileSync(`${setAside}-wal`).equals(wal));
  assert.deepEqual(forms(databaseFile), ["demo-upload"]);
});

test("the WAL that was left of a database is set aside, not read with the restored one", async (t) => {
  const { databaseFile, run } = await withBackup(t);
  const wal = readFileSync(`${databaseFile}-wal`);
  rmSync(databaseFile);
  const { out } = await succeeded(run("restore", "copy.db", "--yes", "--json"));
  assert.ok(readFileSync(JSON.parse(out).setAside).equals(wal));
  assert.deepEqual(forms(databaseFile), ["demo-upload"]);
});

test("a restore fails while a server or another program has the database open", async (t) => {
  const { folder, run } = await withBackup(t);
  const server = await startServer(t, { folder });
  for (const flag of ["--yes", "--dry-run"]) {
    const whileServing = await run("restore", "copy.db", flag);
    assert.equal(whileServing.code, 75, flag);
    assert.match(whileServing.err, /A server is using .*rubricon\.db\. Stop it first\./);
  }
  await server.stop();
  const reader = new Sqlite(server.databaseFile);
  atEnd(t, () => reader.close());
  reader.prepare("SELECT count(*) FROM inbox").get();
  const { code, err } = await run("restore", "copy.db", "--yes");
  assert.equal(code, 75);
  assert.match(err, /Another program has \S+rubricon\.db open\. Close it first/);
  assert.deepEqual(forms(server.databaseFile), ["demo-upload", "contact"]);
});

/** A folder with a backup and no database. */
async function folderWithCopy(t: TestContext) {
  const { copy } = await withBackup(t);
  const folder = newFolder(t);
  copyFileSync(copy, path.join(folder, "copy.db"));
  return folder;
}

test("without a database, neither a dry run of a restore nor a copy to PostgreSQL creates one", async (t) => {
  const folder = await folderWithCopy(t);
  await succeeded(runCommand(folder, ["restore", "copy.db", "--dry-run"]));
  const address = "postgres://site@127.0.0.1:1/none";
  const copied = await runCommand(folder, ["database", "copy", "--to", address, "--yes"]);
  assert.match(copied.err, /There is no \S+rubricon\.db\.\n$/);
  assert.deepEqual(readdirSync(folder), ["copy.db"]);
});

test("without a database, a restore creates one that a server uses", async (t) => {
  const folder = await folderWithCopy(t);
  const { out } = await succeeded(runCommand(folder, ["restore", "copy.db", "--yes", "--json"]));
  assert.equal(JSON.parse(out).setAside, null);
  const moved = await startServer(t, { folder });
  assert.deepEqual(forms(moved.databaseFile), ["demo-upload"]);
});
