/** Trouble with a data folder: damage, absence, backups at the same time, a disk without execution, another owner. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { atEnd } from "../support/at-end.ts";
import { contactTyped, postForm, postJson } from "../support/forms.ts";
import { succeeded } from "../support/output-of.ts";
import {
  localMetrics,
  newFolder,
  runCommand,
  type Server,
  startServer,
  until,
} from "../support/server.ts";

async function startWithRequest(t: TestContext): Promise<Server> {
  const server = await startServer(t);
  assert.equal((await postJson(server.url, "/api/contact", contactTyped)).status, 201);
  return server;
}

test("a damaged database exits with 78, so that systemd does not try again for ever", async (t) => {
  const server = await startWithRequest(t);
  await server.stop();
  const bytes = readFileSync(server.databaseFile);
  writeFileSync(server.databaseFile, bytes.fill(0x5a, 100, 8192));
  for (const args of [
    ["serve", "--port", "0"],
    ["requests", "list"],
  ]) {
    const { code, err } = await runCommand(server.folder, args);
    assert.equal(code, 78, err);
    assert.match(err, /^rubricon: The database is damaged: [^\n]+\n$/);
  }
});

/** Starts a server whose data folder is then moved away, until `moveBack`. */
async function startWithoutFolder(t: TestContext) {
  const server = await startServer(t, { env: localMetrics });
  const [data, moved] = ["data", "moved"].map((name) => path.join(server.folder, name));
  renameSync(data!, moved!);
  return { server, moveBack: () => renameSync(moved!, data!) };
}

test("while the data folder is missing, a form is a 503 that keeps what was typed, and is stored afterwards", async (t) => {
  const { server, moveBack } = await startWithoutFolder(t);
  assert.equal((await postJson(server.url, "/api/contact", contactTyped)).status, 503);
  const page = await postForm(server.url, "/contact", contactTyped);
  assert.equal(page.status, 503);
  assert.ok((await page.text()).includes(contactTyped.message));
  moveBack();
  await until(async () => (await postForm(server.url, "/contact", contactTyped)).status === 303);
  assert.doesNotMatch(server.log(), / error /);
});

test("while the data folder is missing, pages stay up, and /readyz says why without the path", async (t) => {
  const { server } = await startWithoutFolder(t);
  assert.equal((await fetch(`${server.url}/about`)).status, 200);
  const ready = await fetch(`${server.url}/readyz`);
  assert.equal(ready.status, 503);
  const { checks } = (await ready.json()) as { checks: { disk: string } };
  assert.equal(checks.disk, "ENOENT");
});

test("of three backups into one file at the same time exactly one is written, and whole", async (t) => {
  const { folder } = await startWithRequest(t);
  const made = await Promise.all([1, 2, 3].map(() => runCommand(folder, ["backup", "copy.db"])));
  assert.equal(made.filter(({ code }) => code === 0).length, 1);
  for (const { code, err } of made) {
    if (code !== 0) assert.match(err, /copy\.db already exists; nothing was overwritten/);
  }
  assert.deepEqual(
    readdirSync(folder)
      .filter((name) => name.startsWith("copy"))
      .sort(),
    ["copy.db", "copy.db.sha256"],
  );
  const { out } = await succeeded(runCommand(folder, ["backup", "verify", "copy.db", "--json"]));
  assert.equal(JSON.parse(out).matchesChecksum, true, "the checksum is that of the same backup");
});

/** Mounts a copy of a data folder without execution; undefined if that is not possible. */
function mountCopy(t: TestContext, data: string): string | undefined {
  const folder = newFolder(t);
  const mounted = path.join(folder, "data");
  cpSync(data, mounted, { recursive: true });
  try {
    execFileSync("mount", ["--bind", mounted, mounted], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  atEnd(t, () => execFileSync("umount", [mounted]));
  execFileSync("mount", ["-o", "remount,noexec,bind", mounted], { stdio: "ignore" });
  return folder;
}

test("where no disk lets SQLite be loaded, server and doctor say what to do", async (t) => {
  const server = await startWithRequest(t);
  await server.stop();
  const folder = mountCopy(t, path.dirname(server.databaseFile));
  if (!folder) return t.skip("mounting needs root");
  const env = { TMPDIR: path.join(folder, "data") };
  for (const args of [
    ["serve", "--port", "0"],
    ["requests", "list"],
  ]) {
    const { code, err } = await runCommand(folder, args, env);
    assert.equal(code, 78, err);
    assert.match(err, /^rubricon: The native addon .* set TMPDIR to a folder/m);
  }
  const doctor = await runCommand(folder, ["doctor"], env);
  assert.match(doctor.out, /^FAIL +database .*What to do: .*set TMPDIR/m);
  // The temporary folder alone is enough to load SQLite from.
  await succeeded(runCommand(folder, ["requests", "list"]));
});

test("root does not work in a data folder of another account", async (t) => {
  if (process.getuid!() !== 0) return t.skip("changing the owner needs root");
  const server = await startWithRequest(t);
  await server.stop();
  const data = path.dirname(server.databaseFile);
  chownSync(data, 65534, 65534);
  for (const name of [".native", "rubricon.db-lock"])
    rmSync(path.join(data, name), { recursive: true });
  const files = readdirSync(data);
  for (const args of [
    ["serve", "--port", "0"],
    ["requests", "list"],
    ["backup", "copy.db"],
  ]) {
    const { code, err } = await runCommand(server.folder, args);
    assert.equal(code, 78, `${args}: ${err}`);
    assert.match(
      err,
      /data belongs to another account \(uid 65534\)\. .*not as root: runuser -u nobody -- COMMAND/,
    );
  }
  const doctor = await runCommand(server.folder, ["doctor"]);
  assert.match(doctor.out, /FAIL +database .*belongs to another account/);
  assert.deepEqual(readdirSync(data), files, "nothing is written into the folder");
  chownSync(data, 0, 0);
  await succeeded(runCommand(server.folder, ["requests", "list"]));
});
