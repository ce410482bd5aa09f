/** Stamps on a class with scripts of three pages, one of them broad and one turned. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import type { RenderedFile } from "../../app/domain/page-image.ts";
import { openPage } from "./browser.ts";
import { openLink, prepareClass, storeRenderings, webp } from "./desk.ts";
import { setUpOnce } from "./server.ts";

/** The picture of 11 by 15 pixels, as 15 by 11. */
const broad = Buffer.from(webp);
broad.writeUInt16LE(0x80_0e, 21);
broad.writeUInt8(0x02, 23);

const upright = { width: 1100, height: 1500, webp };
const script: RenderedFile = {
  kind: "pages",
  pages: [
    { page: 1, ...upright },
    { page: 2, width: 1500, height: 1100, webp: broad },
    { page: 3, ...upright },
  ],
};

export const prepareScripts = setUpOnce(async (server) => {
  const desk = await prepareClass(server, ["anna.pdf", "ben.pdf"]);
  const token = await openLink(server, desk);
  await storeRenderings(server, token, [script]);
  return { server, desk, token };
});

/** Clicks on a page at parts of its size. Returns the place in pixels from its corner, which is a whole pixel. */
async function clickOn(page: Page, pageNumber: number, at: [x: number, y: number]) {
  const picture = page.locator(".picture").nth(pageNumber - 1);
  await picture.scrollIntoViewIfNeeded();
  const place = await picture.locator(".place:visible").evaluate((button, [x, y]) => {
    const box = button.getBoundingClientRect();
    window.scrollBy({
      top: box.top + box.height * y! - window.innerHeight / 2,
      behavior: "instant",
    });
    button
      .closest(".work")!
      .scrollBy({ left: box.left + box.width * x! - window.innerWidth / 2, behavior: "instant" });
    const { left, top, width, height } = button.getBoundingClientRect();
    return { left, top, x: Math.round(width * x!), y: Math.round(height * y!) };
  }, at);
  await page.mouse.click(place.left + place.x, place.top + place.y);
  return place;
}

/** The middles of the stamps on a page, in pixels from its corner. */
const stampsOn = (page: Page, pageNumber: number) =>
  page
    .locator(".picture")
    .nth(pageNumber - 1)
    .evaluate((picture) => {
      const corner = picture.getBoundingClientRect();
      return [...picture.querySelectorAll(".stamps g g path:last-child, .stamps circle")].map(
        (stamp) => {
          const { left, top, width, height } = stamp.getBoundingClientRect();
          return [left + width / 2 - corner.left, top + height / 2 - corner.top] as [
            number,
            number,
          ];
        },
      );
    });

const places: [page: number, x: number, y: number, kind: string][] = [
  [1, 0.12, 0.93, "Tick"],
  [1, 0.85, 0.1, "Comment"],
  [2, 0.93, 0.85, "Cross"],
  [3, 0.2, 0.15, "Question mark"],
];

/**
 * Stamps three pages at several sizes, and asserts that each stamp is at most 2 pixels from the click.
 * @param sizes widths of the window and of the page's picture in it, in pixels, and the zoom
 */
export async function assertStamped(
  t: TestContext,
  javaScriptEnabled: boolean,
  sizes: [width: number, picture: number, zoom: number][],
): Promise<void> {
  const { server, token } = await prepareScripts();
  let worst = 0;
  for (const [width, shown, zoom] of sizes) {
    await server.change("DELETE FROM stamps");
    await server.change("DELETE FROM mark_drafts");
    await server.change("DELETE FROM page_turns");
    const page = await openPage(t, {
      javaScriptEnabled,
      deviceScaleFactor: zoom,
      viewport: { width, height: 800 },
    });
    await page.goto(`${server.url}/marking?link=${token}&view=mark`);
    if (javaScriptEnabled) await page.getByRole("checkbox", { name: /^Keys:/ }).waitFor();
    await page.getByLabel("Marks, of 3").fill("2,5");
    const turn = page.getByRole("button", { name: /^Turn page 3/ });
    // Without script each turn loads the page.
    for (const expected of javaScriptEnabled ? [1, 2, 3] : [1]) {
      await turn.click();
      await page.locator(`.turned image[transform$="rotate(${90 * expected})"]`).waitFor();
    }
    // Without script each turn and each stamp loads a page, which scrolls until it is here: a click on a tool may miss.
    await page.waitForLoadState();
    await page.getByText("Stamps on the page").press("Enter");
    await page.getByLabel("Comment on the page").fill("Which one? Say it in a sentence.");
    for (const [pageNumber, x, y, kind] of places) {
      await page.getByRole("radio", { name: kind }).press("Space");
      const clicked = await clickOn(page, pageNumber, [x, y]);
      const picture = page.locator(".picture").nth(pageNumber - 1);
      // The comment is the second stamp of its page.
      await picture
        .locator(".stamps > g")
        .nth(kind === "Comment" ? 1 : 0)
        .waitFor({ state: "attached" });
      await page.waitForLoadState();
      const [stampX, stampY] = (await stampsOn(page, pageNumber)).at(-1)!;
      const error = Math.hypot(stampX - clicked.x, stampY - clicked.y);
      worst = Math.max(worst, error);
      assert.ok(error <= 2, `${kind} on page ${pageNumber} at ${width}: ${error} pixels away`);
    }
    const [{ width: picture }] = (await page
      .locator(".picture")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))) as [DOMRect];
    assert.equal(Math.round(picture), shown, "the width of the picture");
    assert.equal(await page.getByLabel("Marks, of 3").inputValue(), "2,5", "what was typed stays");
    assert.equal((await server.query("SELECT id FROM stamps")).length, 4);
    assert.equal((await server.query("SELECT id FROM decisions")).length, 0);
    await page.close();
  }
  t.diagnostic(`at most ${worst.toFixed(2)} pixels away`);
}
