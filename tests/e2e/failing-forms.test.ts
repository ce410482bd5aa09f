/** Forms when something fails that is no fault of the visitor: script, the way to the API, or the choice of files. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, openPage } from "../support/browser.ts";
import { contactLabels, fill, txtFile, waitForHydration } from "../support/browser-forms.ts";
import { openDemo } from "../support/demo-form.ts";
import { formPages, sendWithoutScript } from "../support/form-pages.ts";
import { newFolder, sharedServer, until } from "../support/server.ts";
import { contact, pdf } from "../support/upload.ts";

after(closeBrowser);

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

test("a browser without what the islands need keeps the form that works without script", async (t) => {
  const server = await sharedServer();
  for (const script of [
    "delete Array.prototype.at",
    "delete HTMLDialogElement.prototype.showModal",
  ]) {
    const page = await openPage(t);
    await page.addInitScript(script);
    await page.goto(server.url, { waitUntil: "networkidle" });
    await page.locator(".upload-form").scrollIntoViewIfNeeded();
    await chooseFiles(page);
    await fill(page.locator("#demo"), texts);
    await page.locator("#mayShare").check();
    await page.getByRole("button", { name: "Process with AI" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
  }
});

test("a contact form whose island throws keeps what was typed, to be sent without script", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, {}, /broken on purpose/);
  await page.goto(`${server.url}/contact`);
  await waitForHydration(page);
  await fill(page, contactLabels);
  await breakRendering(page);
  const send = page.getByRole("button", { name: "Send the message" });
  await send.click();
  await page.waitForFunction(() => {
    const form = document.querySelector("form");
    return form && !Object.keys(form).some((key) => key.startsWith("__reactFiber"));
  });
  for (const [label, text] of Object.entries(contactLabels))
    assert.equal(await page.getByLabel(label).inputValue(), text);
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
  const rubric = page.locator("#demo").getByLabel("Rubric *");
  await rubric.setInputFiles(txtFile("memo.txt"));
  await rubric.setInputFiles([{ name: "new memo.pdf", mimeType, buffer: Buffer.from("MZ\x90\0") }]);
  await page.getByText("new memo.pdf: This is not a PDF file").waitFor();
  const kept = await rubric.evaluate((input: HTMLInputElement) => input.files![0]!.name);
  assert.equal(kept, "memo.txt", "the one before it");
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

test("F8 leads to the region of notices before there has been one, which covers nothing", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  await page.goto(`${server.url}/contact`);
  await waitForHydration(page);
  // The form may not listen yet.
  await until(async () => {
    await page.keyboard.press("F8");
    return page.evaluate(() => document.activeElement?.className === "toasts");
  });
  assert.equal((await page.locator(".toasts").boundingBox())?.height, 0);
});
