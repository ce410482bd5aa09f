/** Stamps at the widths and zooms of the layouts of the desk that tests/e2e/stamps.test.ts leaves out. */
import { after, test } from "node:test";
import { closeBrowser } from "../../support/browser.ts";
import { assertStamped } from "../../support/stamps.ts";

after(closeBrowser);

test("at further widths and zooms a stamp is where the marker clicked, with JavaScript", (t) =>
  assertStamped(t, true, [
    [360, 320, 1],
    [720, 640, 2],
  ]));

test("at further widths a stamp is where the marker clicked, without JavaScript", (t) =>
  assertStamped(t, false, [
    [700, 320, 1],
    [1100, 640, 1],
    [1700, 1100, 1],
  ]));
