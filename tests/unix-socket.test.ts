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
    RUBRICON_METRICS_NETWORKS: "192.0.2.1",
  };
  return { folder, socketPath, env, server: await startServer(t, { folder, env }) };
}

test("a server has a Unix socket for the proxy's group until it ends", async (t) => {
  const { folder, socketPath, env, server } = await startOnSocket(t);
  assert.equal(server.url, socketPath, "its line on stdout");
  assert.equal(statSync(socketPath).mode & 0o777, 0o660);
  assert.equal((await get(socketPath, "/about")).status, 200);
  await succeeded(runCommand(folder, ["health"], env));
  assert.doesNotMatch(server.log(), /X-Forwarded-For/);
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

test("on a Unix socket X-Forwarded-For tells visitors apart", async () => {
  const { socketPath, server } = await sharedOnSocket();
  let posts = 0;
  const post = async (forwarded: Record<string, string>) => {
    posts += 1;
    const body = JSON.stringify({ ...contactTyped, phone: String(posts) });
    const headers = { "Content-Type": "application/json", ...forwarded };
    const sent = postOf(body, { "Content-Length": String(Buffer.byteLength(body)), ...headers });
    return (await sendRequest("http://localhost", "/api/contact", { ...sent, socketPath })).status;
  };
  for (const forwarded of [
    { "X-Forwarded-For": "192.0.2.1" },
    // What the visitor itself has sent is not trusted.
    { "X-Forwarded-For": "192.0.2.1, 192.0.2.2" },
  ]) {
    assert.deepEqual(
      [await post(forwarded), await post(forwarded), await post(forwarded)],
      [201, 201, 429],
    );
  }
  // Without the header all visitors count as one, which is logged once.
  assert.deepEqual([await post({}), await post({}), await post({})], [201, 201, 429]);
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

test("a server replaces the socket of one that was killed, not that of one that runs", async (t) => {
  const folder = newFolder(t);
  const socketPath = path.join(folder, "site.sock");
  const env = { RUBRICON_HOST: socketPath, RUBRICON_LOG_FORMAT: "json" };
  await (await startServer(t, { folder, env })).stop("SIGKILL");
  assert.ok(statSync(socketPath).isSocket());
  assert.match(await findingOfSocket(folder, socketPath), /^ok .* is free$/);

  const server = await startServer(t, { folder, env });
  assert.equal(server.url, socketPath, "its line on stdout as JSON");
  const second = await runCommand(newFolder(t), [], env);
  assert.equal(second.code, 75);
  assert.match(
    second.err,
    /site\.sock is another server's socket, or another file\. .* set RUBRICON_HOST to a path where no file is/,
  );
  assert.equal((await get(socketPath, "/healthz")).status, 200);
});

test("a server replaces no other file with its socket", async (t) => {
  const folder = newFolder(t);
  const file = path.join(folder, "file.txt");
  writeFileSync(file, "kept");
  assert.equal((await runCommand(folder, [], { RUBRICON_HOST: file })).code, 75);
  assert.equal(readFileSync(file, "utf8"), "kept");
  const finding = await findingOfSocket(folder, file);
  assert.match(finding, /^FAIL .* is another server's socket, or another file\. .*RUBRICON_HOST/);
});

test("a socket whose folder is missing is reported with RUBRICON_HOST", async (t) => {
  const folder = newFolder(t);
  const missing = path.join(folder, "missing/site.sock");
  const nowhere = await runCommand(folder, [], { RUBRICON_HOST: missing });
  assert.equal(nowhere.code, 78, nowhere.err);
  assert.match(nowhere.err, /missing\/site\.sock cannot be used: \w+\. .* set RUBRICON_HOST/);
  const finding = await findingOfSocket(folder, missing);
  assert.match(finding, /^warn .*does not exist.*RuntimeDirectory=missing/);
});
