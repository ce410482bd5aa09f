import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage, violations } from "../../support/browser.ts";
import {
  chooseAll,
  fillContact,
  openDemo,
  pdfFile,
  processButton,
  waitForHydration,
} from "../../support/demo-form.ts";
import { emptyServer, query, until } from "../../support/server.ts";
import { contact, txt } from "../../support/upload.ts";

after(closeBrowser);

test("text and files that were entered before the script arrives are kept", async (t) => {
  const server = await emptyServer();
  const page = await openPage(t);
  const entered = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await entered.promise;
    await route.continue();
  });
  await page.goto(server.url, { waitUntil: "commit" });
  await page.locator("#demo").getByLabel("Full name *").fill("Typed early");
  await page.locator("#demo").getByLabel("Message *").fill("Written before the script arrived.");
  await page.locator("#demo").getByLabel("Rubric *").setInputFiles(pdfFile("early.pdf"));
  entered.resolve();
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
  const server = await emptyServer();
  const page = await openPage(t, {}, /ERR_FAILED|Failed to fetch/);
  await page.route("**/*.js", (route) => route.abort());
  await page.goto(server.url);
  await chooseAll(page);
  await fillContact(page);
  await processButton(page).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
});

test("clicks that are repeated before and after the script has loaded send one request", async (t) => {
  const server = await emptyServer();
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
  await fillContact(page);
  await page.getByRole("button", { name: "Send the files" }).dblclick({ delay: 5 });
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  assert.equal(query(server.databaseFile, "SELECT 1 FROM contact_requests").length, 1);
});

test("a link to the contact section scrolls there, although the form above it collapses", async (t) => {
  const server = await emptyServer();
  const page = await openPage(t, { viewport: { width: 360, height: 740 } });
  await page.goto(server.url);
  await page.getByRole("link", { name: "Contact Us" }).click();
  const isInView = async () => {
    const top = await page
      .locator("#contact")
      .evaluate((element) => element.getBoundingClientRect().top);
    return top >= 0 && top < 370;
  };
  await until(isInView);
  await page.locator(".contact-details").waitFor({ state: "hidden" });
  await until(isInView);
});

test("a rejected form keeps the focus while the visitor corrects it", async (t) => {
  const server = await emptyServer();
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

test("a form that the server rejects keeps everything", async (t) => {
  const server = await emptyServer();
  const page = await openPage(t, {}, /status of 422/);
  await openDemo(page, server);
  await chooseAll(page);
  const wrong = {
    name: "learner-03.pdf",
    mimeType: "application/pdf",
    buffer: txt("%PDF-1.7 cut"),
  };
  await page.locator("#demo").getByLabel("Learners’ submissions *").setInputFiles(wrong);
  await processButton(page).click();
  await fillContact(page);
  await page.getByRole("button", { name: "Send the files" }).click();
  const reason = "learner-03.pdf: The file is cut short: its end is missing";
  const summary = page.locator(".problem-summary");
  await summary.getByRole("link", { name: reason }).waitFor();
  assert.ok(await summary.evaluate((element) => element === document.activeElement));
  await page.locator(".toast").getByText("Submission failed", { exact: true }).waitFor();
  await page.locator(".file-picker").getByText(reason).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole("button", { name: "Remove learner-03.pdf" }).click();
  assert.equal(await page.getByText(reason).count(), 0);
  await processButton(page).click();
  await page.getByRole("button", { name: "Send the files" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  const { name, email, phone } = contact;
  assert.deepEqual(query(server.databaseFile, "SELECT name, email, phone FROM contact_requests"), [
    { name, email, phone },
  ]);
  assert.deepEqual(
    query(server.databaseFile, "SELECT name FROM uploaded_files")
      .map(({ name }) => name)
      .sort(),
    ["learner-01.pdf", "learner-02.pdf", "questions.pdf", "rubric.pdf"],
  );
});
