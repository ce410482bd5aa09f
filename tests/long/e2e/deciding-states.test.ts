/** Deciding and printing in the browser, in more states than tests/e2e/results.test.ts has. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Route } from "playwright-core";
import { closeBrowser, openPage, scripted, violations } from "../../support/browser.ts";
import { formsIn, postForm } from "../../support/html-forms.ts";
import { textOfPages } from "../../support/pdf-text.ts";
import { sampleNames } from "../../support/sample.ts";
import { openSecondLearner } from "../../support/second-learner.ts";
import { sendRequest } from "../../support/send-request.ts";
import { sharedServer } from "../../support/server.ts";

after(closeBrowser);

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
  await notice.filter({ hasText: "Not stored: This link is not open any more." }).waitFor();
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
