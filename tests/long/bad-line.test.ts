/** A whole class over a line that is cut again and again. */
import { after, test } from "node:test";
import { closeBrowser } from "../support/browser.ts";
import { sendOverBreakingLine } from "../support/resumed-upload.ts";

after(closeBrowser);

test("50 files of 1.5 MB over a line of 4 Mbit/s that breaks every 10 MB: one Send, one request", (t) =>
  sendOverBreakingLine(t, {
    count: 50,
    size: 1_500_000,
    bytesPerSecond: 500_000,
    breakEveryBytes: 10_000_000,
  }));
