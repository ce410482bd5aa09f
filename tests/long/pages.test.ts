import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { viewsOn } from "../../scripts/published-classes.ts";
import type { View } from "../../scripts/views.ts";
import { closeBrowser, openPage, violations } from "../support/browser.ts";
import { startServer } from "../support/server.ts";
import { assertValid, crawledPages } from "../support/site-pages.ts";

/** 320 is also the width of a 1280 px window at 400 % zoom. */
const widths = [1280, 768, 320];
const height = 800;
/** The least width of a control, and its least height for a mouse. */
const minTargetPx = 24;
/** The least height of a control for a finger. */
const minTouchTargetPx = 44;

after(closeBrowser);

test("no page in any state has an axe violation, scrolls sideways or has unnamed or small controls", {
  concurrency: 2,
}, async (t) => {
  const server = await startServer(t);
  const views = await viewsOn(server);
  await Promise.all(
    views.map((view) =>
      t.test(view.name, async (t) => {
        const fits = widths.filter((width) => width < (view.narrowerThan ?? 9999));
        const page = await openPage(
          t,
          // The content security policy would block axe.
          { viewport: { width: fits[0]!, height }, bypassCSP: true },
          /status of (403|404|409|410|422|500)|ERR_FAILED|dynamically imported module/,
        );
        await reach(page, server.url, view);
        assert.deepEqual(await namingFaults(page), []);
        for (const width of fits) {
          await page.setViewportSize({ width, height });
          assert.deepEqual(await tooWide(page), [], `too wide at ${width}`);
          assert.deepEqual(await tooSmall(page, width === 320), [], `too small at ${width}`);
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme });
            assert.deepEqual(await violations(page), [], `by axe at ${width}, ${colorScheme}`);
          }
        }
      }),
    ),
  );
});

test("every page is valid HTML", async () => {
  for (const [address, html] of await crawledPages()) await assertValid(address, html);
});

test("without script no page scrolls sideways at 320 pixels either", async (t) => {
  const server = await startServer(t);
  const views = await viewsOn(server);
  const options = { viewport: { width: 320, height }, javaScriptEnabled: false };
  const page = await openPage(t, options, /status of 404/);
  for (const view of views.filter(({ reach }) => !reach)) {
    await page.goto(server.url + view.path);
    assert.deepEqual(await tooWide(page), [], view.name);
  }
});

test("no page scrolls sideways at 280 pixels or with text of twice the size", async (t) => {
  const server = await startServer(t);
  const views = await viewsOn(server);
  const options = { viewport: { width: 280, height }, bypassCSP: true };
  const page = await openPage(t, options, /status of 404/);
  for (const view of views.filter(({ reach }) => !reach)) {
    await page.setViewportSize({ width: 280, height });
    await page.goto(server.url + view.path);
    assert.deepEqual(await tooWide(page), [], `${view.name}, 280 px`);
    await page.setViewportSize({ width: 360, height });
    await page.addStyleTag({ content: "html { font-size: 200% }" });
    assert.deepEqual(await tooWide(page), [], `${view.name}, large text`);
  }
});

test("forced colours show which page of the menu is open", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, { forcedColors: "active" });
  const lookOnPage = async (path: string, link: string) => {
    await page.goto(server.url + path);
    return await page
      .locator(`.site-header nav [href="${link}"]`)
      .first()
      .evaluate((element) => {
        const { borderBottomWidth, textDecorationLine } = getComputedStyle(element);
        return `${borderBottomWidth} ${textDecorationLine}`;
      });
  };
  for (const link of ["/about", "/demo"]) {
    assert.notEqual(await lookOnPage(link, link), await lookOnPage("/contact", link), link);
  }
});

test("forced colours show the words that are marked in an example and in a search", async (t) => {
  const server = await startServer(t);
  // A highlight's own text is black, which only a dark ground hides.
  const page = await openPage(t, { forcedColors: "active", colorScheme: "dark" });
  for (const path of ["/features", "/blog?q=memo"]) {
    await page.goto(server.url + path);
    const [marked, around] = await page.evaluate(() => {
      const mark = document.querySelector("mark")!;
      return [mark, mark.parentElement!].map((element) => getComputedStyle(element).color);
    });
    assert.equal(marked, around, path);
  }
});

async function reach(page: Page, url: string, view: View): Promise<void> {
  await page.goto(url + view.path);
  await view.reach?.(page);
  // A toast with the focus in it does not close.
  if ((await page.locator(".toast").count()) > 0) await page.keyboard.press("F8");
}

/** Elements that scroll sideways: the page, or a dialog on it. */
const tooWide = (page: Page) =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll("dialog:modal, :popover-open")]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ nodeName, scrollWidth }) => `${nodeName}: ${scrollWidth} wide`),
  );

/** Controls below the minimum size. A link within a sentence is exempt (WCAG 2.2, 2.5.8). */
const tooSmall = (page: Page, isTouch: boolean) =>
  page.evaluate(
    ([minWidth, minHeight]) =>
      [...document.querySelectorAll<HTMLElement>("a, button, summary, input, textarea")]
        .filter((control) => control.checkVisibility({ visibilityProperty: true }))
        .filter((control) => control.tabIndex >= 0)
        .filter(
          (control) =>
            getComputedStyle(control).display !== "inline" ||
            control.parentElement!.textContent === control.textContent,
        )
        .map((control) => ({
          control,
          // A label extends the target of the checkbox in it.
          box: (control.closest("label") ?? control).getBoundingClientRect(),
        }))
        .filter(({ box }) => box.width > 1 && (box.height < minHeight || box.width < minWidth))
        .map(({ control, box }) => {
          const name = (control.textContent || control.id).trim().slice(0, 40);
          return `${control.localName} ${name}: ${box.width.toFixed()} × ${box.height.toFixed()}`;
        }),
    [minTargetPx, isTouch ? minTouchTargetPx : minTargetPx] as const,
  );

/** Controls without a name, and landmarks that share one or are not there once, from Chromium's accessibility tree. */
async function namingFaults(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  const exposed = nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name }) => ({
      role: String(role?.value),
      name: String(name?.value ?? "").trim(),
    }));
  const count = (wanted: string) => exposed.filter(({ role }) => role === wanted).length;
  const isModal = (await page.locator("dialog:modal").count()) > 0;
  const requiredOnce = isModal ? ["dialog"] : ["banner", "main", "contentinfo"];
  return [
    ...exposed
      .filter(({ role, name }) => mustBeNamed.has(role) && name === "")
      .map(({ role }) => `a ${role} without a name`),
    ...exposed
      .filter(({ role }) => ["navigation", "region", "complementary"].includes(role))
      .map(({ role, name }) => `${role} “${name}”`)
      .filter((landmark, index, all) => all.indexOf(landmark) !== index)
      .map((landmark) => `${landmark} twice`),
    ...requiredOnce.filter((role) => count(role) !== 1).map((role) => `${count(role)} of ${role}`),
  ];
}

const mustBeNamed = new Set([
  "button",
  "link",
  "textbox",
  "searchbox",
  "checkbox",
  "combobox",
  "DisclosureTriangle",
  "progressbar",
  "image",
  "dialog",
  "navigation",
  "region",
  "complementary",
  "heading",
]);
