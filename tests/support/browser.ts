import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { TestContext } from "node:test";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { findBrowser } from "../../scripts/find-browser.ts";
import { atEnd } from "./at-end.ts";

let running: Promise<Browser> | undefined;

/** A page in a context of its own. After the test, anything the page complained of fails the test. */
export async function openPage(
  t: TestContext,
  options: BrowserContextOptions = {},
  tolerate: RegExp = /^$/,
): Promise<Page> {
  running ??= chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
  const browser = await running;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  atEnd(t, async () => {
    await context.close();
    // A view transition that a quick navigation cuts short is the browser's own affair.
    const serious = complaints.filter(
      (text) => !tolerate.test(text) && !text.startsWith("Transition was"),
    );
    if (serious.length > 0) throw new Error(`The page complained: ${serious.join("; ")}`);
  });
  return page;
}

/** To be called after the last test of a file. */
export const closeBrowser = async () => (await running)?.close();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");

/** The accessibility violations that axe finds on the page as it stands. */
export async function violations(page: Page): Promise<string[]> {
  // Not as a script of the page's, which its policy would rightly refuse.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    // @ts-expect-error axe is what the script above has defined
    const { violations } = await axe.run({ rules: { "target-size": { enabled: true } } });
    return violations.map(
      (found: { id: string; nodes: { html: string }[] }) =>
        `${found.id}: ${found.nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`,
    );
  });
}
