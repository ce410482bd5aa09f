import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync } from "node:zlib";
import type { Browser, BrowserContextOptions, Locator, Page, Request } from "playwright-core";
import { launchBrowser } from "../../scripts/find-browser.ts";
import { atEnd, type Scope } from "./at-end.ts";

let browserLaunch: Promise<Browser> | undefined;

const isLong = process.argv[1]?.includes("/tests/long/");

/** Tests of tests/long see motion; others only if they ask for it, because it takes a fifth of the processor time. */
const reducedMotion = isLong ? "no-preference" : "reduce";

/**
 * Outside tests/long the header Cross-Origin-Opener-Policy is ignored, for which each first page would start a second
 * process; the list replaces Playwright's, whose other features a page of this machine does not meet. Without a GPU,
 * pages are painted in software as well, but not by way of emulated GL, which takes up to a seventh of the processor time.
 */
const browserArgs = isLong
  ? []
  : [
      "--disable-features=CrossOriginOpenerPolicy,AvoidUnnecessaryBeforeUnloadCheckSync,PaintHolding",
      "--disable-gpu",
    ];

/**
 * Opens a page in its own context. Uncaught errors, console errors and warnings fail the test at its end.
 * @param tolerate messages to ignore
 */
export async function openPage(
  t: Scope,
  options: BrowserContextOptions = {},
  tolerate: RegExp = /^$/,
): Promise<Page> {
  browserLaunch ??= launchBrowser(...browserArgs);
  const browser = await browserLaunch;
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion,
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(45_000);
  const messages: string[] = [];
  page.on("pageerror", (error) => messages.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) messages.push(message.text());
  });
  const posts = new Set<Request>();
  page.on("request", (request) => {
    if (request.method() === "POST") posts.add(request);
  });
  page.on("requestfinished", (request) => posts.delete(request));
  page.on("requestfailed", (request) => posts.delete(request));
  atEnd(t, async () => {
    // The server would store a post that is on its way among the rows that the next test begins with.
    for (let tenths = 0; posts.size > 0 && tenths < 20; tenths += 1) await sleep(100);
    await context.close();
    const unexpected = messages.filter((text) => !tolerate.test(text));
    if (unexpected.length > 0) throw new Error(`The page logged errors: ${unexpected.join("; ")}`);
  });
  return page;
}

/** Whether an element appears in time: what a journey notes of it, and goes on. */
export const appears = (element: Locator): Promise<boolean> =>
  element.waitFor({ timeout: 15_000 }).then(
    () => true,
    () => false,
  );

/** Waits until the script of results or of the marking desk runs on the page. */
export const scripted = (page: Page) => page.locator(".results.scripted").waitFor();

/**
 * Waits until the server has answered for every mark of the desk. The status may not tell: of two posts on their way, the
 * answer to the first may come last.
 */
export const allSent = (page: Page) =>
  page.waitForFunction(() =>
    Object.entries(sessionStorage).some(
      ([name, marks]) => name.startsWith("desk-marks ") && marks === "[]",
    ),
  );

/**
 * Holds the requests for a URL until the gate that it returns is resolved. Requests that are not held go to the routes
 * before.
 */
export async function holdRequests(page: Page, url: string, isHeld = (_: Request) => true) {
  const gate = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (isHeld(route.request())) await gate.promise;
    await route.fallback();
  });
  return gate;
}

/** The scripts that a page loads from now on. */
export interface LoadedScripts {
  paths(): string[];
  /** Waits for all scripts. Returns their size after brotli, in bytes. */
  bytes(): Promise<number>;
}

export function watchScripts(page: Page): LoadedScripts {
  const bodies = new Map<string, Promise<Buffer>>();
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith(".js")) return;
    const body = response.body();
    body.catch(() => {});
    bodies.set(pathname, body);
  });
  return {
    paths: () => [...bodies.keys()],
    async bytes() {
      const all = await Promise.all(bodies.values());
      return all.reduce((sum, body) => sum + brotliCompressSync(body).length, 0);
    },
  };
}

/** From the Layout Instability API, which TypeScript's DOM types lack. */
export type LayoutShift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };

/** Call this after the last test of a file. */
export const closeBrowser = async () => (await browserLaunch)?.close();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The accessibility violations that axe finds on the page in its current state. */
export async function violations(page: Page): Promise<string[]> {
  // axe is evaluated and not added as a script element, which the content security policy would block.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    // Waits until the page is at rest, because axe measures what it reads at several moments.
    await new Promise<void>((resolve) => {
      let rest = setTimeout(resolve, 200);
      const observer = new MutationObserver(() => {
        clearTimeout(rest);
        rest = setTimeout(resolve, 200);
      });
      observer.observe(document, { subtree: true, childList: true, attributes: true });
      setTimeout(resolve, 5000);
    });
    // @ts-expect-error axe is what the script above has defined
    const { violations } = await axe.run({ rules: { "target-size": { enabled: true } } });
    return violations.map(
      (found: { id: string; nodes: { html: string }[] }) =>
        `${found.id}: ${found.nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`,
    );
  });
}
