import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { once } from "../../app/server/system/once.ts";
import { wholeFile } from "../support/at-end.ts";
import { appears, closeBrowser, openPage, violations } from "../support/browser.ts";
import { contactLabels, fill } from "../support/browser-forms.ts";
import { chooseAll, fillContact, openDemo, pdfFile, processButton } from "../support/demo-form.ts";
import { emptyServer, query, sharedServer } from "../support/server.ts";
import { contact, txt } from "../support/upload.ts";

after(closeBrowser);

const referenceOn = (page: Page) => page.getByText(/^([2-9A-HJ-NP-Z]{4}-){2}[2-9A-HJ-NP-Z]{4}$/);
const detailsDialog = (page: Page) =>
  page.getByRole("dialog", { name: "Where should the marked work go?" });

/** From the empty form to a dialog whose errors are corrected. */
const walkToDetails = once(async () => {
  const page = await openPage(wholeFile);
  await openDemo(page, await sharedServer());
  const missing = page.getByText(
    "Missing files - Please upload all required files before processing",
  );
  const dialog = detailsDialog(page);
  // Playwright treats aria-disabled as disabled, so force the click.
  await processButton(page).click({ force: true });
  const asks = (await appears(missing)) && (await page.getByRole("dialog").count()) === 0;
  await chooseAll(page);
  const takes = await appears(page.getByText("4 files, 4 kB to send in all"));
  const stillAsks = await missing.isVisible();
  await page.getByRole("button", { name: "Remove learner-02.pdf" }).click();
  const isRemoved = await appears(page.getByText("3 files, 3 kB to send in all"));
  const left = await page.locator(".chosen .file-name").allTextContents();
  await processButton(page).click();
  await dialog.waitFor();
  const isModal = await dialog.evaluate((element) => element.matches(":modal"));
  const messageField = page.locator("#demo").getByLabel("Message *");
  const message = await messageField.inputValue();
  await page.getByRole("button", { name: "Send the files" }).click();
  await page.locator("#name:focus").waitFor();
  const axe = await violations(page);
  const errors = await dialog.locator(".field-error").allTextContents();
  await fillContact(page);
  await dialog.getByText("Name is required").waitFor({ state: "detached" });
  await messageField.fill("too short");
  const tooShort = dialog.getByText(
    "Please provide more details about your interest in the product",
  );
  const namesTooShort = await appears(tooShort);
  return { asks, takes, stillAsks, isRemoved, left, isModal, message, axe, errors, namesTooShort };
});

test("with JavaScript the form asks for files before details", async () => {
  const { asks, takes, stillAsks } = await walkToDetails();
  assert.deepEqual({ asks, takes, stillAsks }, { asks: true, takes: true, stillAsks: false });
});

test("a chosen file can be removed again", async () => {
  const { isRemoved, left } = await walkToDetails();
  assert.ok(isRemoved);
  assert.deepEqual(left, ["questions.pdf", "rubric.pdf", "learner-01.pdf"]);
});

test("the modal dialog for the details comes with a message to the team", async () => {
  const { isModal, message } = await walkToDetails();
  assert.ok(isModal);
  assert.match(message, /Rubricon/);
});

test("the dialog with errors has no axe violation", async () =>
  assert.deepEqual((await walkToDetails()).axe, []));

test("the dialog names each detail that is missing or too short", async () => {
  const { errors, namesTooShort } = await walkToDetails();
  assert.deepEqual(errors, [
    "Name is required",
    "Please enter a valid email address",
    "Contact number is required",
    "Please confirm that you may share this work",
  ]);
  assert.ok(namesTooShort);
});

test("with JavaScript the form ends in a receipt that can be reloaded, with the files as they are stored", async (t) => {
  const server = await emptyServer();
  const page = await openPage(t, { reducedMotion: "no-preference" });
  await openDemo(page, server);
  await chooseAll(page);
  const odd = [pdfFile("semi;colon \\back.pdf"), pdfFile("\u202Eabc.pdf")];
  await page.locator("#demo").getByLabel("Learners’ submissions *").setInputFiles(odd);
  await processButton(page).click();
  await fillContact(page);
  await page.locator("#demo").getByLabel("Message *").fill(contact.message);
  await page.getByRole("button", { name: "Send the files" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  const reference = await referenceOn(page).textContent();
  await page.getByText("within 24 hours").first().waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
  const names = () => page.locator(".thank-you .file-name").allTextContents();
  const atOnce = await names();
  for (const name of ["learner-01.pdf", "semi;colon _back.pdf", "abc.pdf"])
    assert.ok(atOnce.includes(name), JSON.stringify(atOnce));
  await page.reload();
  assert.equal(await referenceOn(page).textContent(), reference);
  // The list may follow the heading.
  await page.locator(".thank-you .file-name").first().waitFor({ state: "attached" });
  assert.deepEqual(await names(), atOnce);
  const stored = "SELECT reference, message, notice_version FROM contact_requests";
  assert.deepEqual(query(server.databaseFile, stored), [
    { reference, message: contact.message, notice_version: "2026-11-23" },
  ]);
});

test("the receipt of a message takes the focus, although the upload beside it was rejected", async (t) => {
  const page = await openPage(t, {}, /status of 422/);
  await openDemo(page, await sharedServer());
  await chooseAll(page);
  const wrong = { ...pdfFile("learner-03.pdf"), buffer: txt("%PDF-1.7 cut") };
  await page.locator("#demo").getByLabel("Learners’ submissions *").setInputFiles(wrong);
  await processButton(page).click();
  await fillContact(page);
  await page.getByRole("button", { name: "Send the files" }).click();
  await page.locator(".problem-summary:focus").waitFor();
  const message = page.locator("#contact");
  await fill(message, contactLabels);
  await page.getByRole("button", { name: "Send the message" }).click();
  await page.locator("h2:focus", { hasText: "Your message is with us." }).waitFor();
});

test("once the files are chosen, an upload is sent with only the keyboard", async (t) => {
  const server = await emptyServer();
  const page = await openPage(t);
  await openDemo(page, server);
  await chooseAll(page);
  await page.getByText("4 files, 4 kB to send in all").waitFor();
  await processButton(page).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator(":focus", { hasText: /^Process with AI$/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator("#name:focus").waitFor();
  for (const text of [contact.name, contact.email, contact.phone]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.type(contact.institution);
  // Past the message, which has a default.
  for (const key of ["Tab", "Tab", "Space", "Enter"]) await page.keyboard.press(key);
  await page.locator(":focus", { hasText: /^Thank you/ }).waitFor();
  const { message: _, ...typed } = contact;
  assert.deepEqual(
    query(server.databaseFile, "SELECT name, email, phone, institution FROM contact_requests"),
    [typed],
  );
});

for (const javaScriptEnabled of [false, true]) {
  const script = javaScriptEnabled ? "with" : "without";
  test(`a draft file can be removed and another replaced, ${script} JavaScript`, async (t) => {
    const page = await openPage(t, { javaScriptEnabled }, /status of 422|ERR_FAILED/);
    // The form is sent before its script arrives.
    await page.route("**/*.js", (route) => route.abort());
    await page.goto((await sharedServer()).url);
    await chooseAll(page);
    await page.unroute("**/*.js");
    if (javaScriptEnabled) {
      await processButton(page).evaluate((button: HTMLButtonElement) => button.form!.submit());
    } else {
      await processButton(page).click();
    }
    await page.getByText("We have kept the files marked as received").waitFor();
    const remove = page.getByRole("button", { name: "Remove learner-01.pdf" });
    await remove.click();
    await remove.waitFor({ state: "detached" });
    await page.getByText("Replace", { exact: true }).first().click();
    await page
      .locator("#demo")
      .getByLabel("The file that takes the place of questions.pdf")
      .setInputFiles(pdfFile("better.pdf"));
    await fillContact(page);
    await processButton(page).click();
    if (javaScriptEnabled) await page.getByRole("button", { name: "Send the files" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    await page.locator(".thank-you .file-name").first().waitFor({ state: "attached" });
    assert.deepEqual((await page.locator(".thank-you .file-name").allTextContents()).sort(), [
      "better.pdf",
      "learner-02.pdf",
      "rubric.pdf",
    ]);
  });
}
