import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { viewsOn } from "../../scripts/published-classes.ts";
import { closeBrowser, openPage } from "../support/browser.ts";
import { startServer } from "../support/server.ts";

const maxStops = 300;
/** The views of the desk on which the script puts the focus into the mark. */
const answers = ["desk-typed", "desk-scan", "desk-scan-printed"];

after(closeBrowser);

test("every stop of Tab and Shift+Tab is visible, has a focus ring and is not under the header", {
  concurrency: 2,
}, async (t) => {
  const server = await startServer(t);
  const views = await viewsOn(server);
  await Promise.all(
    [
      { width: 1280, height: 720 },
      { width: 360, height: 640 },
    ].flatMap((viewport) =>
      views
        .filter(({ reach }) => !reach)
        .map(({ name, path }) =>
          t.test(`${name} at ${viewport.width}`, async (t) => {
            // Smooth scrolling would still be in progress during the check.
            const options = { viewport, reducedMotion: "reduce" } as const;
            const page = await openPage(t, options, /status of 404/);
            await page.goto(server.url + path);
            const forwards = await pressUntilEnd(page, "Tab");
            assert.ok(forwards.length >= 5, `${forwards.length} stops`);
            assert.ok(forwards.at(-1)!.isLast, `ended at ${forwards.at(-1)!.description}`);
            const back = await pressUntilEnd(page, "Shift+Tab");
            assert.ok(back.length >= 5, `${back.length} stops back`);
            // The focus may begin inside the page, so that there are more stops on the way back.
            assert.ok(
              back.length >= forwards.length,
              `${back.length} stops back, but ${forwards.length} forwards`,
            );
            assert.deepEqual(
              [...forwards, ...back].filter(({ fault }) => fault),
              [],
            );
          }),
        ),
    ),
  );
});

test("the first stop of every page is the skip link", async (t) => {
  const server = await startServer(t);
  const views = await viewsOn(server);
  const page = await openPage(t, { reducedMotion: "reduce" }, /status of 404/);
  for (const { name, path } of views.filter(({ reach }) => !reach)) {
    await page.goto(server.url + path);
    if (answers.includes(name)) await backToTheStart(page);
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to the content" });
    assert.ok(await skip.evaluate((link) => link === document.activeElement), name);
    assert.ok((await skip.boundingBox())!.y >= 0, `${name}: the link is not visible`);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    const isPast = await page.evaluate(() =>
      Boolean(document.activeElement!.closest("main, .site-footer")),
    );
    assert.ok(isPast, `${name}: the link does not lead past the header`);
  }
});

interface Stop {
  description: string;
  /** Whether it is the last element of the page that Tab reaches. */
  isLast: boolean;
  fault: string;
}

/** Presses the key until the focus leaves the page. */
async function pressUntilEnd(page: Page, key: string): Promise<Stop[]> {
  const stops: Stop[] = [];
  while (stops.length < maxStops) {
    await page.keyboard.press(key);
    let stop = await page.evaluate(inspectFocus);
    if (stop?.fault) {
      // With content-visibility, learners far down are laid out only in the frame after they get the focus.
      await page.evaluate(nextFrame);
      stop = await page.evaluate(inspectFocus);
    }
    if (!stop) return stops;
    stops.push(stop);
  }
  throw new Error(`More than ${maxStops} stops: ${JSON.stringify(stops.slice(-5))}`);
}

/** Runs in the page: resolves after the next frame is painted. */
const nextFrame = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/** Runs in the page. Null if nothing has the focus. */
function inspectFocus(): Stop | null {
  const focused = document.activeElement as HTMLElement;
  if (focused === document.body || focused === document.documentElement) return null;
  const description = `${focused.localName} ${(focused.textContent || focused.id).trim().slice(0, 40)}`;
  const tabbable = [
    ...document.querySelectorAll<HTMLElement>(
      "a[href], button, input, select, textarea, summary, video, [tabindex]",
    ),
  ].filter(
    (element) =>
      element.tabIndex >= 0 &&
      !element.matches(":disabled, [type=hidden]") &&
      element.checkVisibility({ visibilityProperty: true }),
  );
  const isLast = focused === tabbable.at(-1);
  // The focus is on a control inside the player, which draws its own ring.
  if (focused.matches("video:not(:focus-visible)")) return { description, isLast, fault: "" };
  const header = document.querySelector(".site-header")!;
  const box = focused.getBoundingClientRect();
  const top = header.contains(focused) ? 0 : Math.max(0, header.getBoundingClientRect().bottom);
  const style = getComputedStyle(focused);
  const hasFocusRing = style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2;
  // A scrollable element may be taller than the window; then part of it must be visible.
  const fits = box.height <= innerHeight - top;
  const faults = [
    fits && box.top < top - 1 && !focused.matches(".skip-link") && "partly hidden above",
    box.bottom < top + 12 && !focused.matches(".skip-link") && "hidden above",
    box.top > innerHeight - 12 && "below the window",
    box.right < 12 && "left of the window",
    box.left > innerWidth - 12 && "right of the window",
    box.width === 0 && "zero width",
    !hasFocusRing && "no focus ring",
  ];
  return { description, isLast, fault: faults.filter(Boolean).join(", ") };
}

/** Goes from the mark back to the page itself, as a keyboard does. */
async function backToTheStart(page: Page): Promise<void> {
  await page.locator("#marks:focus").waitFor();
  const isAtSkipLink = () =>
    page.evaluate(() => document.activeElement!.classList.contains("skip-link"));
  for (let stop = 0; stop < maxStops && !(await isAtSkipLink()); stop += 1)
    await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
}
