/** Hostile files are rendered within the memory of the unit while others upload: not one page is lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { unitEnvironment } from "../../scripts/bench/unit.ts";
import { paper, prepareClass } from "../support/desk.ts";
import { hostilePdfs } from "../support/hostile-pdfs.ts";
import { limitMemory } from "../support/memory-limit.ts";
import { pdfOfPages } from "../support/pdf-bytes.ts";
import { startServer, until } from "../support/server.ts";
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

const pages = pdfOfPages(
  Array.from({ length: 4 }, (_, page) => ({
    content: `BT /F1 14 Tf 60 780 Td (Page ${page}) Tj ET`,
  })),
);

for (const [what, bytes] of [
  ["the memory of the unit", 2 ** 30],
  // The kernel has to end a child: the server and it do not fit.
  ["less than a hostile file takes", 420 * 2 ** 20],
] as const) {
  test(`bombs are rendered during ${uploads} uploads within ${what}`, async (t) => {
    const server = await startServer(t, { env: unitEnvironment() });
    const pid = server.process.pid!;
    const kills = limitMemory(t, pid, bytes);
    if (!kills) return t.skip("this machine has no writable control groups");
    const names = honest.flatMap((name, index) => [`${bombs[index]}.pdf`, name]);
    await prepareClass(server, names, paper, (name) =>
      honest.includes(name) ? pages : hostilePdfs[name.slice(0, -4) as (typeof bombs)[number]](),
    );
    let peakMb = 0;
    const watch = setInterval(() => {
      peakMb = Math.max(peakMb, memoryOf(pid));
    }, 100);
    const sent = Array.from({ length: uploads }, () =>
      uploadByApi(server.url, uploadForm([...threeFiles().slice(0, 2), ...largeFiles(4)])),
    );
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    await until(
      async () => (await server.query("SELECT id FROM class_jobs")).length === 0,
      300_000,
    );
    clearInterval(watch);
    t.diagnostic(`the server's peak ${peakMb} MB; the kernel ended ${kills()} processes`);
    assert.equal(server.process.exitCode, null, "the server runs");
    assert.deepEqual([...new Set(statuses)], [201]);
    const rendered = await server.query<{ name: string; kind: string; reason: string; n: number }>(
      `SELECT name, kind, reason, (SELECT count(*) FROM page_images WHERE file_id = uploaded_files.id) AS n
        FROM rendered_files JOIN uploaded_files ON uploaded_files.id = file_id ORDER BY uploaded_files.id`,
    );
    for (const { name, kind, reason, n } of rendered) {
      if (honest.includes(name)) assert.deepEqual([name, kind, n], [name, "pages", 4], reason);
      t.diagnostic(`${name}: ${n} pages ${reason ?? ""}`);
    }
    assert.equal(rendered.length, names.length + 2);
  });
}
