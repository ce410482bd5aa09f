/** Hostile files are rendered within the memory of the unit while others upload: not one page is lost. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { maxScanBytes } from "../../app/domain/scan-upload.ts";
import { unitEnvironment } from "../../scripts/bench/unit.ts";
import { paper, prepareClass } from "../support/desk.ts";
import { hostilePdfs } from "../support/hostile-pdfs.ts";
import { limitMemory } from "../support/memory-limit.ts";
import { pdfOfPages } from "../support/pdf-bytes.ts";
import { teamToken } from "../support/results.ts";
import { type Server, startServer, until } from "../support/server.ts";
import { largeFiles, threeFiles, uploadByApi, uploadForm } from "../support/upload.ts";
import { memoryOf } from "../support/visitors.ts";

const bombs = [
  "flateInFlate",
  "gigabyteOfFlate",
  "nestedGroups",
  "nestedForms",
  "hugePage",
] as const;
const honest = ["one.pdf", "two.pdf", "three.pdf", "four.pdf", "five.pdf"];
const uploads = 30;
const unlimited = { RUBRICON_UPLOADS_PER_10_MINUTES: "0", RUBRICON_POSTS_PER_10_MINUTES: "0" };

const pages = pdfOfPages(
  Array.from({ length: 4 }, (_, page) => ({
    content: `BT /F1 14 Tf 60 780 Td (Page ${page}) Tj ET`,
  })),
);

/** A scan of 100 MB without cover sheets: a child reads all of it. */
const scan = pdfOfPages(
  Array.from({ length: 20 }, () => ({ content: "0 0 m" })),
  { 1000: { entries: "", stream: randomBytes(maxScanBytes - 16_384) } },
);

/** Sends an upload, again while the server is busy. */
async function send(url: string): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const form = uploadForm([...threeFiles().slice(0, 2), ...largeFiles(4)]);
    const status = await uploadByApi(url, form).then(
      (response) => response.status,
      () => 503,
    );
    if (status === 201) return;
    assert.equal(status, 503);
    await sleep(1000);
  }
  assert.fail("an upload was rejected for a minute");
}

/** Sends uploads, six at a time: as many are read at once. */
async function sendAll(url: string): Promise<void> {
  let left = uploads;
  const sendNext = async () => {
    while (left > 0) {
      left -= 1;
      await send(url);
    }
  };
  await Promise.all(Array.from({ length: 6 }, sendNext));
}

/** Sends the scan on the team's page in one post. */
async function sendScan(server: Server, reference: string): Promise<void> {
  const body = new FormData();
  const fields = {
    scan: new File([new Uint8Array(scan)], "scan.pdf"),
    intent: "class-scan",
    by: "L.",
  };
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const response = await fetch(`${server.url}/team?link=${await teamToken(server, reference)}`, {
    method: "POST",
    body,
  });
  assert.equal(response.status, 200, await response.text());
}

for (const [what, bytes] of [
  ["the memory of the unit", 2 ** 30],
  // The kernel has to end a child: the server and it do not fit.
  ["less than a hostile file takes", 420 * 2 ** 20],
] as const) {
  test(`no page is lost while bombs, a scan of 100 MB and ${uploads} uploads are read within ${what}`, async (t) => {
    const server = await startServer(t, { env: { ...unitEnvironment(), ...unlimited } });
    const pid = server.process.pid!;
    const kills = limitMemory(t, pid, bytes);
    if (!kills) return t.skip("this machine has no writable control groups");
    const names = honest.flatMap((name, index) => [`${bombs[index]}.pdf`, name]);
    const { reference } = await prepareClass(server, names, paper, {
      bytesOf: (name) =>
        honest.includes(name) ? pages : hostilePdfs[name.slice(0, -4) as (typeof bombs)[number]](),
      renders: true,
    });
    let peakMb = 0;
    const watch = setInterval(() => {
      peakMb = Math.max(peakMb, memoryOf(pid));
    }, 100);
    await Promise.all([sendScan(server, reference), sendAll(server.url)]);
    await until(
      async () => (await server.query("SELECT id FROM class_jobs")).length === 0,
      300_000,
    );
    clearInterval(watch);
    t.diagnostic(`the server's peak ${peakMb} MB; the kernel ended ${kills()} processes`);
    assert.equal(server.process.exitCode, null, "the server runs");
    const rendered = await server.query<{ name: string; kind: string; reason: string; n: number }>(
      `SELECT name, kind, reason, (SELECT count(*) FROM page_images WHERE file_id = uploaded_files.id) AS n
        FROM rendered_files JOIN uploaded_files ON uploaded_files.id = file_id ORDER BY uploaded_files.id`,
    );
    for (const { name, kind, reason, n } of rendered) {
      if (honest.includes(name)) assert.deepEqual([name, kind, n], [name, "pages", 4], reason);
      t.diagnostic(`${name}: ${n} pages ${reason ?? ""}`);
    }
    assert.equal(rendered.length, names.length + 2);
    const [{ outcome }] = (await server.query<{ outcome: string }>(
      "SELECT outcome FROM scan_uploads",
    )) as [{ outcome: string }];
    t.diagnostic(`scan.pdf: ${outcome}`);
    // Read to its end, or too large for what is left: a sentence either way.
    assert.match(outcome, bytes === 2 ** 30 ? /has no cover sheet/ : /"failure"/);
  });
}
