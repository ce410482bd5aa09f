import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { listCopies } from "../db/sqlite/backup-folder.ts";
import { contactTyped, postJson } from "./support/forms.ts";
import { withFreeSpace } from "./support/free-space.ts";
import { installation } from "./support/installation.ts";
import { newFolder, query, type Server, startServer, until } from "./support/server.ts";
import { largeFiles, sha256, uploadByApi, uploadForm } from "./support/upload.ts";

const ancient = "rubricon-2020-01-01T00-00-00Z.db";
const older = "rubricon-2019-01-01T00-00-00Z.db";
const unfinished = "rubricon-2019-06-01T00-00-00Z.db.unfinished";

const folderOf = ({ folder }: { folder: string }) => path.join(folder, "data/backups");

const installationWithUpload = installation(async ({ url }) => {
  assert.equal((await uploadByApi(url, uploadForm())).status, 201);
});

/** Starts a server with these backups in place of any that it made; by default with one so old that another is due. */
async function startWithBackups(
  t: TestContext,
  stopped: { folder: string },
  old: string[] = [ancient],
  env: Record<string, string> = {},
) {
  mkdirSync(folderOf(stopped), { recursive: true });
  const made = madeBackup(stopped);
  if (made) for (const file of [made, `${made}.sha256`]) rmSync(file, { force: true });
  for (const name of old) writeFileSync(path.join(folderOf(stopped), name), "old");
  const { folder } = stopped;
  return startServer(t, { folder, env: { RUBRICON_BACKUPS_KEPT: "2", ...env } });
}

/** The path of the first backup whose name is not of 2020: the one that a server made. */
const madeBackup = (one: { folder: string }) => {
  const made = readdirSync(folderOf(one)).filter((name) => /^rubricon-2(?!020).*Z\.db$/.test(name));
  return made[0] && path.join(folderOf(one), made[0]);
};

/** Asserts that the backup is intact and every file matches its digest. Returns the number of requests. */
function assertIntact(backupFile: string): number {
  assert.deepEqual(query(backupFile, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
  const files = query<{ sha256: string; bytes: Buffer }>(
    backupFile,
    "SELECT sha256, bytes FROM uploaded_files LEFT JOIN uploaded_file_bytes ON file_id = id",
  );
  for (const file of files) assert.equal(sha256(file.bytes), file.sha256);
  return query(backupFile, "SELECT 1 FROM inbox").length;
}

test("a new database is not backed up at a start before a backup is due", async (t) => {
  const { folder } = await installationWithUpload(t);
  const restarted = await startServer(t, { folder });
  await restarted.stop();
  assert.ok(!existsSync(folderOf(restarted)));
});

test("a backup that is due replaces the oldest and the unfinished ones, not what a command writes", async (t) => {
  const first = await installationWithUpload(t);
  const manual = "by-hand.db.1234.unfinished";
  const old = [ancient, older, `${older}.sha256`, unfinished, manual];
  const server = await startWithBackups(t, first, old);
  await until(() => server.log().includes("a backup with 1 request and 3 files was made"));
  const made = madeBackup(server)!;
  const name = path.basename(made);
  assert.deepEqual(readdirSync(folderOf(server)), [manual, ancient, name, `${name}.sha256`]);
  assert.equal(statSync(made).mode & 0o777, 0o600);
  assert.equal(assertIntact(made), 1);
});

test("a restart soon after a backup begins no other", async (t) => {
  const stopped = await installationWithUpload(t);
  const made = `rubricon-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}Z.db`;
  const server = await startWithBackups(t, stopped, [ancient, made, unfinished]);
  assert.equal(await server.stop(), 0);
  // A backup deletes the unfinished ones when it begins.
  assert.deepEqual(readdirSync(folderOf(server)), [unfinished, ancient, made]);
});

test("backups that a wrong clock has dated years ahead neither replace the due one nor outlast it", async (t) => {
  const first = await installationWithUpload(t);
  const ahead = ["rubricon-2098-01-01T00-00-00Z.db", "rubricon-2099-01-01T00-00-00Z.db"];
  const server = await startWithBackups(t, first, [ancient, ...ahead]);
  await until(() => server.log().includes("a backup with 1 request "));
  const [kept, due, ...others] = readdirSync(folderOf(server)).filter((name) =>
    name.endsWith(".db"),
  );
  assert.deepEqual([kept, others], [ancient, []]);
  assert.match(due!, /^rubricon-20[2-8]\d-/, "the due backup has the time at which it was made");
});

test("a backup that a wrong clock has dated ahead costs no database that a restore set aside", async (t) => {
  const first = await installationWithUpload(t);
  const setAside = path.join(first.folder, "data/rubricon-before-restore-2026-10-01T00-00-00Z.db");
  writeFileSync(setAside, "set aside");
  const copies = [ancient, "rubricon-2098-01-01T00-00-00Z.db"];
  const server = await startWithBackups(t, first, copies, { RUBRICON_BACKUPS_KEPT: "3" });
  await until(() => server.log().includes("a backup with 1 request "));
  await server.stop();
  assert.ok(existsSync(setAside));
});

test("a backup that a wrong clock has dated ahead is listed as the next to be deleted", (t) => {
  const folder = newFolder(t);
  const nameOf = (day: string) => `rubricon-${day}T00-00-00Z.db`;
  const days = ["2099-01-01", "2026-11-02", "2026-11-01"];
  for (const day of days) writeFileSync(path.join(folder, nameOf(day)), "");
  const schedule = { folder, keepCount: 3, intervalMs: 24 * 60 * 60 * 1000 };
  const file = path.join(newFolder(t), "rubricon.db");
  const copies = listCopies(file, schedule, new Date("2026-11-02T12:00:00Z"));
  assert.deepEqual(
    copies.map((copy) => [path.basename(copy.file), copy.expiresAt?.toISOString().slice(0, 10)]),
    [
      [nameOf("2099-01-01"), "2026-11-03"],
      [nameOf("2026-11-02"), "2026-11-05"],
      [nameOf("2026-11-01"), "2026-11-04"],
    ],
  );
});

test("a symbolic link to a file that is gone is no copy", (t) => {
  const folder = newFolder(t);
  symlinkSync(path.join(folder, "gone.db"), path.join(folder, "x.db"));
  const schedule = { folder, keepCount: 3, intervalMs: 24 * 60 * 60 * 1000 };
  assert.deepEqual(listCopies(path.join(folder, "rubricon.db"), schedule, new Date()), []);
});

test("a backup does not release the server's locks, so that no other program resets its WAL", async (t) => {
  const server = await installationWithUpload(t);
  const started = await startWithBackups(t, server);
  // The backup has closed its connection by then, which is what could release the locks.
  await until(() => started.log().includes("a backup with 1 request "));
  const { ino } = statSync(server.databaseFile);
  const serverLock = new RegExp(` READ +${started.process.pid} .*:${ino} `);
  // The kernel's list may miss a lock while other processes lock and unlock, so it is read again.
  await until(() => serverLock.test(readFileSync("/proc/locks", "utf8")));
});

/** An installation whose request has 96 MB of further files. */
const largeInstallation = installation(async ({ url, change }) => {
  assert.equal((await uploadByApi(url, uploadForm())).status, 201);
  const { name, bytes } = largeFiles(1)[0]!;
  await change(
    `WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 48)
      INSERT INTO uploaded_files (field, name, media_type, size, sha256, created_at, contact_request_id)
        SELECT 'submissionFiles', '${name}', 'application/pdf', ${bytes.length}, '${sha256(bytes)}', created_at, id
        FROM n, contact_requests;
    INSERT INTO uploaded_file_bytes SELECT id, x'${bytes.toString("hex")}' FROM uploaded_files WHERE name = '${name}'`,
  );
});

/** Sends a form and an upload in turn until a backup is made. */
async function sendDuringBackup(server: Server) {
  let slowestMs = 0;
  let sent = 0;
  while (!madeBackup(server)) {
    const start = performance.now();
    const typed = { ...contactTyped, message: `Number ${sent} at ${start}` };
    assert.equal((await postJson(server.url, "/api/contact", typed)).status, 201);
    assert.equal((await uploadByApi(server.url, uploadForm())).status, 201);
    slowestMs = Math.max(slowestMs, performance.now() - start);
    sent += 1;
  }
  const [, seconds] = await until(() => /made in (\S+) s/.exec(server.log()));
  return { sent, slowestMs, backupMs: Number(seconds) * 1000 };
}

test("a backup that is made while visitors post contains whole requests", async (t) => {
  const stopped = await largeInstallation(t);
  let sent: number;
  do {
    const server = await startWithBackups(t, stopped);
    ({ sent } = await sendDuringBackup(server));
    await server.stop();
    // The backup may have been made before the first form came; then it is tried again.
  } while (sent === 0);
  const made = madeBackup(stopped)!;
  assertIntact(made);
  assert.deepEqual(query(made, "PRAGMA foreign_key_check"), []);
  const uploads = query<{ files: number }>(
    made,
    `SELECT (SELECT count(*) FROM uploaded_files WHERE contact_request_id = contact_requests.id) AS files
      FROM contact_requests WHERE form = 'demo-upload' ORDER BY id`,
  ).map(({ files }) => files);
  assert.deepEqual(uploads, [3 + 48, ...uploads.slice(1).fill(3)]);
});

test("no visitor waits for half as long as a backup takes", async (t) => {
  const stopped = await largeInstallation(t);
  // A busy machine may stall once; a fault of the program would make visitors wait in each attempt.
  for (let attempt = 1; ; attempt += 1) {
    const server = await startWithBackups(t, stopped);
    const measured = await sendDuringBackup(server);
    t.diagnostic(JSON.stringify(measured));
    if (measured.sent >= 3 && measured.slowestMs < measured.backupMs / 2) return;
    await server.stop();
    assert.ok(attempt < 3, JSON.stringify(measured));
  }
});

/** One more than are kept, so that every backup which is made would replace the first. */
const tooMany = ["rubricon-2018-01-01T00-00-00Z.db", older, ancient];

test("a backup of a damaged file fails without replacing an old one or ending the server", async (t) => {
  const first = await installationWithUpload(t);
  first.change("UPDATE uploaded_file_bytes SET bytes = x'00' WHERE file_id = 2");
  const server = await startWithBackups(t, first, tooMany);
  await until(() => /error backup failed; .*file 2 does not match its checksum/.test(server.log()));
  assert.deepEqual(readdirSync(folderOf(server)), tooMany);
  assert.equal((await fetch(server.url)).status, 200);
});

test("without enough disk space no backup is made, and no old one is deleted", async (t) => {
  const first = await installationWithUpload(t);
  const env = withFreeSpace(t, 100);
  const server = await startWithBackups(t, first, tooMany, env);
  await until(() => /error backup failed; .*there is not enough disk space/.test(server.log()));
  assert.deepEqual(readdirSync(folderOf(server)), tooMany);
});

test("SIGTERM during a backup: the server exits with 0 and leaves nothing under a backup's name", async (t) => {
  const stopped = await largeInstallation(t);
  const isUnfinished = (name: string) => name.endsWith(".unfinished");
  const isBegun = () =>
    readdirSync(folderOf(stopped)).some(isUnfinished) || madeBackup(stopped) !== undefined;
  let server: Server;
  do {
    server = await startWithBackups(t, stopped);
    await until(isBegun);
    assert.equal(await server.stop(), 0);
    // The backup may have been made before the signal came; then it is tried again.
  } while (/ was made in .* SIGTERM/s.test(server.log()));
  const left = readdirSync(folderOf(server)).filter((name) => !isUnfinished(name));
  assert.deepEqual(left, [ancient]);
  assert.doesNotMatch(server.log(), /error/);
});
