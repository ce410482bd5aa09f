import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
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
import { openDemo, waitForHydration as waitForUploadForm } from "../support/demo-form.ts";
import { formPages, sendWithoutScript } from "../support/form-pages.ts";
import { contactTyped } from "../support/forms.ts";
import { newFolder, query, sharedServer, until } from "../support/server.ts";
import { contact, pdf } from "../support/upload.ts";

after(closeBrowser);

async function openContact(t: TestContext, tolerate?: RegExp) {
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

test("a contact message ends in a receipt that can be reloaded", async (t) => {
  const { server, page } = await openContact(t);
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

for (const [trouble, status] of [
  ["finds no server", undefined],
  ["meets an error of the server", 500],
] as const) {
  test(`a contact message that ${trouble} can be sent again as it was typed`, async (t) => {
    const { server, page } = await openContact(t, /status of 500|ERR_/);
    await fill(page, contactLabels);
    await page.route(
      "**/api/contact",
      (route) => (status ? route.fulfill({ status }) : route.abort()),
      { times: 1 },
    );
    const send = page.getByRole("button", { name: "Send the message" });
    await send.click();
    const failed = "Failed to send message. Please try again.";
    await toastsOn(page).getByText(failed).waitFor();
    await page.locator("form").getByText(`Error - ${failed}`).waitFor();
    await send.click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    const reference = await page.locator(".reference").textContent();
    const stored = `SELECT message FROM contact_requests WHERE reference = '${reference}'`;
    assert.deepEqual(query(server.databaseFile, stored), [{ message: contactTyped.message }]);
  });
}

test("a form that comes back with an empty line before its message has its script", async (t) => {
  const { page } = await openContact(t, /status of 422/);
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
  await waitForUploadForm(page);
  const generate = page.getByRole("button", { name: "Generate Smart Rubric" });
  return { server, page, generate };
}

test("a rubric request asks for both files before anything else", async (t) => {
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
  await page.getByRole("dialog").waitFor();
});

async function openRubricDialog(t: TestContext, choose = chooseRubricFiles) {
  const { server, page, generate } = await openRubric(t);
  await choose(page);
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

/** Sends a rubric request, whose confirmation and toast stay while time stands still in the page. */
async function sendRubric(t: TestContext, choose = chooseRubricFiles) {
  const { server, page, dialog, request } = await openRubricDialog(t, choose);
  await dialog.getByText("Our team will contact you within 24-48 hours").waitFor();
  await fill(page, rubricLabels);
  await page.clock.pauseAt(Date.now() + 60_000);
  await request.click();
  await dialog.getByText("Your request is with us.").waitFor();
  const receipt = page.getByRole("heading", { name: "Thank you. Your rubric is with us." });
  return { server, page, dialog, receipt };
}

test("a rubric request is confirmed for three seconds, then by its receipt, beside one notice", async (t) => {
  const { page, dialog, receipt } = await sendRubric(t);
  await toastsOn(page).getByText("Smart Rubric Request Submitted").waitFor();
  await page.clock.runFor(2900);
  assert.ok(await dialog.isVisible(), "the confirmation stays for 3 seconds");
  await page.clock.runFor(200);
  await dialog.waitFor({ state: "detached" });
  await receipt.waitFor();
  assert.equal(await toastsOn(page).getByRole("button", { name: "Close" }).count(), 1);
});

test("the receipt of a rubric request can be reloaded", async (t) => {
  const { server, page, receipt } = await sendRubric(t);
  await page.clock.runFor(3000);
  await page.waitForURL(/received=/);
  await page.reload();
  await receipt.waitFor();
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

test("after a rubric request the form is empty", async (t) => {
  const { page, receipt } = await sendRubric(t);
  await page.clock.runFor(3000);
  await receipt.waitFor();
  assert.equal(await page.locator(".chosen").count(), 0);
  await chooseRubricFiles(page);
  await page.getByRole("button", { name: "Generate Smart Rubric" }).click();
  for (const label of Object.keys(rubricLabels)) {
    assert.equal(await page.getByLabel(label).inputValue(), "", label);
  }
});

test("the same files can be chosen for a second rubric request, and have to be sent again", async (t) => {
  // Only a file on the disk is the same when it is chosen again.
  const folder = newFolder(t);
  for (const file of Object.values(rubricFiles)) writeFileSync(path.join(folder, file), file);
  const choose = async (page: Page) => {
    for (const [label, file] of Object.entries(rubricFiles)) {
      await page.getByLabel(label).setInputFiles(path.join(folder, file));
    }
  };
  const { page, receipt } = await sendRubric(t, choose);
  await page.clock.runFor(3000);
  await receipt.waitFor();
  await choose(page);
  await page.locator("#files-summary", { hasText: /^2 files, .* to send/ }).waitFor();
  assert.equal(await page.locator(".chosen").count(), 2);
  assert.equal(await page.locator(".chosen", { hasText: "received" }).count(), 0);
});

// Forms when something fails that is no fault of the visitor: script, the way to the API, or the choice of files.

const texts = {
  "Full name *": contact.name,
  "Email address *": contact.email,
  "Contact number *": contact.phone,
};

async function chooseFiles(page: Page, submissions = [txtFile("learner.txt")]) {
  const demo = page.locator("#demo");
  await demo.getByLabel("Questions *").setInputFiles(txtFile("questions.txt"));
  await demo.getByLabel("Rubric *").setInputFiles(txtFile("rubric.txt"));
  await demo.getByLabel("Learners’ submissions *").setInputFiles(submissions);
}

async function openDialog(page: Page, submissions = [txtFile("learner.txt")]) {
  await chooseFiles(page, submissions);
  await page.getByRole("button", { name: "Process with AI" }).click();
  await page.locator(".contact-details:modal").waitFor();
  await fill(page.locator("#demo dialog"), texts);
  await page.locator("#mayShare").check();
}

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
    await page.goto(server.url, { waitUntil: "networkidle" });
    await page.locator(".upload-form").scrollIntoViewIfNeeded();
    await chooseFiles(page);
    await fill(page.locator("#demo"), texts);
    await page.locator("#mayShare").check();
    await page.getByRole("button", { name: "Process with AI" }).click();
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
  await openDialog(page);
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
  await chooseFiles(page);
  await fill(page.locator("#demo"), texts);
  await page.locator("#mayShare").check();
  await page.getByRole("button", { name: "Process with AI" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  await page.getByText("learner.txt").waitFor();
});

for (const form of formPages.filter(({ name }) => /contact|upload/.test(name))) {
  test(`if posts by script get no answer twice, the ${form.name} form offers to be sent without script`, async (t) =>
    sendWithoutScript(t, await sharedServer(), form));
}

test("a dropped folder gives all files in it that are not hidden", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  const folder = path.join(newFolder(t), "10A");
  mkdirSync(path.join(folder, "second half", ".hidden"), { recursive: true });
  for (const name of [
    ".DS_Store",
    "1 Anna.txt",
    "second half/2 Ben.txt",
    "second half/.hidden/3.txt",
  ]) {
    writeFileSync(path.join(folder, name), name);
  }
  await page.goto(server.url);
  const picker = page.locator('.file-picker:has([name="submissionFiles"])');
  await picker.scrollIntoViewIfNeeded();
  await page.locator('#process[aria-disabled="true"]').waitFor();
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
  assert.deepEqual(await names.allTextContents(), ["1 Anna.txt", "2 Ben.txt"]);
});

test("a file with the wrong content is rejected when it is chosen", async (t) => {
  const page = await openPage(t);
  await openDemo(page, await sharedServer());
  const mimeType = "application/octet-stream";
  const submissions = page.locator("#demo").getByLabel("Learners’ submissions *");
  const taken: string[] = [];
  for (const [name, buffer, message] of [
    ["a.pdf", Buffer.from("MZ\x90\0"), "a.pdf: This is not a PDF file"],
    ["a.doc", Buffer.from("PK\x03\x04"), "a.doc: This is not a DOC file"],
    ["a.docx", pdf(), "a.docx: This is not a DOCX file"],
    ["a.txt", Buffer.from("MZ\x90\0\x03\0\0\0", "latin1"), "a.txt: This is not plain text"],
  ] as const) {
    await submissions.setInputFiles([{ name, mimeType, buffer }, txtFile(`good ${name}.txt`)]);
    await page.getByText(message).waitFor();
    taken.push(`good ${name}.txt`);
    assert.deepEqual(await page.locator(".chosen .file-name").allTextContents(), taken);
  }
});

test("a rejected file leaves the file that was chosen before it", async (t) => {
  const page = await openPage(t);
  await openDemo(page, await sharedServer());
  const rubric = page.locator("#demo").getByLabel("Rubric *");
  await rubric.setInputFiles(txtFile("memo.txt"));
  const mimeType = "application/pdf";
  await rubric.setInputFiles([{ name: "new memo.pdf", mimeType, buffer: Buffer.from("MZ\x90\0") }]);
  await page.getByText("new memo.pdf: This is not a PDF file").waitFor();
  const kept = await rubric.evaluate((input: HTMLInputElement) => input.files![0]!.name);
  assert.equal(kept, "memo.txt");
});

test("the receipt names files as they are stored", async (t) => {
  const page = await openPage(t);
  await openDemo(page, await sharedServer());
  await openDialog(page, [txtFile("semi;colon \\back.txt"), txtFile("\u202Eabc.txt")]);
  await page.getByRole("button", { name: "Send the files" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  const names = () => page.locator(".thank-you .file-name").allTextContents();
  const atOnce = await names();
  assert.ok(atOnce.includes("semi;colon _back.txt"), JSON.stringify(atOnce));
  assert.ok(atOnce.includes("abc.txt"), JSON.stringify(atOnce));
  await page.reload();
  // The list may follow the heading.
  await page.locator(".thank-you .file-name").first().waitFor({ state: "attached" });
  assert.deepEqual(await names(), atOnce);
});

const hasToastsFocused = (page: Page) =>
  page.evaluate(() => document.activeElement?.className === "toasts");

test("F8 leads to the region of notices, which covers nothing while it is empty", async (t) => {
  const { page } = await openContact(t);
  // The form may not listen yet.
  await until(async () => {
    await page.keyboard.press("F8");
    return hasToastsFocused(page);
  });
  assert.equal((await page.locator(".toasts").boundingBox())!.height, 0);
});

test("F8 leads from a field to a notice", async (t) => {
  const { page } = await openContact(t, /status of 500/);
  await fill(page, contactLabels);
  await page.route("**/api/contact", (route) => route.fulfill({ status: 500 }));
  await page.getByRole("button", { name: "Send the message" }).click();
  await toastsOn(page).getByText("Error", { exact: true }).waitFor();
  await page.getByLabel("Message *").focus();
  await page.keyboard.press("F8");
  assert.ok(await hasToastsFocused(page));
});
