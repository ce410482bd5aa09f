import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, openPage } from "../support/browser.ts";
import { contactTyped, rubricTyped } from "../support/forms.ts";
import { readyToSend, sendFiles, submissions } from "../support/resumed-upload.ts";
import { query, sharedServer, startServer, until } from "../support/server.ts";

after(closeBrowser);

const waitForHydration = (page: Page) =>
  page.waitForFunction(() => {
    const forms = [...document.querySelectorAll("form")];
    return forms.some((form) => Object.keys(form).some((key) => key.startsWith("__react")));
  });

async function fill(page: Page, labels: Record<string, string>) {
  for (const [label, text] of Object.entries(labels)) await page.getByLabel(label).fill(text);
}

const contactLabels = {
  "Full name *": contactTyped.name,
  "Email address *": contactTyped.email,
  "Contact number *": contactTyped.phone,
  "Institution (optional)": contactTyped.institution,
  "Message *": contactTyped.message,
};

const rubricLabels = {
  "Full Name *": rubricTyped.fullName,
  "Email Address *": rubricTyped.email,
  "Contact Number *": rubricTyped.phone,
  "Expected Improvements *": rubricTyped.expectedImprovements,
};

const txtFile = (name: string) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(`${name}: two marks for the definition`),
});

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "");

test("contact: missing fields are reported at once, errors disappear when corrected, and sending ends in a receipt", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  await page.goto(`${server.url}/contact`);
  await waitForHydration(page);
  await page.getByRole("button", { name: "Send the message" }).click();
  const summary = page.locator(".problem-summary");
  await summary
    .getByRole("heading", { name: "Missing fields - Please fill in all required fields" })
    .waitFor();
  assert.match(await focusedText(page), /^Missing fields/);
  assert.equal(await summary.getByRole("listitem").count(), 4);
  await page.getByRole("link", { name: "Contact number is required" }).click();
  assert.equal(await page.evaluate(() => document.activeElement?.id), "contact-phone");
  await fill(page, contactLabels);
  await page.locator('[aria-invalid="true"]').first().waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Send the message" }).click();
  await page.getByRole("heading", { name: "Thank you. Your message is with us." }).waitFor();
  assert.match(await focusedText(page), /^Thank you/);
  const reference = await page.locator(".reference").textContent();
  assert.match(page.url(), new RegExp(`received=${reference}$`));
  await page.reload();
  await page.getByText(reference!).waitFor();
  const [stored] = query(
    server.databaseFile,
    `SELECT * FROM contact_requests WHERE reference = '${reference}'`,
  );
  assert.equal(stored!.message, contactTyped.message);
  assert.equal(stored!.request_type, "contact");
});

test("a form that came faster than people type stays as it is, and is taken when Send is pressed again", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_SPAM_SECONDS: "3600" } });
  const page = await openPage(t, {}, /status of 422/);
  const asks = page.getByRole("alert").getByText("please press Send once more");
  await page.goto(`${server.url}/contact`);
  await waitForHydration(page);
  await fill(page, contactLabels);
  await page.getByRole("button", { name: "Send the message" }).click();
  await asks.waitFor();
  await page.getByRole("button", { name: "Send the message" }).click();
  await page.getByRole("heading", { name: "Thank you. Your message is with us." }).waitFor();

  await readyToSend(page, server.url, submissions(2, 1000));
  await sendFiles(page);
  await asks.waitFor();
  await sendFiles(page);
  await page.getByRole("heading", { name: "Thank you. Your files are with us." }).waitFor();
  const stored = query(server.databaseFile, "SELECT * FROM contact_requests WHERE spam IS NULL");
  assert.equal(stored.length, 2);
});

for (const [name, viewport, javaScriptEnabled] of [
  ["phone", { width: 360, height: 640 }, false],
  ["desk", { width: 1280, height: 800 }, true],
] as const) {
  const script = javaScriptEnabled ? "with" : "without";
  test(`a receipt on home stays in view when it is reloaded, on a ${name} ${script} script`, async (t) => {
    const server = await sharedServer();
    const page = await openPage(t, { viewport, javaScriptEnabled });
    await page.goto(`${server.url}/#contact`);
    if (javaScriptEnabled) await waitForHydration(page);
    const section = page.locator("#contact");
    for (const [label, text] of Object.entries(contactLabels)) {
      await section.getByLabel(label).fill(text);
    }
    await section.getByRole("button", { name: "Send the message" }).click();
    const reference = page.locator(".reference");
    await reference.waitFor();
    await page.waitForLoadState("networkidle");
    for (const _ of [1, 2]) {
      await page.reload();
      const { y = -1, height = 0 } = (await reference.boundingBox()) ?? {};
      assert.ok(y >= 0 && y + height <= viewport.height, `at ${y}`);
    }
  });
}

test("contact: a failure is shown in a toast and on the page, the text is kept, and sending again works", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, {}, /status of 500|ERR_/);
  await page.goto(`${server.url}/contact`);
  await waitForHydration(page);
  await fill(page, contactLabels);
  const send = page.getByRole("button", { name: "Send the message" });
  for (const failure of ["server down", "500"]) {
    await page.route(
      "**/api/contact",
      (route) => (failure === "500" ? route.fulfill({ status: 500 }) : route.abort()),
      { times: 1 },
    );
    await send.click();
    const toast = page.locator(".toast");
    await toast.getByText("Error", { exact: true }).waitFor();
    await toast.getByText("Failed to send message. Please try again.").waitFor();
    // The previous toast may still be closing.
    await until(async () => (await toast.count()) === 1);
    await page
      .locator("form")
      .getByText("Error - Failed to send message. Please try again.")
      .waitFor();
    assert.equal(await page.getByLabel("Message *").inputValue(), contactTyped.message);
  }
  // F8 moves the focus to the toasts.
  await page.keyboard.press("F8");
  assert.ok(
    await page.evaluate(() => Boolean(document.activeElement?.closest("[role=region], ol"))),
  );
  await send.click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
});

async function chooseRubricFiles(page: Page) {
  await page.getByLabel("Assessment Questions *").setInputFiles(txtFile("questions.txt"));
  await page.getByLabel("Grading Rubric *").setInputFiles(txtFile("rubric.txt"));
}

const missingHint = "Please upload both Assessment Questions and Grading Rubric files to continue";

test("the tooltip opens after 700 ms, at once within 300 ms after it closed, and closes on Escape", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  // Time stands still in the page unless the test lets it pass.
  await page.clock.install();
  await page.goto(`${server.url}/latest-feature#upload`);
  await waitForHydration(page);
  const generate = page.getByRole("button", { name: "Generate Smart Rubric" });
  const tooltip = page.getByRole("tooltip");
  await generate.scrollIntoViewIfNeeded();
  await page.clock.pauseAt(Date.now() + 60_000);
  const expectShown = async (isShown: boolean, afterMs: number) => {
    await page.clock.runFor(afterMs);
    await tooltip.waitFor({ state: isShown ? "visible" : "detached" });
  };
  await generate.hover();
  await expectShown(false, 690);
  await expectShown(true, 20);
  const [button, box] = [await generate.boundingBox(), await tooltip.boundingBox()];
  assert.equal(Math.round(button!.y - box!.y - box!.height), 4);
  await page.mouse.move(0, 0);
  await expectShown(false, 290);
  await generate.hover();
  await expectShown(true, 1);
  await page.keyboard.press("Escape");
  // Not again while the pointer stays.
  await expectShown(false, 900);
  await page.mouse.move(0, 0);
  await generate.hover();
  await expectShown(false, 350);
  await page.mouse.move(0, 0);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  await generate.focus();
  await expectShown(true, 1);
});

test("a rubric request: hint, modal, Processing, the temporary confirmation and the receipt", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  await page.goto(`${server.url}/latest-feature#upload`);
  await waitForHydration(page);
  const generate = page.getByRole("button", { name: "Generate Smart Rubric" });
  await page.locator("#files-summary").getByText(missingHint).waitFor();
  assert.equal(await generate.getAttribute("aria-disabled"), "true");
  await generate.hover();
  await page.getByRole("tooltip").getByText(missingHint).waitFor();
  await page.getByLabel("Assessment Questions *").setInputFiles(txtFile("questions.txt"));
  assert.equal(await generate.getAttribute("aria-disabled"), "true");
  await chooseRubricFiles(page);
  const chosen = page.getByRole("list", { name: "Grading Rubric: chosen" });
  await chosen.getByText("rubric.txt").waitFor();
  assert.equal(await chosen.locator("svg.tick").count(), 1);
  await generate.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Smart Rubric & Memo Alignment" }).waitFor();
  await dialog.getByText("Our team will contact you within 24-48 hours").waitFor();
  const request = dialog.getByRole("button", { name: "Request Smart Rubric Service" });
  await request.click();
  await dialog.getByText("Please describe what improvements you're looking for").waitFor();
  await fill(page, rubricLabels);
  await page.route("**/api/rubric-regeneration", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    await route.continue();
  });
  await request.click();
  const processing = dialog.getByRole("button", { name: "Processing..." });
  await processing.waitFor();
  assert.equal(await processing.getAttribute("aria-disabled"), "true");
  await page.locator(".toast").getByText("Smart Rubric Request Submitted").waitFor();
  await dialog.getByText("Your request is with us.").waitFor();
  const shownAt = Date.now();
  await dialog.waitFor({ state: "detached" });
  assert.ok(Date.now() - shownAt > 2000, "the confirmation stays for 3 seconds");
  await page.getByRole("heading", { name: "Thank you. Your rubric is with us." }).waitFor();
  assert.equal(await page.locator(".chosen").count(), 0, "the pickers are empty again");
  assert.equal(await page.locator(".toast").count(), 1);
  await page.reload();
  await page.getByRole("heading", { name: "Thank you. Your rubric is with us." }).waitFor();
  assert.equal(query(server.databaseFile, "SELECT * FROM rubric_requests").length, 1);
});

test("subscribing shows a toast and a receipt, and subscribing again shows the same", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  for (const _ of ["first", "again"]) {
    await page.goto(`${server.url}/blog#stay-updated`);
    await waitForHydration(page);
    await page.getByLabel("Email address *").fill("thandi@school.example");
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.locator(".toast").getByText("Subscribed").waitFor();
    await page.getByRole("heading", { name: "Thank you. Your address has arrived." }).waitFor();
  }
  assert.equal(query(server.databaseFile, "SELECT * FROM subscriptions").length, 1);
});

test("the test page with JavaScript shows SUCCESS or ERROR with message, id and time for each endpoint", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, {}, /status of 500/);
  await page.goto(`${server.url}/test-forms`);
  await waitForHydration(page);
  const forms = page.locator(".tests > li");
  assert.equal(await forms.count(), 5);
  for (let index = 0; index < 5; index += 1) {
    await forms.nth(index).getByRole("button", { name: "Run this test" }).click();
    await forms.nth(index).getByText("SUCCESS").waitFor();
    await forms.nth(index).locator("dt", { hasText: "Id" }).waitFor();
  }
  assert.deepEqual(query(server.databaseFile, "SELECT count(*) AS n FROM inbox WHERE is_test"), [
    { n: 4 },
  ]);
  await page.route("**/api/contact?*", (route) => route.fulfill({ status: 500, body: "" }));
  await forms.nth(0).getByRole("button").click();
  await forms.nth(0).getByText("ERROR", { exact: true }).waitFor();
  await forms.nth(0).getByText("500: Internal Server Error").waitFor();
});
