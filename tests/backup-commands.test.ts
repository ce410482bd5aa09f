import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import Sqlite from "better-sqlite3";
import { atEnd } from "./support/at-end.ts";
import { makeOldDatabase } from "./support/database.ts";
import { contactTyped, postJson } from "./support/forms.ts";
import { newFolder, query, runCommand, startServer } from "./support/server.ts";
import { sha256, threeFiles, uploadByApi, uploadForm } from "./support/upload.ts";

/** A stopped server with one upload in it, a backup of that, and a message that came after. */
async function startWithBackup(t: TestContext) {
  const server = await startServer(t);
  const files = threeFiles();
  assert.equal((await uploadByApi(server.url, uploadForm(files))).status, 201);
  const run = (...args: string[]) => runCommand(server.folder, args);
  const made = await run("backup", "copy.db");
  assert.equal(made.code, 0, made.err);
  assert.equal(made.out, "copy.db  sound  1 request  3 files\n");
  assert.equal((await postJson(server.url, "/api/contact", contactTyped)).status, 201);
  return { server, run, files, copy: path.join(server.folder, "copy.db") };
}

const forms = (file: string) =>
  query<{ form: string }>(file, "SELECT form FROM inbox ORDER BY received_at").map(
    ({ form }) => form,
  );

test("a backup is made beside the running server, private, verified, and never over another file", async (t) => {
  const { run, files, copy } = await startWithBackup(t);
  assert.equal(statSync(copy).mode & 0o777, 0o600);
  const stored = query<{ bytes: Buffer }>(copy, "SELECT bytes FROM uploaded_file_bytes ORDER BY 1");
  assert.deepEqual(
    stored.map(({ bytes }) => sha256(bytes)).sort(),
    files.map(({ bytes }) => sha256(bytes)).sort(),
  );
  const sound = JSON.parse((await run("backup", "verify", "copy.db", "--json")).out);
  const { size: bytes } = statSync(copy);
  assert.deepEqual(sound, { file: "copy.db", bytes, requests: 1, files: 3 });
  for (const [target, why] of [
    ["copy.db", /copy\.db is there already; nothing is overwritten/],
    ["data/rubricon.db", /is there already/],
    ["nowhere/copy.db", /There is no folder \S+nowhere/],
  ] as const) {
    const { code, err } = await run("backup", target);
    assert.equal(code, 1);
    assert.match(err, why);
  }
});

test("what is not a sound backup is refused in one sentence by verify and by restore, and nothing is touched", async (t) => {
  const { server, run, copy } = await startWithBackup(t);
  await server.stop();
  const whole = readFileSync(copy);
  const place = (name: string) => path.join(server.folder, name);
  const newer = Buffer.from(whole);
  newer.writeUInt32BE(9999, 60);
  const flipped = Buffer.from(whole);
  flipped[whole.indexOf("two marks for the definition")]! ^= 1;
  writeFileSync(place("short.db"), whole.subarray(0, whole.length - 16_384));
  writeFileSync(place("torn.db"), whole.subarray(0, 40_000));
  writeFileSync(place("empty.db"), "");
  writeFileSync(place("newer.db"), newer);
  writeFileSync(place("flipped.db"), flipped);
  new Sqlite(place("foreign.db")).exec("CREATE TABLE notes (text)").close();
  makeOldDatabase(place("bare.db"), 0).close();
  copyFileSync(copy, place("swapped.db"));
  const swapped = new Sqlite(place("swapped.db"));
  swapped.pragma("foreign_keys = OFF");
  for (const move of ["-file_id WHERE file_id < 3", "3 + file_id WHERE file_id < 0"]) {
    swapped.exec(`UPDATE uploaded_file_bytes SET file_id = ${move}`);
  }
  swapped.close();
  const before = readFileSync(server.databaseFile);

  for (const [name, why] of [
    ["short.db", /short\.db is damaged: /],
    ["torn.db", /torn\.db is damaged: /],
    ["empty.db", /empty\.db is not a database of this program/],
    ["newer.db", /newer\.db was written by a newer version/],
    ["flipped.db", /flipped\.db is damaged: file 2 is not what was uploaded/],
    ["foreign.db", /foreign\.db is not a database of this program/],
    ["bare.db", /bare\.db is damaged: no such table/],
    ["swapped.db", /swapped\.db is damaged: file 1 is not what was uploaded/],
    ["missing.db", /There is no missing\.db/],
    ["data", /data is no file/],
  ] as const) {
    const commands = [["backup", "verify", name]];
    if (["short.db", "foreign.db", "newer.db"].includes(name)) {
      commands.push(["restore", name, "--yes"]);
    }
    for (const args of commands) {
      const { code, out, err } = await run(...args);
      assert.deepEqual([code, out], [1, ""], `${args}: ${err}`);
      assert.match(err, why);
      assert.match(err, /^rubricon: [^\n]+\n$/);
    }
  }
  assert.ok(readFileSync(server.databaseFile).equals(before));
});

test("a fault in the words of the site keeps nobody from the data", async (t) => {
  const { server } = await startWithBackup(t);
  await server.stop();
  mkdirSync(path.join(server.folder, "words"));
  writeFileSync(path.join(server.folder, "words/brand.yaml"), "name: [");
  const run = (...args: string[]) =>
    runCommand(server.folder, args, { RUBRICON_CONTENT_DIR: "words" });
  assert.equal((await run("serve")).code, 78, "the words are wrong");
  for (const args of [
    ["backup", "second.db"],
    ["migrate", "status"],
    ["restore", "copy.db", "--yes"],
    ["subject", "erase", "nobody@school.example"],
  ]) {
    const { code, err } = await run(...args);
    assert.equal(code, 0, err);
  }
});

test("a restore waits for the server to stop, asks first, and keeps the old database", async (t) => {
  const { server, run, copy } = await startWithBackup(t);
  for (const flag of ["--yes", "--dry-run"]) {
    const serving = await run("restore", "copy.db", flag);
    assert.equal(serving.code, 75);
    assert.match(serving.err, /A server works with .*rubricon\.db\. Stop it first\./);
  }
  // Killed, it leaves its log behind, which must not be applied to the restored file.
  await server.stop("SIGKILL");
  assert.ok(statSync(`${server.databaseFile}-wal`).size > 0);

  const dry = await run("restore", "copy.db", "--dry-run");
  assert.equal(dry.code, 0);
  assert.match(dry.out, /will be what copy\.db holds: 1 request and 3 files/);
  const asked = await run("restore", "copy.db");
  assert.equal(asked.code, 2);
  assert.match(asked.err, /add --yes/);
  assert.deepEqual(forms(server.databaseFile), ["demo-upload", "contact"], "nothing was done yet");

  const done = await run("restore", "copy.db", "--yes", "--json");
  assert.equal(done.code, 0, done.err);
  const { kept, ...told } = JSON.parse(done.out);
  assert.deepEqual([told.restored, told.requests, told.files], [true, 1, 3]);
  assert.match(kept, /data\/rubricon-before-restore-\d{4}-\S+Z\.db$/);
  const names = readdirSync(path.dirname(server.databaseFile)).filter((name) =>
    /\.db|restoring/.test(name),
  );
  assert.deepEqual(names.sort(), [path.basename(kept), "rubricon.db", "rubricon.db-lock"]);
  assert.equal(statSync(server.databaseFile).mode & 0o777, 0o600);
  assert.deepEqual(forms(server.databaseFile), ["demo-upload"]);
  assert.deepEqual(forms(kept), ["demo-upload", "contact"], "with what stood in the log");
  assert.ok(existsSync(copy));

  const again = await startServer(t, { folder: server.folder });
  assert.equal((await postJson(again.url, "/api/contact", contactTyped)).status, 201);
  await again.stop();
  const back = await run("restore", path.relative(server.folder, kept), "--yes");
  assert.equal(back.code, 0, back.err);
  assert.deepEqual(forms(server.databaseFile), ["demo-upload", "contact"]);
});

test("a database that cannot be read any more is put aside as it is, log and all", async (t) => {
  const { server, run } = await startWithBackup(t);
  await server.stop("SIGKILL");
  const log = readFileSync(`${server.databaseFile}-wal`);
  writeFileSync(server.databaseFile, "This was a database once.");
  const done = await run("restore", "copy.db", "--yes", "--json");
  assert.equal(done.code, 0, done.err);
  const { kept } = JSON.parse(done.out);
  assert.equal(readFileSync(kept, "utf8"), "This was a database once.");
  assert.ok(readFileSync(`${kept}-wal`).equals(log));
  assert.deepEqual(forms(server.databaseFile), ["demo-upload"]);
});

test("a restore does not pull the file away from under another program", async (t) => {
  const { server, run } = await startWithBackup(t);
  await server.stop();
  const reader = new Sqlite(server.databaseFile);
  atEnd(t, () => reader.close());
  reader.prepare("SELECT count(*) FROM inbox").get();
  const { code, err } = await run("restore", "copy.db", "--yes");
  assert.equal(code, 75);
  assert.match(err, /Another program has \S+rubricon\.db open\. Close it first/);
  assert.deepEqual(forms(server.databaseFile), ["demo-upload", "contact"]);
});

test("on a machine without a database a backup becomes one", async (t) => {
  const { server } = await startWithBackup(t);
  const folder = newFolder(t);
  copyFileSync(path.join(server.folder, "copy.db"), path.join(folder, "copy.db"));
  const { code, out } = await runCommand(folder, ["restore", "copy.db", "--yes", "--json"]);
  assert.equal(code, 0);
  assert.equal(JSON.parse(out).kept, null);
  const moved = await startServer(t, { folder });
  assert.deepEqual(forms(moved.databaseFile), ["demo-upload"]);
});
