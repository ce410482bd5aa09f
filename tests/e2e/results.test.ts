import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage, scripted, violations, watchScripts } from "../support/browser.ts";
import { textOfPages } from "../support/pdf-text.ts";
import { publishClass } from "../support/results.ts";
import { openSecondLearner } from "../support/second-learner.ts";
import { sharedServer } from "../support/server.ts";

after(closeBrowser);

test("the sample opens in place, is fetched once, and leaves a half-filled form unchanged", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, { bypassCSP: true }, /status of 503|ERR_FAILED/);
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/api/") || search) requests.push(pathname + search);
  });
  await page.goto(server.url);
  const file = { name: "questions.txt", mimeType: "text/plain", buffer: Buffer.from("Define it.") };
  await page.locator("#demo").getByLabel("Questions *").setInputFiles(file);
  await page.locator(".chosen", { hasText: "questions.txt" }).waitFor();

  await page.route("**/?results=sample", (route) => route.fulfill({ status: 503 }), {
    times: 1,
  });
  const link = page.getByRole("link", { name: "See a sample result" });
  await link.click();
  await page.getByText("The marks could not be fetched.").waitFor();
  // Delays the response, so that the loading state can be checked.
  const gate = Promise.withResolvers<void>();
  await page.route(
    "**/?results=sample",
    async (route) => {
      await gate.promise;
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("status").filter({ hasText: "Fetching the marks" }).waitFor();
  await page.getByRole("progressbar", { name: "Fetching the marks" }).waitFor();
  gate.resolve();

  const heading = page.getByRole("heading", { name: /^Grade 10 Life Sciences/ });
  await heading.waitFor();
  assert.ok(await heading.evaluate((element) => element === document.activeElement));
  assert.ok(await page.getByText("Sample – fictitious").isVisible());
  assert.equal(new URL(page.url()).search, "", "the page is still the home page");
  assert.deepEqual(await violations(page), []);

  const first = page.getByRole("link", { name: "Learner 01", exact: true });
  await first.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Learner 01" }).waitFor();
  assert.ok(await dialog.getByRole("row", { name: /Total 44\/50/ }).isVisible());
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByRole("heading", { name: "Learner 02" }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const second = page.getByRole("link", { name: "Learner 02", exact: true });
  assert.ok(
    await second.evaluate((element) => element === document.activeElement),
    "the focus is on the learner who was read last",
  );

  await page.getByRole("button", { name: "Close the sample" }).click();
  await heading.waitFor({ state: "detached" });
  assert.ok(await link.evaluate((element) => element === document.activeElement));
  await link.click();
  await heading.waitFor();
  assert.deepEqual(
    requests,
    ["/?results=sample", "/?results=sample", "/api/results/sample"],
    "one failed and one successful request, and the marks for the learners",
  );
  assert.ok(await page.locator(".chosen", { hasText: "questions.txt" }).isVisible());
});

test("without script the page is complete: each learner, sorting, slips and files are links", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, {
    javaScriptEnabled: false,
    viewport: { width: 320, height: 640 },
  });
  await page.goto(server.url);
  await page.getByRole("link", { name: "See a sample result" }).click();
  await page.getByText("With JavaScript you can try to decide its marks.").waitFor();
  assert.equal(await page.getByText("Decide them as you would your own").isVisible(), false);
  assert.equal(await page.locator("#sign").isVisible(), false);
  await page.getByRole("link", { name: "sort by mark" }).click();
  const rows = page.locator(".grid tbody tr");
  const card = await rows.first().evaluate((row) => {
    const [name, total] = ["th a", ".sum b"].map((one) => row.querySelector(one)!);
    const [left, right] = [name!.getBoundingClientRect(), total!.getBoundingClientRect()];
    return { isBeside: left.top <= right.top && right.bottom <= left.bottom, end: right.right };
  });
  assert.ok(card.isBeside && card.end < 320, "a card, the total second");
  assert.equal(await page.locator("html").evaluate((html) => html.scrollWidth), 320);
  assert.match((await rows.first().textContent())!, /^Learner 03/);
  await page.getByRole("link", { name: "Learner 01", exact: true }).click();
  await page.locator("ins", { hasText: "“Not like an animal cell” does not say" }).waitFor();
  assert.equal(await page.locator("button:visible").filter({ hasText: "Agree" }).count(), 0);
  await page.getByRole("link", { name: "Next learner, Learner 02" }).click();
  await page.getByRole("heading", { name: "Learner 02" }).waitFor();
  await page.getByRole("link", { name: "Back to the class" }).click();
  // A dot leads to its learner, for the mouse; the keyboard has the grid.
  await page.locator(".dots a[href$='learner=4']").click();
  await page.getByRole("heading", { name: "Learner 04" }).waitFor();
  await page.getByRole("link", { name: "Back to the class" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Marks as a spreadsheet" }).click();
  assert.match((await download).suggestedFilename(), /^Grade 10 Life Sciences .* - marks\.csv$/);
  await page.getByRole("link", { name: "Feedback slips to print, two" }).click();
  assert.equal(await page.locator(".feedback-slip").count(), 30);
  await page.emulateMedia({ media: "print" });
  for (const unwanted of [".site-header", ".upload-form", ".hero", "a", "h1", "h2"]) {
    assert.equal(await page.locator(`${unwanted}:visible`).count(), 0, unwanted);
  }
});

/** The results as text, whatever the order of attributes; React puts comments between texts. */
const shownResults = () => {
  const textOf = (node: Node): string => {
    if (node instanceof Text) return node.data;
    if (!(node instanceof Element)) return "";
    const attributes = [...node.attributes].map(({ name, value }) => `${name}="${value}"`).sort();
    return `<${node.nodeName} ${attributes}>${[...node.childNodes].map(textOf).join("")}</>`;
  };
  return [...document.querySelectorAll(".results > *, #sign, #signed")].map(textOf).join("\n");
};

test("the sample is decided in the browser alone, and looks there as the server renders it", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, { bypassCSP: true });
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") sent.push(request.url());
  });
  const goTo = (query: string) =>
    page.evaluate((query) => {
      window.history.pushState(null, "", `/?results=sample${query}`);
      window.dispatchEvent(new PopStateEvent("popstate"));
    }, query);
  for (const query of ["", "&sort=mark", "&learner=1", "&learner=6&look", "&slips=2"]) {
    await page.goto(`${server.url}/?results=sample${query}`);
    await scripted(page);
    const rendered = await page.evaluate(shownResults);
    await goTo("&learner=9");
    await page.locator(".learner h3", { hasText: "Learner 09" }).waitFor();
    await goTo(query);
    await page.locator(".learner h3", { hasText: "Learner 09" }).waitFor({ state: "detached" });
    assert.equal(await page.evaluate(shownResults), rendered, query);
  }

  await page.goto(`${server.url}/?results=sample`);
  await scripted(page);
  await page.getByRole("link", { name: "Learner 06, question 3" }).click();
  await page.locator("summary", { hasText: "question 3" }).click();
  await page.getByLabel("Marks, of 12").fill("12,25");
  await page.keyboard.press("Enter");
  const status = page.getByRole("status");
  await status.filter({ hasText: "12,25 is more than the 12 of this question." }).waitFor();
  await page.getByLabel("Marks, of 12").fill("6,5");
  await page.keyboard.press("Enter");
  await page.locator(".learner h3", { hasText: "Learner 13" }).waitFor();
  assert.match(page.url(), /learner=13&look/, "on to the next mark to look at first");
  await page.goBack();
  await page.locator(".marks ins", { hasText: "6.5" }).waitFor();
  await page.getByRole("link", { name: "Back to the class" }).click();
  await page.locator(".grid ins", { hasText: "6.5" }).waitFor();
  assert.deepEqual(await violations(page), []);

  for (let learner = 2; learner <= 30; learner += 1) {
    const name = `Learner ${String(learner).padStart(2, "0")}`;
    await page.getByRole("link", { name, exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Agree with the rest" }).click();
    await dialog.getByRole("status").filter({ hasText: "6 of 6 decided." }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
  }
  await page.getByRole("button", { name: "Sign the marks" }).click();
  await status.filter({ hasText: "Type your name" }).waitFor();
  await page.getByLabel("Your name").fill("T. Example");
  await page.getByRole("button", { name: "Sign the marks" }).click();
  await page.getByText("Signed by T. Example on").waitFor();
  assert.equal(await page.locator("#sign").count(), 0);
  assert.deepEqual(sent, [], "nothing is sent");
  const stored = await page.evaluate(() => window.localStorage.length + sessionStorage.length);
  assert.equal(stored, 0);
  await page.reload();
  assert.equal(await page.locator(".grid ins").count(), 6, "nothing is stored");
});

test("with script and the keyboard alone a learner is decided without leaving the page", async (t) => {
  const { page, decisions } = await openSecondLearner(t);
  await scripted(page);
  const url = page.url();
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.getByRole("button", { name: /^Agree ?, question 1\.1$/ }).focus();
  await page.keyboard.press("Enter");
  const status = page.getByRole("status");
  await status.filter({ hasText: /^Saved \d\d:\d\d\. 1 of 2 decided\.$/ }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement!.textContent);
  assert.equal(await focused(), "Agree, question 1.2");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByLabel("Marks, of 30").fill("31");
  await page.keyboard.press("Enter");
  await status.filter({ hasText: "31 is more than the 30 of this question." }).waitFor();
  const marks = page.getByLabel("Marks, of 30");
  assert.ok(await marks.evaluate((element) => element === document.activeElement));
  assert.equal(await marks.inputValue(), "31", "what was typed stays");
  assert.deepEqual(await violations(page), []);
  await marks.fill("27,5");
  await page.getByLabel("Comment for the learner").last().fill("Line 3 names it.");
  await marks.press("Enter");
  await status.filter({ hasText: "2 of 2 decided." }).waitFor();
  assert.equal(await focused(), "Next learner");
  await page.getByRole("row", { name: /Total 47.5\/50/ }).waitFor();
  assert.equal(await page.locator(".marks .circled").count(), 1);
  assert.ok(await page.evaluate(() => "isSame" in window));
  assert.equal(page.url(), url);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await decisions(), [
    { question: "1.1", to_marks: 20, comment: null },
    { question: "1.2", to_marks: 27.5, comment: "Line 3 names it." },
  ]);
});

test("a mark that cannot be sent stays where it was typed, and is sent once the line is back", async (t) => {
  const { page, decisions } = await openSecondLearner(t);
  await scripted(page);
  await page.context().setOffline(true);
  await page.locator("summary", { hasText: "question 1.2" }).click();
  await page.getByLabel("Marks, of 30").fill("12.5");
  await page.getByRole("button", { name: "Save question 1.2" }).click();
  await page.getByText("Not saved: your mark is kept here").first().waitFor();
  assert.equal(await page.getByLabel("Marks, of 30").inputValue(), "12.5");
  const stored = await page.evaluate(() => JSON.stringify(sessionStorage));
  assert.match(stored, /12\.5/);
  assert.ok(!stored.includes(new URL(page.url()).searchParams.get("results")!));
  assert.deepEqual(await decisions(), []);
  await page.context().setOffline(false);
  await page.getByRole("status").filter({ hasText: "1 of 2 decided." }).waitFor();
  assert.deepEqual(await decisions(), [{ question: "1.2", to_marks: 12.5, comment: null }]);
  assert.equal(await page.evaluate(() => Object.values(sessionStorage).join("")), "[]");
  page.on("dialog", (dialog) => dialog.dismiss());
  await page.locator("summary", { hasText: "question 1.2" }).click();
  await page.getByLabel("Marks, of 30").fill("13");
  const asked = page.waitForEvent("dialog");
  await page.getByRole("link", { name: "Back to the class" }).click({ noWaitAfter: true });
  assert.equal((await asked).type(), "beforeunload");
});

test("the sample’s page takes at most 45 kB of script, and 40 learners are printed on one page", async (t) => {
  const { server, page } = await openSecondLearner(t);
  const scripts = watchScripts(page);
  await page.goto(`${server.url}/?results=sample`, { waitUntil: "networkidle" });
  await scripted(page);
  const bytes = await scripts.bytes();
  const { length } = scripts.paths();
  t.diagnostic(`${bytes} bytes in ${length} files`);
  assert.ok(length >= 2 && bytes <= 45_000, `${bytes} bytes`);

  const questions = Array.from({ length: 8 }, (_, index) => ({
    ...{ questionNumber: `${index + 1}`, description: "Explain, with a reason", totalMarks: 10 },
  }));
  const forty = await publishClass(server, 40, (names) => ({
    ...{ title: "Grade 10 Life Sciences, June test", questions },
    submissions: names.map((fileName, learner) => ({
      ...{ fileName, studentName: `Learner ${learner + 1} of a class` },
      questionMarks: questions.map(({ questionNumber }, question) => ({
        ...{ questionNumber, marksAwarded: (learner * 7 + question * 3) % 11 },
      })),
    })),
  }));
  await page.goto(server.url + forty);
  const pages = await textOfPages(await page.pdf({ format: "A4" }));
  assert.equal(pages.length, 1);
});
