/** Stamps at every width and zoom of the layouts of the desk. */
import { after, test } from "node:test";
import { closeBrowser } from "../../support/browser.ts";
import { assertStamped } from "../../support/stamps.ts";

after(closeBrowser);

test("at each width and zoom a stamp is where the marker clicked, with JavaScript", (t) =>
  assertStamped(t, true, [
    [360, 320, 1],
    [720, 640, 2],
    [1280, 700, 1.25],
  ]));

test("at each width a stamp is where the marker clicked, without JavaScript", (t) =>
  assertStamped(t, false, [
    [360, 320, 1],
    [700, 320, 1],
    [1100, 640, 1],
    [1700, 1100, 1],
  ]));
