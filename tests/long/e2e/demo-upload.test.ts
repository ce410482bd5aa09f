import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, openPage } from "../../support/browser.ts";
import { query, startServer, until } from "../../support/server.ts";
import { contact, pdf } from "../../support/upload.ts";

after(closeBrowser);

const pdfFile = (name: string, size?: number) => ({
  name,
  mimeType: "application/pdf",
  buffer: pdf(size),
});
const processButton = (page: Page) => page.getByRole("button", { name: "Process with AI" });
const waitForHydration = (page: Page) =>
  page.locator('[type="submit"][aria-disabled="true"]').waitFor();

async function chooseAll(page: Page) {
  await page.locator("#demo").getByLabel("Questions *").setInputFiles(pdfFile("questions.pdf"));
  await page.locator("#demo").getByLabel("Rubric *").setInputFiles(pdfFile("rubric.pdf"));
  await page
    .locator("#demo")
    .getByLabel("Learners’ submissions *")
    .setInputFiles([pdfFile("learner-01.pdf"), pdfFile("learner-02.pdf")]);
}

async function fillContact(page: Page) {
  await page.locator("#demo").getByLabel("Full name *").fill(contact.name);
  await page.locator("#demo").getByLabel("Email address *").fill(contact.email);
  await page.locator("#demo").getByLabel("Contact number *").fill(contact.phone);
}

test("text and files entered before a script that loads 5 s late are kept", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t);
  const late = new Promise((resolve) => setTimeout(resolve, 5000));
  await page.route("**/*.js", async (route) => {
    await late;
    await route.continue();
  });
  await page.goto(server.url, { waitUntil: "commit" });
  await page.locator("#demo").getByLabel("Full name *").fill("Typed early");
  await page.locator("#demo").getByLabel("Message *").fill("Written before the script arrived.");
  await page.locator("#demo").getByLabel("Rubric *").setInputFiles(pdfFile("early.pdf"));
  await waitForHydration(page);
  assert.equal(await page.locator("#demo").getByLabel("Full name *").inputValue(), "Typed early");
  await page.getByRole("button", { name: "Remove early.pdf" }).waitFor();
  await chooseAll(page);
  await processButton(page).click();
  await page.getByRole("dialog").waitFor();
  assert.ok(await page.getByRole("dialog").evaluate((element) => element.matches(":modal")));
  assert.equal(await page.locator("#demo").getByLabel("Full name *").inputValue(), "Typed early");
  assert.equal(
    await page.locator("#demo").getByLabel("Message *").inputValue(),
    "Written before the script arrived.",
  );
});

test("the form works if the script never loads", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, {}, /ERR_FAILED|Failed to fetch/);
  await page.route("**/*.js", (route) => route.abort());
  await page.goto(server.url);
  await chooseAll(page);
  await fillContact(page);
  await processButton(page).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
});

test("clicks before the script has loaded count as one, and only open the dialog", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t);
  await page.route("**/*.js", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.continue();
  });
  await page.goto(server.url);
  await chooseAll(page);
  await page.evaluate(() => {
    for (let click = 0; click < 3; click += 1) document.getElementById("process")!.click();
  });
  const dialog = page.getByRole("dialog");
  await until(() => dialog.evaluate((element) => element.matches(":modal")));
  await page.waitForTimeout(500);
  assert.equal(query(server.databaseFile, "SELECT 1 FROM contact_requests").length, 0);
  await fillContact(page);
  await page.getByRole("button", { name: "Send the files" }).dblclick({ delay: 5 });
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  assert.equal(query(server.databaseFile, "SELECT 1 FROM contact_requests").length, 1);
});

test("a link to the contact section scrolls there, although the form above it collapses", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, { viewport: { width: 360, height: 740 } });
  await page.goto(server.url);
  await page.getByRole("link", { name: "Contact Us" }).click();
  await page.waitForTimeout(2500);
  const top = await page
    .locator("#contact")
    .evaluate((element) => element.getBoundingClientRect().top);
  assert.ok(top >= 0 && top < 370, `the section's top is at ${top}`);
});

test("a rejected form keeps the focus while the visitor types, and drops one error at a time", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, {}, /status of 422/);
  await page.route("**/*.js", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue().catch(() => {});
  });
  await page.goto(server.url);
  // Submits as a page without script would, so that the loader's timeout need not pass.
  await page.evaluate(() => document.querySelector<HTMLFormElement>(".upload-form")!.submit());
  await page.getByRole("heading", { name: /^Missing files - / }).waitFor();
  const name = page.locator("#demo").getByLabel("Full name *");
  await name.click();
  await name.pressSequentially("Thandi Example", { delay: 200 });
  assert.equal(await name.inputValue(), "Thandi Example");
  await waitForHydration(page);
  await page.locator("#demo").getByLabel("Questions *").setInputFiles(pdfFile("questions.pdf"));
  assert.equal(await page.getByText("Please choose the questions file").count(), 0);
  assert.ok((await page.getByText("Please choose the rubric file").count()) > 0);
  assert.ok(await name.isVisible());
});
