import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { atEnd } from "./support/at-end.ts";
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

test("while the disk is full forms are a 503 and pages still load", async (t) => {
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
  assert.equal((await uploadByApi(server.url, uploadForm())).status, 201);
  const filler = path.join(folder, "filler");
  // The file keeps what was written of it.
  assert.throws(() => writeFileSync(filler, Buffer.alloc(12 * 1024 * 1024)), { code: "ENOSPC" });
  assert.equal((await postForm(server.url, "/contact", contactTyped)).status, 503);
  for (const page of ["/", "/blog?q=memo"])
    assert.equal((await fetch(server.url + page)).status, 200, page);
  // This leaves room for one of the large files, but not for three.
  writeFileSync(filler, Buffer.alloc(7 * 1024 * 1024));
  const files = threeFiles().map((file) => ({
    ...file,
    name: "large.pdf",
    bytes: pdf(maxFileBytes),
  }));
  const response = await uploadByApi(server.url, uploadForm(files));
  assert.equal(response.status, 503);
  assert.ok(response.headers.get("Retry-After"));
  assert.equal((await uploadByPage(server.url, uploadForm(files))).status, 503);
  assert.equal((await fetch(server.url)).status, 200);
  assert.equal(query(server.databaseFile, "SELECT 1 FROM contact_requests").length, 1);
  rmSync(filler);
  assert.equal((await uploadByApi(server.url, uploadForm())).status, 201);
  assert.equal(query(server.databaseFile, "SELECT 1 FROM uploaded_files").length, 6);
});

test("below the minimum of free space a form is a 503 with the typed text", async (t) => {
  const env = { ...withFreeSpace(t, 100), ...localMetrics };
  const server = await startServer(t, { env });
  const page = await uploadByPage(server.url, uploadForm());
  assert.equal(page.status, 503);
  assert.ok(page.headers.get("Retry-After"));
  assert.match(await page.text(), new RegExp(`value="${contact.name}"`));
  assert.equal((await fetch(server.url)).status, 200);
  const readiness = await fetch(`${server.url}/readyz`);
  assert.equal(readiness.status, 503);
  const { checks } = (await readiness.json()) as { checks: { disk: string } };
  assert.match(checks.disk, /less than 100 MB/);
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
});
