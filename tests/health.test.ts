import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import { openHealth } from "../app/server/http/readiness-checks.ts";
import type { Log } from "../app/server/log.ts";
import type { Store } from "../db/store.ts";
import { contactTyped, postJson } from "./support/forms.ts";
import { freePort, listen } from "./support/free-port.ts";
import { succeeded } from "./support/output-of.ts";
import { sendRequest } from "./support/send-request.ts";
import {
  emptyServer,
  localMetrics,
  newFolder,
  runCommand,
  sharedSettings,
  startServer,
  until,
} from "./support/server.ts";

Object.assign(sharedSettings, localMetrics, {
  RUBRICON_MAIL_URL: "smtp://127.0.0.1:1",
  RUBRICON_MAIL_TO: "team@school.example",
});

test("/readyz takes the database's lock once a second, however many ask", async (t) => {
  let time = 0;
  t.mock.method(performance, "now", () => time);
  let locks = 0;
  const tryWriting = async () => {
    locks += 1;
  };
  const store = { tryWriting } as unknown as Store;
  const options = {
    databaseFile: import.meta.filename,
    diskFloorMb: 0,
    hasMail: false,
    scanner: undefined,
    dropFolderJob: undefined,
  };
  const log = { warn: () => {}, info: () => {} } as unknown as Log;
  const health = openHealth(store, options, () => new Date(), log);
  const asked = await Promise.all(Array.from({ length: 100 }, () => health.check()));
  assert.ok(asked.every(({ ready, checks }) => ready && checks.database === "ok"));
  assert.equal(locks, 1);
  time += 1001;
  await health.check();
  assert.equal(locks, 2);
});

test("/readyz is a 503 while the database is locked", async () => {
  const server = await emptyServer();
  const { url } = server;
  const readiness = async () => {
    const { status, bytes } = await sendRequest(url, "/readyz");
    return { status, ...(JSON.parse(bytes.toString()) as object) };
  };
  const allGood = { serving: "ok", database: "ok", disk: "ok", emails: "ok" };
  const isReady = { status: 200, ready: true, checks: allGood };
  assert.deepEqual(await readiness(), isReady);
  const other = new Sqlite(server.databaseFile);
  other.exec("BEGIN IMMEDIATE");
  // The server caches the result for a second.
  await until(async () => (await readiness()).status === 503);
  const database = "database is locked";
  assert.deepEqual(await readiness(), {
    status: 503,
    ready: false,
    checks: { ...allGood, database },
  });
  const command = ["health", "--port", new URL(url).port];
  const { code, err } = await runCommand(server.folder, command);
  assert.equal(code, 1);
  assert.match(err, /database: database is locked/);
  const cause = " warn not ready: database: database is locked\n";
  assert.equal(server.log().split(cause).length, 2, "logged once");
  assert.equal((await sendRequest(url, "/healthz")).status, 200);
  assert.equal((await sendRequest(url, "/about")).status, 200);
  other.exec("ROLLBACK");
  other.close();
  await until(async () => (await readiness()).status === 200);
  assert.deepEqual(await readiness(), isReady);
  assert.match(server.log(), / info ready again\n/);
});

test("a request to /readyz that began before SIGTERM learns that the server is stopping", async (t) => {
  const server = await startServer(t, { env: localMetrics });
  const { url } = server;
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const head = `GET /readyz HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Slow: `;
  await new Promise((resolve) => socket.write(head, resolve));
  // The server has read the head once it has responded to requests that were sent later.
  for (let later = 0; later < 3; later += 1) await sendRequest(url, "/healthz");
  server.process.kill("SIGTERM");
  await until(() => server.log().includes("SIGTERM"));
  socket.write("yes\r\n\r\n");
  const [response] = (await once(socket, "data")) as [Buffer];
  assert.match(response.toString(), /^HTTP\/1\.1 503 /);
  assert.match(response.toString(), /"serving":"stopping"/);
  socket.destroy();
  // The end of the test sends a second signal, which would end the process while it stops.
  await until(() => server.process.exitCode === 0);
});

test("strangers learn from /readyz only whether forms are accepted", async (t) => {
  const server = await startServer(t, {
    env: { RUBRICON_METRICS_NETWORKS: "10.0.0.0/8", RUBRICON_TRUSTED_PROXIES: "127.0.0.1,::1" },
  });
  const readiness = async (address: string) => {
    const headers = { "X-Forwarded-For": address };
    const { status, bytes } = await sendRequest(server.url, "/readyz", { headers });
    return { status, body: JSON.parse(bytes.toString()) as { checks?: { database: string } } };
  };
  assert.deepEqual(await readiness("192.0.2.1"), { status: 200, body: { ready: true } });
  const other = new Sqlite(server.databaseFile);
  other.exec("BEGIN IMMEDIATE");
  await until(async () => (await readiness("192.0.2.1")).status === 503);
  assert.deepEqual((await readiness("192.0.2.1")).body, { ready: false });
  assert.equal((await readiness("10.1.2.3")).body.checks?.database, "database is locked");
  const { port } = new URL(server.url);
  const { code, err } = await runCommand(server.folder, ["health", "--port", port]);
  assert.equal(code, 1);
  assert.match(err, /Not ready: the server's log has the reason; .*RUBRICON_METRICS_NETWORKS/);
  other.close();
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
  const json = await runCommand(folder, ["health", "--json"], { PORT, RUBRICON_HOST: "0.0.0.0" });
  assert.deepEqual(JSON.parse(json.out), {
    ready: true,
    checks: { serving: "ok", database: "ok", disk: "ok", emails: "ok" },
  });
});

test("health --wait fails when the time is up", async (t) => {
  const port = String(await freePort());
  const begun = Date.now();
  const { code, err } = await runCommand(newFolder(t), ["health", "--wait", "1", "--port", port]);
  assert.equal(code, 1);
  assert.match(err, /Not ready: no valid response from/);
  assert.ok(Date.now() - begun >= 1000, "it waited");
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
  const port = String(await listen(t, createServer()));
  const { code, err } = await runCommand(newFolder(t), ["health", "--port", port]);
  assert.equal(code, 1);
  assert.match(err, /no valid response from 127\.0\.0\.1:\d+: none within 5 seconds\./);
});

test("health --wait takes a number of seconds", async (t) => {
  const { code, err } = await runCommand(newFolder(t), ["health", "--wait", "soon"]);
  assert.equal(code, 2);
  assert.match(err, /--wait takes seconds, not soon/);
});
