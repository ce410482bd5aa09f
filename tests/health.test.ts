import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import type * as healthModule from "../app/server/http/health.ts";
import type { Store } from "../db/store.ts";
import { sendRequest } from "./support/send-request.ts";
import { startServer, until } from "./support/server.ts";
import { loadSource } from "./support/source.ts";

test("/readyz takes the database's lock once a second, however many ask", async () => {
  const { openHealth } = await loadSource<typeof healthModule>("/app/server/http/health.ts");
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
  };
  const health = openHealth(store, options, () => new Date());
  const asked = await Promise.all(Array.from({ length: 100 }, () => health.check()));
  assert.ok(asked.every(({ database }) => database === "ok"));
  assert.equal(locks, 1);
});

test("/readyz is a 503 while the database is locked, and while the server is stopping", async (t) => {
  const server = await startServer(t);
  const { url } = server;
  const checks = async () => {
    const { status, bytes } = await sendRequest(url, "/readyz");
    return { status, ...(JSON.parse(bytes.toString()) as Record<string, string>) };
  };
  const allGood = { serving: "ok", database: "ok", disk: "ok", emails: "ok" };
  assert.deepEqual(await checks(), { status: 200, ...allGood });
  const other = new Sqlite(server.databaseFile);
  other.exec("BEGIN IMMEDIATE");
  // The result is kept for a second.
  await until(async () => (await checks()).status === 503);
  assert.deepEqual(await checks(), { status: 503, ...allGood, database: "database is locked" });
  assert.equal((await sendRequest(url, "/healthz")).status, 200);
  assert.equal((await sendRequest(url, "/about")).status, 200);
  other.exec("ROLLBACK");
  other.close();
  await until(async () => (await checks()).status === 200);
  assert.deepEqual(await checks(), { status: 200, ...allGood });

  // A request that began before SIGTERM still gets a response.
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /readyz HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Slow: `);
  await new Promise((resolve) => setTimeout(resolve, 300));
  server.process.kill("SIGTERM");
  await until(() => server.log().includes("SIGTERM"));
  socket.write("yes\r\n\r\n");
  const [response] = (await once(socket, "data")) as [Buffer];
  assert.match(response.toString(), /^HTTP\/1\.1 503 /);
  assert.match(response.toString(), /"serving":"stopping"/);
  socket.destroy();
  assert.equal(await server.stop(), 0);
});
