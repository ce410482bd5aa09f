import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, openPage, violations, watchScripts } from "../support/browser.ts";
import { contactLabels } from "../support/browser-forms.ts";
import {
  chooseAll,
  fillContact,
  openDemo,
  pdfFile,
  processButton,
  waitForHydration,
} from "../support/demo-form.ts";
import { emptyServer, query, sharedServer, until } from "../support/server.ts";
import { contact, txt } from "../support/upload.ts";

after(closeBrowser);

const sharingCheckbox = (page: Page) =>
  page.getByRole("checkbox", { name: /^I may share this work/ });

const referenceOn = (page: Page) => page.getByText(/^([2-9A-HJ-NP-Z]{4}-){2}[2-9A-HJ-NP-Z]{4}$/);
const detailsDialog = (page: Page) =>
  page.getByRole("dialog", { name: "Where should the marked work go?" });

test("with JavaScript the form asks for files before details", async (t) => {
  const page = await openPage(t);
  await openDemo(page, await sharedServer());
  // Playwright treats aria-disabled as disabled, so force the click.
  await processButton(page).click({ force: true });
  const missing = "Missing files - Please upload all required files before processing";
  await page.getByText(missing).waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
  await chooseAll(page);
  await page.getByText("4 files, 4 kB to send in all").waitFor();
  assert.equal(await page.getByText(missing).count(), 0);
});

/** Opens the dialog for the details of an upload. */
async function openDetails(t: TestContext, options?: Parameters<typeof openPage>[1]) {
  const page = await openPage(t, options);
  await openDemo(page, await sharedServer());
  await chooseAll(page);
  await processButton(page).click();
  const dialog = detailsDialog(page);
  await dialog.waitFor();
  return { page, dialog };
}

test("the modal dialog for the details comes with a message to the team", async (t) => {
  const { page, dialog } = await openDetails(t);
  assert.ok(await dialog.evaluate((element) => element.matches(":modal")));
  assert.match(await page.locator("#demo").getByLabel("Message *").inputValue(), /Rubricon/);
});

/** Opens the dialog with the errors of missing details, of which the first has the focus. */
async function openErrors(t: TestContext) {
  const { page, dialog } = await openDetails(t);
  await page.getByRole("button", { name: "Send the files" }).click();
  await page.locator("#name:focus").waitFor();
  return { page, dialog };
}

test("the dialog with errors has no axe violation", async (t) => {
  const { page } = await openErrors(t);
  assert.deepEqual(await violations(page), []);
});

test("the dialog names each detail that is missing or too short", async (t) => {
  const { page, dialog } = await openErrors(t);
  for (const message of [
    "Name is required",
    "Please enter a valid email address",
    "Contact number is required",
    "Please confirm that you may share this work",
  ]) {
    await dialog.getByText(message).waitFor();
  }
  await fillContact(page);
  await dialog.getByText("Name is required").waitFor({ state: "detached" });
  await page.locator("#demo").getByLabel("Message *").fill("too short");
  await dialog
    .getByText("Please provide more details about your interest in the product")
    .waitFor();
});

test("a box that is ticked before the script runs is a first use of the form", async (t) => {
  const page = await openPage(t);
  const scripts = watchScripts(page);
  await page.goto((await sharedServer()).url);
  // A click would focus the box, which is a use too.
  await page.locator("#mayShare").evaluate((box: HTMLInputElement) => {
    box.checked = true;
  });
  await page.locator("#demo").scrollIntoViewIfNeeded();
  await waitForHydration(page);
  await until(() => scripts.paths().some((path) => path.includes("/extras-")));
});

test("a chosen file can be removed again", async (t) => {
  const page = await openPage(t);
  await openDemo(page, await sharedServer());
  await chooseAll(page);
  await page.getByRole("button", { name: "Remove learner-02.pdf" }).click();
  await page.getByText("3 files, 3 kB to send in all").waitFor();
  assert.equal(await page.getByText("learner-02.pdf").count(), 0);
});

test("with JavaScript the form ends in a receipt that can be reloaded", async (t) => {
  const server = await emptyServer();
  const { page } = await openDetails(t, { reducedMotion: "no-preference" });
  await fillContact(page);
  await page.locator("#demo").getByLabel("Message *").fill(contact.message);
  await page.getByRole("button", { name: "Send the files" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  const reference = await referenceOn(page).textContent();
  await page.getByText("learner-01.pdf").waitFor();
  await page.getByText("within 24 hours").first().waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
  await page.reload();
  assert.equal(await referenceOn(page).textContent(), reference);
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
  for (const [label, text] of Object.entries(contactLabels)) {
    await message.getByLabel(label).fill(text);
  }
  await page.getByRole("button", { name: "Send the message" }).click();
  await page.locator("h2:focus", { hasText: "Your message is with us." }).waitFor();
});

test("without JavaScript a form that lacks files comes back as it was filled in", async (t) => {
  const page = await openPage(t, { javaScriptEnabled: false }, /status of 422/);
  await page.goto((await sharedServer()).url);
  await page.locator("#demo").getByLabel("Questions *").setInputFiles(pdfFile("questions.pdf"));
  await fillContact(page);
  await processButton(page).click();
  await page.getByRole("heading", { name: /^Missing files - / }).waitFor();
  assert.match(await page.title(), /^Error: /);
  assert.ok(await sharingCheckbox(page).isChecked());
  for (const field of ["name", "email", "phone"] as const) {
    assert.equal(await page.locator(`#${field}`).inputValue(), contact[field], field);
  }
  await page.locator(".chosen", { hasText: "questions.pdf" }).waitFor();
  await page.getByRole("link", { name: "Please choose the rubric file" }).click();
  await page.waitForURL(/#rubricFile$/);
});

test("without JavaScript the form ends in a receipt that can be reloaded", async (t) => {
  const server = await emptyServer();
  const page = await openPage(t, { javaScriptEnabled: false });
  await page.goto(server.url);
  await chooseAll(page);
  await fillContact(page);
  await processButton(page).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  assert.match(page.url(), /\?received=/);
  await page.getByText("learner-02.pdf").waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  assert.equal(query(server.databaseFile, "SELECT * FROM contact_requests").length, 1);
});

test("once the files are chosen, an upload is sent by keyboard alone", async (t) => {
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

/** Opens the form as it comes back without texts, with its files kept; `send` fills in the rest and sends it. */
async function openReturned(t: TestContext, javaScriptEnabled: boolean) {
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
  const send = async () => {
    await fillContact(page);
    await processButton(page).click();
    if (javaScriptEnabled) await page.getByRole("button", { name: "Send the files" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    await page.getByText("learner-02.pdf").waitFor();
  };
  return { page, send };
}

for (const javaScriptEnabled of [false, true]) {
  const script = javaScriptEnabled ? "with" : "without";
  test(`a draft file can be removed, ${script} JavaScript`, async (t) => {
    const { page, send } = await openReturned(t, javaScriptEnabled);
    const remove = page.getByRole("button", { name: "Remove learner-01.pdf" });
    await remove.click();
    await remove.waitFor({ state: "detached" });
    await send();
    assert.equal(await page.getByText("learner-01.pdf").count(), 0);
  });

  test(`a draft file can be replaced, ${script} JavaScript`, async (t) => {
    const { page, send } = await openReturned(t, javaScriptEnabled);
    await page.getByText("Replace", { exact: true }).first().click();
    await page
      .locator("#demo")
      .getByLabel("The file that takes the place of questions.pdf")
      .setInputFiles(pdfFile("better.pdf"));
    await send();
    await page.getByText("better.pdf").waitFor();
    assert.equal(await page.getByText("questions.pdf").count(), 0);
  });
}
