import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { atEnd } from "./support/at-end.ts";
import { freePort } from "./support/free-port.ts";
import { isOk } from "./support/is-ok.ts";
import { emptyServer, executable, newFolder, query, startServer, until } from "./support/server.ts";
import { pdf, threeFiles, uploadForm } from "./support/upload.ts";

/** Sends the first part of an upload and keeps the connection open; `finish` sends the rest. */
async function beginUpload(url: string) {
  const files = threeFiles();
  files[0]!.bytes = pdf(500_000);
  const form = new Request(url, { method: "POST", body: uploadForm(files) });
  const body = Buffer.from(await form.arrayBuffer());
  const upload = request(`${url}/api/demo-request-with-files`, {
    method: "POST",
    headers: {
      "Content-Type": form.headers.get("Content-Type")!,
      "Content-Length": body.length,
    },
  });
  const status = new Promise<number | undefined>((resolve, reject) => {
    upload.once("response", (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    upload.once("error", reject);
  });
  status.catch(() => {});
  const cut = body.length - 600;
  upload.write(body.subarray(0, cut));
  return { status, finish: () => upload.end(body.subarray(cut)), abort: () => upload.destroy() };
}

const count = (file: string, table: string) => query(file, `SELECT 1 FROM ${table}`).length;

for (const signal of ["SIGTERM", "SIGHUP", "SIGUSR2"] as const) {
  test(`on ${signal} the server ends once the upload in flight has finished`, (t) =>
    stopDuringUpload(t, signal));
}

async function stopDuringUpload(t: TestContext, signal: NodeJS.Signals): Promise<void> {
  const server = await startServer(t);
  const upload = await beginUpload(server.url);
  await until(() => count(server.databaseFile, "uploaded_files") > 0);
  server.process.kill(signal);
  await until(() => server.log().includes(signal));
  const isClosed = () =>
    fetch(server.url).then(
      () => false,
      () => true,
    );
  await until(isClosed);
  upload.finish();
  assert.equal(await upload.status, 201);
  assert.equal(await server.stop(), 0);
  assert.equal(count(server.databaseFile, "contact_requests"), 1);
}

test("a ready server tells systemd again and again that its event loop turns", async (t) => {
  const folder = newFolder(t);
  const told = path.join(folder, "told");
  writeFileSync(path.join(folder, "systemd-notify"), `#!/bin/sh\necho "$*" >> ${told}\n`, {
    mode: 0o755,
  });
  // A message a second: of two processes that begin at nearly the same time, the later one may be the first to write.
  const systemd = { PATH: folder, NOTIFY_SOCKET: "/nowhere", WATCHDOG_USEC: "3000000" };
  const server = await startServer(t, { folder, env: systemd });
  await until(() => existsSync(told) && readFileSync(told, "utf8").split("\n").length > 3);
  const [first, ...others] = readFileSync(told, "utf8").trim().split("\n");
  assert.equal(first, "--ready");
  assert.deepEqual(new Set(others), new Set(["WATCHDOG=1"]));
  assert.equal(await server.stop(), 0);
});

test("an account without a home folder and without a name runs the program", async (t) => {
  if (process.getuid!() !== 0) return t.skip("running as another account needs root");
  const folder = newFolder(t);
  const program = path.join(folder, "rubricon");
  copyFileSync(executable, program);
  chmodSync(folder, 0o755);
  const account = { uid: 54321, gid: 54321 };
  const { status, stderr } = spawnSync(program, ["version"], { ...account, env: {}, cwd: "/" });
  assert.equal(status, 0, String(stderr));
});

test("SIGUSR1 does not open the debugger", async (t) => {
  const server = await startServer(t);
  server.process.kill("SIGUSR1");
  assert.equal((await fetch(server.url)).status, 200);
  assert.equal(await server.stop(), 0);
  assert.doesNotMatch(server.log(), /debugger|inspector/i);
});

test("the server goes on if stdout cannot be written", async (t) => {
  for (const stdout of ["a full disk", "a reader that has gone"]) {
    const folder = newFolder(t);
    const port = await freePort();
    const full = openSync("/dev/full", "w");
    const child = spawn(executable, [], {
      cwd: folder,
      env: { PATH: "/nowhere", PORT: String(port) },
      stdio: ["ignore", stdout === "a full disk" ? full : "pipe", "ignore"],
    });
    closeSync(full);
    child.stdout?.destroy();
    atEnd(t, () => child.kill("SIGKILL"));
    const exited = once(child, "exit");
    const health = `http://127.0.0.1:${port}/healthz`;
    await until(async () => child.exitCode !== null || (await isOk(health)));
    assert.equal(child.exitCode, null, stdout);
    child.kill("SIGTERM");
    assert.deepEqual(await exited, [0, null], stdout);
  }
});

test("an aborted upload leaves nothing behind", async () => {
  const server = await emptyServer();
  const upload = await beginUpload(server.url);
  await until(() => count(server.databaseFile, "uploaded_files") > 0);
  upload.abort();
  await until(() => count(server.databaseFile, "uploaded_files") === 0);
  for (const table of ["uploaded_file_bytes", "upload_drafts", "contact_requests"]) {
    assert.equal(count(server.databaseFile, table), 0, table);
  }
});

test("after a kill during an upload, its files are deleted once no request can be using them", async (t) => {
  const server = await startServer(t);
  const upload = await beginUpload(server.url);
  await until(() => count(server.databaseFile, "uploaded_files") === 2);
  await server.stop("SIGKILL");
  upload.abort();
  const old = new Date(Date.now() - 3 * 60 * 60 * 1000).toISOString();
  await server.change(`UPDATE uploaded_files SET created_at = '${old}' WHERE id = 1`);
  const restarted = await startServer(t, { folder: server.folder });
  await until(() => count(server.databaseFile, "uploaded_files") < 2);
  // Waits for the cleanup.
  await restarted.stop();
  const left = await server.query("SELECT file_id AS id FROM uploaded_file_bytes");
  assert.deepEqual(left, [{ id: 2 }], "a request may use the newer file");
});
