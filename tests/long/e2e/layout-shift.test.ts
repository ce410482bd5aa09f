/** Nothing on the screen moves by itself while a form is hydrated. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, holdRequests, type LayoutShift, openPage } from "../../support/browser.ts";
import { sharedServer } from "../../support/server.ts";

after(closeBrowser);

const phone = { width: 360, height: 740 };
const desktop = { width: 1280, height: 800 };

/** Collects what moves, with the elements that moved, as "value element, element". */
async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as LayoutShift[]) {
        const moved = sources.map(({ node }) => (node as Element | null)?.outerHTML?.slice(0, 60));
        shifts.push(`${value} ${moved.join(", ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
}

/** A cheap phone on a slow line. */
async function throttle(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 90_000,
  });
}

/** Scrolls a half window a frame, until what follows the file inputs is in view. */
const scrollFast = (page: Page) =>
  page.evaluate(async () => {
    const pickers = document.querySelector(".upload-form .thirds")!;
    while (pickers.getBoundingClientRect().bottom > window.innerHeight * 0.7) {
      window.scrollBy({ top: window.innerHeight / 2, behavior: "instant" });
      await new Promise(requestAnimationFrame);
    }
  });

/** Waits until the form is hydrated, and for longer than any reaction to that takes. */
async function settle(page: Page): Promise<void> {
  await page.locator('#process[aria-disabled="true"]').waitFor();
  await page.waitForTimeout(600);
}

const isInline = (page: Page) => page.locator(".contact-details").isVisible();

test("nothing moves when a visitor with a slow phone scrolls fast to the form, whose fields are closed", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, { viewport: phone });
  const shifts = await watchShifts(page);
  await throttle(page);
  await page.goto(server.url);
  await scrollFast(page);
  await settle(page);
  assert.deepEqual(await shifts(), []);
  assert.equal(await isInline(page), false);
});

test("nothing moves under a visitor who sees the form before its script arrives: its fields stay", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, { viewport: phone });
  const shifts = await watchShifts(page);
  const gate = await holdRequests(page, "**/*.js");
  await page.goto(server.url, { waitUntil: "commit" });
  await page.locator("#process").waitFor();
  await scrollFast(page);
  gate.resolve();
  await settle(page);
  assert.deepEqual(await shifts(), []);
  assert.equal(await isInline(page), true);
});

test("nothing moves after a link from another page to the form", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, { viewport: desktop });
  const shifts = await watchShifts(page);
  await page.goto(`${server.url}/demo`);
  await page.getByRole("link", { name: "Choose the files" }).click();
  await page.waitForURL(/#demo$/);
  await settle(page);
  assert.deepEqual(await shifts(), []);
});

test("fields that were closed are shown again if the form’s script fails", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, { viewport: phone }, /ERR_FAILED|Failed to fetch/);
  await page.route("**/demo-upload-*.js", (route) => route.abort());
  await page.goto(server.url);
  assert.equal(await isInline(page), false);
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(request.url());
  });
  await page.evaluate(() => document.getElementById("process")!.click());
  const name = page.locator("#demo").getByLabel("Full name *");
  await name.waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "name");
  assert.deepEqual(posts, []);
});
