import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { doubtAbout, openClock } from "../app/server/jobs/clock.ts";
import { latestSchemaVersion, makeOldDatabase } from "./support/database.ts";
import { contactTyped, postJson } from "./support/forms.ts";
import type { Installation } from "./support/installation.ts";
import { addRequests } from "./support/requests.ts";
import { changeFile, newFolder, query, startServer, until } from "./support/server.ts";

const hour = 3_600_000;
const day = 24 * hour;
const builtAt = new Date("2026-11-01T00:00:00.000Z");
const known = new Date("2026-11-20T12:00:00.000Z");
const after = (ms: number) => new Date(known.getTime() + ms);

test("a clock is doubtful before the build or the newest request, and more than three days after the last cleanup", () => {
  const past = { builtAt, newestRequest: known, lastCleanup: known };
  for (const [name, time, reason] of [
    ["right", after(hour), undefined],
    ["off for three days", after(3 * day), undefined],
    ["off for longer", after(3 * day + 1), /^the last cleanup was at 2026-11-20T/],
    ["another server's is ten minutes ahead", after(-hour / 6), undefined],
    ["another's is further ahead", after(-hour / 6 - 1), /^the newest request was received/],
    ["40 days behind", after(-40 * day), /^this program was built at 2026-11-01T/],
  ] as const) {
    const doubt = doubtAbout(time, past);
    if (reason) assert.match(doubt!.reason, reason, name);
    else assert.equal(doubt, undefined, name);
  }
  const first = { builtAt, newestRequest: undefined, lastCleanup: undefined };
  assert.equal(
    doubtAbout(after(400 * day), first),
    undefined,
    "the clock of a new installation is not doubtful",
  );
});

test("a clock that is years behind goes on from the last cleanup or the build, until it is set", (t) => {
  for (const [lastCleanup, start] of [
    [known, known],
    [undefined, builtAt],
  ] as const) {
    t.mock.timers.enable({ apis: ["Date"], now: after(-11 * 365 * day) });
    const now = openClock({ builtAt, newestRequest: known, lastCleanup });
    const ms = now().getTime() - start.getTime();
    assert.ok(ms >= 0 && ms < hour, `${ms} ms after ${start.toISOString()}`);
    t.mock.timers.setTime(after(day).getTime());
    assert.deepEqual(now(), after(day));
    t.mock.timers.reset();
  }
});

/** Shifts the times in a stopped server's database, as if the clock were that many days ahead now. */
function setBack({ change }: Installation, days: number): void {
  const shift = (column: string) =>
    `${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '${-days} days')`;
  change(`UPDATE contact_requests SET ${shift("created_at")};
    UPDATE outbox SET ${shift("created_at")}, ${shift("next_attempt_at")};
    UPDATE clock SET ${shift("last_cleanup_at")}`);
}

/** Creates an installation with requests and their emails, and a cleanup a moment ago. */
function withRequests(t: TestContext, count: number): Installation {
  const folder = newFolder(t);
  const databaseFile = path.join(folder, "data/rubricon.db");
  const db = makeOldDatabase(databaseFile, latestSchemaVersion);
  db.prepare("INSERT INTO clock (id, last_cleanup_at) VALUES (1, ?)").run(new Date().toISOString());
  db.close();
  addRequests(databaseFile, count);
  return { folder, databaseFile, change: (sql) => changeFile(databaseFile, sql) };
}

/** Creates an installation whose requests are all old, and a cleanup a moment ago. */
function withOldRequests(t: TestContext, count: number): Installation {
  const first = withRequests(t, count);
  setBack(first, 100);
  first.change(`UPDATE clock SET last_cleanup_at = '${new Date().toISOString()}'`);
  return first;
}

const countOf = ({ databaseFile }: { databaseFile: string }) =>
  query(databaseFile, "SELECT 1 FROM contact_requests").length;

for (const [name, days, reason] of [
  ["ahead", 100, /the last cleanup was at/],
  ["behind", -40, /the newest request was received at/],
] as const) {
  test(`a server whose clock is days ${name} at the start deletes nothing`, async (t) => {
    const first = withRequests(t, 20);
    setBack(first, days);
    if (days < 0) {
      // Of these requests, all but the newest would be deleted.
      first.change(
        "UPDATE contact_requests SET created_at = '2026-01-01T00:00:00.000Z' WHERE id < 20",
      );
    }
    const { folder } = first;
    const server = await startServer(t, { folder });
    await until(() => /warn the clock says .*: nothing is deleted by age until/.test(server.log()));
    assert.match(server.log(), reason);
    await server.stop();
    const again = await startServer(t, { folder });
    await until(() => /nothing is deleted by age until/.test(again.log()));
    await again.stop();
    assert.equal(countOf(again), 20, "a restart does not confirm the clock");
  });
}

test("emails that a clock which was ahead has put off are due once it is right", async (t) => {
  const first = withRequests(t, 20);
  first.change(
    "UPDATE outbox SET status = 'pending', next_attempt_at = '2100-01-01T00:00:00.000Z' WHERE id = 1",
  );
  const { databaseFile } = await startServer(t, { folder: first.folder });
  const due = "SELECT 1 FROM outbox WHERE id = 1 AND next_attempt_at < '2100-01-01'";
  await until(() => query(databaseFile, due).length === 1);
});

/** Slows the deletion of requests until one is posted, and counts how many are left then. */
const slowDeletion = `CREATE TABLE left_at_post (requests INTEGER);
  CREATE TRIGGER count_left AFTER INSERT ON contact_requests
    BEGIN INSERT INTO left_at_post SELECT count(*) FROM contact_requests; END;
  CREATE TRIGGER delete_slowly AFTER DELETE ON contact_requests
    WHEN NOT EXISTS (SELECT 1 FROM left_at_post)
    BEGIN
      SELECT count(*) FROM (WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT i FROM n);
    END`;

test("a server with much to delete takes posts meanwhile", async (t) => {
  const { folder, databaseFile, change } = withOldRequests(t, 800);
  change(slowDeletion);
  const server = await startServer(t, { folder, env: { RUBRICON_BACKUP_HOURS: "0" } });
  assert.equal((await postJson(server.url, "/api/contact", contactTyped)).status, 201);
  const [left] = query<{ requests: number }>(databaseFile, "SELECT requests FROM left_at_post");
  assert.ok(left!.requests > 1, "the post did not wait for the end");
  await until(() => /deleted 800 requests older than 90 days/.test(server.log()));
  assert.equal(countOf(server), 1);
});

test("old requests are deleted without a backup if they are a twentieth of all", async (t) => {
  const first = withRequests(t, 20);
  first.change("UPDATE contact_requests SET created_at = '2026-01-01T00:00:00.000Z' WHERE id = 1");
  const server = await startServer(t, { folder: first.folder });
  await until(() => /deleted 1 request older than 90 days/.test(server.log()));
  assert.equal(countOf(server), 19);
  assert.ok(!existsSync(path.join(path.dirname(server.databaseFile), "backups")));
});

test("old requests are deleted after a backup if they are more than a twentieth of all", async (t) => {
  const first = withOldRequests(t, 20);
  const server = await startServer(t, { folder: first.folder });
  await until(() => /deleted 20 requests older than 90 days/.test(server.log()));
  assert.equal(countOf(server), 0);
  const folder = path.join(path.dirname(server.databaseFile), "backups");
  const [backup] = readdirSync(folder);
  assert.match(backup!, /^rubricon-before-retention-.*Z\.db$/);
  assert.equal(query(path.join(folder, backup!), "SELECT 1 FROM inbox").length, 20);
});

test("old requests are deleted without another backup if the newest is less than a day old", async (t) => {
  const { folder, databaseFile } = withOldRequests(t, 20);
  const backups = path.join(path.dirname(databaseFile), "backups");
  mkdirSync(backups);
  const time = new Date(Date.now() - 23 * hour).toISOString().slice(0, 19).replaceAll(":", "-");
  const made = `rubricon-before-retention-${time}Z.db`;
  writeFileSync(path.join(backups, made), "made before");
  const server = await startServer(t, { folder });
  await until(() => /deleted 20 requests older than 90 days/.test(server.log()));
  assert.deepEqual(readdirSync(backups), [made]);
});
