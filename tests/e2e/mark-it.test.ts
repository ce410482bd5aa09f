import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { once } from "../../app/server/system/once.ts";
import { type Scope, wholeFile } from "../support/at-end.ts";
import { closeBrowser, openPage, scripted, violations } from "../support/browser.ts";
import { textOf } from "../support/html-forms.ts";
import { postOf, sendRequest } from "../support/send-request.ts";
import { sharedServer } from "../support/server.ts";

after(closeBrowser);

test("a visitor sees what the model proposes only after giving a mark, without script", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, { javaScriptEnabled: false });
  await page.goto(server.url);
  const section = page.locator(".mark-it");
  const model = section.getByText("names no hot air");
  await section.getByText("Give your mark").click();
  await section.getByText("Choose 0, 1, 2 or 3 first.").waitFor();
  assert.equal(await model.isVisible(), false);
  for (const [mark, verdict] of [
    ["3", "One more than the model proposes."],
    ["2", "What the model proposes, and Marker A gave."],
  ] as const) {
    await section.getByRole("radio", { name: mark }).check();
    await section.getByText(verdict).waitFor();
  }
  assert.ok(await model.isVisible());
  assert.equal(await section.getByText("One more than").isVisible(), false);
});

async function enter(page: Page, marks: string) {
  await page.keyboard.type(marks);
  await page.keyboard.press("Enter");
}

/**
 * Opens an answer of the sample desk, with script. `sent` are the posts of its page, `at` waits for an answer.
 * @param more of its URL; without it, the first answer
 */
async function openSample(t: Scope, more = "&view=mark") {
  const server = await sharedServer();
  const page = await openPage(t, { bypassCSP: true });
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") sent.push(request.url());
  });
  await page.goto(`${server.url}/marking?link=sample${more}`);
  await scripted(page);
  const at = (learner: number, question: string) =>
    page.getByRole("heading", { name: `Learner ${learner}, question ${question}` }).waitFor();
  return { server, page, sent, at };
}

test("the home page leads to the first answer of the sample desk", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, { bypassCSP: true });
  await page.goto(server.url);
  await page.locator(".mark-it").getByRole("radio", { name: "2" }).check();
  await page.locator(".mark-it").getByText("Give your mark").click();
  await page.getByRole("link", { name: "Mark six more on the sample desk" }).click();
  await page.getByText("Sample – fictitious: nothing is stored.").waitFor();
  await page.getByRole("link", { name: "Start marking" }).press("Enter");
  await page.getByRole("heading", { name: "Learner 2, question 2.1" }).waitFor();
});

test("a mark is corrected and given on the sample desk by keyboard", async (t) => {
  const { page, at } = await openSample(t);
  await enter(page, "7");
  await page.getByText("7 is more than the 6 of this question.").first().waitFor();
  await page.keyboard.press("ControlOrMeta+A");
  await enter(page, "3,5");
  await at(6, "2.1");
  await page.getByText("1 of 6 decided").first().waitFor();
});

test("P leads back to the mark that was given on the sample desk", async (t) => {
  const { page, at } = await openSample(t);
  await enter(page, "3,5");
  await at(6, "2.1");
  await page.keyboard.press("p");
  await at(2, "2.1");
  await page.locator(".marks del", { hasText: "5" }).waitFor();
  assert.equal(await page.locator("#marks").inputValue(), "3,5");
  await page.keyboard.press("n");
  await at(6, "2.1");
});

/** Gives the first answer of the sample desk 3.5 marks. */
const openMarked = once(async () => {
  const opened = await openSample(wholeFile);
  await enter(opened.page, "3,5");
  await opened.at(6, "2.1");
  return opened;
});

/** The overview of a sample desk with one mark, for tests that give none. */
async function markedOverview() {
  const { page, at } = await openMarked();
  await page.getByRole("link", { name: "Overview" }).click();
  await page.locator(".grid ins", { hasText: "3.5" }).waitFor();
  return { page, at };
}

test("the overview of the sample desk has no axe violation", async () => {
  const { page } = await markedOverview();
  assert.deepEqual(await violations(page), []);
});

test("an answer of the sample desk has no axe violation", async () => {
  const { page, at } = await markedOverview();
  await page.getByRole("link", { name: /^Learner 6, question 2\.1/ }).click();
  await at(6, "2.1");
  await page.getByText("1 of 6 decided").first().waitFor();
  // Where the page stands now, a link may be half under the header.
  await page.evaluate(() => window.scrollTo(0, 0));
  assert.deepEqual(await violations(page), []);
});

test("the overview of the sample desk shows the marks that were given on it", async () => {
  const { page } = await markedOverview();
  await page.getByRole("link", { name: /^Learner 2, question 2\.1/ }).click();
  await page.locator(".marks del", { hasText: "5" }).waitFor();
});

test("what is left on the sample desk leads to the answers that are not decided", async () => {
  const { page, at } = await markedOverview();
  await page.getByRole("link", { name: "What is left" }).click();
  await page.getByRole("link", { name: "Question 2.1: 2" }).click();
  await at(6, "2.1");
});

test("the sample desk stores no mark", async (t) => {
  const { server, page, sent, at } = await openSample(t);
  await enter(page, "3,5");
  await at(6, "2.1");
  assert.deepEqual(sent, []);
  assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
  await page.goto(`${server.url}/marking?link=sample`);
  await page.getByText("0 of 6 decided").first().waitFor();
});

test("an answer that is agreed with on the sample desk has the reason of the model", async (t) => {
  const { page, at } = await openSample(t, "&view=mark&learner=13&question=2.1");
  await page.keyboard.press("a");
  await at(2, "2.3");
  await page.keyboard.press("b");
  await at(13, "2.1");
  await page.locator(".below ins", { hasText: "Three definitions, and each" }).waitFor();
});

test("points that are ticked on the sample desk stay ticked", async (t) => {
  const { page, at } = await openSample(t, "&view=mark&learner=2&question=2.3");
  for (const key of ["w", "e"]) await page.keyboard.press(key);
  assert.equal(await page.locator("#marks").inputValue(), "2");
  await page.keyboard.press("Enter");
  await at(6, "2.3");
  await page.keyboard.press("b");
  await at(2, "2.3");
  assert.equal(await page.locator(".memo-points :checked").count(), 2);
  await page.locator(".below", { hasText: "Not for the learner: (b) has every step" }).waitFor();
});

test("after the last of its marks the sample desk says that nothing was stored", async (t) => {
  const { page, at } = await openSample(t);
  for (const [learner, question] of [
    [6, "2.1"],
    [13, "2.1"],
    [2, "2.3"],
    [6, "2.3"],
    [13, "2.3"],
  ] as const) {
    await enter(page, "1");
    await at(learner, question);
  }
  await enter(page, "1");
  await page.getByText("Every answer is decided. Nothing was stored.").waitFor();
});

test("the pages of learners on the sample desk count the marks that were given", async () => {
  const { page } = await markedOverview();
  await page.getByRole("link", { name: "Learner 2", exact: true }).click();
  await page.getByText("one file, 1 of 2 decided", { exact: true }).waitFor();
  await page.getByRole("link", { name: "All learners" }).click();
  const items = page.locator(".learner-list li");
  await items.first().waitFor();
  assert.deepEqual(
    (await items.allTextContents()).map((text) => /\d of \d decided/.exec(text)?.[0]),
    ["1 of 2 decided", "0 of 2 decided", "0 of 2 decided"],
  );
});

test("without script the sample desk is read, with no form for a mark", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, { javaScriptEnabled: false });
  await page.goto(`${server.url}/marking?link=sample`);
  await page
    .getByText("Deciding needs JavaScript: without it the answers are here to read.")
    .waitFor();
  await page.getByRole("link", { name: "Start marking" }).click();
  await page.getByRole("link", { name: "Next, without deciding" }).click();
  await page.locator("#answer", { hasText: "Learner 6, question 2.1" }).waitFor();
  await page.getByText("Osmosis is when water goes").waitFor();
  await page.locator(".mark-form").waitFor({ state: "hidden" });
  assert.equal(await page.locator(".mark-form").count(), 1);
});

const sampleAnswer = "/marking?link=sample&view=mark&learner=6&question=2.1";

test("the sample desk rejects a post", async () => {
  const { url } = await sharedServer();
  const mark = postOf("intent=save&question=2.1&seen=0&was=4&marks=4");
  const { status, bytes } = await sendRequest(url, sampleAnswer, mark);
  assert.equal(status, 403);
  assert.match(bytes.toString(), /This is the sample: nothing is stored\./);
});

test("the sample desk has three of the sample’s learners", async () => {
  const { url } = await sharedServer();
  const learners = await sendRequest(url, "/marking?link=sample&view=learners");
  const listed = textOf(learners.bytes.toString()).match(/Learner \d+ ?one file, 0 of 2 decided/g);
  assert.deepEqual(
    listed?.map((text) => /\d+/.exec(text)![0]),
    ["2", "6", "13"],
  );
  assert.equal((await sendRequest(url, sampleAnswer)).status, 200);
  const other = sampleAnswer.replace("learner=6", "learner=1");
  assert.equal((await sendRequest(url, other)).status, 404);
});
