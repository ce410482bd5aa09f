/** The rules of the look that hold on every public page: one red, few sizes of text. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { listedPaths } from "../../app/site.ts";
import { closeBrowser, openPage } from "../support/browser.ts";
import { redElements, redEverywhere } from "../support/red-elements.ts";
import { sharedServer } from "../support/server.ts";

after(closeBrowser);

/** What may be red: the button, the logo, errors, and what a person decided or drew in the red hand. */
const redSelectors = [
  ...redEverywhere,
  ":is(.pen, .circled, .signature, ins, del)",
  ".sheet svg.tick",
  ".mark-it label:has(:checked)",
  // In drawings.
  ":is(.drawn, .missing-page, .marking) :is(.red, .pen, path)",
];

const paths = [
  ...listedPaths(),
  "/exam-grading-accuracy-comparison",
  "/fairness-in-assessments",
  "/blog?q=memo",
  "/nowhere",
  "/contact?received=AAAA-BBBB-CCCC",
  "/subscription?token=unknown",
];

test("nothing is red but the button, the logo, errors and what a person decided", async (t) => {
  const { url } = await sharedServer();
  const page = await openPage(t, { javaScriptEnabled: false }, /status of (404|422)/);
  const found: string[] = [];
  let allowed = 0;
  const look = async () => {
    const reds = await redElements(page, redSelectors);
    allowed += reds.allowed;
    found.push(...reds.others.map((element) => `${page.url()}: ${element}`));
  };
  for (const path of paths) {
    await page.goto(url + path);
    await look();
  }
  for (const path of ["/contact", "/demo", "/blog", "/", "/latest-feature"]) {
    await page.goto(url + path);
    await submitEmpty(page);
    assert.ok((await page.locator("[aria-invalid]").count()) > 0, path);
    await look();
  }
  assert.deepEqual(found, []);
  assert.ok(allowed > 100, `${allowed} elements are red`);
});

async function submitEmpty(page: Page): Promise<void> {
  const form = page.locator("main form[method=post]").last();
  await Promise.all([
    page.waitForEvent("load"),
    form.evaluate((form: HTMLFormElement) => form.submit()),
  ]);
}

test("the text of a page has at most seven sizes from 14 pixels up", async (t) => {
  const { url } = await sharedServer();
  const page = await openPage(t, { javaScriptEnabled: false }, /status of 404/);
  const wrong: string[] = [];
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of [...paths, "/?results=sample", "/?results=sample&learner=4"]) {
      await page.goto(url + path);
      const { sizes, drawn } = await page.evaluate(textSizes);
      assert.ok(sizes.length >= 3, path);
      if (sizes.length > 7) wrong.push(`${path} at ${width}: ${sizes.join(", ")}`);
      const small = [...sizes, ...drawn].filter((size) => size < 14);
      if (small.length > 0) wrong.push(`${path} at ${width}: ${small.join(", ")} is too small`);
    }
  }
  assert.deepEqual(wrong, []);
});

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

/** Runs in the page: the sizes of its visible text in CSS pixels, and of text in drawings as they are scaled. */
function textSizes(): { sizes: number[]; drawn: number[] } {
  const sizes = new Set<number>();
  const drawn = new Set<number>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement!;
    range.selectNodeContents(walker.currentNode);
    // What only screen readers see is one pixel wide.
    if (!walker.currentNode.textContent!.trim() || range.getBoundingClientRect().width < 2)
      continue;
    const size = Number.parseFloat(getComputedStyle(element).fontSize);
    if (element instanceof SVGGraphicsElement) {
      const { a, b } = element.getScreenCTM()!;
      drawn.add(Math.round(size * Math.hypot(a, b) * 10) / 10);
    } else sizes.add(size);
  }
  return { sizes: [...sizes].sort((a, b) => a - b), drawn: [...drawn] };
}
