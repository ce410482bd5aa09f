import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import type { BrowserContextOptions } from "playwright-core";
import { closeBrowser, openPage, violations } from "../support/browser.ts";
import { textOfPages } from "../support/pdf-text.ts";
import { publishClass } from "../support/results.ts";
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
  assert.ok(await dialog.getByRole("row", { name: /Total 43\/50/ }).isVisible());
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
    ["", "", "&learner=1", "&learner=2"].map((query) => `/?results=sample${query}`),
    "one failed and one successful request, and one for each learner in the dialog",
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
  await page.getByRole("link", { name: "sort by mark" }).click();
  const rows = page.locator(".grid tbody tr");
  assert.match((await rows.first().textContent())!, /^Learner 03/);
  await page.getByRole("link", { name: "Learner 01", exact: true }).click();
  await page.getByText("4.1 is a question").waitFor();
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
  assert.equal(await page.locator(".feedback-slip").count(), 8);
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
  const names = Array.from({ length: 8 }, (_, index) => `Learner 0${index + 1}`);
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
  assert.equal(two.length, 4);
  assert.deepEqual(two.flatMap(learnersOn), names);
  assert.deepEqual(two.map(totalsOn), [2, 2, 2, 2]);
  for (const text of [...one, ...two]) assert.ok(text.includes("Grade 10 Life Sciences"));
  for (const path of ["", "&learner=4", "&slips=1"]) {
    const pages = await print(`/?results=sample${path}`);
    assert.ok(!pages.join("").includes("results=sample"), "the link is not printed");
  }
  assert.match((await print("/?results=sample&learner=4"))[0]!, /Learner 04/);
});

/** A class of three, with a link under which it is decided, opened at its second learner. */
async function openSecondLearner(t: TestContext, options: BrowserContextOptions = {}) {
  const server = await startServer(t);
  const link = (await publishClass(server, 3)).replace("#demo", "");
  const page = await openPage(
    t,
    { bypassCSP: true, ...options },
    /ERR_INTERNET_DISCONNECTED|status of 422/,
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
  await page.waitForLoadState("networkidle");
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
  await page.waitForLoadState("networkidle");
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

test("a learner is decided in the dialog, and the class shows it", async (t) => {
  const { server, link, page } = await openSecondLearner(t);
  await page.goto(server.url + link);
  await page.locator(".scripted").waitFor();
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
  const scripts = new Map<string, Buffer>();
  page.on("response", async (response) => {
    const { pathname } = new URL(response.url());
    const body = pathname.endsWith(".js") && (await response.body().catch(() => undefined));
    if (body) scripts.set(pathname, body);
  });
  await page.goto(`${server.url}/?results=sample`);
  await page.locator(".scripted").waitFor();
  await page.waitForLoadState("networkidle");
  const bytes = [...scripts.values()].reduce((sum, one) => sum + brotliCompressSync(one).length, 0);
  t.diagnostic(`${bytes} bytes in ${scripts.size} files`);
  assert.ok(scripts.size >= 2 && bytes <= 45_000, `${bytes} bytes`);

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
