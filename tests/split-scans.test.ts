import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type * as splitModule from "../app/server/class-work/split-scans.ts";
import type { Store } from "../db/store.ts";
import { newFolder } from "./support/server.ts";
import { loadSource } from "./support/source.ts";

test("a command cuts a scan again that a server has deleted when it started", async (t) => {
  const { splitUpload, deleteLeftScans } = await loadSource<typeof splitModule>(
    "/app/server/class-work/split-scans.ts",
  );
  const folder = newFolder(t);
  let attempts = 0;
  const store = {
    prepareDesk: async () => {
      attempts += 1;
    },
    readScanPart: async () => {
      if (attempts === 1) deleteLeftScans(folder);
    },
    // The second attempt finds the scan stored, so no child process is needed.
    findScans: async () => (attempts === 1 ? [] : ["scan"]),
    listClass: async () => [],
  } as unknown as Store;
  const outcome = await splitUpload(
    { id: 1, names: ["scan.pdf"], scriptPages: null },
    { reference: "ABCD-EFGH-JKMN", assessmentId: 1 },
    { store, folder, signal: new AbortController().signal },
  );
  assert.equal(attempts, 2);
  assert.ok("report" in outcome);
  assert.deepEqual(outcome.report.splitBefore, ["scan.pdf"]);
});

test("a scan that grows while it is sent, or cannot be read, takes no place of another", async (t) => {
  const { sendScans } = await loadSource<typeof splitModule>(
    "/app/server/class-work/split-scans.ts",
  );
  const file = path.join(newFolder(t), "scan.pdf");
  writeFileSync(file, "longer than it was");
  const discarded: string[] = [];
  const store = {
    openScanUpload: async () => ({ id: 1 }),
    addScanPart: async () => true,
    queueScanUpload: async () => "missing",
    discardScanUpload: async (_: number, key: string) => discarded.push(key),
  } as unknown as Store;
  for (const [index, [sent, reason]] of (
    [
      [file, /changed while it was read/],
      [`${file}.gone`, /ENOENT/],
    ] as const
  ).entries()) {
    const files = [{ path: sent, name: "scan.pdf", size: 4 }];
    await assert.rejects(sendScans(store, 1, { files, scriptPages: null }), reason);
    assert.equal(discarded.length, index + 1);
  }
});
