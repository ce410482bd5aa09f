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
import { query, startServer, until } from "../../support/server.ts";
import { contact, maxFileBytes, txt } from "../../support/upload.ts";

after(closeBrowser);

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
  const isInView = async () => {
    const top = await page
      .locator("#contact")
      .evaluate((element) => element.getBoundingClientRect().top);
    return top >= 0 && top < 370;
  };
  await until(isInView);
  // And stays there once the form has collapsed.
  await page.waitForTimeout(1000);
  assert.ok(await isInView());
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

test("a drop with one oversized file is rejected whole; a wrong type is named", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t);
  await openDemo(page, server);
  const drop = async (files: { name: string; size: number }[]) => {
    const data = await page.evaluateHandle((list) => {
      const transfer = new DataTransfer();
      for (const { name, size } of list) {
        transfer.items.add(new File([new Uint8Array(size)], name));
      }
      return transfer;
    }, files);
    const target = page.locator(".file-picker").filter({ hasText: "submissions" });
    await target.dispatchEvent("drop", { dataTransfer: data });
    return target;
  };
  const target = await drop([
    { name: "fine.pdf", size: 1000 },
    { name: "scan.pdf", size: maxFileBytes + 1 },
    { name: "film.pdf", size: 3 * maxFileBytes },
  ]);
  await target.getByText("File size too large: scan.pdf, film.pdf").waitFor();
  assert.equal(await target.getByRole("listitem").count(), 0);
  await drop([{ name: "essay.odt", size: 10 }]);
  await target
    .getByText("Invalid file type: Please upload PDF, DOC, DOCX, or TXT files only.")
    .waitFor();
  await drop([{ name: "exactly.PDF", size: maxFileBytes }]);
  await drop([{ name: "another.txt", size: 5 }]);
  await target.getByText("another.txt").waitFor();
  assert.equal(await target.getByRole("listitem").count(), 2);
  assert.equal(await target.getByText("File size").count(), 0);
});

test("sending shows the step in words and a progress bar; cancelling sends no request", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t);
  await openDemo(page, server);
  await chooseAll(page);
  await page
    .locator("#demo")
    .getByLabel("Questions *")
    .setInputFiles(pdfFile("large.pdf", maxFileBytes));
  await processButton(page).click();
  await fillContact(page);
  const session = await page.context().newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 300_000,
  });
  await page.getByRole("button", { name: "Send the files" }).click();
  await page.getByRole("status").getByText("Step 1 of 3: sending 4 files").waitFor();
  const bar = page.getByRole("progressbar");
  const value = () => bar.evaluate((element) => (element as HTMLProgressElement).value);
  await until(async () => (await value()) > 5);
  const before = await value();
  await until(async () => (await value()) > before);
  await page.getByRole("button", { name: "Cancel" }).click();
  await bar.waitFor({ state: "detached" });
  const sent = "SELECT 1 FROM uploaded_files WHERE contact_request_id IS NOT NULL";
  assert.equal(query(server.databaseFile, sent).length, 0);
  assert.equal(query(server.databaseFile, "SELECT 1 FROM contact_requests").length, 0);
  assert.equal(await page.locator("#demo").getByLabel("Full name *").inputValue(), contact.name);
});

test("when sending fails a toast says so, and the form keeps its text and files", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, {}, /status of 50|ERR_/);
  await openDemo(page, server);
  await chooseAll(page);
  await processButton(page).click();
  await fillContact(page);
  const sentence =
    "Submission failed - There was an error submitting your information. Please try again.";
  const send = page.getByRole("button", { name: "Send the files" });
  const endpoint = "**/api/demo-request-with-files";

  await page.route(endpoint, (route) => route.abort());
  await send.click();
  const toast = page.locator(".toast");
  await toast.getByText("Submission failed", { exact: true }).waitFor();
  await toast
    .getByText("There was an error submitting your information. Please try again.")
    .waitFor();
  await page.getByText(sentence).waitFor();
  assert.equal(await page.locator("#demo").getByLabel("Full name *").inputValue(), contact.name);

  await page.unroute(endpoint);
  await page.route(endpoint, (route) => route.fulfill({ status: 500, body: "broken" }));
  await send.click();
  await page.getByText(sentence).waitFor();

  await page.unroute(endpoint);
  await send.click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  assert.equal(query(server.databaseFile, "SELECT * FROM uploaded_files").length, 4);
});

test("a rejection by the server is shown on the page and in a toast, and everything is kept", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, {}, /status of 422/);
  await openDemo(page, server);
  await chooseAll(page);
  const wrong = { name: "learner-03.pdf", mimeType: "application/pdf", buffer: txt("no PDF") };
  await page.locator("#demo").getByLabel("Learners’ submissions *").setInputFiles(wrong);
  await processButton(page).click();
  await fillContact(page);
  await page.getByRole("button", { name: "Send the files" }).click();
  const reason = "learner-03.pdf: This is not a PDF file, although its name ends in .pdf";
  const summary = page.locator(".problem-summary");
  await summary.getByRole("link", { name: reason }).waitFor();
  assert.ok(await summary.evaluate((element) => element === document.activeElement));
  await page.locator(".toast").getByText("Submission failed", { exact: true }).waitFor();
  await page.locator(".file-picker").getByText(reason).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole("button", { name: "Remove learner-03.pdf" }).click();
  assert.equal(await page.getByText(reason).count(), 0);
  await processButton(page).click();
  assert.equal(await page.locator("#demo").getByLabel("Full name *").inputValue(), contact.name);
  await page.getByRole("button", { name: "Send the files" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
});
