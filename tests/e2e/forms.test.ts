import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { after, type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, holdRequests, openPage } from "../support/browser.ts";
import {
  chooseRubricFiles,
  contactLabels,
  fill,
  rubricLabels,
  txtFile,
  waitForHydration,
} from "../support/browser-forms.ts";
import { contactTyped } from "../support/forms.ts";
import { newFolder, query, sharedServer, until } from "../support/server.ts";

after(closeBrowser);

const toastsOn = (page: Page) => page.getByRole("region", { name: "Notifications" });

test("missing contact fields are reported until they are filled in", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  await page.goto(`${server.url}/contact`);
  await waitForHydration(page);
  await page.getByRole("button", { name: "Send the message" }).click();
  const summary = page.locator(".problem-summary");
  await summary
    .getByRole("heading", { name: "Missing fields - Please fill in all required fields" })
    .waitFor();
  await page.locator(":focus", { hasText: /^Missing fields/ }).waitFor();
  assert.equal(await page.locator("main > :first-child > .problem-summary").count(), 1);
  assert.equal(await summary.getByRole("listitem").count(), 4);
  assert.equal(await page.locator('[aria-invalid="true"]').count(), 4);
  await page.getByRole("link", { name: "Contact number is required" }).click();
  await page.locator("#contact-phone:focus").waitFor();
  await fill(page, contactLabels);
  await page.locator('[aria-invalid="true"]').first().waitFor({ state: "detached" });
});

test("a contact message ends in a receipt that can be reloaded", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  await page.goto(`${server.url}/contact`);
  await waitForHydration(page);
  await fill(page, contactLabels);
  await page.getByRole("button", { name: "Send the message" }).click();
  await page.locator(":focus", { hasText: "Thank you. Your message is with us." }).waitFor();
  await page.waitForURL(/received=/);
  const reference = new URL(page.url()).searchParams.get("received");
  await page.reload();
  await page.getByText(reference!).waitFor();
  const [stored] = query(
    server.databaseFile,
    `SELECT * FROM contact_requests WHERE reference = '${reference}'`,
  );
  assert.equal(stored!.message, contactTyped.message);
  assert.equal(stored!.request_type, "contact");
});

test("a contact message that could not be sent is kept, with a notice for F8, to be sent again", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, {}, /status of 500|ERR_/);
  await page.goto(`${server.url}/contact`);
  await waitForHydration(page);
  await fill(page, contactLabels);
  const send = page.getByRole("button", { name: "Send the message" });
  const toasts = toastsOn(page);
  for (const failure of ["server down", "500"]) {
    await page.route(
      "**/api/contact",
      (route) => (failure === "500" ? route.fulfill({ status: 500 }) : route.abort()),
      { times: 1 },
    );
    // From then on, the notice of the failure before is gone.
    const posted = page.waitForRequest("**/api/contact");
    await send.click();
    await posted;
    await toasts.getByText("Error", { exact: true }).waitFor();
    await toasts.getByText("Failed to send message. Please try again.").waitFor();
    await page
      .locator("form")
      .getByText("Error - Failed to send message. Please try again.")
      .waitFor();
    for (const [label, text] of Object.entries(contactLabels))
      assert.equal(await page.getByLabel(label).inputValue(), text);
  }
  // F8 moves the focus to the toasts.
  await page.keyboard.press("F8");
  assert.ok(await toasts.evaluate((region) => region === document.activeElement));
  await send.click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
});

test("a form that comes back with an empty line before its message has its script", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, {}, /status of 422/);
  await page.goto(`${server.url}/contact`);
  await waitForHydration(page);
  await fill(page, { ...contactLabels, "Email address *": "x", "Message *": "\nHello" });
  await page.evaluate(() => document.querySelector<HTMLFormElement>(".text-form")!.submit());
  await page.locator(".problem-summary").waitFor();
  await waitForHydration(page);
});

const rubricFiles = { "Assessment Questions *": "questions.txt", "Grading Rubric *": "rubric.txt" };
const missingHint = "Please upload both Assessment Questions and Grading Rubric files to continue";

async function openRubric(t: TestContext) {
  const server = await sharedServer();
  const page = await openPage(t);
  await page.clock.install();
  await page.goto(`${server.url}/latest-feature#upload`);
  await waitForHydration(page);
  const generate = page.getByRole("button", { name: "Generate Smart Rubric" });
  return { server, page, generate };
}

test("a rubric request asks for both files before anything else", async (t) => {
  const { page, generate } = await openRubric(t);
  await page.locator("#files-summary").getByText(missingHint).waitFor();
  assert.equal(await generate.getAttribute("aria-disabled"), "true");
  await generate.hover();
  await page.getByRole("tooltip").getByText(missingHint).waitFor();
  await page.getByLabel("Assessment Questions *").setInputFiles(txtFile("questions.txt"));
  await page.getByRole("list", { name: "Assessment Questions: chosen" }).waitFor();
  assert.equal(await generate.getAttribute("aria-disabled"), "true");
  await chooseRubricFiles(page);
  const chosen = page.getByRole("list", { name: "Grading Rubric: chosen" });
  await chosen.getByText("rubric.txt").waitFor();
  assert.equal(await chosen.locator("svg.tick").count(), 1);
  await generate.click();
  await page.getByRole("dialog").waitFor();
});

async function openRubricDialog(t: TestContext) {
  const { server, page, generate } = await openRubric(t);
  await chooseRubricFiles(page);
  await generate.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Smart Rubric & Memo Alignment" }).waitFor();
  const request = dialog.getByRole("button", { name: "Request Smart Rubric Service" });
  return { server, page, dialog, request };
}

test("a rubric request asks for the improvements", async (t) => {
  const { dialog, request } = await openRubricDialog(t);
  await request.click();
  await dialog.getByText("Please describe what improvements you're looking for").waitFor();
});

test("the button of a rubric request is disabled while the request is sent", async (t) => {
  const { page, dialog, request } = await openRubricDialog(t);
  await fill(page, rubricLabels);
  const gate = await holdRequests(page, "**/api/rubric-regeneration");
  await request.click();
  const processing = dialog.getByRole("button", { name: "Processing..." });
  await processing.waitFor();
  assert.equal(await processing.getAttribute("aria-disabled"), "true");
  gate.resolve();
  await dialog.getByText("Your request is with us.").waitFor();
});

test("a rubric request is confirmed for three seconds, then by its receipt", async (t) => {
  const { server, page, dialog, request } = await openRubricDialog(t);
  await dialog.getByText("Our team will contact you within 24-48 hours").waitFor();
  await fill(page, rubricLabels);
  // Neither the confirmation nor the toast closes before the test has seen it.
  await page.clock.pauseAt(Date.now() + 60_000);
  await request.click();
  await toastsOn(page).getByText("Smart Rubric Request Submitted").waitFor();
  await dialog.getByText("Your request is with us.").waitFor();
  await page.clock.runFor(2900);
  assert.ok(await dialog.isVisible(), "the confirmation stays for 3 seconds");
  await page.clock.runFor(200);
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Thank you. Your rubric is with us." }).waitFor();
  assert.equal(await page.locator(".chosen").count(), 0, "the pickers are empty again");
  assert.equal(await toastsOn(page).getByRole("button", { name: "Close" }).count(), 1);
  await page.reload();
  await page.getByRole("heading", { name: "Thank you. Your rubric is with us." }).waitFor();
  const reference = new URL(page.url()).searchParams.get("received");
  await page.getByText(reference!).waitFor();
  const stored = `SELECT * FROM rubric_requests WHERE reference = '${reference}'`;
  assert.equal(query(server.databaseFile, stored).length, 1);
});

test("the receipt of a rubric request names files that the server had kept", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, {}, /status of 422/);
  await page.goto(`${server.url}/latest-feature#upload`);
  await waitForHydration(page);
  await chooseRubricFiles(page);
  await page.evaluate(() => document.querySelector<HTMLFormElement>(".upload-form")!.submit());
  await page.getByText("We have kept the files marked as received").waitFor();
  await page.locator("#upload").scrollIntoViewIfNeeded();
  await waitForHydration(page);
  await page.getByRole("button", { name: "Generate Smart Rubric" }).click();
  await fill(page, rubricLabels);
  await page.getByRole("button", { name: "Request Smart Rubric Service" }).click();
  await page.getByRole("heading", { name: "Thank you. Your rubric is with us." }).waitFor();
  for (const file of Object.values(rubricFiles))
    await page.locator("dd", { hasText: file }).waitFor();
});

test("after a rubric request the form is empty, and sends the same files again", async (t) => {
  const { page, generate } = await openRubric(t);
  const folder = newFolder(t);
  const choose = async () => {
    for (const [label, file] of Object.entries(rubricFiles)) {
      await page.getByLabel(label).setInputFiles(path.join(folder, file));
    }
  };
  for (const file of Object.values(rubricFiles)) writeFileSync(path.join(folder, file), file);
  await choose();
  const summary = page.locator("#files-summary");
  await summary.filter({ hasText: /^2 files/ }).waitFor();
  const toSend = await summary.textContent();
  await generate.click();
  await fill(page, rubricLabels);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Request Smart Rubric Service" }).click();
  await dialog.getByText("Your request is with us.").waitFor();
  await page.clock.runFor(3000);
  await dialog.waitFor({ state: "detached" });
  await choose();
  await until(async () => (await summary.textContent()) === toSend);
  assert.equal(await page.locator(".chosen", { hasText: "received" }).count(), 0);
  await generate.click();
  for (const label of Object.keys(rubricLabels)) {
    assert.equal(await page.getByLabel(label).inputValue(), "", label);
  }
});
