import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { views } from "../../scripts/views.ts";
import { closeBrowser, openPage } from "../support/browser.ts";
import { startServer } from "../support/server.ts";

const maxStops = 300;

after(closeBrowser);

test("by Tab, forwards and back: every stop is seen, ringed, and never under the header", {
  concurrency: 2,
}, async (t) => {
  const server = await startServer(t);
  await Promise.all(
    [
      { width: 1280, height: 720 },
      { width: 360, height: 640 },
    ].flatMap((viewport) =>
      views
        .filter(({ reach }) => !reach)
        .map(({ name, path }) =>
          t.test(`${name} at ${viewport.width}`, async (t) => {
            // Without it the page is still scrolling when we look.
            const options = { viewport, reducedMotion: "reduce" } as const;
            const page = await openPage(t, options, /status of 404/);
            await page.goto(server.url + path);
            const forwards = await walk(page, "Tab");
            assert.ok(forwards.length >= 10, `${forwards.length} stops`);
            const back = await walk(page, "Shift+Tab");
            assert.deepEqual(
              [...forwards, ...back].filter(({ fault }) => fault),
              [],
            );
          }),
        ),
    ),
  );
});

test("the first stop of every page is the way past the menu", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, { reducedMotion: "reduce" }, /status of 404/);
  for (const { name, path } of views.filter(({ reach }) => !reach)) {
    await page.goto(server.url + path);
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to the content" });
    assert.ok(await skip.evaluate((link) => link === document.activeElement), name);
    assert.ok((await skip.boundingBox())!.y >= 0, `${name}: it is not seen`);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    const isPast = await page.evaluate(() =>
      Boolean(document.activeElement!.closest("main, .site-footer")),
    );
    assert.ok(isPast, name);
  }
});

interface Stop {
  what: string;
  fault: string;
}

/** Presses the key until the focus leaves the page. */
async function walk(page: Page, key: string): Promise<Stop[]> {
  const stops: Stop[] = [];
  while (stops.length < maxStops) {
    await page.keyboard.press(key);
    let stop = await page.evaluate(lookAtFocus);
    if (stop?.fault) {
      // Students far down are laid out only in the frame after the focus has come (content-visibility).
      await page.evaluate(nextFrame);
      stop = await page.evaluate(lookAtFocus);
    }
    if (!stop) return stops;
    stops.push(stop);
  }
  throw new Error(`More than ${maxStops} stops: ${JSON.stringify(stops.slice(-5))}`);
}

/** Runs in the page: resolves when it has been drawn again. */
const nextFrame = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/** Runs in the page. Null where nothing on it has the focus. */
function lookAtFocus(): Stop | null {
  const focused = document.activeElement as HTMLElement;
  if (focused === document.body || focused === document.documentElement) return null;
  const what = `${focused.localName} ${(focused.textContent || focused.id).trim().slice(0, 40)}`;
  // On a control of the player, which rings it itself.
  if (focused.matches("video:not(:focus-visible)")) return { what, fault: "" };
  const header = document.querySelector(".site-header")!;
  const box = focused.getBoundingClientRect();
  const top = header.contains(focused) ? 0 : Math.max(0, header.getBoundingClientRect().bottom);
  const style = getComputedStyle(focused);
  const isRinged = style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2;
  // A frame that scrolls may be higher than the window, and is then seen in part.
  const fits = box.height <= innerHeight - top;
  const faults = [
    fits && box.top < top - 1 && !focused.matches(".skip-link") && "not wholly in sight above",
    box.bottom < top + 12 && !focused.matches(".skip-link") && "out of sight above",
    box.top > innerHeight - 12 && "below the window",
    box.width === 0 && "without extent",
    !isRinged && "without a ring",
  ];
  return { what, fault: faults.filter(Boolean).join(", ") };
}
