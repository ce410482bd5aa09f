import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { wholePageHeader } from "../../app/domain/late.ts";
import { once } from "../../app/server/system/once.ts";
import { type Scope, wholeFile } from "../support/at-end.ts";
import {
  allSent,
  appears,
  closeBrowser,
  holdRequests,
  openPage,
  scripted,
  violations,
  watchScripts,
} from "../support/browser.ts";
import { txtFile, waitForHydration } from "../support/browser-forms.ts";
import { textOfPages } from "../support/pdf-text.ts";
import { publishClass } from "../support/results.ts";
import { openSecondLearner } from "../support/second-learner.ts";
import { sharedServer } from "../support/server.ts";

after(closeBrowser);

/** Opens the home page with a file chosen; `requests` has the requests of its scripts. */
async function openHome(t: Scope) {
  const server = await sharedServer();
  const page = await openPage(t, { bypassCSP: true }, /status of 503|ERR_FAILED/);
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/api/") || search) requests.push(pathname + search);
  });
  await page.goto(server.url);
  await page.locator("#demo").getByLabel("Questions *").setInputFiles(txtFile("questions.txt"));
  await page.locator(".chosen", { hasText: "questions.txt" }).waitFor();
  const link = page.getByRole("link", { name: "See a sample result" });
  // Without its script it leads to another page.
  await waitForHydration(page, '[data-island="sample"] a');
  const heading = page.getByRole("heading", { name: /^Grade 10 Life Sciences/ });
  return { page, requests, link, heading, focused: page.locator(":focus") };
}

test("the sample that could not be fetched is fetched again in place", async (t) => {
  const { page, link, heading, focused } = await openHome(t);
  await page.route("**/?results=sample", (route) => route.fulfill({ status: 503 }), {
    times: 1,
  });
  await link.click();
  await page.getByText("The marks could not be fetched.").waitFor();
  // Delays the response, so that the loading state can be checked.
  const gate = await holdRequests(page, "**/?results=sample");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("status").filter({ hasText: "Fetching the marks" }).waitFor();
  await page.getByRole("progressbar", { name: "Fetching the marks" }).waitFor();
  gate.resolve();
  await heading.and(focused).waitFor();
  assert.ok(await page.getByText("Sample – fictitious").isVisible());
  assert.equal(new URL(page.url()).search, "", "the page is still the home page");
});

/** In the sample in place: two learners in the dialog, back to the form, and its other views. */
const walkSample = once(async () => {
  const { page, requests, link, heading, focused } = await openHome(wholeFile);
  const fetched = page.waitForRequest("**/?results=sample");
  await link.click();
  const wholePage = await (await fetched).headerValue(wholePageHeader);
  await page.getByRole("link", { name: "Learner 01", exact: true }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("row", { name: /Total 44 of 50/ }).waitFor();
  const axe = await violations(page);
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByRole("heading", { name: "Learner 02" }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  // The learner who was read last.
  const lastLearner = page.getByRole("link", { name: "Learner 02", exact: true });
  const isLastFocused = await appears(lastLearner.and(focused));
  await page.getByRole("button", { name: "Close the sample" }).click();
  await heading.waitFor({ state: "detached" });
  const isLinkFocused = await appears(link.and(focused));
  const hasFile = await page.locator(".chosen", { hasText: "questions.txt" }).isVisible();
  await link.click();
  const focusedViews = [await appears(heading.and(focused))];
  const fetchedUntilNow = [...requests];
  await page.getByRole("link", { name: "sort by mark" }).press("Enter");
  await page.getByText("Sorted by mark").waitFor();
  focusedViews.push(await appears(heading.and(focused)));
  await page.getByRole("link", { name: /^Feedback slips to print, one/ }).press("Enter");
  const slips = page.getByRole("heading", { name: /^Feedback slips:/ });
  focusedViews.push(await appears(slips.and(focused)));
  const closing = { isLastFocused, isLinkFocused, hasFile };
  return { wholePage, axe, closing, fetched: fetchedUntilNow, focusedViews };
});

test("the sample is fetched whole: no script would insert a late part of it", async () =>
  assert.equal((await walkSample()).wholePage, "1"));

test("in place, the sample is fetched once, and each learner when opened", async () =>
  assert.deepEqual((await walkSample()).fetched, [
    "/?results=sample",
    ...["1", "2"].map((id) => `/?results=sample&learner=${id}`),
  ]));

test("a learner of the sample that is read in place has no axe violation", async () =>
  assert.deepEqual((await walkSample()).axe, []));

test("closing what was read in place leads back to its link, and to the form as it was", async () => {
  const { closing } = await walkSample();
  assert.deepEqual(closing, { isLastFocused: true, isLinkFocused: true, hasFile: true });
});

test("each view of the sample takes the focus when it is shown in place", async () =>
  assert.deepEqual((await walkSample()).focusedViews, [true, true, true]));

/** Opens a page without script, on the narrowest phone. */
async function openOnPhone(t: TestContext, path: string) {
  const server = await sharedServer();
  const page = await openPage(t, {
    javaScriptEnabled: false,
    viewport: { width: 320, height: 640 },
  });
  await page.goto(server.url + path);
  return page;
}

test("on a narrow phone each learner of a class is a card that begins with name and total", async (t) => {
  const page = await openOnPhone(t, "/?results=sample");
  const cards = page.locator(".grid tbody tr");
  assert.equal(await cards.count(), 30);
  const wrong = await cards.evaluateAll((rows) =>
    rows.map((row) => {
      const boxOf = (one: string) => row.querySelector(one)!.getBoundingClientRect();
      const [name, total] = [boxOf("th a"), boxOf(".sum b")];
      const isBeside = name.top <= total.top && total.bottom <= name.bottom;
      return isBeside && total.right < 320 ? "" : `${row.textContent}`;
    }),
  );
  assert.equal(wrong.join(""), "");
  assert.equal(await page.locator("html").evaluate((html) => html.scrollWidth), 320);
});

test("a total that is below its word on a narrow phone has no line of its own", async (t) => {
  const { page } = await openSecondLearner(t, "&slips=1");
  await page.setViewportSize({ width: 320, height: 640 });
  const total = page.locator(".feedback-slip .total").first();
  const [word, marks] = await total.locator(":scope > *").evaluateAll((cells) =>
    cells.map((cell) => ({
      top: cell.getBoundingClientRect().top,
      line: getComputedStyle(cell).borderTopWidth,
    })),
  );
  assert.ok(marks!.top > word!.top, "the test means a total below its word");
  assert.equal(marks!.line, "0px");
});

test("feedback slips are printed without the page around them", async (t) => {
  const page = await openOnPhone(t, "/?results=sample&slips=2");
  const countSeen = (selector: string) => page.locator(`${selector}:visible`).count();
  const unwanted = [".site-header", "a", "h1", "h2"];
  for (const one of unwanted) assert.ok((await countSeen(one)) > 0, one);
  await page.emulateMedia({ media: "print" });
  assert.equal(await countSeen(".feedback-slip"), 30);
  for (const one of unwanted) assert.equal(await countSeen(one), 0, one);
});

test("the marks of a learner stand beside the script and above the class, on a phone above the script", async (t) => {
  const { page } = await openSecondLearner(t);
  await scripted(page);
  const boxOf = async (selector: string) => (await page.locator(selector).boundingBox())!;
  const [marks, script, bars] = [
    await boxOf(".learner"),
    await boxOf(".given-back"),
    await boxOf(".class-bars"),
  ];
  const boxes = JSON.stringify({ marks, script, bars });
  assert.ok(script.x >= marks.x + marks.width, `the script is in the right column: ${boxes}`);
  assert.ok(script.y < marks.y + 100, `the script is beside the marks: ${boxes}`);
  assert.equal(bars.x, marks.x);
  assert.ok(bars.y >= marks.y + marks.height, `the class is under the marks: ${boxes}`);
  await page.setViewportSize({ width: 360, height: 740 });
  assert.ok((await boxOf(".given-back")).y > (await boxOf(".learner")).y + 100);
  assert.equal(await page.locator("html").evaluate((html) => html.scrollWidth), 360);
});

/** From the dialog of a learner to the desk, which decides every mark, and to the signed class. */
const walkToSignature = once(async () => {
  const { page } = await openSecondLearner(wholeFile, "");
  await scripted(page);
  await page.getByRole("link", { name: "Learner 2", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Learner 2", exact: true }).waitFor();
  const { width } = (await dialog.locator(".marks").first().boundingBox())!;
  const pageLinks = await dialog.locator(".what-next").count();
  await dialog.getByRole("link", { name: /^Decide it on the desk ?, question 1\.1$/ }).click();
  for (const learner of [2, 3, 1]) {
    await waitForAnswer(page, learner, "1.1");
    await restButton(page).click();
  }
  await page.getByRole("link", { name: "Sign on the class report" }).click();
  await page.getByLabel("Your name").fill("T. Example");
  await page.getByRole("button", { name: "Sign the marks" }).click();
  const isSigned = await appears(page.getByText("Signed by T. Example on"));
  return { width, pageLinks, isSigned };
});

test("in the dialog of a learner the marks are wide beside the script, and the links are the dialog’s own", async () => {
  const { width, pageLinks } = await walkToSignature();
  assert.ok(width >= 400, `${width} px`);
  assert.equal(pageLinks, 0);
});

test("from the dialog of a learner the educator decides every mark on the desk, and signs the class", async () =>
  assert.ok((await walkToSignature()).isSigned));

const waitForAnswer = (page: Page, learner: number, question: string) =>
  page
    .locator("#answer", { hasText: `Learner ${learner} (${learner}), question ${question}` })
    .waitFor();

/** A decided mark of the second learner. */
const decided = (question: string, to_marks: number) => ({
  learner: "Learner 2",
  question,
  to_marks,
  comment: null,
});

const restButton = (page: Page) =>
  page.getByRole("button", { name: "Agree with the rest of this learner" });

test("the educator decides marks by keyboard", async (t) => {
  const { page, decisions } = await openSecondLearner(t);
  await page.getByRole("link", { name: /^Decide it on the desk ?, question 1\.1$/ }).click();
  await waitForAnswer(page, 2, "1.1");
  await scripted(page);
  await page.keyboard.press("a");
  await waitForAnswer(page, 2, "1.2");
  await page.keyboard.type("27,5");
  await page.keyboard.press("Enter");
  await waitForAnswer(page, 3, "1.1");
  await allSent(page);
  assert.deepEqual(await decisions(), [decided("1.1", 20), decided("1.2", 27.5)]);
});

test("on paper, which is passed on, the educator is named and not called “you”", async (t) => {
  const { page } = await openSecondLearner(t);
  await page.getByRole("link", { name: /^Decide it on the desk ?, question 1\.1$/ }).click();
  await restButton(page).click();
  await waitForAnswer(page, 3, "1.1");
  await page.getByRole("link", { name: "Class report" }).click();
  const printed = async () => textOfPages(await page.pdf({ format: "A4" })).join(" ");
  await page.getByText("2 were decided by you. You can change any of them.").waitFor();
  const report = await printed();
  assert.match(report, /2 were decided by Thandi Example\./);
  await page.getByRole("link", { name: "Learner 2", exact: true }).click();
  await page.getByText("by you").first().waitFor();
  const learner = await printed();
  assert.match(learner, /by Thandi Example/);
  assert.doesNotMatch(report + learner, /\byou\b/i);
});

/** From a class with a mark that a page of an earlier release kept in the tab to the class without it. */
const walkWithKeptMark = once(async () => {
  const { server, link, page, decisions } = await openSecondLearner(wholeFile);
  const [, token] = link.split("results=");
  await page.evaluate(async (token) => {
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
    const digits = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0"));
    const fields = { intent: "save", question: "1.2", seen: "0", was: "22.5" };
    const mark = { learner: "3", fields: { ...fields, marks: "12,5", comment: "Line 3" } };
    sessionStorage.setItem(`unsaved ${digits.join("")}`, JSON.stringify([mark]));
  }, token!);
  const typed = page.getByRole("link", { name: "Learner 3, question 1.2, mark 12,5, “Line 3”" });
  const open = async (query: string) => {
    await page.goto(server.url + link + query);
    await page.getByText("Not stored: you typed this here before.").waitFor();
    return appears(typed);
  };
  const isShown = { ofLearner: await open("&learner=1"), ofClass: await open("") };
  const href = await typed.getAttribute("href");
  await typed.click();
  await waitForAnswer(page, 3, "1.2");
  await scripted(page);
  const unsent = page.locator(".not-saved");
  const onDesk = { unsent: await unsent.count(), decisions: await decisions() };
  await open("");
  await page.getByRole("button", { name: "They are typed" }).click();
  await page.reload();
  await scripted(page);
  return { isShown, href, onDesk, leftAtLast: await unsent.count() };
});

test("marks that an earlier page kept in the tab are shown on class and learner", async () => {
  const { isShown, href } = await walkWithKeptMark();
  assert.deepEqual(isShown, { ofLearner: true, ofClass: true });
  assert.match(href!, /learner=3&question=1\.2$/);
});

test("marks that an earlier page kept in the tab are never sent by the desk", async () => {
  const { onDesk } = await walkWithKeptMark();
  assert.deepEqual(onDesk, { unsent: 0, decisions: [] }, "the desk has a key of its own");
});

test("marks that an earlier page kept in the tab are gone once they are typed", async () =>
  assert.equal((await walkWithKeptMark()).leftAtLast, 0));

test("the sample’s page takes at most 12 kB of script", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, { bypassCSP: true });
  const scripts = watchScripts(page);
  await page.goto(`${server.url}/?results=sample`, { waitUntil: "networkidle" });
  await scripted(page);
  const bytes = await scripts.bytes();
  const { length } = scripts.paths();
  t.diagnostic(`${bytes} bytes in ${length} files`);
  assert.ok(length >= 2, scripts.paths().join());
  assert.ok(bytes <= 12_000, `${bytes} bytes`);
});

test("40 learners with 8 questions are printed on one page", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  const questions = Array.from({ length: 8 }, (_, index) => ({
    questionNumber: `${index + 1}`,
    description: "Explain, with a reason",
    totalMarks: 10,
  }));
  const forty = await publishClass(server, 40, (names) => ({
    title: "Grade 10 Life Sciences, June test",
    questions,
    submissions: names.map((fileName, learner) => ({
      fileName,
      studentName: `Learner ${learner + 1} of a class`,
      questionMarks: questions.map(({ questionNumber }, question) => ({
        questionNumber,
        marksAwarded: (learner * 7 + question * 3) % 11,
      })),
    })),
  }));
  await page.goto(server.url + forty);
  const pages = textOfPages(await page.pdf({ format: "A4" }));
  assert.equal(pages.length, 1);
  assert.equal(new Set(pages[0]!.match(/Learner \d+ of a class/g)).size, 40);
});
