import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Request } from "playwright-core";
import { closeBrowser, holdRequests, openPage, violations } from "../../support/browser.ts";
import {
  chooseAll,
  fillContact,
  openDemo,
  pdfFile,
  processButton,
  waitForHydration,
} from "../../support/demo-form.ts";
import { emptyServer, query, until } from "../../support/server.ts";
import { txt } from "../../support/upload.ts";

after(closeBrowser);

test("text and files that were entered before the script arrives are kept", async (t) => {
  const server = await emptyServer();
  const page = await openPage(t);
  const gate = await holdRequests(page, "**/*.js");
  await page.goto(server.url, { waitUntil: "commit" });
  await page.locator("#demo").getByLabel("Full name *").fill("Typed early");
  await page.locator("#demo").getByLabel("Message *").fill("Written before the script arrived.");
  await page.locator("#demo").getByLabel("Rubric *").setInputFiles(pdfFile("early.pdf"));
  gate.resolve();
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

test("clicks that are repeated before and after the script has loaded send one request", async (t) => {
  const server = await emptyServer();
  const page = await openPage(t);
  const isIsland = (request: Request) => !/entry|preload/.test(request.url());
  const gate = await holdRequests(page, "**/*.js", isIsland);
  await page.goto(server.url);
  await chooseAll(page);
  await page.evaluate(() => {
    for (let click = 0; click < 3; click += 1) document.getElementById("process")!.click();
  });
  gate.resolve();
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

test("a rejected form keeps what is typed while its script loads", async (t) => {
  const page = await openPage(t, {}, /status of 422/);
  await page.goto((await emptyServer()).url);
  const gate = await holdRequests(page, "**/*.js");
  // Submits as a page without script would, so that the loader's timeout need not pass.
  await page.evaluate(() => document.querySelector<HTMLFormElement>(".upload-form")!.submit());
  await page.getByRole("heading", { name: /^Missing files - / }).waitFor();
  const name = page.locator("#demo").getByLabel("Full name *");
  await name.click();
  await page.keyboard.type("Thandi ");
  gate.resolve();
  await waitForHydration(page);
  await page.keyboard.type("Example");
  assert.equal(await name.inputValue(), "Thandi Example");
});

test("a rejected form takes away the error of a file that is chosen now", async (t) => {
  const page = await openPage(t, {}, /status of 422/);
  await page.goto((await emptyServer()).url);
  await page.evaluate(() => document.querySelector<HTMLFormElement>(".upload-form")!.submit());
  await page.getByRole("heading", { name: /^Missing files - / }).waitFor();
  await page.locator("#demo").scrollIntoViewIfNeeded();
  await waitForHydration(page);
  const missing = page.getByText("Please choose the questions file");
  await missing.first().waitFor();
  await page.locator("#demo").getByLabel("Questions *").setInputFiles(pdfFile("questions.pdf"));
  await missing.first().waitFor({ state: "detached" });
  assert.ok((await page.getByText("Please choose the rubric file").count()) > 0);
});

test("the reason why the server rejects a form has the focus, stands beside the file, and axe finds nothing", async (t) => {
  const page = await openPage(t, {}, /status of 422/);
  await openDemo(page, await emptyServer());
  await chooseAll(page);
  const wrong = { ...pdfFile("learner-03.pdf"), buffer: txt("%PDF-1.7 cut") };
  await page.locator("#demo").getByLabel("Learners’ submissions *").setInputFiles(wrong);
  await processButton(page).click();
  await fillContact(page);
  await page.getByRole("button", { name: "Send the files" }).click();
  const reason = "learner-03.pdf: The file is cut short: its end is missing";
  const summary = page.locator(".problem-summary:focus");
  await summary.getByRole("link", { name: reason }).waitFor();
  await page.locator(".toast").getByText("Submission failed", { exact: true }).waitFor();
  await page.locator(".file-picker").getByText(reason).waitFor();
  assert.deepEqual(await violations(page), []);
});
