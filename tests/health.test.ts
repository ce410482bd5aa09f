import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import { openHealth } from "../app/server/http/readiness-checks.ts";
import type { Log } from "../app/server/log.ts";
import type { Store } from "../db/store.ts";
import { contactTyped, postJson } from "./support/forms.ts";
import { succeeded } from "./support/output-of.ts";
import { sendRequest } from "./support/send-request.ts";
import { localMetrics, runCommand, startServer, until } from "./support/server.ts";

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

test("/readyz is a 503 while the database is locked", async (t) => {
  const server = await startServer(t, { env: localMetrics });
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

test("a server with an email that has been pending for hours is ready, and says so", async (t) => {
  const server = await startServer(t, {
    env: {
      ...localMetrics,
      RUBRICON_MAIL_URL: "smtp://127.0.0.1:1",
      RUBRICON_MAIL_TO: "team@school.example",
    },
  });
  assert.equal((await postJson(server.url, "/api/contact", contactTyped)).status, 201);
  const sevenHoursAgo = new Date(Date.now() - 7 * 3_600_000).toISOString();
  await server.change(`UPDATE outbox SET created_at = '${sevenHoursAgo}'`);
  const response = await fetch(`${server.url}/readyz`);
  assert.equal(response.status, 200);
  const { ready, checks } = (await response.json()) as {
    ready: boolean;
    checks: { emails: string };
  };
  assert.equal(ready, true);
  assert.equal(checks.emails, "the oldest has been pending for 7 hours");
  const { port } = new URL(server.url);
  const { out } = await succeeded(runCommand(server.folder, ["health", "--port", port]));
  assert.match(out, /^emails: the oldest has been pending for 7 hours$/m);
});
