/** What erasures leave in the bytes of the SQLite file, its WAL and its backups. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import Sqlite from "better-sqlite3";
import type { LearnerData } from "../app/domain/data-subject.ts";
import { nothingElse } from "../app/domain/decision.ts";
import { exportLearner } from "../app/server/requests/export-learner.ts";
import { once } from "../app/server/system/once.ts";
import type { Store } from "../db/store.ts";
import { type Scope, wholeFile } from "./support/at-end.ts";
import { column } from "./support/columns.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { withStore } from "./support/desk.ts";
import { bytesOf } from "./support/file-bytes.ts";
import { contactTyped, postJson, referenceIn } from "./support/forms.ts";
import { installation } from "./support/installation.ts";
import { succeeded } from "./support/output-of.ts";
import { printed } from "./support/paper.ts";
import { pdfOfPages } from "./support/pdf-bytes.ts";
import { resultsFor, runResults, uploadSubmissions } from "./support/results.ts";
import {
  changeFile,
  copiedFolder,
  executable,
  newFolder,
  query,
  runCommand,
  type Server,
  setUpOnce,
  startServer,
  until,
} from "./support/server.ts";
import { address, assertErased, secrets, storeTwoPeople } from "./support/two-people.ts";

runCommandsHere();

/** The file's server with requests of two people. */
const twoPeople = setUpOnce(async (server) => ({ server, ...(await storeTwoPeople(server)) }));

const killed = installation(storeTwoPeople, "SIGKILL");

/** The folder of a server that was killed after it had stored requests of two people. */
async function killedWithTwoPeople(t: TestContext) {
  const { folder, databaseFile } = await killed(t);
  const server = {
    folder,
    databaseFile,
    query: async <Row = Record<string, unknown>>(sql: string) => query<Row>(databaseFile, sql),
  };
  const run = (...args: string[]) => runCommand(folder, ["subject", ...args]);
  return { server, run };
}

async function assertGone(server: Pick<Server, "databaseFile" | "query">) {
  await assertErased(server, bytesOf(server));
  assert.deepEqual(await server.query("PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
}

for (const [when, prepare] of [
  ["while the server runs", twoPeople],
  ["after the server was killed", killedWithTwoPeople],
] as const) {
  test(`an erasure ${when} leaves no byte of the person`, async (t) => {
    const { server, run } = await prepare(t);
    const before = bytesOf(server);
    for (const secret of secrets) assert.ok(before.includes(secret.toLowerCase()), secret);
    const done = await succeeded(run("erase", address, "--yes", "--json"));
    assert.deepEqual(JSON.parse(done.out).backups, []);
    assert.doesNotMatch(done.err, /not rewritten/);
    await assertGone(server);
  });
}

/** Writes the address into an unused part of a page, where SQLite leaves such copies when it splits a page. */
function leaveStrayCopy({ databaseFile }: Pick<Server, "databaseFile">): void {
  const db = new Sqlite(databaseFile);
  const page = db
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'users'")
    .pluck()
    .get() as number;
  const pageBytes = db.pragma("page_size", { simple: true }) as number;
  db.close();
  const bytes = readFileSync(databaseFile);
  const middle = (page - 1) * pageBytes + pageBytes / 2;
  assert.ok(bytes.subarray(middle, middle + 100).every((byte) => byte === 0));
  bytes.write(address, middle);
  writeFileSync(databaseFile, bytes);
}

const notRewritten =
  /^The file was not rewritten \(--no-vacuum\): .* may still contain parts of what was deleted\. Run the command again without the flag/m;

test("with --no-vacuum each deletion says that the file was not rewritten yet", async (t) => {
  const { server } = await killedWithTwoPeople(t);
  const [upload] = await server.query<{ reference: string }>(
    "SELECT reference FROM inbox WHERE form = 'demo-upload'",
  );
  for (const args of [
    ["requests", "purge", upload!.reference],
    ["subscriptions", "remove", address],
    ["subject", "erase", address],
  ]) {
    // It finds none of an earlier run: each command that is run again rewrites the file, though it deletes nothing.
    leaveStrayCopy(server);
    const { err } = await succeeded(runCommand(server.folder, [...args, "--yes", "--no-vacuum"]));
    assert.match(err, notRewritten, args.join(" "));
    const again = await runCommand(server.folder, [...args, "--yes"]);
    assert.doesNotMatch(again.err, notRewritten);
  }
  const left = column(await server.query("SELECT email FROM inbox"), "email");
  assert.deepEqual(left, [contactTyped.email]);
});

test("an erasure rewrites the file, so that no copy stays in unused parts of pages, unless --no-vacuum", async (t) => {
  const { server, run } = await killedWithTwoPeople(t);
  leaveStrayCopy(server);
  await succeeded(run("erase", address, "--yes", "--no-vacuum"));
  assert.ok(bytesOf(server).includes(address.toLowerCase()));
  const again = await succeeded(run("erase", address, "--yes"));
  assert.doesNotMatch(again.err, notRewritten);
  await assertGone(server);
});

test("while another program reads an old state, the erasure reports that the WAL still contains the person", async () => {
  const { server, run } = await twoPeople();
  const reader = new Sqlite(server.databaseFile, { readonly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM inbox").get();
  const busy = await run("erase", address, "--yes");
  assert.equal(busy.code, 75);
  assert.match(
    busy.err,
    /The rows are deleted, but the write-ahead log still contains them, .* run the command again/,
  );
  reader.close();
  await succeeded(run("erase", address, "--yes"));
  await assertGone(server);
});

test("an erasure lists other requests that mention the address", async () => {
  const { server } = await twoPeople();
  const mention = { ...contactTyped, message: `Please answer ${address.toUpperCase()} too.` };
  const reference = await referenceIn(await postJson(server.url, "/api/contact", mention));
  const done = await succeeded(
    runCommand(server.folder, ["subject", "erase", address, "--yes", "--json"]),
  );
  assert.deepEqual(JSON.parse(done.out).mentionedIn, [reference]);
});

/** A server that was killed, with backups that contain the person but for one, and another that cannot be read. */
async function killedWithBackups(t: TestContext) {
  const { server, run } = await killedWithTwoPeople(t);
  const data = path.dirname(server.databaseFile);
  mkdirSync(path.join(data, "backups"));
  const backup = (name: string) => path.join(data, "backups", name);
  await succeeded(runCommand(server.folder, ["backup", "copy.db"]));
  const copy = path.join(server.folder, "copy.db");
  copyFileSync(copy, backup("rubricon-2026-11-02T03-00-00Z.db"));
  copyFileSync(copy, backup("rubricon-before-schema-8-2026-11-01T03-00-00Z.db"));
  copyFileSync(copy, path.join(data, "rubricon-before-restore-2026-10-01T03-00-00Z.db"));
  copyFileSync(copy, backup("by-hand.db"));
  // Ctrl-C during a backup or a restore leaves such files.
  copyFileSync(copy, backup("by-hand.db.1.unfinished"));
  copyFileSync(copy, path.join(data, "rubricon.restoring"));
  mkdirSync(path.join(data, "printed-backup-1"));
  copyFileSync(copy, path.join(data, "printed-backup-1", "printed.db.1.unfinished"));
  copyFileSync(copy, backup("no-day-2026-13-01T03-00-00Z.db"));
  new Sqlite(backup("rubricon-2026-11-03T03-00-00Z.db")).exec("CREATE TABLE a (b)").close();
  const tables = ["outbox", "contact_requests", "rubric_requests", "subscriptions"];
  changeFile(copy, tables.map((table) => `DELETE FROM ${table};`).join(""));
  copyFileSync(copy, backup("rubricon-2026-11-04T03-00-00Z.db"));
  return { server, run };
}

test("an erasure lists the backups that contain the person, and when each is deleted", async (t) => {
  const { server } = await killedWithBackups(t);
  const env = { RUBRICON_BACKUPS_KEPT: "7", RUBRICON_BACKUP_HOURS: "24" };
  const erase = (...flags: string[]) =>
    runCommand(server.folder, ["subject", "erase", address, ...flags], env);
  const planned = await erase("--dry-run");
  assert.match(planned.out, /-11-02T03-00-00Z\.db {2}deleted after 2026-11-09 05:00:00 \+02:00\n/);
  const { backups } = JSON.parse((await succeeded(erase("--yes", "--json"))).out);
  assert.deepEqual(
    backups.map(({ file, expiresAt, error }: Record<string, string>) => [
      path.basename(file!),
      expiresAt,
      Boolean(error),
    ]),
    [
      ["rubricon-2026-11-03T03-00-00Z.db", "2026-11-10T03:00:00.000Z", true],
      ["rubricon-2026-11-02T03-00-00Z.db", "2026-11-09T03:00:00.000Z", false],
      ["rubricon-before-schema-8-2026-11-01T03-00-00Z.db", "2026-11-08T03:00:00.000Z", false],
      ["rubricon-before-restore-2026-10-01T03-00-00Z.db", "2026-11-07T03:00:00.000Z", false],
      ["by-hand.db", undefined, false],
      ["by-hand.db.1.unfinished", undefined, false],
      ["no-day-2026-13-01T03-00-00Z.db", undefined, false],
      ["rubricon.restoring", undefined, false],
      ["printed.db.1.unfinished", undefined, false],
    ],
  );
});

test("an erasure says how many backups stay where none is deleted on a schedule", async (t) => {
  const { server } = await killedWithBackups(t);
  const env = { RUBRICON_BACKUP_HOURS: "0" };
  const args = ["subject", "erase", address, "--yes"];
  const { out, err } = await runCommand(server.folder, args, env);
  assert.match(err, /^8 backups still contain the person’s data, as listed\.$/m);
  assert.match(err, /^1 backup could not be read, and may contain the person’s data\.$/m);
  assert.match(out, /rubricon-2026-11-02T03-00-00Z\.db {2}not deleted automatically\n/);
});

test("a purge leaves no byte of a request", async () => {
  const { server, reference } = await twoPeople();
  const texts = ["grade 11 zebra", "zigzag", reference.toLowerCase()];
  const left = () => texts.filter((text) => bytesOf(server).includes(text));
  assert.deepEqual(left(), texts);
  await succeeded(runCommand(server.folder, ["requests", "purge", reference, "--yes"]));
  assert.deepEqual(left(), []);
});

test("on a terminal an erasure continues only after yes", async (t) => {
  const { server } = await twoPeople();
  if (spawnSync("script", ["--version"]).error) {
    t.skip("script, which provides a terminal, is not installed");
    return;
  }
  const ask = (reply: string) =>
    spawnSync("script", ["-qec", `${executable} subject erase ${address}`, "/dev/null"], {
      cwd: server.folder,
      input: reply,
      encoding: "utf8",
      timeout: 120_000,
    });
  const no = ask("n\n");
  assert.equal(no.status, 1);
  assert.match(no.stdout, /Continue\? \[y\/N\]/);
  assert.match(no.stdout, /Nothing was done/);
  assert.equal(ask("\u0004").status, 1, "no reply means no");
  assert.equal((await server.query("SELECT 1 FROM inbox")).length, 4);
  const yes = ask("y\n");
  assert.equal(yes.status, 0, yes.stdout);
  await assertGone(server);
});

/** A class of two learners with files, decided marks and comments, also in the drop folder. */
async function startWithTwoLearners(t: Scope) {
  const drop = newFolder(t);
  const env = { RUBRICON_DROP_DIR: drop };
  const server = await startServer(t, { env });
  const names = ["quagga.txt", "ben.txt"];
  const reference = await uploadSubmissions(server, names, {
    bytesOf: (name) =>
      Buffer.from(`The answer of ${name === "quagga.txt" ? "okapi" : "baobab"}. `.repeat(90)),
  });
  const folder = path.join(drop, reference);
  await until(() => existsSync(folder));
  assert.ok(readdirSync(folder).includes("quagga.txt"));
  const results = resultsFor(names);
  // The second import replaces what the first one said.
  for (const feedback of ["Aardwolf.", "Aardvark."]) {
    Object.assign(results.submissions[0]!, { studentName: "Zuri Zebra", feedback });
    await succeeded(runResults(server, ["import", reference], results));
  }
  const command = (...args: string[]) =>
    runCommand(server.folder, ["class", "remove", ...args], env);
  await withStore(server, async (store) => {
    const { assessmentId } = (await store.findMarkingTarget(reference))!;
    const seen = { questionNumber: "1.1", decisionId: 0, marks: 20, importId: 0 };
    const { submissions } = (await store.findImportedResults(assessmentId))!;
    for (const [index, comment] of ["Pangolin!", "Leopard!"].entries()) {
      const { learnerId } = submissions[index]!;
      const decided = {
        learnerId: learnerId!,
        seen,
        given: { ...nothingElse, marks: 19, comment },
      };
      const outcome = await store.decideMark(assessmentId, decided, new Date());
      assert.equal(outcome.outcome, "stored");
    }
  });
  return { server, env, folder, reference, command };
}

/** The class of the tests that change nothing. */
const readTwoLearners = once(() => startWithTwoLearners(wholeFile));

test("class remove --dry-run --export writes only the learner's files and record", async () => {
  const { server, reference, command } = await readTwoLearners();
  const dry = await succeeded(command(reference, "1", "--dry-run", "--export", "zuri"));
  assert.match(dry.err, /To be erased: learner 1, Zuri Zebra: 1 file, 1 decision, .* Nothing was/);
  assert.match(dry.err, /in the drop folder again within a minute/);
  const undropped = ["class", "remove", reference, "1", "--dry-run"];
  const { err } = await succeeded(runCommand(server.folder, undropped));
  assert.doesNotMatch(err, /drop folder/);
  const exported = path.join(server.folder, "zuri");
  assert.deepEqual(readdirSync(exported).sort(), ["learner.json", "quagga.txt"]);
  assert.match(readFileSync(path.join(exported, "quagga.txt"), "utf8"), /okapi/);
  const record = readFileSync(path.join(exported, "learner.json"), "utf8");
  for (const text of ["Zuri Zebra", "Aardvark.", "Aardwolf.", "Pangolin!"])
    assert.ok(record.includes(text), text);
  assert.doesNotMatch(record, /ben\.txt|Leopard/);
});

test("class remove erases nothing without --yes", async () => {
  const { server, reference, command } = await readTwoLearners();
  // As the command would, which gives the learners their files first.
  await withStore(server, async (store) => {
    await store.prepareDesk((await store.findMarkingTarget(reference))!.assessmentId);
  });
  const stored = async () => ({
    decisions: await server.query("SELECT * FROM decisions ORDER BY id"),
    files: await server.query("SELECT * FROM submission_files ORDER BY id"),
  });
  const before = await stored();
  assert.deepEqual([before.decisions.length, before.files.length], [2, 2]);
  await succeeded(command(reference, "1", "--dry-run"));
  assert.deepEqual(await stored(), before);
  const unconfirmed = await command(reference, "1");
  assert.equal(unconfirmed.code, 2, unconfirmed.err);
  assert.deepEqual(await stored(), before);
  assert.ok(bytesOf(server).includes("pangolin"), "nothing was erased");
});

test("class remove names the files whose pages it cannot export, also beside JSON", async (t) => {
  const { server, reference } = await readTwoLearners();
  const folder = copiedFolder(t, server);
  const command = (...args: string[]) => runCommand(folder, ["class", "remove", ...args]);
  // The first command gives the learners their files, which are then the first page of ben.txt: a text has no pages.
  await succeeded(command(reference, "1", "--dry-run"));
  changeFile(
    path.join(folder, "data/rubricon.db"),
    "UPDATE submission_files SET file_id = (SELECT max(file_id) FROM submission_files), last_page = 1",
  );
  for (const args of [[], ["--json"]]) {
    const { err } = await succeeded(
      command(reference, "1", "--dry-run", "--export", `z${args}`, ...args),
    );
    assert.match(err, /^The pages of ben\.txt cannot be copied: add them by hand\.$/m);
  }
});

test("pages of two files whose long names begin alike are exported to a file each", async (t) => {
  const bytes = pdfOfPages([{}]);
  const shared = [1, 2].map((id) => ({ id, name: `${"long ".repeat(50)}${id}.pdf`, pages: [1] }));
  const store = { readFile: async () => bytes } as unknown as Store;
  const data = { ids: {}, replaced: [], files: [], shared } as unknown as LearnerData;
  const { paths } = await exportLearner(store, data, path.join(newFolder(t), "learner"));
  assert.equal(new Set(paths).size, 3);
});

test("class remove exports the last part of a divided PDF to its end, though its pictures are gone", async (t) => {
  const server = await startServer(t);
  const names = ["class.pdf", "ben.pdf"];
  const files = { bytesOf: () => pdfOfPages([{}, {}, {}]), renders: true };
  const reference = await uploadSubmissions(server, names, files);
  await succeeded(runResults(server, ["import", reference], resultsFor(names)));
  const command = (...args: string[]) =>
    runCommand(server.folder, ["class", "remove", reference, "2", "--dry-run", ...args]);
  // The first command gives the learners their files.
  await succeeded(command());
  await server.change(`UPDATE submission_files SET file_id = (SELECT min(file_id) FROM submission_files),
    first_page = id, last_page = iif(id = 1, 1, NULL)`);
  await succeeded(command("--export", "ben"));
  const exported = readdirSync(path.join(server.folder, "ben")).find((name) => /pages/.test(name));
  assert.equal(printed(readFileSync(path.join(server.folder, "ben", exported!)), 10).length, 2);
});

test("class remove leaves no byte of a learner in the database", async (t) => {
  const { server, reference, command } = await startWithTwoLearners(t);
  const own = ["quagga", "okapi", "zuri zebra", "aardvark", "aardwolf", "pangolin"];
  const others = ["ben.txt", "baobab", "learner 2", "leopard"];
  const before = bytesOf(server);
  for (const text of [...own, ...others]) assert.ok(before.includes(text), text);
  const done = await succeeded(command(reference, "1", "--yes"));
  assert.match(done.err, /Erased: learner 1, Zuri Zebra: 1 file/);
  const after = bytesOf(server);
  for (const text of own) assert.ok(!after.includes(text), text);
  for (const text of others) assert.ok(after.includes(text), text);
});

test("class remove takes a learner out of the drop folder when the server starts next", async (t) => {
  const { server, env, folder, reference, command } = await startWithTwoLearners(t);
  await succeeded(command(reference, "1", "--yes"));
  await server.stop();
  await startServer(t, { folder: server.folder, env });
  await until(() => existsSync(folder) && !readdirSync(folder).includes("quagga.txt"));
  const files = readdirSync(folder).filter((name) => !name.startsWith("."));
  assert.deepEqual(files.sort(), ["ben.txt", "questions.pdf", "rubric.txt"]);
  assert.match(readFileSync(path.join(folder, "ben.txt"), "utf8"), /baobab/);
});

test("class remove erases no learner who is not there, and not the last one", async (t) => {
  const { server, reference } = await readTwoLearners();
  const folder = copiedFolder(t, server);
  const remove = (number: string, option = "--yes") =>
    runCommand(folder, ["class", "remove", reference, number, option]);
  const databaseFile = path.join(folder, "data/rubricon.db");
  changeFile(
    databaseFile,
    `INSERT INTO scan_uploads (assessment_id, upload_key, scans, created_at)
      SELECT id, 'key', '[{"name":"class.pdf"}]', created_at FROM assessments`,
  );
  const uncut = await remove("1");
  assert.equal(uncut.code, 1);
  for (const { err } of [uncut, await succeeded(remove("1", "--dry-run"))]) {
    assert.match(err, /are not cut yet and may have the learner’s work: class\.pdf\./);
  }
  changeFile(databaseFile, "DELETE FROM scan_uploads");
  await succeeded(remove("1"));
  leaveStrayCopy({ databaseFile });
  for (const [number, reason] of [
    ["9", /has no learner with the number 9\./],
    ["1", /has no learner with the number 1\./],
    ["2", /requests purge/],
  ] as const) {
    const { code, err } = await remove(number);
    assert.equal(code, 1, number);
    assert.match(err, reason);
  }
  assert.ok(!bytesOf({ databaseFile }).includes(address), "run again, it rewrites the file");
  const left = query(databaseFile, "SELECT student_name FROM submissions");
  assert.deepEqual(column(left, "student_name"), ["Learner 2"]);
});
