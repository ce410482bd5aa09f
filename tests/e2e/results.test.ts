import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage, violations } from "../support/browser.ts";
import { textOfPages } from "../support/pdf-text.ts";
import { publishClass } from "../support/results.ts";
import { startServer } from "../support/server.ts";

after(closeBrowser);

test("the sample opens in place, is fetched once, and leaves a half-filled form unchanged", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, { bypassCSP: true }, /status of 503|ERR_FAILED/);
  const apiRequests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/")) apiRequests.push(pathname);
  });
  await page.goto(server.url);
  const file = { name: "questions.txt", mimeType: "text/plain", buffer: Buffer.from("Define it.") };
  await page.locator("#demo").getByLabel("Questions *").setInputFiles(file);
  await page.locator(".chosen", { hasText: "questions.txt" }).waitFor();

  await page.route("**/api/results/sample", (route) => route.fulfill({ status: 503 }), {
    times: 1,
  });
  const link = page.getByRole("link", { name: "See a sample result" });
  await link.click();
  await page.getByText("The marks could not be fetched.").waitFor();
  // Delays the response, so that the loading state can be checked.
  const gate = Promise.withResolvers<void>();
  await page.route(
    "**/api/results/sample",
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

  const first = page.getByRole("button", { name: "Question by question for Learner 01" });
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
  assert.ok(await first.evaluate((element) => element === document.activeElement));

  await page.getByRole("button", { name: "Close the sample" }).click();
  await heading.waitFor({ state: "detached" });
  assert.ok(await link.evaluate((element) => element === document.activeElement));
  await link.click();
  await heading.waitFor();
  assert.deepEqual(
    apiRequests,
    ["/api/results/sample", "/api/results/sample"],
    "one failed and one successful request",
  );
  assert.ok(await page.locator(".chosen", { hasText: "questions.txt" }).isVisible());
});

test("if its script does not load, the link leads to the sample's page", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, {}, /ERR_FAILED/);
  await page.route("**/sample-area-*.js", (route) => route.abort());
  await page.goto(server.url);
  await page.locator("#demo").scrollIntoViewIfNeeded();
  await page.getByRole("link", { name: "See a sample result" }).click();
  await page.waitForURL("**/?results=sample#demo");
  await page.getByRole("heading", { name: "Learner 01" }).waitFor();
});

test("without script the page is complete: details open in the list, and print opens them all", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, {
    javaScriptEnabled: false,
    viewport: { width: 320, height: 640 },
  });
  await page.goto(server.url);
  await page.getByRole("link", { name: "See a sample result" }).click();
  const card = page.locator(".learner").nth(0);
  const feedback = card.getByText("4.1 is a question");
  assert.ok(!(await feedback.isVisible()));
  await card.getByText("Question by question").first().click();
  assert.ok(await feedback.isVisible());
  assert.equal(await page.locator("[data-learner]:visible").count(), 0);

  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator(".marks:visible").count(), 8);
  for (const unwanted of [".site-header", ".upload-form", ".hero", "summary"]) {
    assert.equal(await page.locator(`${unwanted}:visible`).count(), 0, unwanted);
  }
});

test("on paper no page has one learner's marks without the name, or with another's", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t);
  await page.goto(`${server.url}/?results=sample`);
  const pages = textOfPages(await page.pdf({ format: "A4", displayHeaderFooter: true }));
  const names = ["Learner 01", "Learner 02", "Learner 03", "Learner 08"];
  for (const name of names) {
    const own = pages.filter((text) => text.includes(name));
    assert.equal(own.length, 1, name);
    assert.ok(!names.some((other) => other !== name && own[0]!.includes(other)), name);
    assert.match(own[0]!, /Total/);
  }
  assert.equal(pages.filter((text) => /Total *\d+\/50/.test(text)).length, 8);
  assert.ok(!pages.join("").includes("results=sample"), "the link is not printed");
});

test("300 learners: quick to open, quick to skip by keyboard, and a closed link is reported", async (t) => {
  const server = await startServer(t);
  const link = await publishClass(server, 300);
  const page = await openPage(t, { bypassCSP: true }, /status of 401/);
  const start = Date.now();
  await page.goto(server.url + link);
  await page.locator(".scripted").waitFor();
  const readyMs = Date.now() - start;
  t.diagnostic(`ready after ${readyMs} ms`);
  assert.ok(readyMs < 5000);

  await page.getByRole("link", { name: "Skip the 300 students" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const after = await page.evaluate(() => document.activeElement!.closest(".learners") === null);
  assert.ok(after, "the focus is after the list");

  await page.route("**/api/results/*", (route) => route.fulfill({ status: 401 }), { times: 1 });
  await page.getByRole("button", { name: "Question by question for Learner 300" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "This link opens no results any more" }).waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.reload();
  await page.locator(".scripted").waitFor();
  await page.getByRole("button", { name: "Question by question for Learner 300" }).click();
  await dialog.getByRole("heading", { name: "Learner 300" }).waitFor();
  assert.equal(
    await dialog.getByRole("button", { name: "Next" }).getAttribute("aria-disabled"),
    "true",
  );
  await page.emulateMedia({ media: "print" });
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".marks:visible").count(), 300);
});
