/** Choosing files, above all on a phone. */
import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, openPage, violations } from "../support/browser.ts";
import { chooseAll, openDemo, pdfFile } from "../support/demo-form.ts";
import { onDisk, readyToSend, sendFiles, submissions } from "../support/resumed-upload.ts";
import { sharedServer } from "../support/server.ts";
import { maxFileBytes, txt } from "../support/upload.ts";

after(closeBrowser);

const phone = { viewport: { width: 360, height: 740 } };

/** Drops made-up files on an element. */
async function drop(page: Page, selector: string, files: { name: string; size: number }[]) {
  const dataTransfer = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer();
    for (const { name, size } of list) {
      transfer.items.add(new File(["%PDF-", new Uint8Array(size - 5)], name));
    }
    return transfer;
  }, files);
  await page.locator(selector).dispatchEvent("dragenter", { dataTransfer });
  await page.locator(selector).dispatchEvent("drop", { dataTransfer });
}

const submissionsPicker = ".file-picker:has(#submissionFiles)";

/** Chooses 35 submissions, beside the other files, and returns their picker and the line into which they fold. */
async function choose35(t: TestContext) {
  const page = await openPage(t, phone);
  await openDemo(page, await sharedServer());
  await chooseAll(page, onDisk(t, submissions(35, 1_200_000)));
  const picker = page.locator(submissionsPicker);
  const fold = picker.locator("summary", { hasText: "35 files, 41 MB" });
  await fold.waitFor();
  return { page, picker, fold };
}

test("35 files fold into one line, with the time that they take to send", async (t) => {
  const { page, picker, fold } = await choose35(t);
  assert.equal(await picker.getByRole("listitem").filter({ visible: true }).count(), 0);
  await page.getByText("37 files, 41 MB to send in all: about 4 minutes on 3G.").waitFor();
  await fold.click();
  await picker.getByRole("button", { name: "Remove learner-35.pdf" }).waitFor();
});

test("the button stays within reach above an open list of 35 files", async (t) => {
  const { page, fold } = await choose35(t);
  await fold.click();
  // From the first picker, with the open list between it and the button's own place.
  await page.locator("#questionsFile").scrollIntoViewIfNeeded();
  const button = page.getByRole("button", { name: "Process with AI" });
  const box = (await button.boundingBox())!;
  assert.ok(box.y > 0 && box.y + box.height <= 740, JSON.stringify(box));
  assert.deepEqual(await violations(page), []);
  await button.click();
  await page.getByRole("dialog").waitFor();
});

test("the rest of the advice on files is one tap away, without script", async (t) => {
  const page = await openPage(t, { ...phone, javaScriptEnabled: false });
  await page.goto((await sharedServer()).url);
  const advice = page.locator("#demo .advice");
  await advice.getByText("First remove learners’ names").waitFor();
  const rest = advice.getByText("A number in place of a name is enough for us.");
  assert.equal(await rest.isVisible(), false);
  await advice.locator("summary").click();
  await rest.waitFor();
});

test("a picker links to the guide to photographing scripts", async (t) => {
  const { url } = await sharedServer();
  const page = await openPage(t, phone);
  await page.goto(url);
  await page.locator(submissionsPicker).getByRole("link", { name: "how to do it" }).click();
  await page.locator("#the-photograph-in-six-steps").waitFor();
});

test("a drop with an oversized file offers the others", async (t) => {
  const page = await openPage(t);
  await openDemo(page, await sharedServer());
  await drop(page, submissionsPicker, [
    { name: "scan-01.pdf", size: 1000 },
    { name: "scan-07.pdf", size: Math.round(3.4 * 1_048_576) },
    { name: "scan-02.PDF", size: maxFileBytes },
  ]);
  const picker = page.locator(submissionsPicker);
  await picker.getByText("File size too large: scan-07.pdf").waitFor();
  await picker
    .getByText("scan-07.pdf is 3.4 MB; the limit is 2 MB. Scan in grey at 200 dpi, or at 150")
    .waitFor();
  assert.equal(await picker.getByRole("listitem").count(), 0);
  await picker.getByRole("button", { name: "Take the other 2" }).click();
  // The form checks what is in the files before it lists them.
  await picker.getByRole("listitem").nth(1).waitFor();
  assert.equal(await picker.getByRole("listitem").count(), 2);
  assert.equal(await picker.getByText("File size too large").count(), 0);
});

test("a dropped file of another type is rejected, and those that were chosen stay", async (t) => {
  const page = await openPage(t);
  await openDemo(page, await sharedServer());
  await page.locator("#submissionFiles").setInputFiles(pdfFile("good.pdf"));
  await drop(page, submissionsPicker, [{ name: "essay.odt", size: 10 }]);
  const picker = page.locator(submissionsPicker);
  const wrongType = "Invalid file type: Please upload PDF, DOC, DOCX, or TXT files only.";
  await picker.getByText(wrongType).waitFor();
  assert.deepEqual(await picker.locator(".file-name").allTextContents(), ["good.pdf"]);
});

test("files dropped anywhere in the section are taken once the visitor says what they are", async (t) => {
  const page = await openPage(t);
  await openDemo(page, await sharedServer());
  await drop(page, "#demo-title", [
    { name: "one.pdf", size: 10 },
    { name: "two.pdf", size: 10 },
  ]);
  const question = page.getByRole("dialog", { name: "What is this: 2 files?" });
  await question.waitFor();
  assert.deepEqual(await violations(page), []);
  await question.getByRole("button", { name: "Learners’ submissions" }).click();
  await page.locator(submissionsPicker).getByText("two.pdf").waitFor();
});

test("Escape leaves out a file that was dropped in the section", async (t) => {
  const page = await openPage(t);
  await openDemo(page, await sharedServer());
  await drop(page, "#demo .advice", [{ name: "rubric.pdf", size: 10 }]);
  await page.getByRole("dialog", { name: "What is this: rubric.pdf?" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.equal(await page.getByText("rubric.pdf").count(), 0);
});

for (const [action, act] of [
  // Choosing the same file in the browser's dialog fires no change event.
  [
    "opening the browser's dialog",
    async (page: Page) => {
      const chooser = page.waitForEvent("filechooser");
      await page.locator("#questionsFile").click();
      await chooser;
    },
  ],
  [
    "choosing another file",
    (page: Page) => page.locator("#rubricFile").setInputFiles(pdfFile("rubric.pdf")),
  ],
] as const) {
  test(`${action} takes the error of a drop from beside a good file`, async (t) => {
    const page = await openPage(t);
    await openDemo(page, await sharedServer());
    await page.locator("#questionsFile").setInputFiles(pdfFile("questions.pdf"));
    const picker = ".file-picker:has(#questionsFile)";
    await drop(page, picker, [
      { name: "one.pdf", size: 10 },
      { name: "two.pdf", size: 10 },
    ]);
    const error = page.getByText("Please choose one file only");
    await error.waitFor();
    await act(page);
    await error.waitFor({ state: "detached" });
    await page.locator(picker).getByText("questions.pdf").waitFor();
  });
}

/** Sends an upload, and returns the page with its receipt. */
async function openReceipt(t: TestContext) {
  const page = await openPage(t, { permissions: ["clipboard-read", "clipboard-write"] });
  await readyToSend(page, (await sharedServer()).url, submissions(1, 1000));
  await sendFiles(page);
  return { page, reference: page.locator(".reference") };
}

test("the reference can be copied, also after a reload", async (t) => {
  const { page, reference } = await openReceipt(t);
  for (const state of ["new", "reloaded"]) {
    await page.getByRole("button", { name: "Copy the reference" }).click();
    await page.getByText("Copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await reference.textContent(), state);
    await page.evaluate(() => navigator.clipboard.writeText("something else"));
    await page.reload();
  }
});

test("the reference can be copied without TLS, where the browser has no clipboard", async (t) => {
  const { page, reference } = await openReceipt(t);
  await reference.waitFor();
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", {}));
  await page.reload();
  await page.getByRole("button", { name: "Copy the reference" }).click();
  await page.getByText("Copied").waitFor();
});

test("the reference has the style by which a click selects it whole", async (t) => {
  const { reference } = await openReceipt(t);
  const selected = await reference.evaluate((element) => getComputedStyle(element).userSelect);
  assert.equal(selected, "all");
});

test("a file that the server rejects among many is named outside the folded list", async (t) => {
  const page = await openPage(t, phone, /status of 422/);
  const files = submissions(8, 1000);
  const { url } = await sharedServer();
  await readyToSend(page, url, files.with(4, { ...files[4]!, buffer: txt("%PDF-1.7 cut") }));
  await sendFiles(page);
  const picker = page.locator(submissionsPicker);
  await picker.getByRole("button", { name: "Remove learner-05.pdf" }).waitFor();
  assert.equal(await picker.getByRole("listitem").filter({ visible: true }).count(), 1);
});
