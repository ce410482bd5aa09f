import assert from "node:assert/strict";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import Sqlite from "better-sqlite3";
import { fetchReadiness } from "../app/server/doctor/readiness.ts";
import { openHealth } from "../app/server/http/readiness-checks.ts";
import type { Log } from "../app/server/log.ts";
import type { Store } from "../db/store.ts";
import { atEnd } from "./support/at-end.ts";
import { contactTyped, postJson } from "./support/forms.ts";
import { freePort, listen } from "./support/free-port.ts";
import { succeeded } from "./support/output-of.ts";
import { open } from "./support/raw-client.ts";
import { sendRequest } from "./support/send-request.ts";
import {
  emptyServer,
  localMetrics,
  newFolder,
  runCommand,
  type Server,
  sharedSettings,
  startServer,
  until,
} from "./support/server.ts";

Object.assign(sharedSettings, localMetrics, {
  RUBRICON_MAIL_URL: "smtp://127.0.0.1:1",
  RUBRICON_MAIL_TO: "team@school.example",
});

/** The checks of a server that asks its database by this function, with a clock and what is logged. */
function healthOf(t: TestContext, tryWriting: () => Promise<void>) {
  const clock = { ms: 0 };
  t.mock.method(performance, "now", () => clock.ms);
  const store = { tryWriting } as unknown as Store;
  // Without a file the room on the disk is not checked.
  const parts = {
    databaseFile: undefined,
    hasMail: false,
    scanner: undefined,
    dropFolderJob: undefined,
  };
  const logged: string[] = [];
  const log = {
    warn: (message: string) => logged.push(`warn ${message}`),
    info: (message: string) => logged.push(`info ${message}`),
  } as unknown as Log;
  const health = openHealth(store, { ...parts, now: () => new Date(), log });
  return { clock, logged, health };
}

test("/readyz takes the database's lock once a second, however many ask", async (t) => {
  let locks = 0;
  const { clock, health } = healthOf(t, async () => {
    locks += 1;
  });
  const asked = await Promise.all(Array.from({ length: 100 }, () => health.check()));
  for (const { ready, checks } of asked) assert.deepEqual([ready, checks.database], [true, "ok"]);
  for (const [ms, expected] of [
    [0, 1],
    [999, 1],
    [1001, 2],
  ] as const) {
    clock.ms = ms;
    await health.check();
    assert.equal(locks, expected, `after ${ms} ms`);
  }
});

test("that a server is not ready is logged once, and then that it is ready again", async (t) => {
  let isLocked = true;
  const { clock, logged, health } = healthOf(t, async () => {
    if (isLocked) throw new Error("database is locked");
  });
  for (const locked of [true, true, false, false]) {
    isLocked = locked;
    assert.equal((await health.check()).ready, !locked);
    clock.ms += 1001;
  }
  assert.deepEqual(logged, ["warn not ready: database: database is locked", "info ready again"]);
});

async function readiness(url: string, headers: Record<string, string> = {}) {
  const { status, bytes } = await sendRequest(url, "/readyz", { headers });
  return { status, ...(JSON.parse(bytes.toString()) as { checks?: Record<string, string> }) };
}

/** Waits for a status of /readyz, whose checks the server caches for a second. */
const untilReadyz = (url: string, status: number) =>
  until(async () => (await readiness(url)).status === status);

/**
 * Locks the database of a server until the end of the test, and waits until the server is not ready.
 * Returns a function that ends the lock and waits until the server is ready again.
 */
async function lockDatabase(t: TestContext, { url, databaseFile }: Server) {
  const other = new Sqlite(databaseFile);
  const unlock = async () => {
    other.close();
    await untilReadyz(url, 200);
  };
  atEnd(t, unlock);
  other.exec("BEGIN IMMEDIATE");
  await untilReadyz(url, 503);
  return unlock;
}

const allGood = { serving: "ok", database: "ok", disk: "ok", emails: "ok" };

test("/readyz is a 503 with the reason while the database is locked", async (t) => {
  const server = await emptyServer();
  const unlock = await lockDatabase(t, server);
  const checks = { ...allGood, database: "database is locked" };
  assert.deepEqual(await readiness(server.url), { status: 503, ready: false, checks });
  await unlock();
  assert.deepEqual(await readiness(server.url), { status: 200, ready: true, checks: allGood });
});

test("a server that is not ready is alive and serves pages", async (t) => {
  const server = await emptyServer();
  await lockDatabase(t, server);
  for (const address of ["/healthz", "/about"])
    assert.equal((await sendRequest(server.url, address)).status, 200, address);
});

test("health exits with 1 and the reason while the server is not ready", async (t) => {
  const server = await emptyServer();
  await lockDatabase(t, server);
  const command = ["health", "--port", new URL(server.url).port];
  const { code, err } = await runCommand(server.folder, command);
  assert.equal(code, 1);
  assert.match(err, /database: database is locked/);
});

test("a request to /readyz that began before SIGTERM learns that the server is stopping", async (t) => {
  const server = await startServer(t, { env: localMetrics });
  const { socket, received } = open(t, server.url);
  await new Promise((resolve) =>
    socket.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", resolve),
  );
  // The server has read the head once it has responded to requests that were sent later.
  for (let later = 0; later < 3; later += 1) await sendRequest(server.url, "/healthz");
  server.process.kill("SIGTERM");
  await until(() => server.log().includes("SIGTERM"));
  socket.write("yes\r\n\r\n");
  await until(() => received().includes('"serving":"stopping"'));
  assert.match(received(), /^HTTP\/1\.1 503 /);
  socket.destroy();
  // The end of the test sends a second signal, which would end the process while it stops.
  await until(() => server.process.exitCode === 0);
});

/** A server whose checks only clients in 10.0.0.0/8 may read, with its database locked. */
async function lockedForStrangers(t: TestContext) {
  const server = await startServer(t, {
    env: { RUBRICON_METRICS_NETWORKS: "10.0.0.0/8", RUBRICON_TRUSTED_PROXIES: "127.0.0.1,::1" },
  });
  await lockDatabase(t, server);
  return server;
}

test("strangers learn from /readyz only whether forms are accepted", async (t) => {
  const { url } = await lockedForStrangers(t);
  const readinessFor = (address: string) => readiness(url, { "X-Forwarded-For": address });
  assert.deepEqual(await readinessFor("192.0.2.1"), { status: 503, ready: false });
  assert.equal((await readinessFor("10.1.2.3")).checks?.database, "database is locked");
});

test("health says where the reason is if it may not read it", async (t) => {
  const { url, folder } = await lockedForStrangers(t);
  const { code, err } = await runCommand(folder, ["health", "--port", new URL(url).port]);
  assert.equal(code, 1);
  assert.match(err, /Not ready: the server's log has the reason; .*RUBRICON_METRICS_NETWORKS/);
});

test("a server with an email that has been pending for hours is ready, and says so", async () => {
  const server = await emptyServer();
  assert.equal((await postJson(server.url, "/api/contact", contactTyped)).status, 201);
  const sevenHoursAgo = new Date(Date.now() - 7 * 3_600_000).toISOString();
  await server.change(`UPDATE outbox SET created_at = '${sevenHoursAgo}'`);
  const emails = "the oldest has been pending for 7 hours";
  // The server caches the result for a second.
  const { status, bytes } = await until(async () => {
    const response = await sendRequest(server.url, "/readyz");
    return response.bytes.includes(emails) ? response : undefined;
  });
  assert.equal(status, 200);
  const { ready, checks } = JSON.parse(bytes.toString());
  assert.deepEqual([ready, checks.emails], [true, emails]);
  const { port } = new URL(server.url);
  const { out } = await succeeded(runCommand(server.folder, ["health", "--port", port]));
  assert.match(out, /^emails: the oldest has been pending for 7 hours$/m);
});

test("health exits with 0 if the running server is ready, and prints its checks", async () => {
  const { url, folder } = await emptyServer();
  const PORT = new URL(url).port;
  await until(async () => (await sendRequest(url, "/readyz")).bytes.includes('"emails":"ok"'));
  const ready = await succeeded(runCommand(folder, ["health", "--port", PORT]));
  assert.match(ready.out, /^serving: ok\ndatabase: ok\ndisk: ok\nemails: ok\n$/);
  const json = await runCommand(folder, ["health", "--json"], { PORT });
  assert.deepEqual(JSON.parse(json.out), { ready: true, checks: allGood });
});

test("health asks this machine if the server listens on every address", async () => {
  const { url, folder } = await emptyServer();
  const env = { PORT: new URL(url).port, RUBRICON_HOST: "0.0.0.0" };
  const { out } = await succeeded(runCommand(folder, ["health", "--json"], env));
  assert.equal(JSON.parse(out).ready, true);
});

test("health --wait fails when the time is up", async (t) => {
  const port = String(await freePort());
  const begun = Date.now();
  const { code, err } = await runCommand(newFolder(t), ["health", "--wait", "1", "--port", port]);
  assert.equal(code, 1);
  assert.match(err, /Not ready: no valid response from/);
  assert.ok(Date.now() - begun >= 1000, "health waited for a second");
});

test("health --wait asks until the server is ready", async (t) => {
  const folder = newFolder(t);
  const port = String(await freePort());
  const args = ["health", "--wait", "60", "--port", port, "--json"];
  const waiting = runCommand(folder, args);
  await startServer(t, { folder, env: { PORT: port } });
  const { out } = await succeeded(waiting);
  assert.equal(JSON.parse(out).ready, true);
});

test("health names the time after which it has waited for no response", async (t) => {
  const port = await listen(t, createServer());
  const endedSignal = AbortSignal.abort();
  const { mock } = t.mock.method(AbortSignal, "timeout", () => endedSignal);
  const { text } = await fetchReadiness({ listenAddress: { host: "127.0.0.1", port } });
  assert.equal(text, `no valid response from 127.0.0.1:${port}: none within 5 seconds`);
  assert.deepEqual(mock.calls[0]!.arguments, [5000]);
});
