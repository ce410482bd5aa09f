/** Stamps stand where the marker clicked; tests/long/e2e/stamps.test.ts has more widths and zooms. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { nothingElse } from "../../app/domain/decision.ts";
import { once } from "../../app/server/system/once.ts";
import { type Scope, wholeFile } from "../support/at-end.ts";
import { closeBrowser, holdRequests, openPage, violations } from "../support/browser.ts";
import { openDesk, withStore } from "../support/desk.ts";
import { textOfPages } from "../support/pdf-text.ts";
import { shareMarks } from "../support/results.ts";
import { until } from "../support/server.ts";
import { assertStamped, prepareScripts } from "../support/stamps.ts";

after(closeBrowser);

test("a stamp is where the marker clicked, with JavaScript", (t) =>
  assertStamped(t, true, [[1280, 700, 1.25]]));

test("a stamp is where the marker clicked on a phone, without JavaScript", (t) =>
  assertStamped(t, false, [[360, 320, 1]]));

async function openAnswer(t: Scope) {
  const { server, token } = await prepareScripts();
  const page = await openPage(t, { bypassCSP: true }, /INTERNET_DISCONNECTED|status of 4(04|22)/);
  await page.goto(`${server.url}/marking?link=${token}&view=mark`);
  await page.getByRole("checkbox", { name: /^Keys:/ }).waitFor();
  return { server, page };
}

/** Places a tick on the whole of the second page, by keyboard. */
async function placeTick(page: Page) {
  const list = page.getByRole("list", { name: "Stamps on page 2 of 3 of learner 1" });
  await page.getByRole("button", { name: "Stamp page 2 of 3 of learner 1" }).press("Enter");
  await list.getByText("Tick, question 1.1, for the whole page").first().waitFor();
  return list;
}

/** Places a comment on the second page without a mouse. */
async function placeComment(page: Page) {
  await page.getByText("Stamps on the page").press("Enter");
  await page.getByRole("radio", { name: "Comment" }).press("Space");
  await page.getByLabel("Comment on the page").fill("See line 3");
  await page.getByText("Place it without a mouse").press("Enter");
  await page.getByLabel("Page", { exact: true }).selectOption("2");
  await page.getByLabel("How far down").fill("40");
  await page.getByRole("button", { name: "Place the stamp" }).press("Enter");
  await page.getByText("See line 3, question 1.1").first().waitFor();
}

test("a stamp is placed at a height of a page by keyboard", async (t) => {
  const { server, page } = await openAnswer(t);
  await placeComment(page);
  assert.deepEqual(await server.query("SELECT page, y, text FROM stamps"), [
    { page: 2, y: 0.4, text: "See line 3" },
  ]);
});

test("a stamp is removed by keyboard, which leads to its page and to no other stamp", async (t) => {
  const { server, page } = await openAnswer(t);
  const list = await placeTick(page);
  await page.getByRole("button", { name: "Remove Tick" }).press("Enter");
  await list.getByText("Tick").waitFor({ state: "detached" });
  await page.locator("figure:focus", { hasText: "Page 2 of 3" }).waitFor();
  assert.deepEqual(await server.query("SELECT id FROM stamps"), []);
});

test("a second Enter turns the same page", async (t) => {
  const { server, page } = await openAnswer(t);
  for (const angle of [90, 180]) {
    await (angle === 90
      ? page.getByRole("button", { name: "Turn page 2 of 3 of learner 1" }).press("Enter")
      : page.keyboard.press("Enter"));
    const turned = `SELECT page FROM page_turns WHERE page = 2 AND turn = ${angle}`;
    await until(async () => (await server.query(turned)).length === 1);
    await page.getByRole("status").filter({ hasText: "Turned." }).waitFor();
  }
});

test("a comment that is typed and not placed is not left unasked", async (t) => {
  const { page } = await openAnswer(t);
  await page.getByText("Stamps on the page").press("Enter");
  await page.getByLabel("Comment on the page").fill("See line 3");
  const next = page.getByRole("link", { name: "Next, without deciding" });
  const asked = page.waitForEvent("dialog");
  const leave = next.press("Enter");
  await (await asked).dismiss();
  await leave;
  await page.getByRole("radio", { name: "Comment" }).check();
  await page.getByRole("button", { name: "Stamp page 1 of 3 of learner 1" }).press("Enter");
  await page.getByRole("status").filter({ hasText: "Placed." }).waitFor();
  await next.press("Enter");
  await page.getByRole("heading", { name: "Learner 2, question 1.1" }).waitFor();
});

test("a mark is not saved while a comment is typed and not placed", async (t) => {
  const { page } = await openAnswer(t);
  await page.getByText("Stamps on the page").press("Enter");
  await page.getByRole("radio", { name: "Comment" }).check();
  const comment = page.getByLabel("Comment on the page");
  await comment.fill("See line 3");
  await page.getByLabel("Marks, of").fill("2");
  await page.getByRole("button", { name: "Save and next" }).click();
  await page.getByRole("status").filter({ hasText: "Place or clear the comment" }).waitFor();
  assert.equal(await comment.inputValue(), "See line 3");
  await page.getByRole("button", { name: "Stamp page 1 of 3 of learner 1" }).press("Enter");
  await page.getByRole("status").filter({ hasText: "Placed." }).waitFor();
  assert.equal(await comment.inputValue(), "");
  await page.getByRole("button", { name: "Save and next" }).click();
  await page.getByRole("heading", { name: "Learner 2, question 1.1" }).waitFor();
});

test("a comment that cannot be placed comes back to its field", async (t) => {
  const { page } = await openAnswer(t);
  await page.getByText("Stamps on the page").press("Enter");
  await page.getByRole("radio", { name: "Comment" }).check();
  const comment = page.getByLabel("Comment on the page");
  await comment.fill("x".repeat(201));
  await page.getByRole("button", { name: "Stamp page 1 of 3 of learner 1" }).press("Enter");
  await page.getByRole("status").filter({ hasText: "201 characters" }).waitFor();
  assert.equal((await comment.inputValue()).length, 201);
});

/** The page of an answer with two stamps, for tests that place none. */
const stampedPage = once(async () => {
  const { page } = await openAnswer(wholeFile);
  await placeTick(page);
  await placeComment(page);
  return page;
});

test("pages with stamps have no axe violation on a phone", async () => {
  const page = await stampedPage();
  await page.setViewportSize({ width: 360, height: 800 });
  // Where the page stands now, a link may be half under the header.
  await page.evaluate(() => window.scrollTo(0, 0));
  assert.deepEqual(await violations(page), []);
});

test("pages with stamps do not scroll sideways on a phone", async () => {
  const page = await stampedPage();
  await page.setViewportSize({ width: 360, height: 800 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
});

test("the caption of a page, with its tools, is no wider than a screen of 320 px", async () => {
  const page = await stampedPage();
  await page.setViewportSize({ width: 320, height: 640 });
  const { x, width } = (await page.locator(".work figcaption").first().boundingBox())!;
  assert.ok(x + width <= 320, `${x} and ${width} px`);
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

test("a stamp that is rejected once another answer is shown is reported", async (t) => {
  const { server, page } = await openAnswer(t);
  const gate = await holdRequests(page, "**/marking?*", (request) => request.method() === "POST");
  await page.getByRole("button", { name: "Stamp page 1 of 3 of learner 1" }).press("Enter");
  await page.getByRole("link", { name: "Next, without deciding" }).press("Enter");
  await page.getByRole("button", { name: "Stamp page 1 of 3 of learner 2" }).waitFor();
  await server.change("UPDATE marking_links SET revoked_at = '2026-11-01T00:00:00.000Z'");
  gate.resolve();
  await page.getByRole("status").filter({ hasText: "Not stored on an answer before: " }).waitFor();
  await page.unrouteAll({ behavior: "wait" });
});

test("a stamp that is placed while its page is being zoomed is shown on the zoomed page", async (t) => {
  const { page } = await openAnswer(t);
  const gate = await holdRequests(page, "**/marking?*");
  await page.getByRole("button", { name: "Zoom in page 1 of 3 of learner 1" }).press("Enter");
  await page.getByRole("button", { name: "Stamp page 1 of 3 of learner 1" }).press("Enter");
  gate.resolve();
  await page.getByRole("list", { name: "Stamps on page 1 of 3 of learner 1" }).waitFor();
  await page.locator(".work.zoomed").waitFor();
  await page.unrouteAll({ behavior: "wait" });
});

/** Turns a page and decides a mark; returns the link to the results. */
async function shareTurned(): Promise<string> {
  const { server, desk, token } = await prepareScripts();
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
