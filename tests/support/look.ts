/** The rules of the look that hold on every public page: one red, few sizes of text. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { openPage } from "./browser.ts";
import { redElements, redEverywhere } from "./red-elements.ts";
import { sharedServer } from "./server.ts";

/** What may be red: the button, the logo, errors, and what a person decided or drew in the red hand. */
const redSelectors = [
  ...redEverywhere,
  ":is(.pen, .circled, .signature, ins, del)",
  ".sheet svg.tick",
  ".mark-it label:has(:checked)",
  // In drawings.
  ":is(.drawn, .missing-page, .marking) :is(.red, .pen, path)",
];

/**
 * Asserts that nothing is red but the button, the logo, errors and what a person decided.
 * @param withForms pages of which the last form is also looked at with its errors
 */
export async function assertOneRed(t: TestContext, paths: string[], withForms: string[]) {
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
  for (const path of withForms) {
    await page.goto(url + path);
    await submitEmpty(page);
    assert.ok((await page.locator("[aria-invalid]").count()) > 0, path);
    await look();
  }
  assert.deepEqual(found, []);
  assert.ok(allowed > 3 * paths.length, `${allowed} elements are red`);
}

async function submitEmpty(page: Page): Promise<void> {
  const form = page.locator("main form[method=post]").last();
  await Promise.all([
    page.waitForEvent("load"),
    form.evaluate((form: HTMLFormElement) => form.submit()),
  ]);
}

/** Asserts that the text of each page has at most seven sizes from 14 pixels up, on phones and on desks. */
export async function assertFewSizes(t: TestContext, paths: string[]) {
  const { url } = await sharedServer();
  const page = await openPage(t, { javaScriptEnabled: false }, /status of 404/);
  const wrong: string[] = [];
  for (const path of paths) {
    await page.goto(url + path);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const { sizes, drawn } = await page.evaluate(textSizes);
      assert.ok(sizes.length >= 3, path);
      if (sizes.length > 7) wrong.push(`${path} at ${width}: ${sizes.join(", ")}`);
      const small = [...sizes, ...drawn].filter((size) => size < 14);
      if (small.length > 0) wrong.push(`${path} at ${width}: ${small.join(", ")} is too small`);
    }
  }
  assert.deepEqual(wrong, []);
}

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
