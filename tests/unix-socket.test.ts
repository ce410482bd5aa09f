import assert from "node:assert/strict";
import fs, { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { createLimitedServer, listen } from "../app/server/http/node-server.ts";
import { once } from "../app/server/system/once.ts";
import { type Scope, wholeFile } from "./support/at-end.ts";
import { contactTyped } from "./support/forms.ts";
import { succeeded } from "./support/output-of.ts";
import { postOf, sendRequest } from "./support/send-request.ts";
import { newFolder, runCommand, startServer, until } from "./support/server.ts";

/** As the proxy sends it for a visitor. */
const get = (socketPath: string, address: string, visitor = "192.0.2.1") =>
  sendRequest("http://localhost", address, {
    socketPath,
    headers: { "X-Forwarded-For": visitor },
  });

async function startOnSocket(t: Scope) {
  const folder = newFolder(t);
  const socketPath = path.join(folder, "site.sock");
  const env = {
    RUBRICON_HOST: socketPath,
    RUBRICON_POSTS_PER_10_MINUTES: "2",
    RUBRICON_METRICS_NETWORKS: "192.0.2.1, 127.0.0.1",
  };
  return { folder, socketPath, env, server: await startServer(t, { folder, env }) };
}

test("a server has a Unix socket for the proxy's group until it ends", async (t) => {
  const { socketPath, server } = await startOnSocket(t);
  assert.equal(server.url, socketPath, "the line on stdout");
  assert.equal(statSync(socketPath).mode & 0o777, 0o660);
  assert.equal((await get(socketPath, "/about")).status, 200);
  assert.equal(await server.stop(), 0);
  assert.ok(!existsSync(socketPath));
});

test("a server whose socket cannot be given to the group does not go on listening", async (t) => {
  t.mock.method(fs, "chmodSync", () => {
    throw new Error("EINVAL: invalid argument, chmod");
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const server = createLimitedServer(() => {});
  t.after(() => server.close());
  await assert.rejects(listen(server, { path: path.join(newFolder(t), "site.sock") }), /EINVAL/);
  assert.equal(server.listening, false);
});

const sharedOnSocket = once(() => startOnSocket(wholeFile));

/** Sends three posts through a socket. Returns their statuses; two are allowed. */
async function statusesOfPosts(socketPath: string, forwarded: Record<string, string>) {
  const statuses: number[] = [];
  for (const phone of ["1", "2", "3"]) {
    const body = JSON.stringify({ ...contactTyped, phone });
    const sent = postOf(body, { "Content-Type": "application/json", ...forwarded });
    const options = { ...sent, socketPath };
    statuses.push((await sendRequest("http://localhost", "/api/contact", options)).status);
  }
  return statuses;
}

test("on a Unix socket X-Forwarded-For tells visitors apart", async () => {
  const { socketPath } = await sharedOnSocket();
  // What the visitor itself has sent, before the last address, is not trusted.
  for (const address of ["192.0.2.1", "192.0.2.1, 192.0.2.2"]) {
    const statuses = await statusesOfPosts(socketPath, { "X-Forwarded-For": address });
    assert.deepEqual(statuses, [201, 201, 429], address);
  }
});

// Before the test that has the warning logged.
test("the health command reaches a server on a Unix socket, and is no visitor without X-Forwarded-For", async () => {
  const { folder, env, server } = await sharedOnSocket();
  const { out } = await succeeded(runCommand(folder, ["health", "--json"], env));
  assert.equal(JSON.parse(out).checks.database, "ok", "it gives this machine's address");
  assert.doesNotMatch(server.log(), /X-Forwarded-For/);
});

test("on a Unix socket all visitors without X-Forwarded-For count as one, which is logged once", async () => {
  const { socketPath, server } = await sharedOnSocket();
  assert.deepEqual(await statusesOfPosts(socketPath, {}), [201, 201, 429]);
  await until(() => server.log().includes("came without X-Forwarded-For"));
  assert.equal(server.log().match(/ warn .*X-Forwarded-For/g)?.length, 1);
});

test("on a Unix socket metrics are for the visitors of their networks", async () => {
  const { socketPath } = await sharedOnSocket();
  assert.equal((await get(socketPath, "/metrics", "192.0.2.2")).status, 404);
  assert.equal((await get(socketPath, "/metrics")).status, 200);
});

async function findingOfSocket(folder: string, host: string): Promise<string> {
  const { out } = await runCommand(folder, ["doctor"], { RUBRICON_HOST: host });
  return /^(ok|warn|FAIL) +socket .*$/m.exec(out)?.[0] ?? "no finding";
}

test("a server replaces the socket of one that was killed, which doctor finds free", async (t) => {
  const folder = newFolder(t);
  const socketPath = path.join(folder, "site.sock");
  const env = { RUBRICON_HOST: socketPath, RUBRICON_LOG_FORMAT: "json" };
  await (await startServer(t, { folder, env })).stop("SIGKILL");
  assert.ok(statSync(socketPath).isSocket());
  assert.match(await findingOfSocket(folder, socketPath), /^ok .* is free$/);
  const server = await startServer(t, { folder, env });
  assert.equal(server.url, socketPath, "the line on stdout as JSON");
  assert.equal((await get(socketPath, "/healthz")).status, 200);
});

test("a server does not replace the socket of one that runs", async (t) => {
  const { socketPath } = await sharedOnSocket();
  const second = await runCommand(newFolder(t), [], { RUBRICON_HOST: socketPath });
  assert.equal(second.code, 75);
  assert.match(
    second.err,
    /site\.sock is another server's socket, or another file\. .* set RUBRICON_HOST to a path where no file is/,
  );
  assert.equal((await get(socketPath, "/healthz")).status, 200);
});

test("a server replaces no other file with its socket, and doctor says so", async (t) => {
  const folder = newFolder(t);
  const file = path.join(folder, "file.txt");
  writeFileSync(file, "kept");
  assert.equal((await runCommand(folder, [], { RUBRICON_HOST: file })).code, 75);
  assert.equal(readFileSync(file, "utf8"), "kept");
  const finding = await findingOfSocket(folder, file);
  assert.match(finding, /^FAIL .* is another server's socket, or another file\. .*RUBRICON_HOST/);
});

test("a socket whose folder is missing is reported by server and doctor, with what to set", async (t) => {
  const folder = newFolder(t);
  const missing = path.join(folder, "missing/site.sock");
  const nowhere = await runCommand(folder, [], { RUBRICON_HOST: missing });
  assert.equal(nowhere.code, 78, nowhere.err);
  assert.match(nowhere.err, /missing\/site\.sock cannot be used: \w+\. .* set RUBRICON_HOST/);
  const finding = await findingOfSocket(folder, missing);
  assert.match(finding, /^warn .*does not exist.*RuntimeDirectory=missing/);
});
