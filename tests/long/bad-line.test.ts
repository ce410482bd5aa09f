/** A whole class over a line that is cut again and again. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser } from "../support/browser.ts";
import { sendOverBadLine, sendWithOneBadFile } from "../support/resumed-upload.ts";
import { maxFileBytes } from "../support/upload.ts";

after(closeBrowser);

test("50 files of 2 MB over a line that is cut five times: one Send, one request, at most 15 % sent twice", async (t) => {
  const { sent, total } = await sendOverBadLine(t, {
    count: 50,
    size: maxFileBytes,
    cuts: 5,
    bytesPerSecond: 2_000_000,
  });
  t.diagnostic(
    `${(((sent - total) / total) * 100).toFixed(1)} % of ${total} bytes were sent again`,
  );
  assert.ok(sent <= 1.15 * total, `${sent} bytes`);
});

test("one bad file among 50: the second Send carries its replacement alone", (t) =>
  sendWithOneBadFile(t, { count: 50, size: 900_000 }));
