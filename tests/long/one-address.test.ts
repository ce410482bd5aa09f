/** Ten teachers of a school, whose browsers share an address. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser } from "../support/browser.ts";
import { type School, sendClasses } from "../support/one-address.ts";

after(closeBrowser);

const slow = { classes: 10, files: 7, size: 2_000_000, bytesPerSecond: 60_000 };
const fast = { classes: 10, files: 32, size: 2_000_000, bytesPerSecond: 0 };
const schools: Record<string, School> = {
  "ten classes of 7 files at 60 kB/s, together": { ...slow, apartMs: 0 },
  "ten classes of 7 files at 60 kB/s, 15 seconds apart": { ...slow, apartMs: 15_000 },
  "ten classes of 32 files on fast lines, together": { ...fast, apartMs: 0 },
  "ten classes of 32 files on fast lines, 15 seconds apart": { ...fast, apartMs: 15_000 },
};

for (const [name, school] of Object.entries(schools)) {
  test(`${name}: each of ten gets a receipt, and sends files at least every three minutes`, async (t) => {
    // The limit that servers have by default, and that other tests switch off.
    const env = { RUBRICON_UPLOADS_PER_10_MINUTES: "20" };
    const stillMs = await sendClasses(t, { ...school, env });
    assert.ok(stillMs < 180_000, `${stillMs} ms without a file of its own moving`);
  });
}
