import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import type { Page, Route } from "playwright-core";
import { once } from "../../app/server/system/once.ts";
import { type Scope, wholeFile } from "../support/at-end.ts";
import { appears, closeBrowser, holdRequests, openPage } from "../support/browser.ts";
import {
  chooseRubricFiles,
  contactLabels,
  fill,
  rubricLabels,
  txtFile,
  waitForHydration,
} from "../support/browser-forms.ts";
import {
  chooseAll,
  fillContact,
  openDemo,
  processButton,
  waitForHydration as waitForUploadForm,
} from "../support/demo-form.ts";
import { formPages, sendWithoutScript } from "../support/form-pages.ts";
import { contactTyped } from "../support/forms.ts";
import { newFolder, query, sharedServer, until } from "../support/server.ts";
import { contact, pdf } from "../support/upload.ts";

after(closeBrowser);

async function openContact(t: Scope, tolerate?: RegExp) {
  const server = await sharedServer();
  const page = await openPage(t, {}, tolerate);
  await page.goto(`${server.url}/contact`);
  await waitForHydration(page);
  return { server, page };
}

const toastsOn = (page: Page) => page.getByRole("region", { name: "Notifications" });

test("missing contact fields are reported until they are filled in", async (t) => {
  const { page } = await openContact(t);
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

const hasToastsFocused = (page: Page) =>
  page.evaluate(() => document.activeElement?.className === "toasts");

/** A contact message that finds no server, then meets its error, and at last arrives. */
const walkContact = once(async () => {
  const { server, page } = await openContact(wholeFile, /status of 500|ERR_/);
  // The form may not listen yet.
  await until(async () => {
    await page.keyboard.press("F8");
    return hasToastsFocused(page);
  });
  const emptyHeight = (await page.locator(".toasts").boundingBox())!.height;
  await fill(page, contactLabels);
  const send = page.getByRole("button", { name: "Send the message" });
  const failed = "Failed to send message. Please try again.";
  const error = page.locator("form").getByText(`Error - ${failed}`);
  const toast = toastsOn(page).getByText(failed);
  const areErrorsShown: boolean[] = [];
  for (const fail of [
    (route: Route) => route.abort(),
    (route: Route) => route.fulfill({ status: 500 }),
  ]) {
    await page.route("**/api/contact", fail, { times: 1 });
    // Until the error before has gone.
    const gate = await holdRequests(page, "**/api/contact");
    await send.click();
    await error.waitFor({ state: "detached" });
    gate.resolve();
    areErrorsShown.push((await appears(error)) && (await appears(toast.last())));
  }
  await page.getByLabel("Message *").focus();
  await page.keyboard.press("F8");
  const leadsToNotice = await hasToastsFocused(page);
  await send.click();
  const thanks = page.locator(":focus", { hasText: "Thank you. Your message is with us." });
  const isFocused = await appears(thanks);
  await page.waitForURL(/received=/);
  const reference = new URL(page.url()).searchParams.get("received")!;
  await page.emulateMedia({ media: "print" });
  const isPrinted = await appears(page.getByText(reference));
  await page.emulateMedia({ media: null });
  await page.reload();
  const isReloaded = await appears(page.getByText(reference));
  const stored = query(
    server.databaseFile,
    `SELECT message, request_type FROM contact_requests WHERE reference = '${reference}'`,
  );
  return {
    emptyHeight,
    areErrorsShown,
    leadsToNotice,
    receipt: { isFocused, isPrinted, isReloaded },
    stored,
  };
});

test("F8 leads to the region of notices, which covers nothing while it is empty", async () =>
  assert.equal((await walkContact()).emptyHeight, 0));

test("F8 leads from a field to a notice", async () =>
  assert.ok((await walkContact()).leadsToNotice));

test("a contact message that finds no server, and then its error, can be sent again as it was typed", async () => {
  const { areErrorsShown, stored } = await walkContact();
  assert.deepEqual(areErrorsShown, [true, true]);
  assert.deepEqual(stored, [{ message: contactTyped.message, request_type: "contact" }]);
});

test("a contact message ends in a receipt that can be printed and reloaded", async () => {
  const { receipt } = await walkContact();
  assert.deepEqual(receipt, { isFocused: true, isPrinted: true, isReloaded: true });
});

test("a form that comes back with an empty line before its message has its script", async (t) => {
  const { page } = await openContact(t, /status of 422/);
  await fill(page, { ...contactLabels, "Email address *": "x", "Message *": "\nHello" });
  await page.evaluate(() => document.querySelector<HTMLFormElement>(".text-form")!.submit());
  await page.locator(".problem-summary").waitFor();
  await waitForHydration(page);
});

const rubricFiles = { "Assessment Questions *": "questions.txt", "Grading Rubric *": "rubric.txt" };
const missingHint = "Please upload both Assessment Questions and Grading Rubric files to continue";

async function openRubric(t: Scope) {
  const server = await sharedServer();
  const page = await openPage(t);
  await page.clock.install();
  await page.goto(`${server.url}/latest-feature#upload`);
  await waitForUploadForm(page);
  const generate = page.getByRole("button", { name: "Generate Smart Rubric" });
  return { server, page, generate };
}

test("a rubric request asks for both files before anything else, and then for the improvements", async (t) => {
  const { page, generate } = await openRubric(t);
  await page.locator("#files-summary").getByText(missingHint).waitFor();
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
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Request Smart Rubric Service" }).click();
  await dialog.getByText("Please describe what improvements you're looking for").waitFor();
});

/** Sends a rubric request of files on the disk, reloads its receipt, and chooses the same files again. */
const walkRubric = once(async () => {
  const { server, page, generate } = await openRubric(wholeFile);
  // Only a file on the disk is the same when it is chosen again.
  const folder = newFolder(wholeFile);
  for (const file of Object.values(rubricFiles)) writeFileSync(path.join(folder, file), file);
  const choose = async () => {
    for (const [label, file] of Object.entries(rubricFiles)) {
      await page.getByLabel(label).setInputFiles(path.join(folder, file));
    }
  };
  const dialog = page.getByRole("dialog");
  const values = () =>
    Promise.all(Object.keys(rubricLabels).map((label) => page.getByLabel(label).inputValue()));
  await choose();
  await generate.click();
  await dialog.getByRole("heading", { name: "Smart Rubric & Memo Alignment" }).waitFor();
  await dialog.getByText("Our team will contact you within 24-48 hours").waitFor();
  await fill(page, rubricLabels);
  // The confirmation and the toast stay while time stands still in the page.
  await page.clock.pauseAt(Date.now() + 60_000);
  const gate = await holdRequests(page, "**/api/rubric-regeneration");
  await dialog.getByRole("button", { name: "Request Smart Rubric Service" }).click();
  const processing = dialog.getByRole("button", { name: "Processing..." });
  await processing.waitFor();
  const whileSent = await processing.getAttribute("aria-disabled");
  gate.resolve();
  await dialog.getByText("Your request is with us.").waitFor();
  const hasToast = await appears(toastsOn(page).getByText("Smart Rubric Request Submitted"));
  await page.clock.runFor(2900);
  const staysFor3s = await dialog.isVisible();
  await page.clock.runFor(200);
  await dialog.waitFor({ state: "detached" });
  const receipt = page.getByRole("heading", { name: "Thank you. Your rubric is with us." });
  await receipt.waitFor();
  const toasts = await toastsOn(page).getByRole("button", { name: "Close" }).count();
  await page.waitForURL(/received=/);
  const reference = new URL(page.url()).searchParams.get("received")!;
  const chosenAfter = await page.locator(".chosen").count();
  await choose();
  const toSend = page.locator("#files-summary", { hasText: /^2 files, .* to send/ });
  const areToSend = await appears(toSend);
  const received = await page.locator(".chosen", { hasText: "received" }).count();
  const chosenAgain = await page.locator(".chosen").count();
  await generate.click();
  const valuesAfter = await values();
  await page.reload();
  const isReloaded = (await appears(receipt)) && (await appears(page.getByText(reference)));
  const stored = `SELECT * FROM rubric_requests WHERE reference = '${reference}'`;
  return {
    whileSent,
    confirmation: { hasToast, staysFor3s, toasts },
    reloaded: { isReloaded, stored: query(server.databaseFile, stored).length },
    after: { chosen: chosenAfter, values: valuesAfter },
    again: { areToSend, received, chosen: chosenAgain },
  };
});

test("the button of a rubric request is disabled while the request is sent", async () =>
  assert.equal((await walkRubric()).whileSent, "true"));

test("a rubric request is confirmed for three seconds, then by its receipt, beside one notice", async () => {
  const { confirmation } = await walkRubric();
  assert.deepEqual(confirmation, { hasToast: true, staysFor3s: true, toasts: 1 });
});

test("the receipt of a rubric request can be reloaded", async () =>
  assert.deepEqual((await walkRubric()).reloaded, { isReloaded: true, stored: 1 }));

test("after a rubric request the form is empty", async () => {
  const values = Object.keys(rubricLabels).map(() => "");
  assert.deepEqual((await walkRubric()).after, { chosen: 0, values });
});

test("the same files can be chosen for a second rubric request, and have to be sent again", async () =>
  assert.deepEqual((await walkRubric()).again, { areToSend: true, received: 0, chosen: 2 }));

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

// Forms when something fails that is no fault of the visitor: script, the way to the API, or the choice of files.

const breakRendering = (page: Page) =>
  page.evaluate(() => {
    Object.entries = () => {
      throw new Error("broken on purpose");
    };
  });

for (const missing of ["Array.prototype.at", "HTMLDialogElement.prototype.showModal"]) {
  test(`a browser without ${missing} keeps the form that works without script`, async (t) => {
    const server = await sharedServer();
    const page = await openPage(t);
    await page.addInitScript(`delete ${missing}`);
    await page.goto(`${server.url}/contact`, { waitUntil: "networkidle" });
    await fill(page, contactLabels);
    // A script would post without loading a page.
    await Promise.all([
      page.waitForEvent("load"),
      page.getByRole("button", { name: "Send the message" }).click(),
    ]);
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
  });
}

test("a contact form whose island throws keeps what was typed, to be sent without script", async (t) => {
  const { page } = await openContact(t, /broken on purpose/);
  await fill(page, contactLabels);
  await breakRendering(page);
  const send = page.getByRole("button", { name: "Send the message" });
  await send.click();
  await page.waitForFunction(() => {
    const form = document.querySelector("form");
    return form && !Object.keys(form).some((key) => key.startsWith("__reactFiber"));
  });
  for (const [label, text] of Object.entries(contactLabels))
    assert.equal(await page.getByLabel(label).inputValue(), text, label);
  await page.locator(".text-form button[type=submit]").click();
  await page.getByRole("heading", { name: "Thank you. Your message is with us." }).waitFor();
});

test("an upload form whose island throws keeps what was chosen, to be sent without script", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, {}, /broken on purpose/);
  await openDemo(page, server);
  await chooseAll(page);
  await processButton(page).click();
  await fillContact(page);
  await breakRendering(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator("dialog.contact-details[open]:not(:modal)").waitFor();
  const name = page.locator("#demo").getByLabel("Full name *");
  assert.equal(await name.inputValue(), contact.name);
  await page.getByRole("button", { name: "Process with AI" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  assert.match(page.url(), /received=/);
});

test("an island that throws while it hydrates leaves the form that works without script", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, {}, /broken on purpose/);
  await page.goto(server.url, { waitUntil: "networkidle" });
  await breakRendering(page);
  const thrown = page.waitForEvent("pageerror");
  await page.locator(".upload-form").scrollIntoViewIfNeeded();
  await thrown;
  await page.locator("#demo dialog[open]").waitFor();
  await chooseAll(page);
  await fillContact(page);
  await page.getByRole("button", { name: "Process with AI" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  await page.getByText("learner-02.pdf").waitFor();
});

for (const form of formPages.filter(({ name }) => /contact|upload/.test(name))) {
  test(`if two posts by script get no answer, the ${form.name} form offers to be sent without script`, async (t) =>
    sendWithoutScript(t, await sharedServer(), form));
}

/** Drops a folder on the form, and chooses files with the wrong content in it. */
const walkThroughFiles = once(async () => {
  const server = await sharedServer();
  const page = await openPage(wholeFile);
  const folder = path.join(newFolder(wholeFile), "10A");
  mkdirSync(path.join(folder, "second half", ".hidden"), { recursive: true });
  for (const name of [
    ".DS_Store",
    "1 Anna.txt",
    "second half/2 Ben.txt",
    "second half/.hidden/3.txt",
  ]) {
    writeFileSync(path.join(folder, name), name);
  }
  await openDemo(page, server);
  const picker = page.locator('.file-picker:has([name="submissionFiles"])');
  await picker.scrollIntoViewIfNeeded();
  const box = (await picker.boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  await session.send("Input.dispatchDragEvent", { type: "dragEnter", ...at, data });
  await session.send("Input.dispatchDragEvent", { type: "dragOver", ...at, data });
  await page.locator(".file-picker.dropping").waitFor();
  await session.send("Input.dispatchDragEvent", { type: "drop", ...at, data });
  const names = page.locator(".chosen .file-name");
  await names.nth(1).waitFor();
  const dropped = await names.allTextContents();

  const submissions = page.locator("#demo").getByLabel("Learners’ submissions *");
  const takenAfter: string[][] = [];
  for (const [name, buffer, reason] of wrongFiles) {
    await submissions.setInputFiles([
      { name, mimeType: "application/octet-stream", buffer },
      txtFile(`good ${name}.txt`),
    ]);
    await page.getByText(`${name}: ${reason}`).waitFor();
    takenAfter.push(await names.allTextContents());
  }

  const rubric = page.locator("#demo").getByLabel("Rubric *");
  await rubric.setInputFiles(txtFile("memo.txt"));
  const mimeType = "application/pdf";
  await rubric.setInputFiles([{ name: "new memo.pdf", mimeType, buffer: Buffer.from("MZ\x90\0") }]);
  await page.getByText("new memo.pdf: This is not a PDF file").waitFor();
  const kept = await rubric.evaluate((input: HTMLInputElement) => input.files![0]!.name);
  return { dropped, takenAfter, kept };
});

const wrongFiles = [
  ["a.pdf", Buffer.from("MZ\x90\0"), "This is not a PDF file"],
  ["a.doc", Buffer.from("PK\x03\x04"), "This is not a DOC file"],
  ["a.docx", pdf(), "This is not a DOCX file"],
  ["a.txt", Buffer.from("MZ\x90\0\x03\0\0\0", "latin1"), "This is not plain text"],
] as const;

test("a dropped folder gives all files in it that are not hidden", async () =>
  assert.deepEqual((await walkThroughFiles()).dropped, ["1 Anna.txt", "2 Ben.txt"]));

test("a file with the wrong content is rejected when it is chosen", async () => {
  const { dropped, takenAfter } = await walkThroughFiles();
  const good = wrongFiles.map(([name]) => `good ${name}.txt`);
  assert.deepEqual(
    takenAfter,
    good.map((_, index) => [...dropped, ...good.slice(0, index + 1)]),
  );
});

test("a rejected file leaves the file that was chosen before it", async () =>
  assert.equal((await walkThroughFiles()).kept, "memo.txt"));
