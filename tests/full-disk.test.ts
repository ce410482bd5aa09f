import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { once } from "../app/server/system/once.ts";
import { atEnd, wholeFile } from "./support/at-end.ts";
import { contactTyped, postForm } from "./support/forms.ts";
import { withFreeSpace } from "./support/free-space.ts";
import { localMetrics, query, startServer } from "./support/server.ts";
import {
  contact,
  maxFileBytes,
  pdf,
  threeFiles,
  uploadByApi,
  uploadByPage,
  uploadForm,
} from "./support/upload.ts";

const megabyte = 1_048_576;

/** A server on a disk of 12 MB, and a file that takes its space; undefined without root. */
async function onSmallDisk(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=12m", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    t.skip("mounting a small disk needs root");
    return;
  }
  atEnd(t, () => {
    execFileSync("umount", [folder]);
    rmSync(folder, { recursive: true });
  });
  const server = await startServer(t, { folder, env: withFreeSpace(t, 1000) });
  return { server, filler: path.join(folder, "filler") };
}

test("while the disk is full forms are a 503 and pages still load", async (t) => {
  const disk = await onSmallDisk(t);
  if (!disk) return;
  const filling = () => writeFileSync(disk.filler, Buffer.alloc(12 * megabyte));
  // The file keeps what was written of it.
  assert.throws(filling, { code: "ENOSPC" });
  const { url } = disk.server;
  assert.equal((await postForm(url, "/contact", contactTyped)).status, 503);
  for (const page of ["/", "/blog?q=memo"])
    assert.equal((await fetch(url + page)).status, 200, page);
});

test("an upload that fills the disk is a 503 and leaves nothing, and is stored once there is space", async (t) => {
  const disk = await onSmallDisk(t);
  if (!disk) return;
  const { server, filler } = disk;
  // This leaves room for one of the large files, but not for three.
  writeFileSync(filler, Buffer.alloc(7 * megabyte));
  const bytes = pdf(maxFileBytes);
  const large = threeFiles().map((file) => ({ ...file, name: "large.pdf", bytes }));
  const response = await uploadByApi(server.url, uploadForm(large));
  assert.equal(response.status, 503);
  assert.ok(response.headers.get("Retry-After"));
  assert.equal((await uploadByPage(server.url, uploadForm(large))).status, 503);
  rmSync(filler);
  assert.equal((await uploadByApi(server.url, uploadForm())).status, 201);
  assert.equal(query(server.databaseFile, "SELECT 1 FROM contact_requests").length, 1);
  assert.equal(query(server.databaseFile, "SELECT 1 FROM uploaded_files").length, 3);
});

/** A server with less free space than forms need. */
const shortOfSpace = once(() =>
  startServer(wholeFile, { env: { ...withFreeSpace(wholeFile, 100), ...localMetrics } }),
);

test("below the minimum of free space a form is a 503 with the typed text", async () => {
  const { url } = await shortOfSpace();
  const page = await uploadByPage(url, uploadForm());
  assert.equal(page.status, 503);
  assert.ok(page.headers.get("Retry-After"));
  assert.match(await page.text(), new RegExp(`value="${contact.name}"`));
});

test("below the minimum of free space the server is alive, but not ready", async () => {
  const { url } = await shortOfSpace();
  for (const address of ["/", "/healthz"])
    assert.equal((await fetch(url + address)).status, 200, address);
  const readiness = await fetch(`${url}/readyz`);
  assert.equal(readiness.status, 503);
  const { checks } = (await readiness.json()) as { checks: { disk: string } };
  assert.match(checks.disk, /less than 100 MB/);
});
