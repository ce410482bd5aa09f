import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import Sqlite from "better-sqlite3";
import { assessClock, type ClockReading, type ClockRecord } from "../app/domain/clock.ts";
import type * as clockModule from "../app/server/clock.ts";
import { latestSchemaVersion, makeOldDatabase } from "./support/database.ts";
import { contactTyped, postJson } from "./support/forms.ts";
import { newFolder, query, runCommand, type Server, startServer, until } from "./support/server.ts";
import { loadSource } from "./support/source.ts";
import { openFileStore } from "./support/store.ts";
import { newRequest } from "./support/store-requests.ts";

const hour = 3_600_000;
const day = 24 * hour;
const builtAt = new Date("2026-11-01T00:00:00.000Z");
const known = new Date("2026-11-20T12:00:00.000Z");
const after = (ms: number) => new Date(known.getTime() + ms);

/** A server that has run by these times, five minutes apart unless said otherwise. */
function run(
  record: ClockRecord,
  times: Date[],
  more: Partial<ClockReading> = {},
): { states: string[]; record: ClockRecord } {
  const states: string[] = [];
  let current = record;
  for (const [index, time] of times.entries()) {
    const elapsedMs = index === 0 ? 0 : 5 * 60_000;
    const reading = { time, builtAt, startedAt: times[0]!, uptimeMs: index * elapsedMs, elapsedMs };
    const assessed = assessClock(current, { ...reading, ...more });
    states.push(assessed.state);
    current = assessed.record;
  }
  return { states, record: current };
}

const confirmed: ClockRecord = { confirmedAt: known, misdatedSince: null, suspicious: null };
const year = 365 * day;

test("a clock may delete data only near the highest confirmed time, or after a day of uptime", () => {
  for (const [name, time, state] of [
    ["right", after(hour), "confirmed"],
    ["off for a weekend", after(2.9 * day), "confirmed"],
    ["set back by a second", after(-1000), "behind"],
    ["set back by a month", after(-30 * day), "behind"],
    ["before the build", after(-11 * year), "behind"],
    ["100 days ahead", after(100 * day), "ahead"],
  ] as const) {
    assert.deepEqual(run(confirmed, [time]).states, [state], name);
  }
  const perStart = { elapsedMs: 8 * hour };
  const nights = [0, 1, 2, 3].map((n) => after(100 * day + n * day));
  const uptime = run(confirmed, nights, perStart);
  assert.deepEqual(uptime.states, ["ahead", "ahead", "ahead", "confirmed"], "restarts add up");
  assert.deepEqual(uptime.record.confirmedAt, nights.at(-1));
  const unsteady = [100, 200, 300, 400].map((n) => after(n * day));
  assert.equal(run(confirmed, unsteady, perStart).states.at(-1), "ahead", "each jump starts anew");
  const back = run(confirmed, [after(100 * day), after(hour)]);
  assert.deepEqual(back, {
    states: ["ahead", "confirmed"],
    record: { ...confirmed, confirmedAt: after(hour) },
  });
  const tooEarly = [0, 1, 2, 3].map((n) => after(-11 * year + n * day));
  assert.equal(
    run(confirmed, tooEarly, perStart).states.at(-1),
    "behind",
    "never before the build",
  );
});

test("dates are suspected to be wrong if the clock was behind, or was set soon after the start", () => {
  const since = (record: ClockRecord) => record.misdatedSince;
  assert.deepEqual(since(run(confirmed, [after(-11 * year)]).record), known);
  assert.deepEqual(since(run(confirmed, [after(100 * day)]).record), null, "it may have been off");
  const set = [after(hour), after(100 * day)];
  assert.deepEqual(since(run(confirmed, set).record), after(hour), "of this run");
  const long = run(confirmed, set, { uptimeMs: 30 * day });
  assert.deepEqual(since(long.record), null, "after a month it was right until then");
});

test("requests received by a clock that is 11 years back are dated by the time of their receipt", async (t) => {
  const { store, file } = await openFileStore(t);
  const { openClock } = await loadSource<typeof clockModule>("/app/server/clock.ts");
  let system = known;
  const open = () => openClock(store, builtAt, () => system);
  const stored = (reference: string, at: Date) =>
    store.submitRequest("contact", newRequest({ reference, duplicatesSince: at }), at);
  const dates = () =>
    query<{ created_at: string }>(file, "SELECT created_at FROM contact_requests ORDER BY id").map(
      ({ created_at }) => created_at,
    );
  await stored("before", (await open()).now());

  system = after(-11 * year);
  const wrong = await open();
  // Dates are compared by milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 5));
  await stored("meanwhile", wrong.now());
  assert.equal(await wrong.check(), "behind");
  assert.ok(wrong.now() >= known, "the program's time does not go back");

  system = after(100 * day);
  const right = await open();
  assert.equal(await right.check(), "ahead");
  await stored("later", right.now());
  const aDay = { builtAt, startedAt: system, uptimeMs: day, elapsedMs: day };
  const read = async (time: Date) => (await store.readClock({ ...aDay, time })).state;
  assert.equal(await read(after(101 * day)), "confirmed");
  assert.deepEqual(
    dates(),
    [known, system, system].map((date) => date.toISOString()),
  );

  // Set ahead by mistake, and back.
  await stored("future", after(300 * day));
  assert.equal(await read(after(102 * day)), "confirmed");
  assert.equal(dates().at(-1), after(102 * day).toISOString());
  assert.ok(
    query<{ at: string }>(file, "SELECT next_attempt_at AS at FROM outbox").every(
      ({ at }) => at <= after(102 * day).toISOString(),
    ),
    "its email does not wait for that time",
  );
});

/** Lets a stopped server's database be as old as it were if the clock were 100 days ahead now. */
function setBack({ databaseFile }: Server, days: number, more = ""): void {
  const db = new Sqlite(databaseFile);
  const shift = (column: string) =>
    `${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '-${days} days')`;
  db.exec(`UPDATE contact_requests SET ${shift("created_at")};
    UPDATE outbox SET ${shift("created_at")}, ${shift("next_attempt_at")};
    UPDATE clock SET ${shift("confirmed_at")}; ${more}`);
  db.close();
}

async function startWithRequests(t: TestContext, requests: number): Promise<Server> {
  const server = await startServer(t);
  for (let n = 0; n < requests; n += 1) {
    const typed = { ...contactTyped, message: `Message number ${n}` };
    assert.equal((await postJson(server.url, "/api/contact", typed)).status, 201);
  }
  await server.stop();
  return server;
}

const countOf = ({ databaseFile }: Server) =>
  query(databaseFile, "SELECT 1 FROM contact_requests").length;

test("a clock that is 100 days ahead at the start deletes nothing, and the log and doctor say why", async (t) => {
  const first = await startWithRequests(t, 20);
  setBack(first, 100);
  const { folder } = first;
  const server = await startServer(t, { folder });
  await until(() =>
    /warn the clock is days ahead of .*nothing is deleted by age/.test(server.log()),
  );
  assert.equal(countOf(server), 20);
  const doctor = await runCommand(folder, ["doctor"]);
  assert.match(doctor.out, /warn +clock .*last ran by a confirmed clock at .*nothing is deleted/);
  await server.stop();
  const again = await startServer(t, { folder });
  assert.equal(countOf(again), 20, "a restart does not confirm it");
});

test("a server with much to delete listens first, and takes posts meanwhile", async (t) => {
  const folder = newFolder(t);
  const file = path.join(folder, "data/rubricon.db");
  const db = makeOldDatabase(file, latestSchemaVersion);
  const requests = 1000;
  const insert = db.prepare(
    `INSERT INTO contact_requests (name, email, message, created_at, reference)
      VALUES ('Thandi', 'thandi@school.example', 'Hello', ?, ?)`,
  );
  const long = new Date(Date.now() - 100 * day).toISOString();
  db.transaction(() => {
    for (let n = 0; n < requests; n += 1) insert.run(long, `R-${n}`);
  })();
  db.prepare("INSERT INTO clock (id, confirmed_at) VALUES (1, ?)").run(new Date().toISOString());
  db.close();
  const server = await startServer(t, { folder, env: { RUBRICON_BACKUP_HOURS: "0" } });
  const atReady = countOf(server);
  assert.ok(atReady > requests / 10, `${atReady} are left`);
  assert.equal((await postJson(server.url, "/api/contact", contactTyped)).status, 201);
  assert.ok(countOf(server) > 1, "the post did not wait for the end");
  await until(() => /deleted 1000 requests older than 90 days/.test(server.log()));
  assert.equal(countOf(server), 1);
});

test("once the clock is confirmed, old requests are deleted, after a backup if they are many", async (t) => {
  const first = await startWithRequests(t, 20);
  const uptime = `UPDATE clock SET suspicious_uptime_ms = ${day}, suspicious_read_at = '${new Date().toISOString()}',
    suspicious_since = '${new Date().toISOString()}'`;
  setBack(first, 100, uptime);
  const server = await startServer(t, { folder: first.folder });
  await until(() => /deleted 20 requests older than 90 days/.test(server.log()));
  assert.equal(countOf(server), 0);
  const folder = path.join(path.dirname(server.databaseFile), "backups");
  const [backup] = readdirSync(folder);
  assert.match(backup!, /^rubricon-before-retention-.*Z\.db$/);
  assert.equal(query(path.join(folder, backup!), "SELECT 1 FROM inbox").length, 20);
});
