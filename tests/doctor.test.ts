import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import type * as checksModule from "../app/server/doctor/installation-checks.ts";
import { once } from "../app/server/system/once.ts";
import { atEnd, type Scope, wholeFile } from "./support/at-end.ts";
import { column } from "./support/columns.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { latestSchemaVersion, makeOldDatabase } from "./support/database.ts";
import { startWithFailedDrop } from "./support/failed-drop.ts";
import { contactTyped, postJson } from "./support/forms.ts";
import { listen } from "./support/free-port.ts";
import { withFreeSpace } from "./support/free-space.ts";
import { installation } from "./support/installation.ts";
import { startMailServer } from "./support/mail-server.ts";
import { succeeded } from "./support/output-of.ts";
import { sendRequest } from "./support/send-request.ts";
import { executable, localMetrics, newFolder, runCommand, startServer } from "./support/server.ts";
import { loadSource } from "./support/source.ts";
import { startReceiver } from "./support/webhook-receiver.ts";

runCommandsHere();

interface Finding {
  check: string;
  state: "ok" | "warn" | "FAIL";
  found: string;
  remedy?: string;
}

/** Settings with which every check passes. */
const validSettings = {
  RUBRICON_PUBLIC_URL: "https://marking.school.example",
  RUBRICON_MAIL_URL: "file:emails",
  RUBRICON_CONTENT_DIR: path.join(import.meta.dirname, "support/institution"),
  PORT: "0",
};

/** An installation with one request; each test breaks a copy of it. */
const brokenCopy = installation(async ({ url }) => {
  assert.equal((await postJson(url, "/api/contact", contactTyped)).status, 201);
});

async function doctor(folder: string, env: Record<string, string> = {}, args: string[] = []) {
  const { code, out, err } = await runCommand(folder, ["doctor", "--json", ...args], {
    ...validSettings,
    ...env,
  });
  const findings = JSON.parse(out) as Finding[];
  const bad = findings.filter(({ state }) => state !== "ok");
  assert.equal(code, bad.some(({ state }) => state === "FAIL") ? 1 : 0, err);
  return { code, bad, findings };
}

/** Asserts that there is exactly one warning or failure, such as "FAIL disk", with what was found and its remedy. */
function assertOnly(bad: Finding[], expected: string, found: RegExp, remedy: RegExp) {
  const named = bad.map(({ state, check }) => `${state} ${check}`);
  assert.deepEqual(named, [expected], JSON.stringify(bad));
  assert.match(bad[0]!.found, found);
  assert.match(bad[0]!.remedy!, remedy);
}

/** The findings in an installation with nine faults that have nothing to do with each other, and no others. */
const manyFaults = once(async () => {
  const { folder, databaseFile, change } = await brokenCopy(wholeFile);
  chmodSync(path.join(folder, "data"), 0o770);
  mkdirSync(path.join(folder, "data/backups"), { mode: 0o700 });
  copyFileSync(databaseFile, path.join(folder, "data/backups/rubricon-2020-01-01T00-00-00Z.db"));
  change(`UPDATE outbox SET created_at = '2026-01-01T00:00:00.000Z';
    UPDATE clock SET last_cleanup_at = '2026-01-01T08:00:00.000Z';
    INSERT INTO submissions (student_name, file_name, answer_states) VALUES ('A', 'a.txt', 'd')`);
  cpSync(validSettings.RUBRICON_CONTENT_DIR, path.join(folder, "own"), { recursive: true });
  mkdirSync(path.join(folder, "own/pages"), { recursive: true });
  writeFileSync(path.join(folder, "own/pages/privacy.md"), "");
  const { bad } = await doctor(folder, {
    ...withFreeSpace(wholeFile, 100),
    RUBRICON_CONTENT_DIR: "own",
    RUBRICON_PUBLIC_URL: "http://marking.school.example",
    RUBRICON_MAIL_URL: "smtp://127.0.0.1:9",
    RUBRICON_MAIL_TO: "team@school.example",
  });
  assert.deepEqual(
    bad.map(({ state, check }) => `${state} ${check}`),
    [
      "warn content",
      "warn public address",
      "FAIL disk",
      "FAIL permissions",
      "warn clock",
      "FAIL backups",
      "FAIL emails",
      "FAIL marks",
      "FAIL mail server",
    ],
  );
  return bad;
});

/** Asserts that a check has found its one of the many faults. */
async function assertAmong(expected: string, found: RegExp, remedy: RegExp) {
  const ofCheck = (await manyFaults()).filter(({ check }) => expected.endsWith(` ${check}`));
  assertOnly(ofCheck, expected, found, remedy);
}

test("the doctor prints one line per check of a valid installation", async (t) => {
  const { folder } = await brokenCopy(t);
  const { out } = await succeeded(runCommand(folder, ["doctor"], validSettings));
  const lines = out.trim().split("\n");
  const checks = lines.map((line) => /^ok {4}([a-z ]+?) {2,}\S/.exec(line)?.[1] ?? line);
  assert.deepEqual(checks, [
    "settings",
    "content",
    "brand",
    "public address",
    "port",
    "data folder",
    "disk",
    "permissions",
    "database",
    "clock",
    "backups",
    "emails",
    "marks",
    "mail server",
  ]);
});

test("the doctor leaves the database as it is", async (t) => {
  const { folder, databaseFile } = await brokenCopy(t);
  const before = readFileSync(databaseFile);
  await succeeded(doctor(folder));
  assert.ok(readFileSync(databaseFile).equals(before));
});

/** An installation whose server runs, with settings by which the doctor finds it. */
async function startRunning(t: Scope) {
  const { folder } = await brokenCopy(t);
  const { RUBRICON_PUBLIC_URL } = validSettings;
  const { url } = await startServer(t, { folder, env: { RUBRICON_PUBLIC_URL, ...localMetrics } });
  return { folder, url, env: { PORT: new URL(url).port } };
}
const running = once(() => startRunning(wholeFile));

test("the doctor finds no fault while a server uses the installation", async () => {
  const { folder, env } = await running();
  const { bad, findings } = await doctor(folder, env);
  assert.deepEqual(bad, []);
  assert.match(findings.find(({ check }) => check === "database")!.found, /in use by a server/);
  assert.match(findings.find(({ check }) => check === "port")!.found, /the server on .* is ready/);
});

test("the doctor only warns about an installation that has never run, and writes nothing there", async (t) => {
  const folder = newFolder(t);
  const { bad } = await succeeded(
    doctor(folder, { RUBRICON_PUBLIC_URL: "", RUBRICON_MAIL_URL: "" }),
  );
  assert.deepEqual(column(bad, "check"), [
    "public address",
    "data folder",
    "database",
    "mail server",
  ]);
  assert.deepEqual(readdirSync(folder), []);
});

test("the doctor reports invalid and unknown settings beside its other checks", async (t) => {
  const { folder } = await brokenCopy(t);
  const file = path.join(folder, "site.env");
  writeFileSync(file, "RUBRICON_RETENTION_DAY=30\n", { mode: 0o600 });
  const env = { RUBRICON_CONFIG: file, RUBRICON_LOG_FORMAT: "xml" };
  const { bad, findings } = await doctor(folder, env);
  assert.deepEqual(
    bad.map(({ state, check }) => `${state} ${check}`),
    ["FAIL settings", "FAIL settings"],
  );
  assert.match(
    bad[0]!.found,
    /site\.env:1: RUBRICON_RETENTION_DAY is not a setting[^?]*RUBRICON_RETENTION_DAYS$/,
  );
  assert.match(bad[0]!.remedy!, /config show/);
  assert.match(bad[1]!.found, /RUBRICON_LOG_FORMAT must be text or json/);
  assert.ok(findings.some(({ check, state }) => check === "database" && state === "ok"));
});

test("the doctor reports a data folder that is a file", async (t) => {
  const { folder } = await brokenCopy(t);
  writeFileSync(path.join(folder, "in-the-way"), "");
  const { bad } = await doctor(folder, { RUBRICON_DATA_DIR: "in-the-way" });
  // Checks of what is in the folder fail after it.
  assertOnly(bad.slice(0, 1), "FAIL data folder", /in-the-way is a file$/, /RUBRICON_DATA_DIR/);
});

test("the doctor looks at the data folder on PostgreSQL too, where scans are cut in it", async () => {
  const { examine } = await loadSource<typeof checksModule>(
    "/app/server/doctor/installation-checks.ts",
  );
  const environment = { RUBRICON_DATABASE_URL: "postgres://user:secret@127.0.0.1:9/site" };
  const flags = { DATA_DIR: import.meta.filename };
  for await (const finding of examine({ flags, file: undefined, environment }, new Date())) {
    if (finding.check === "data folder") return assert.equal(finding.state, "FAIL");
  }
  assert.fail("it was not checked");
});

/** Runs the doctor as an account that owns nothing, but may enter the folder. */
function doctorAsStranger(folder: string, args: string[] = []) {
  chmodSync(folder, 0o755);
  const program = path.join(folder, "rubricon");
  copyFileSync(executable, program);
  const env = { ...validSettings, RUBRICON_MAIL_URL: "" };
  const stranger = { uid: 65534, gid: 65534, cwd: folder, env, encoding: "utf8" } as const;
  return spawnSync(program, ["doctor", ...args], stranger);
}

test("the doctor reports a data folder that its account may not write", async (t) => {
  if (process.getuid!() !== 0) return t.skip("running as another account needs root");
  const { folder } = await brokenCopy(t);
  chmodSync(path.join(folder, "data"), 0o755);
  const { stdout, status } = doctorAsStranger(folder);
  assert.equal(status, 1);
  assert.match(
    stdout,
    /^FAIL {2}data folder .*cannot be written: EACCES\. What to do: give it to the account /m,
  );
  assert.match(
    stdout,
    /^FAIL {2}database .*could not be checked.* as the account that it runs under/m,
  );
});

test("the doctor warns of a database of an older version", async (t) => {
  const { folder, databaseFile } = await brokenCopy(t);
  rmSync(databaseFile);
  makeOldDatabase(databaseFile, latestSchemaVersion - 1).close();
  chmodSync(databaseFile, 0o600);
  const found = /schema version \d+; this program uses \d+/;
  assertOnly((await doctor(folder)).bad, "warn database", found, /start the server once/);
});

test("the doctor reports a database of a newer version", async (t) => {
  const { folder, change } = await brokenCopy(t);
  change("PRAGMA user_version = 99");
  const { bad } = await doctor(folder);
  assertOnly(bad, "FAIL database", /newer version/, /install the newer version again/);
});

test("the doctor reports a database of another program", async (t) => {
  const { folder, change } = await brokenCopy(t);
  change("PRAGMA application_id = 1");
  const { bad } = await doctor(folder);
  assertOnly(bad, "FAIL database", /not a database of this program/, /RUBRICON_DATA_DIR/);
});

test("the doctor reports a damaged database", async (t) => {
  const { folder, databaseFile: file } = await brokenCopy(t);
  const { size } = statSync(file);
  const descriptor = openSync(file, "r+");
  // Pages have 16 KiB. The first ones stay, so that it can be opened.
  for (let page = 3; page * 16_384 < size; page += 1) {
    writeSync(descriptor, Buffer.alloc(4096, "x"), 0, 4096, page * 16_384);
  }
  closeSync(descriptor);
  const { bad } = await doctor(folder);
  assertOnly(bad, "FAIL database", /is damaged: /, /^stop the server .* rubricon restore FILE$/);
});

test("the doctor reports backups that are too old", () =>
  assertAmong("FAIL backups", /2020-01-01T00-00-00Z\.db, is \d+ hours old/, /backup FILE/));

test("the doctor reports a missing database of which there are backups", async (t) => {
  const { folder, databaseFile } = await brokenCopy(t);
  mkdirSync(path.join(folder, "data/backups"), { mode: 0o700 });
  const backup = path.join(folder, "data/backups/rubricon-2020-01-01T00-00-00Z.db");
  renameSync(databaseFile, backup);
  const ofDatabase = (await doctor(folder)).bad.filter(({ check }) => check === "database");
  const found = /rubricon\.db is missing, but there are backups/;
  assertOnly(ofDatabase, "FAIL database", found, /rubricon restore \S+$/);
  assert.ok(ofDatabase[0]!.remedy!.endsWith(` ${backup}`));
});

test("the doctor reports backups that are turned off", async (t) => {
  const { folder } = await brokenCopy(t);
  const { bad } = await doctor(folder, { RUBRICON_BACKUP_HOURS: "0" });
  assertOnly(bad, "warn backups", /^automatic backups are turned off$/, /RUBRICON_BACKUP_HOURS/);
});

test("the doctor reports a disk with less free space than forms need", () =>
  assertAmong("FAIL disk", /^100 MB free; forms need more than 100 MB$/, /^free some space$/));

test("the doctor warns of a disk with enough free space for forms, but not for a backup", async (t) => {
  const { folder } = await brokenCopy(t);
  // A part of a MB counts; a backup needs more space than forms.
  const { bad } = await doctor(folder, withFreeSpace(t, 100.5));
  assertOnly(bad, "warn disk", /^100 MB free; a backup needs \d+ MB$/, /BACKUPS_KEPT/);
});

test("the doctor reports a disk that is full", async (t) => {
  const { folder } = await brokenCopy(t);
  const small = mkdtempSync(path.join(tmpdir(), "small-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", small], { stdio: "ignore" });
  } catch {
    return t.skip("mounting a small disk needs root");
  }
  atEnd(t, () => {
    execFileSync("umount", [small]);
    rmSync(small, { recursive: true });
  });
  try {
    writeFileSync(path.join(small, "filler"), Buffer.alloc(2 * 1024 * 1024));
  } catch {
    // The disk is full now, as intended.
  }
  const full = await doctor(folder, { RUBRICON_DATA_DIR: small });
  const found = full.bad.map(({ check, found }) => `${check}: ${found}`).join("\n");
  assert.match(found, /^data folder: .* cannot be written: ENOSPC$/m);
  assert.match(found, /^disk: 0 MB free; forms need more than 100 MB$/m);
});

test("the doctor reports a data folder that others can write to", () =>
  assertAmong("FAIL permissions", /^other accounts can write to .*data$/, /^chmod 700 .*data$/));

test("the doctor reports files that others can read", async (t) => {
  const { folder, databaseFile: file } = await brokenCopy(t);
  chmodSync(file, 0o644);
  const { bad } = await doctor(folder);
  assertOnly(bad, "FAIL permissions", /can access .*rubricon\.db/, /^chmod 600 .*rubricon\.db$/);
});

test("the doctor accepts a settings file that the program's group may read, not one that others may", async (t) => {
  const { folder } = await brokenCopy(t);
  const file = path.join(folder, "site.env");
  writeFileSync(file, "");
  chmodSync(file, 0o640);
  const env = { RUBRICON_CONFIG: file };
  assert.deepEqual((await doctor(folder, env)).bad, []);
  for (const mode of [0o644, 0o660]) {
    chmodSync(file, mode);
    const { bad } = await doctor(folder, env);
    assertOnly(bad, "FAIL permissions", /other accounts can access/, /^chmod o=,g-wx .*site\.env$/);
    execFileSync("sh", ["-c", bad[0]!.remedy!]);
    assert.equal(statSync(file).mode & 0o777, 0o640, "the mode after the remedy");
  }
});

test("the doctor warns if the server may not tell it about the drop folder", async (t) => {
  const { folder } = await brokenCopy(t);
  const drop = path.join(folder, "drop");
  mkdirSync(drop);
  const env = { RUBRICON_DROP_DIR: drop };
  assert.deepEqual((await doctor(folder, env)).bad, []);
  const server = await startServer(t, { folder, env });
  const { bad } = await doctor(folder, { ...env, PORT: new URL(server.url).port });
  assertOnly(bad, "warn drop folder", /in its log/, /RUBRICON_METRICS_NETWORKS/);
});

test("the doctor reports a drop folder that the server cannot write, although this command can", async (t) => {
  const { folder } = await brokenCopy(t);
  const { server, env } = await startWithFailedDrop(t, folder);
  const { bad } = await doctor(folder, { ...env, PORT: new URL(server.url).port });
  const found = /drop cannot be written by the server: ENOENT/;
  assertOnly(bad, "FAIL drop folder", found, /ReadWritePaths/);
});

test("the doctor reports a file with a secret that others may read", async (t) => {
  const { folder } = await brokenCopy(t);
  const file = path.join(folder, "mail-url");
  writeFileSync(file, "file:emails", { mode: 0o600 });
  const env = { RUBRICON_MAIL_URL: "", RUBRICON_MAIL_URL_FILE: file };
  assert.deepEqual((await doctor(folder, env)).bad, []);
  chmodSync(file, 0o644);
  const { bad } = await doctor(folder, env);
  assertOnly(bad, "FAIL permissions", /can access .*mail-url/, /^chmod o=,g-wx .*mail-url$/);
});

test("the doctor ends with what to do if settings cannot be read", async (t) => {
  const { folder } = await brokenCopy(t);
  const { bad, findings } = await doctor(folder, {}, ["--config", "missing.env"]);
  assertOnly(bad, "FAIL settings", /missing\.env cannot be read: ENOENT/, /existing file/);
  assert.equal(findings.length, 1);
});

test("the doctor says how its account may read the settings", async (t) => {
  if (process.getuid!() !== 0) return t.skip("running as another account needs root");
  const { folder } = await brokenCopy(t);
  const file = path.join(folder, "site.env");
  writeFileSync(file, "", { mode: 0o600 });
  const { stdout } = doctorAsStranger(folder, ["--config", file]);
  assert.match(stdout, /^FAIL {2}settings .*site\.env cannot be read: EACCES.*chmod 640 \S+\.\n$/);
});

test("the doctor reports webhooks that the receiver does not accept, although it responds", async (t) => {
  const { folder, change } = await brokenCopy(t);
  const { env } = await startReceiver(t);
  change(
    "UPDATE outbox SET kind = 'webhook', status = 'pending', last_error = 'the receiver responded 500'",
  );
  const { bad } = await doctor(folder, env);
  assertOnly(bad, "FAIL webhook", /not accepted: the receiver responded 500/, /outbox list/);
});

test("the doctor reports a proxy that is not trusted", async (t) => {
  const { folder, url, env } = await startRunning(t);
  const { host } = new URL(validSettings.RUBRICON_PUBLIC_URL);
  await sendRequest(url, "/about", { headers: { Host: host, "X-Forwarded-For": "203.0.113.9" } });
  const { bad } = await doctor(folder, env);
  assertOnly(bad, "warn proxy", /was forwarded by an address/, /RUBRICON_TRUSTED_PROXIES/);
});

test("the doctor warns if no mail server is set", async (t) => {
  const { folder } = await brokenCopy(t);
  const { bad } = await doctor(folder, { RUBRICON_MAIL_URL: "" });
  assertOnly(bad, "warn mail server", /./, /^set RUBRICON_MAIL_URL and RUBRICON_MAIL_TO$/);
});

test("the doctor reports a mail server that is down", () =>
  assertAmong("FAIL mail server", /ECONNREFUSED/, /MAIL_URL has its address.*mail test ADDRESS/));

test("the doctor reports a mail server that rejects the password, and sends no email", async (t) => {
  const { folder } = await brokenCopy(t);
  const server = await startMailServer(t, { acceptsPassword: (password) => password === "right" });
  const withPassword = (password: string) =>
    doctor(folder, {
      RUBRICON_MAIL_TO: "team@school.example",
      RUBRICON_MAIL_URL: server.url.replace("//", `//site:${password}@`),
    });
  assertOnly((await withPassword("wrong")).bad, "FAIL mail server", /535/, /name and password/);
  assert.deepEqual((await withPassword("right")).bad, []);
  assert.equal(server.emails.length, 0);
});

test("the doctor reports emails that have been pending too long", () =>
  assertAmong("FAIL emails", /^1 pending, the oldest for \d+ hours$/, /outbox list/));

test("the doctor reports emails that failed, not those that were discarded", async (t) => {
  const { folder, change } = await brokenCopy(t);
  change("UPDATE outbox SET status = 'failed'");
  for (const [kind, found, remedy] of [
    ["request", /^1 failed: the team did not get it$/, /outbox retry/],
    ["team action", /^1 failed: the team did not get it$/, /outbox retry/],
    ["results", /^1 with a link to results failed/, /results publish/],
  ] as const) {
    change(`UPDATE outbox SET kind = '${kind}'`);
    assertOnly((await doctor(folder)).bad, "FAIL emails", found, remedy);
  }
  change("UPDATE outbox SET status = 'discarded'");
  assert.deepEqual((await doctor(folder)).bad, []);
});

test("the doctor reports marks by which open answers may not be found", () =>
  assertAmong("FAIL marks", /^open answers of 1 learner may not be found/, /^report it/));

test("the doctor reports marks that it cannot read, not silence", async (t) => {
  const { folder, change } = await brokenCopy(t);
  change(
    "INSERT INTO submissions (student_name, file_name, question_marks) VALUES ('A', 'a.txt', '{')",
  );
  const { bad } = await doctor(folder);
  assertOnly(bad, "FAIL marks", /^could not be checked: .*JSON/, /as the account/);
});

test("the doctor reports a site without TLS", () =>
  assertAmong("warn public address", /is not encrypted/, /TLS/));

test("the doctor reports an address that the server cannot listen on", async (t) => {
  const { folder } = await brokenCopy(t);
  const other = createServer((socket) => socket.destroy());
  const taken = await doctor(folder, { PORT: String(await listen(t, other)) });
  assertOnly(taken.bad, "FAIL port", /is taken by another program/, /RUBRICON_PORT/);
  const foreign = await doctor(folder, { RUBRICON_HOST: "192.0.2.1" });
  const found = /192\.0\.2\.1:0 cannot be used: EADDRNOTAVAIL/;
  assertOnly(foreign.bad, "FAIL port", found, /RUBRICON_HOST/);
});

test("the doctor reports a port that a server with other settings has taken", async (t) => {
  const { folder } = await brokenCopy(t);
  const { findings } = await doctor(folder, (await running()).env);
  // Other checks may find faults of that server.
  const ofPort = findings.filter(({ check }) => check === "port");
  assertOnly(ofPort, "FAIL port", /taken by a rubricon server with other settings/, /--config/);
  assert.doesNotMatch(ofPort[0]!.remedy!, /stop|end/, "the other server may be right");
});

test("the doctor reports content that is not used", () =>
  assertAmong(
    "warn content",
    /^pages\/privacy\.md: .*pages\/privacy-policy\.md/,
    /correct the files in own, or delete them/,
  ));

test("the doctor reports content that cannot be served", async (t) => {
  const { folder } = await brokenCopy(t);
  cpSync(validSettings.RUBRICON_CONTENT_DIR, path.join(folder, "own"), { recursive: true });
  mkdirSync(path.join(folder, "own/pages"), { recursive: true });
  writeFileSync(path.join(folder, "own/pages/about.md"), Buffer.from([0xff]));
  const { bad } = await doctor(folder, { RUBRICON_CONTENT_DIR: "own" });
  const found = /^pages\/about\.md:1: is not UTF-8/;
  assertOnly(bad, "FAIL content", found, /correct the file in own, or delete it/);
});

test("the doctor reports a clock that is months ahead of the last cleanup", () =>
  assertAmong("warn clock", /cleanup was at 2026-01-01/, /set the clock if it is wrong/));

test("the doctor reports a clock that is behind the newest request", async (t) => {
  const { folder, change } = await brokenCopy(t);
  change("UPDATE contact_requests SET created_at = '2099-12-20T08:00:00.000Z'");
  const { bad } = await doctor(folder);
  assertOnly(bad, "FAIL clock", /request was received at 2099-12-20/, /NTP/);
});
