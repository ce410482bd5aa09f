import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { BrowserContextOptions, Route } from "playwright-core";
import { closeBrowser, openPage, scripted, violations, watchScripts } from "../support/browser.ts";
import { formsIn, postForm } from "../support/html-forms.ts";
import { textOfPages } from "../support/pdf-text.ts";
import { publishClass } from "../support/results.ts";
import { sampleNames } from "../support/sample.ts";
import { sendRequest } from "../support/send-request.ts";
import { sharedServer, startServer } from "../support/server.ts";

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

test("on paper no page has one learner's marks without the name, or with another's", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  const print = async (path: string) => {
    await page.goto(server.url + path);
    return textOfPages(await page.pdf({ format: "A4", displayHeaderFooter: true }));
  };
  const names = sampleNames.map((_, index) => `Learner ${String(index + 1).padStart(2, "0")}`);
  const learnersOn = (text: string) => names.filter((name) => text.includes(name));
  const totalsOn = (text: string) => [...text.matchAll(/^Total/gm)].length;

  const one = await print("/?results=sample&slips=1");
  assert.deepEqual(
    one.map(learnersOn),
    names.map((name) => [name]),
  );
  assert.deepEqual(
    one.map(totalsOn),
    names.map(() => 1),
  );
  const two = await print("/?results=sample&slips=2");
  assert.equal(two.length, 15);
  assert.deepEqual(two.flatMap(learnersOn), names);
  assert.ok(two.every((text) => totalsOn(text) === 2));
  for (const text of [...one, ...two]) assert.ok(text.includes("Grade 10 Life Sciences"));
  for (const path of ["", "&learner=4", "&slips=1"]) {
    const pages = await print(`/?results=sample${path}`);
    if (path === "") assert.equal(pages.length, 1, "the class on one page");
    assert.ok(!pages.join("").includes("results=sample"), "the link is not printed");
  }
  assert.match((await print("/?results=sample&learner=4"))[0]!, /Learner 04/);
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

/** A class of three, with a link under which it is decided, opened at its second learner. */
async function openSecondLearner(t: TestContext, options: BrowserContextOptions = {}) {
  const server = await startServer(t);
  const link = (await publishClass(server, 3)).replace("#demo", "");
  const page = await openPage(
    t,
    { bypassCSP: true, ...options },
    /ERR_INTERNET_DISCONNECTED|status of (404|409|422)/,
  );
  await page.goto(`${server.url}${link}&learner=2`);
  const decisions = () =>
    server.query(
      "SELECT question_number AS question, to_marks, comment FROM decisions ORDER BY id",
    );
  return { server, link, page, decisions };
}

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
  assert.equal(await page.locator(".marks .ring.decided").count(), 1);
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

test("an agreement that was not sent is shown after a reload, and a rejected one is said", async (t) => {
  const { server, link, page } = await openSecondLearner(t);
  await scripted(page);
  const cut = (route: Route) =>
    route.request().method() === "POST" ? route.abort("internetdisconnected") : route.continue();
  await page.route("**/*", cut);
  await page.getByRole("button", { name: /^Agree ?, question 1\.1$/ }).click();
  const notice = page.locator(".not-saved", { hasText: "your mark is kept here" });
  await notice.waitFor();
  page.on("dialog", (dialog) => dialog.accept());
  await page.reload();
  await page.locator("form", { hasText: "Agree, question 1.1" }).locator(".not-saved").waitFor();

  await page.goto(server.url + link);
  const elsewhere = await sendRequest(server.url, `${link}&learner=2`);
  const save = formsIn(elsewhere.bytes.toString()).find(
    ({ fields, buttons }) => fields.question === "1.1" && buttons[0]!.value === "save",
  )!;
  assert.equal((await postForm(server.url, save, "save", { marks: "3" })).status, 303);
  await page.unroute("**/*", cut);
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  const status = page.getByRole("status");
  await status.filter({ hasText: "Learner 2: not stored." }).waitFor();
  await page.goto(`${server.url}${link}&learner=2`);
  await status.filter({ hasText: /Not stored: 1\.1, agreed\..* has changed since/ }).waitFor();
  assert.equal(await page.locator(".marks ins", { hasText: /^3$/ }).count(), 1);
  assert.equal(await page.evaluate(() => Object.values(sessionStorage).join("")), "[]");
});

test("what is typed stays when the class is signed, or its link ends, in the meantime", async (t) => {
  const { server, link, page } = await openSecondLearner(t);
  await scripted(page);
  await page.locator("summary", { hasText: "question 1.1" }).click();
  await page.getByLabel("Comment for the learner").first().fill("Half of it.");
  await page.locator("summary", { hasText: "question 1.2" }).click();
  await page.getByLabel("Marks, of 30").fill("12.5");
  const other = await openPage(t, { javaScriptEnabled: false });
  for (const learner of [1, 2, 3]) {
    await other.goto(`${server.url}${link}&learner=${learner}`);
    await other.getByRole("button", { name: "Agree with the rest" }).click();
  }
  await other.goto(server.url + link);
  await other.getByLabel("Your name").fill("T. Example");
  await other.getByRole("button", { name: "Sign the marks" }).click();
  await other.getByText("Signed by T. Example on").waitFor();

  const save = page.getByRole("button", { name: "Save question 1.2" });
  await save.click();
  const notice = page.locator(".not-saved");
  await notice.filter({ hasText: "Not stored: T. Example has signed these marks" }).waitFor();
  const typed = async () => [
    await page.getByLabel("Marks, of 30").inputValue(),
    await page.getByLabel("Comment for the learner").first().inputValue(),
  ];
  assert.deepEqual(await typed(), ["12.5", "Half of it."]);
  await server.change("UPDATE result_links SET expires_at = '2026-01-01T00:00:00.000Z'");
  await save.click();
  await notice.filter({ hasText: "Not stored: This link opens no results any more." }).waitFor();
  assert.deepEqual(await typed(), ["12.5", "Half of it."]);
  page.on("dialog", (dialog) => dialog.accept());
});

test("a learner is decided in the dialog, and the class shows it", async (t) => {
  const { server, link, page } = await openSecondLearner(t);
  await page.goto(server.url + link);
  await scripted(page);
  await page.getByRole("link", { name: "Learner 1", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Agree with the rest" }).click();
  await dialog.getByRole("status").filter({ hasText: "2 of 2 decided." }).waitFor();
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByRole("heading", { name: "Learner 2" }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("Escape");
  await page.locator(".grid ins").first().waitFor();
  assert.equal(await page.locator(".grid ins").count(), 2);
  await page.locator("#sign", { hasText: "2 of 6 decided" }).waitFor();
});

test("without script a learner is decided on a phone", async (t) => {
  const { page, decisions } = await openSecondLearner(t, {
    javaScriptEnabled: false,
    viewport: { width: 360, height: 640 },
  });
  await page.locator("summary", { hasText: "question 1.2" }).click();
  await page.getByLabel("Marks, of 30").fill("40");
  await page.getByRole("button", { name: "Save question 1.2" }).click();
  await page.getByRole("link", { name: "Question 1.2: 40 is more than the 30" }).click();
  assert.match(page.url(), /#q2-marks$/);
  await page.getByLabel("Marks, of 30").fill("4");
  await page.getByRole("button", { name: "Save question 1.2" }).click();
  await page.getByRole("button", { name: "Agree with the rest" }).click();
  await page.getByText("2 of 2 decided").waitFor();
  const width = await page.locator("html").evaluate((html) => html.scrollWidth);
  assert.equal(width, 360);
  assert.equal((await decisions()).length, 2);
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
