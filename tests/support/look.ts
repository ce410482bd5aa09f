/** The rules of the look that hold on every public page: one red, few sizes of text. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { wholeFile } from "./at-end.ts";
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
 * Looks at pages for red, and at their text at the widths of a phone and a desktop.
 * @param withForms pages of which the last form is also looked at with its errors
 * @returns what is red and may not be, and which sizes of text are too many or below 14 pixels
 */
export async function lookAt(paths: string[], withForms: string[]) {
  const { url } = await sharedServer();
  const page = await openPage(wholeFile, { javaScriptEnabled: false }, /status of (404|422)/);
  const red: string[] = [];
  const wrongSizes: string[] = [];
  let allowed = 0;
  const lookForRed = async () => {
    const reds = await redElements(page, redSelectors);
    allowed += reds.allowed;
    red.push(...reds.others.map((element) => `${page.url()}: ${element}`));
  };
  const lookForSizes = async (path: string) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const { sizes, drawn } = await page.evaluate(textSizes);
      assert.ok(sizes.length >= 3, `${path} has the text sizes ${sizes}`);
      if (sizes.length > 7) wrongSizes.push(`${path} at ${width}: ${sizes.join(", ")}`);
      const small = [...sizes, ...drawn].filter((size) => size < 14);
      if (small.length > 0) wrongSizes.push(`${path} at ${width}: ${small.join(", ")}`);
    }
  };
  for (const path of new Set([...paths, ...withForms])) {
    await page.goto(url + path);
    if (paths.includes(path)) await lookForRed();
    await lookForSizes(path);
    if (!withForms.includes(path)) continue;
    await submitEmpty(page);
    assert.ok((await page.locator("[aria-invalid]").count()) > 0, `${path} shows no error`);
    await lookForRed();
  }
  assert.ok(allowed > 3 * paths.length, `only ${allowed} elements that may be red are red`);
  return { red, wrongSizes };
}

async function submitEmpty(page: Page): Promise<void> {
  const form = page.locator("main form[method=post]").last();
  await Promise.all([
    page.waitForEvent("load"),
    form.evaluate((form: HTMLFormElement) => form.submit()),
  ]);
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
