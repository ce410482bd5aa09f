import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { freePort, listen } from "./support/free-port.ts";
import { succeeded } from "./support/output-of.ts";
import { newFolder, runCommand, startServer } from "./support/server.ts";

test("health --wait asks until the server is ready, or the time is up", async (t) => {
  const folder = newFolder(t);
  const port = String(await freePort());
  const begun = Date.now();
  const alone = await runCommand(folder, ["health", "--wait", "1", "--port", port]);
  assert.equal(alone.code, 1);
  assert.match(alone.err, /Not ready: no valid response from/);
  assert.ok(Date.now() - begun >= 1000, "it waited");

  const waiting = runCommand(folder, ["health", "--wait", "60", "--port", port, "--json"]);
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
