import { after, test } from "node:test";
import { closeBrowser } from "../support/browser.ts";
import { sendOverBreakingLine, sendWithOneBadFile } from "../support/resumed-upload.ts";

after(closeBrowser);

test("over a line that breaks again and again, one Send delivers every file and repeats none that has arrived", (t) =>
  sendOverBreakingLine(t, {
    count: 8,
    size: 200_000,
    bytesPerSecond: 600_000,
    breakEveryMs: 900,
  }));

test("after one bad file among others, the second Send carries its replacement alone", (t) =>
  sendWithOneBadFile(t, { count: 3, size: 200_000 }));
