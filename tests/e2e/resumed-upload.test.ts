import { after, test } from "node:test";
import { closeBrowser } from "../support/browser.ts";
import { sendOverBreakingLine, sendWithOneBadFile } from "../support/resumed-upload.ts";

after(closeBrowser);

test("over a line that breaks again and again, one Send is enough, and no file that has arrived is sent again", (t) =>
  sendOverBreakingLine(t, {
    count: 12,
    size: 400_000,
    bytesPerSecond: 600_000,
    breakEveryMs: 2500,
  }));

test("one bad file among others: it is named, the others are shown as received, and the second Send carries its replacement alone", (t) =>
  sendWithOneBadFile(t, { count: 5, size: 400_000 }));
