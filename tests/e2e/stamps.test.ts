/** Stamps stand where the marker clicked: at several widths and zooms, on turned pages, with and without JavaScript. */
import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import type * as rendererModule from "../../app/desk/render-file.ts";
import { nothingElse } from "../../app/domain/decision.ts";
import { closeBrowser, openPage, violations } from "../support/browser.ts";
import { openDesk, openLink, prepareClass, storeRenderings, withStore } from "../support/desk.ts";
import { pdfOfPages, textLines } from "../support/pdf-bytes.ts";
import { textOfPages } from "../support/pdf-text.ts";
import { shareMarks } from "../support/results.ts";
import { emptyServer, executable } from "../support/server.ts";
import { loadSource } from "../support/source.ts";

after(closeBrowser);

const lines = ["1.1 Small, thick leaves lose less water.", "1.2 Long roots find it."];
/** An upright page, one with /Rotate and a crop box, and one that was scanned sideways. */
const script = pdfOfPages([
  { content: textLines(lines) },
  { content: textLines(lines), entries: "/Rotate 90/CropBox[40 60 555 800]" },
  { content: `0 1 -1 0 700 0 cm ${textLines(lines)}` },
]);

async function prepare() {
  const server = await emptyServer();
  const desk = await prepareClass(server, ["anna.pdf", "ben.pdf"], undefined, {
    bytesOf: () => script,
  });
  const token = await openLink(server, desk);
  const { renderFile } = await loadSource<typeof rendererModule>("/app/desk/render-file.ts");
  const rendered = await renderFile({ bytes: script, name: "a.pdf" }, { program: [executable] });
  await storeRenderings(server, token, [rendered]);
  return { server, desk, token };
}

/** Clicks on a page at parts of its size. Returns the place in pixels from its corner, which is a whole pixel. */
async function clickOn(page: Page, number: number, at: [x: number, y: number]) {
  const picture = page.locator(".picture").nth(number - 1);
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

/** The middles of the marks on a page, in pixels from its corner. */
const marksOn = (page: Page, number: number) =>
  page
    .locator(".picture")
    .nth(number - 1)
    .evaluate((picture) => {
      const corner = picture.getBoundingClientRect();
      return [...picture.querySelectorAll(".stamps g g path:last-child, .stamps circle")].map(
        (mark) => {
          const { left, top, width, height } = mark.getBoundingClientRect();
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

/** Widths of the window and of the page's picture in it, in pixels, and the zoom. */
const sizes = {
  with: [
    [360, 320, 1],
    [720, 640, 2],
    [1280, 700, 1.25],
  ],
  without: [
    [360, 320, 1],
    [700, 320, 1],
    [1100, 640, 1],
    [1700, 1100, 1],
  ],
} as const;

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with" : "without";
  test(`a stamp is where the marker clicked, ${how} JavaScript`, async (t) => {
    const { server, token } = await prepare();
    let worst = 0;
    for (const [width, shown, zoom] of sizes[how]) {
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
      for (const expected of [1, 2, 3]) {
        await turn.click();
        await page.locator(`.turned image[transform$="rotate(${90 * expected})"]`).waitFor();
      }
      // Without script each turn loads a page, which scrolls until it is here: a click may miss.
      await page.waitForLoadState();
      await page.getByText("Stamps on the page").press("Enter");
      await page.getByLabel("Comment on the page").fill("Which one? Say it in a sentence.");
      for (const [number, x, y, kind] of places) {
        await page.getByRole("radio", { name: kind }).check();
        const clicked = await clickOn(page, number, [x, y]);
        const picture = page.locator(".picture").nth(number - 1);
        // The comment is the second stamp of its page.
        await picture
          .locator(".stamps > g")
          .nth(kind === "Comment" ? 1 : 0)
          .waitFor({ state: "attached" });
        await page.waitForLoadState();
        const [markX, markY] = (await marksOn(page, number)).at(-1)!;
        const error = Math.hypot(markX - clicked.x, markY - clicked.y);
        worst = Math.max(worst, error);
        assert.ok(error <= 2, `${kind} on page ${number} at ${width}: ${error} pixels`);
      }
      const [{ width: picture }] = (await page
        .locator(".picture")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))) as [DOMRect];
      assert.equal(Math.round(picture), shown);
      assert.equal(
        await page.getByLabel("Marks, of 3").inputValue(),
        "2,5",
        "what was typed stays",
      );
      assert.equal((await server.query("SELECT id FROM stamps")).length, 4);
      assert.equal((await server.query("SELECT id FROM decisions")).length, 0);
      await page.close();
    }
    t.diagnostic(`at most ${worst.toFixed(2)} pixels away`);
  });
}

async function openAnswer(t: TestContext) {
  const { server, token } = await prepare();
  const page = await openPage(t, { bypassCSP: true }, /ERR_INTERNET_DISCONNECTED/);
  await page.goto(`${server.url}/marking?link=${token}&view=mark`);
  await page.getByRole("checkbox", { name: /^Keys:/ }).waitFor();
  return { server, page };
}

test("stamps are placed and removed by keyboard", async (t) => {
  const { server, page } = await openAnswer(t);
  const list = page.getByRole("list", { name: "Stamps on page 2 of 3 of learner 1" });
  await page.getByRole("button", { name: "Stamp page 2 of 3 of learner 1" }).press("Enter");
  await list.getByText("Tick, question 1.1, for the whole page").first().waitFor();
  await page.getByText("Stamps on the page").press("Enter");
  await page.getByRole("radio", { name: "Comment" }).press("Space");
  await page.getByLabel("Comment on the page").fill("See line 3");
  await page.getByText("Place it without a mouse").press("Enter");
  await page.getByLabel("Page", { exact: true }).selectOption("2");
  await page.getByLabel("How far down").fill("40");
  await page.getByRole("button", { name: "Place the stamp" }).press("Enter");
  await list.getByText("See line 3, question 1.1").first().waitFor();
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    // Where the page stands now, a link may be half under the header.
    await page.evaluate(() => window.scrollTo(0, 0));
    assert.deepEqual(await violations(page), [], `at ${width}`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }
  await page.getByRole("button", { name: "Remove Tick" }).press("Enter");
  await list.getByText("Tick").waitFor({ state: "detached" });
  assert.deepEqual(await server.query("SELECT page, y, text FROM stamps"), [
    { page: 2, y: 0.4, text: "See line 3" },
  ]);
});

test("a stamp that could not be sent is sent again", async (t) => {
  const { server, page } = await openAnswer(t);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Stamp page 1 of 3 of learner 1" }).press("Enter");
  await page.getByRole("status").filter({ hasText: "Not placed yet" }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole("list", { name: "Stamps on page 1 of 3 of learner 1" }).waitFor();
  assert.equal((await server.query("SELECT id FROM stamps")).length, 1);
});

test("a stamp that is placed while its page is being zoomed is shown on the zoomed page", async (t) => {
  const { page } = await openAnswer(t);
  const gate = Promise.withResolvers<void>();
  await page.route("**/marking?*", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Zoom in page 1 of 3 of learner 1" }).press("Enter");
  await page.getByRole("button", { name: "Stamp page 1 of 3 of learner 1" }).press("Enter");
  gate.resolve();
  await page.getByRole("list", { name: "Stamps on page 1 of 3 of learner 1" }).waitFor();
  await page.locator(".work.zoomed").waitFor();
  await page.unrouteAll({ behavior: "wait" });
});

/** Turns a page and decides a mark; returns the link to the results. */
async function shareTurned(): Promise<string> {
  const { server, desk, token } = await prepare();
  await withStore(server, async (store) => {
    const [learner] = (await openDesk(store, token)).learners;
    const { id: learnerId, files } = learner!;
    const answer = { learnerId, questionNumber: "1.1" };
    const { fileId } = files[0]!;
    const now = new Date();
    await store.turnPage(token, answer, { fileId, page: 3, turn: 270 }, now);
    const seen = { questionNumber: "1.1", decisionId: 0, marks: null, importId: 0 };
    const given = { ...nothingElse, marks: 2, comment: "" };
    await store.decideAnswer(token, { learnerId, seen, given, order: "question" }, now);
  });
  return `${server.url}/?results=${await shareMarks(server, desk.reference)}`;
}

test("no sheet of slips with scripts is of two learners", async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false });
  await page.goto(`${await shareTurned()}&slips=1&scripts`);
  const sheets = textOfPages(await page.pdf({ format: "A4" }));
  const learners = sheets.map((text) => text.match(/anna|ben/g) ?? []);
  assert.ok(
    learners.every((names) => new Set(names).size === 1),
    JSON.stringify(learners),
  );
  assert.deepEqual([...new Set(learners.flat())], ["anna", "ben"]);
});

test("a turned page is as wide as the others", async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false });
  await page.goto(`${await shareTurned()}&learner=1`);
  const widths = await page
    .locator(".picture")
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)));
  assert.equal(await page.locator(".turned").count(), 1);
  assert.ok(widths[0]! > 0);
  assert.deepEqual(widths, [widths[0], widths[0], widths[0]]);
});
