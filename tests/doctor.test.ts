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
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, type TestContext, test } from "node:test";
import Sqlite from "better-sqlite3";
import { checkClock } from "../app/server/doctor/clock.ts";
import { atEnd } from "./support/at-end.ts";
import { contactTyped, postJson } from "./support/forms.ts";
import { startMailServer } from "./support/mail-server.ts";
import { executable, newFolder, runCommand, startServer } from "./support/server.ts";

interface Finding {
  check: string;
  state: "ok" | "warn" | "FAIL";
  found: string;
  remedy?: string;
}

/** Settings under which nothing is wrong. */
const sound = {
  RUBRICON_PUBLIC_URL: "https://marking.school.example",
  RUBRICON_MAIL_URL: "file:letters",
  PORT: "0",
};

/** One installation that has served and stopped, with a request in it; each test breaks a copy of it. */
const installation = mkdtempSync(path.join(tmpdir(), "installation-"));
after(() => rmSync(installation, { recursive: true }));

test("an installation to break", async (t) => {
  const server = await startServer(t, { folder: installation });
  assert.equal((await postJson(server.url, "/api/contact", contactTyped)).status, 201);
  assert.equal(await server.stop(), 0);
});

function brokenCopy(t: TestContext): { folder: string; file: string } {
  const folder = newFolder(t);
  cpSync(installation, folder, { recursive: true });
  return { folder, file: path.join(folder, "data/rubricon.db") };
}

async function doctor(folder: string, env: Record<string, string> = {}, args: string[] = []) {
  const { code, out, err } = await runCommand(folder, ["doctor", "--json", ...args], {
    ...sound,
    ...env,
  });
  const findings = JSON.parse(out) as Finding[];
  const bad = findings.filter(({ state }) => state !== "ok");
  assert.equal(code, bad.some(({ state }) => state === "FAIL") ? 1 : 0, err);
  return { code, bad, findings };
}

/** The one thing that the doctor finds wrong, with its remedy. */
function assertOnly(
  bad: Finding[],
  state: Finding["state"],
  check: string,
  found: RegExp,
  remedy: RegExp,
) {
  assert.deepEqual(
    bad.map((one) => [one.state, one.check]),
    [[state, check]],
    JSON.stringify(bad),
  );
  assert.match(bad[0]!.found, found);
  assert.match(bad[0]!.remedy!, remedy);
}

function change(file: string, sql: string) {
  const db = new Sqlite(file);
  db.exec(sql);
  db.close();
}

test("a sound installation: a line a check, exit 0, nothing changed; also while a server works with it", async (t) => {
  const { folder, file } = brokenCopy(t);
  const before = readFileSync(file);
  const quiet = await runCommand(folder, ["doctor"], sound);
  assert.equal(quiet.code, 0, quiet.out);
  const lines = quiet.out.trim().split("\n");
  assert.ok(lines.length >= 12);
  for (const line of lines) assert.match(line, /^ok {4}[a-z]/);
  assert.ok(readFileSync(file).equals(before));

  const server = await startServer(t, {
    folder,
    env: { RUBRICON_PUBLIC_URL: sound.RUBRICON_PUBLIC_URL },
  });
  const { bad, findings } = await doctor(folder, { PORT: new URL(server.url).port });
  assert.deepEqual(bad, []);
  assert.match(findings.find(({ check }) => check === "database")!.found, /in use by a server/);
  assert.match(findings.find(({ check }) => check === "port")!.found, /a server is ready there/);
});

test("nothing installed yet is no fault, and the doctor makes no folder", async (t) => {
  const folder = newFolder(t);
  const { code, bad } = await doctor(folder, { RUBRICON_PUBLIC_URL: "" });
  assert.equal(code, 0);
  assert.deepEqual(
    bad.map(({ check }) => check),
    ["public address", "data folder", "database"],
  );
  const { bad: mute } = await doctor(folder, { RUBRICON_MAIL_URL: "" });
  assert.match(mute.at(-1)!.remedy!, /^set RUBRICON_MAIL_URL and RUBRICON_MAIL_TO$/);
  assert.deepEqual(readdirSync(folder), []);
});

test("wrong and unknown settings are told, and the rest is looked at all the same", async (t) => {
  const { folder } = brokenCopy(t);
  writeFileSync(path.join(folder, "site.env"), "RUBRICON_RETENTION_DAY=30\n", { mode: 0o640 });
  chmodSync(path.join(folder, "site.env"), 0o640);
  const { bad, findings } = await doctor(folder, { RUBRICON_LOG_FORMAT: "xml" }, [
    "--config",
    "site.env",
  ]);
  assert.deepEqual(
    bad.map(({ state, check }) => `${state} ${check}`),
    ["FAIL settings", "FAIL settings", "FAIL permissions"],
  );
  assert.match(bad[0]!.found, /site\.env:1: RUBRICON_RETENTION_DAY .*RUBRICON_RETENTION_DAYS/);
  assert.match(bad[0]!.remedy!, /config show/);
  assert.match(bad[1]!.found, /RUBRICON_LOG_FORMAT must be text or json/);
  assert.match(bad[2]!.remedy!, /^chmod 600 site\.env$/);
  assert.ok(findings.some(({ check, state }) => check === "database" && state === "ok"));
});

test("a data folder that cannot be written", async (t) => {
  const { folder } = brokenCopy(t);
  writeFileSync(path.join(folder, "in-the-way"), "");
  const { bad } = await doctor(folder, { RUBRICON_DATA_DIR: "in-the-way" });
  assert.match(bad[0]!.found, /in-the-way is a file/);
  assert.match(bad[0]!.remedy!, /RUBRICON_DATA_DIR/);
  // As another account, which root can be.
  if (process.getuid!() !== 0) return t.skip("being another account needs root");
  chmodSync(folder, 0o755);
  chmodSync(path.join(folder, "data"), 0o755);
  const program = path.join(folder, "rubricon");
  copyFileSync(executable, program);
  const { stdout, status } = spawnSync(program, ["doctor"], {
    cwd: folder,
    env: { ...sound, RUBRICON_MAIL_URL: "" },
    uid: 65534,
    gid: 65534,
    encoding: "utf8",
  });
  assert.equal(status, 1);
  assert.match(
    stdout,
    /^FAIL {2}data folder .*cannot be written: EACCES\. What to do: give it to the account/m,
  );
  assert.match(
    stdout,
    /^FAIL {2}database .*cannot be looked into.* as the account that the program/m,
  );
});

test("a database that is not ours, and one of a newer or an older program", async (t) => {
  const { folder, file } = brokenCopy(t);
  change(file, "PRAGMA user_version = 3");
  const older = await doctor(folder);
  assertOnly(
    older.bad,
    "warn",
    "database",
    /has layout 3, this program’s is \d+/,
    /start the server once/,
  );
  change(file, "PRAGMA user_version = 99");
  const newer = await doctor(folder);
  assertOnly(newer.bad, "FAIL", "database", /newer version/, /install the newer version again/);
  writeFileSync(file, "shopping list\n".repeat(20));
  const foreign = await doctor(folder);
  assertOnly(
    foreign.bad,
    "FAIL",
    "database",
    /not a database of this program/,
    /RUBRICON_DATA_DIR/,
  );
});

test("a damaged database", async (t) => {
  const { folder, file } = brokenCopy(t);
  const { size } = statSync(file);
  const descriptor = openSync(file, "r+");
  for (let page = 3; page * 16_384 < size; page += 1) {
    writeSync(descriptor, Buffer.alloc(4096, 0xa5), 0, 4096, page * 16_384);
  }
  closeSync(descriptor);
  const { bad } = await doctor(folder);
  assertOnly(bad, "FAIL", "database", /is damaged: /, /^stop the server .* rubricon restore FILE$/);
});

test("a database that is gone, though there are backups, and backups that are old", async (t) => {
  const { folder, file } = brokenCopy(t);
  mkdirSync(path.join(folder, "data/backups"), { mode: 0o700 });
  const backup = path.join(folder, "data/backups/rubricon-2020-01-01T00-00-00Z.db");
  copyFileSync(file, backup);
  const old = await doctor(folder);
  assertOnly(
    old.bad,
    "FAIL",
    "backups",
    /2020-01-01T00-00-00Z\.db, is \d+ hours old/,
    /rubricon backup FILE/,
  );
  rmSync(file);
  const gone = await doctor(folder);
  assert.match(gone.bad[0]!.found, /rubricon\.db is gone, though there are backups/);
  assert.ok(gone.bad[0]!.remedy!.endsWith(`rubricon restore ${backup}`));
  const never = await doctor(folder, { RUBRICON_BACKUP_HOURS: "0" });
  assert.match(never.bad.at(-1)!.found, /none are made regularly/);
});

test("a disk that is full, and one with less than must stay free", async (t) => {
  const { folder } = brokenCopy(t);
  const { bad } = await doctor(folder, { RUBRICON_DISK_FLOOR_MB: "1000000" });
  assertOnly(
    bad,
    "FAIL",
    "disk",
    /MB are free, forms need more than 1000000/,
    /make room.*RUBRICON_DISK_FLOOR_MB/,
  );
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
    // It is full now, which is the point.
  }
  const full = await doctor(folder, { RUBRICON_DATA_DIR: small });
  const found = full.bad.map(({ check, found }) => `${check}: ${found}`).join("\n");
  assert.match(found, /^data folder: .* cannot be written: ENOSPC$/m);
  assert.match(found, /^disk: 0 MB are free, forms need more than 100$/m);
});

test("files that others can read", async (t) => {
  const { folder, file } = brokenCopy(t);
  chmodSync(file, 0o644);
  const { bad } = await doctor(folder);
  assertOnly(
    bad,
    "FAIL",
    "permissions",
    /other accounts may look into .*rubricon\.db/,
    /^chmod 600 .*rubricon\.db$/,
  );
});

test("a mail server that is away, and one that does not know the password", async (t) => {
  const { folder } = brokenCopy(t);
  const team = { RUBRICON_MAIL_TO: "team@school.example", RUBRICON_MAIL_SECONDS: "3" };
  const away = await doctor(folder, { ...team, RUBRICON_MAIL_URL: "smtp://127.0.0.1:9" });
  assertOnly(
    away.bad,
    "FAIL",
    "mail server",
    /ECONNREFUSED/,
    /RUBRICON_MAIL_URL has its address.*mail test ADDRESS/,
  );
  const server = await startMailServer(t, { admits: (password) => password === "right" });
  const url = (password: string) => server.url.replace("//", `//site:${password}@`);
  const rejected = await doctor(folder, { ...team, RUBRICON_MAIL_URL: url("wrong") });
  assertOnly(rejected.bad, "FAIL", "mail server", /535/, /name and password/);
  assert.deepEqual((await doctor(folder, { ...team, RUBRICON_MAIL_URL: url("right") })).bad, []);
  assert.equal(server.emails.length, 0);
});

test("letters that were given up, and letters that have waited for long", async (t) => {
  const { folder, file } = brokenCopy(t);
  change(file, "UPDATE outbox SET created_at = '2026-01-01T00:00:00.000Z'");
  const waiting = await doctor(folder);
  assertOnly(waiting.bad, "FAIL", "letters", /^1 waits, the oldest for \d+ hours$/, /outbox list/);
  change(file, "UPDATE outbox SET status = 'failed'");
  const failed = await doctor(folder);
  assertOnly(failed.bad, "FAIL", "letters", /^1 was given up: the team/, /outbox retry/);
  change(file, "UPDATE outbox SET recipient = 'thandi@school.example'");
  const lost = await doctor(folder);
  assertOnly(
    lost.bad,
    "FAIL",
    "letters",
    /^1 with a link to marks was given up/,
    /results publish/,
  );
  change(file, "UPDATE outbox SET recipient = NULL, last_error = 'discarded'");
  assert.deepEqual((await doctor(folder)).bad, [], "what was discarded is settled");
});

test("a port that another program has, an address that is not this machine's, a site without TLS", async (t) => {
  const { folder } = brokenCopy(t);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  atEnd(t, () => other.close());
  const { port } = other.address() as { port: number };
  const taken = await doctor(folder, { PORT: String(port) });
  assertOnly(taken.bad, "FAIL", "port", /is taken by another program/, /RUBRICON_PORT/);
  const strange = await doctor(folder, { HOST: "192.0.2.1" });
  assertOnly(
    strange.bad,
    "FAIL",
    "port",
    /192\.0\.2\.1:0 cannot be used: EADDRNOTAVAIL/,
    /RUBRICON_HOST/,
  );
  const plain = await doctor(folder, { RUBRICON_PUBLIC_URL: "http://marking.school.example" });
  assertOnly(plain.bad, "warn", "public address", /can be read on its way/, /TLS/);
});

test("content that cannot be served", async (t) => {
  const { folder } = brokenCopy(t);
  mkdirSync(path.join(folder, "own/pages"), { recursive: true });
  writeFileSync(path.join(folder, "own/pages/privacy.md"), "");
  const { bad } = await doctor(folder, { RUBRICON_CONTENT_DIR: "own" });
  assertOnly(
    bad,
    "FAIL",
    "content",
    /^pages\/privacy\.md: .*pages\/privacy-policy\.md\?$/,
    /in own right, or delete it/,
  );
});

test("a clock that is earlier than the program", () => {
  const builtAt = new Date("2026-11-21T08:00:00Z");
  const [finding] = checkClock(new Date("1970-01-01T00:00:10Z"), builtAt) as [Finding];
  assert.equal(finding.state, "FAIL");
  assert.match(finding.found, /says 1970-.*made on 2026-11-21/);
  assert.match(finding.remedy!, /NTP/);
  assert.equal(checkClock(builtAt, builtAt)[0]!.state, "ok");
});
