/** The rules of the look; tests/long/e2e/look.test.ts has every public page. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage } from "../support/browser.ts";
import { assertFewSizes, assertOneRed } from "../support/look.ts";
import { sharedServer } from "../support/server.ts";

after(closeBrowser);

const paths = [
  "/features",
  "/fairness-in-assessments",
  "/latest-feature",
  "/?results=sample&learner=4",
];

test("nothing is red but the button, the logo, errors and what a person decided", (t) =>
  assertOneRed(t, paths, ["/"]));

test("the text of a page has at most seven sizes from 14 pixels up", (t) =>
  assertFewSizes(t, ["/", ...paths]));

test("a phone comes to the demo within 3,500 pixels", async (t) => {
  const { url } = await sharedServer();
  const page = await openPage(t, { viewport: { width: 360, height: 800 } });
  await page.goto(url);
  const { y } = (await page.locator("#demo").boundingBox())!;
  assert.ok(y > 800 && y <= 3500, `the demo is at ${y}`);
});

test("on a desktop home is at most 5,200 pixels long, and features at most 9,100", async (t) => {
  const { url } = await sharedServer();
  const page = await openPage(t);
  for (const [path, max] of [
    ["/", 5200],
    ["/features", 9100],
  ] as const) {
    await page.goto(url + path);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height > 3000 && height <= max, `${path}: ${height}`);
  }
});
