/** What the server tells its operator: the start, priorities for the journal, a forgotten setting. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { readyUrl } from "../scripts/start-executable.ts";
import { latestSchemaVersion, makeOldDatabase } from "./support/database.ts";
import { outputOf } from "./support/output-of.ts";
import { executable, newFolder, startServer, until, withoutLimits } from "./support/server.ts";

test("the first line has version, public URL, data folder and schema version; a migration is logged", async (t) => {
  const folder = newFolder(t);
  const data = path.join(folder, "data");
  mkdirSync(data);
  makeOldDatabase(path.join(data, "rubricon.db"), latestSchemaVersion - 1).close();
  const env = { RUBRICON_PUBLIC_URL: "https://marking.school.example" };
  const server = await startServer(t, { folder, env });
  const [first, second] = server.log().split("\n");
  assert.match(
    first!,
    new RegExp(
      `^\\S+Z info rubricon \\d+\\.\\d+\\.\\d+, ${env.RUBRICON_PUBLIC_URL}, data folder ${data}, schema version ${latestSchemaVersion}$`,
    ),
  );
  assert.match(
    second!,
    new RegExp(
      `info migrated the database from schema version ${latestSchemaVersion - 1} to ${latestSchemaVersion}; the copy of it is ${data}/backups/\\S+\\.db$`,
    ),
  );
});

test("as JSON every line is JSON, the line on stdout too", async (t) => {
  const folder = newFolder(t);
  const child = spawn(executable, [], {
    cwd: folder,
    env: { PORT: "0", RUBRICON_LOG_FORMAT: "json", ...withoutLimits },
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(() => child.kill("SIGKILL"));
  const output = outputOf(child);
  const url = await readyUrl(child);
  child.kill();
  const { out, err } = await output;
  const lines = `${out}${err}`.trim().split("\n");
  assert.ok(lines.length > 2);
  for (const line of lines)
    assert.deepEqual(Object.keys(JSON.parse(line)).slice(0, 2), ["time", "level"]);
  assert.equal(JSON.parse(out).url, url);
});

test("in systemd's journal each line has a priority, elsewhere none", async (t) => {
  const folder = newFolder(t);
  const file = path.join(folder, "journal");
  const journal = openSync(file, "w");
  const { dev, ino } = fstatSync(journal);
  for (const [stream, expected] of [
    [`${dev}:${ino}`, /^<6>\S+Z info rubricon /],
    ["1:2", /^\S+Z info rubricon /],
  ] as const) {
    const child = spawn(executable, [], {
      cwd: folder,
      env: { PORT: "0", JOURNAL_STREAM: stream, ...withoutLimits },
      stdio: ["ignore", "pipe", journal],
    });
    t.after(() => child.kill("SIGKILL"));
    await readyUrl(child);
    child.kill();
    await once(child, "exit");
    const first = readFileSync(file, "utf8")
      .split("\n")
      .find((line) => line.includes("rubricon "));
    assert.match(first!, expected);
    spawnSync("truncate", ["-s", "0", file]);
  }
});

test("a proxy that is not in RUBRICON_TRUSTED_PROXIES is reported once", async (t) => {
  const server = await startServer(t);
  const post = () =>
    fetch(`${server.url}/contact`, {
      method: "POST",
      headers: { "X-Forwarded-For": "203.0.113.7" },
    });
  await post();
  await post();
  await until(() => server.log().includes("RUBRICON_TRUSTED_PROXIES"));
  assert.equal(await server.stop(), 0);
  assert.equal(server.log().match(/ warn .*RUBRICON_TRUSTED_PROXIES/g)?.length, 1);
  assert.doesNotMatch(server.log(), /203\.0\.113/);
});

test("an unexpected error is one line, not the source of the program", (t) => {
  const folder = newFolder(t);
  const script = `mkdir gone && cd gone && rmdir ../gone && ${executable} requests list`;
  const { status, stderr } = spawnSync("sh", ["-c", script], { cwd: folder, encoding: "utf8" });
  assert.notEqual(status, 0);
  const lines = stderr.trim().split("\n");
  assert.equal(lines.length, 1, stderr.slice(0, 2000));
  assert.ok(stderr.length < 500, stderr.slice(0, 2000));
});
