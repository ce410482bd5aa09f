import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, type TestContext, test } from "node:test";
import { closeBrowser, openPage } from "../../support/browser.ts";
import {
  chooseRubricFiles,
  contactLabels,
  fill,
  focusedText,
  rubricLabels,
  waitForHydration,
} from "../../support/browser-forms.ts";
import { demoTyped, rubricTyped } from "../../support/forms.ts";
import { readyToSend, sendFiles, submissions } from "../../support/resumed-upload.ts";
import { newFolder, query, sharedServer, startServer, until } from "../../support/server.ts";
import { sha256 } from "../../support/upload.ts";

after(closeBrowser);

/** Sends a message that the server cannot store, which opens a toast; time stands still in the page. */
async function openToast(t: TestContext) {
  const server = await sharedServer();
  const page = await openPage(t, {}, /status of 500/);
  await page.clock.install();
  await page.goto(`${server.url}/contact`);
  await waitForHydration(page);
  await page.route("**/api/contact", (route) => route.fulfill({ status: 500 }));
  const send = page.getByRole("button", { name: "Send the message" });
  // Once rejected, the form is validated and rendered again with every keystroke.
  await send.click();
  await page.locator("[aria-invalid=true]").first().waitFor();
  await fill(page, contactLabels);
  await page.clock.pauseAt(Date.now() + 60_000);
  await send.click();
  const toast = page.locator(".toast");
  await toast.waitFor();
  const message = page.getByLabel("Message *");
  await message.focus();
  return { page, toast };
}

test("a toast closes after five seconds, also while typing", async (t) => {
  const { page, toast } = await openToast(t);
  for (let second = 1; second < 5; second += 1) {
    await page.keyboard.type("m");
    await page.clock.runFor(1000);
    assert.ok(await toast.isVisible(), `after ${second} seconds`);
  }
  await page.keyboard.type("m");
  await page.clock.runFor(1100);
  await toast.waitFor({ state: "detached" });
});

test("a toast that is closed by keyboard returns the focus", async (t) => {
  const { page, toast } = await openToast(t);
  await page.keyboard.press("F8");
  await page.keyboard.press("Tab");
  assert.equal(await focusedText(page), "Close");
  await page.keyboard.press("Enter");
  await toast.waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement?.id), "contact-message");
});

test("a toast closes when it is let go 50 px or more to the right", async (t) => {
  const { page, toast } = await openToast(t);
  const { x, y } = (await toast.boundingBox())!;
  for (const [distance, isClosed] of [
    [49, false],
    [50, true],
  ] as const) {
    await page.mouse.move(x + 100, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + 100 + distance, y + 20, { steps: 5 });
    await page.clock.runFor(10_000);
    assert.equal((await toast.boundingBox())!.x, x + distance);
    await page.mouse.up();
    if (isClosed) await toast.waitFor({ state: "detached" });
    else await until(async () => (await toast.boundingBox())!.x === x);
  }
});

test("a demo request that fails shows the server’s reason", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, {}, /status of 503/);
  await page.goto(`${server.url}/demo`);
  await waitForHydration(page);
  for (const [field, text] of Object.entries(demoTyped)) {
    await page.locator(`#${field}`).fill(text);
  }
  const error = "We cannot store anything at the moment.";
  const json = { error, code: "unavailable", fields: {} };
  await page.route("**/api/demo-request", (route) => route.fulfill({ status: 503, json }));
  await page.getByRole("button", { name: "Request a demo" }).click();
  const toast = page.locator(".toast");
  await toast.getByText("Submission Failed").waitFor();
  await toast.getByText(error).waitFor();
});

test("without JavaScript the modal’s fields are below the pickers of the same form, which can be sent", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, { javaScriptEnabled: false });
  await page.goto(`${server.url}/latest-feature`);
  await chooseRubricFiles(page);
  await fill(page, rubricLabels);
  const generate = page.getByRole("button", { name: "Generate Smart Rubric" });
  assert.equal(await generate.getAttribute("aria-disabled"), null);
  const isBelow = await page.locator(".upload-form").evaluate((form) => {
    const [pickers, field] = [
      form.querySelectorAll(".file-picker"),
      form.querySelector("#fullName"),
    ];
    const ends = [...pickers].map((picker) => picker.getBoundingClientRect().bottom);
    return field!.getBoundingClientRect().top > Math.max(...ends);
  });
  assert.ok(isBelow);
  await generate.click();
  await page.getByRole("heading", { name: "Thank you. Your rubric is with us." }).waitFor();
  await page.getByText("questions.txt").waitFor();
});

test("without JavaScript, a reload sends files again that were sent too often", async (t) => {
  const limit = { RUBRICON_UPLOADS_PER_10_MINUTES: "1" };
  const server = await startServer(t, { env: limit });
  const page = await openPage(t, { javaScriptEnabled: false }, /status of 4(22|29)/);
  await page.goto(`${server.url}/latest-feature`);
  const send = page.locator('form[action="/latest-feature"] button[type="submit"]').last();
  await send.click();
  await page.locator(".problem-summary").waitFor();
  // The page that came back may not be cached: going back to it would lose what is typed now.
  await fill(page, rubricLabels);
  // Files on a disk: Chromium cannot send those again that Playwright makes up.
  const file = path.join(newFolder(t), "a.txt");
  writeFileSync(file, "1.1 two marks for the definition");
  await page.getByLabel("Assessment Questions *").setInputFiles(file);
  await page.getByLabel("Grading Rubric *").setInputFiles(file);
  await send.click();
  await page.getByRole("heading", { name: "Please wait before you send this" }).waitFor();
  // A restart forgets the counts, as ten minutes do.
  await server.stop();
  const env = { ...limit, PORT: new URL(server.url).port };
  await startServer(t, { folder: server.folder, env });
  await page.reload();
  await page.waitForURL(/received=/);
  const improvements = "SELECT expected_improvements FROM rubric_requests";
  assert.deepEqual(query(server.databaseFile, improvements), [
    { expected_improvements: rubricTyped.expectedImprovements },
  ]);
  const files = query(server.databaseFile, "SELECT name, sha256 FROM uploaded_files");
  const sent = { name: "a.txt", sha256: sha256(readFileSync(file)) };
  assert.deepEqual(files, [sent, sent]);
});

for (const [name, viewport, javaScriptEnabled] of [
  ["phone", { width: 360, height: 640 }, false],
  ["desktop", { width: 1280, height: 800 }, true],
] as const) {
  const where = `on a ${name} ${javaScriptEnabled ? "with" : "without"} script`;

  /** Sends a message from home; returns the page, and the reference of its receipt. */
  const sendFromHome = async (t: TestContext) => {
    const server = await sharedServer();
    const page = await openPage(t, { viewport, javaScriptEnabled });
    await page.goto(`${server.url}/#contact`);
    if (javaScriptEnabled) await waitForHydration(page);
    const section = page.locator("#contact");
    await fill(section, contactLabels);
    await section.getByRole("button", { name: "Send the message" }).click();
    const reference = page.locator(".reference");
    await reference.waitFor();
    return { server, page, reference };
  };

  test(`a message on home asks for a demo ${where}`, async (t) => {
    const { server, reference } = await sendFromHome(t);
    const type = `SELECT request_type FROM inbox WHERE reference = '${await reference.textContent()}'`;
    assert.deepEqual(query(server.databaseFile, type), [{ request_type: "demo" }]);
  });

  test(`the receipt of a message on home stays in view at a reload ${where}`, async (t) => {
    const { page, reference } = await sendFromHome(t);
    await page.waitForURL(/received=/);
    for (const _ of [1, 2]) {
      await page.reload();
      await until(async () => {
        const { y = -1, height = 0 } = (await reference.boundingBox()) ?? {};
        return y >= 0 && y + height <= viewport.height;
      });
    }
  });
}

/** Opens a page with a button that has a tooltip; time stands still in the page unless the test lets it pass. */
async function openTooltip(t: TestContext) {
  const server = await sharedServer();
  const page = await openPage(t);
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
  return { page, generate, tooltip, expectShown };
}

test("the tooltip opens 4 px above its button after 700 ms", async (t) => {
  const { generate, tooltip, expectShown } = await openTooltip(t);
  await generate.hover();
  await expectShown(false, 690);
  await expectShown(true, 20);
  const [button, box] = [await generate.boundingBox(), await tooltip.boundingBox()];
  assert.equal(Math.round(button!.y - box!.y - box!.height), 4);
});

test("the tooltip opens at once within 300 ms after it closed, and not later", async (t) => {
  const { page, generate, expectShown } = await openTooltip(t);
  await generate.hover();
  await expectShown(true, 710);
  await page.mouse.move(0, 0);
  await expectShown(false, 290);
  await generate.hover();
  await expectShown(true, 1);
  await page.mouse.move(0, 0);
  await expectShown(false, 310);
  await generate.hover();
  await expectShown(false, 350);
});

test("Escape closes the tooltip while the pointer stays", async (t) => {
  const { page, generate, expectShown } = await openTooltip(t);
  await generate.hover();
  await expectShown(true, 710);
  await page.keyboard.press("Escape");
  await expectShown(false, 900);
});

test("the tooltip opens at once when its button is reached by keyboard", async (t) => {
  const { page, generate, expectShown } = await openTooltip(t);
  await page.keyboard.press("Tab");
  await generate.focus();
  await expectShown(true, 1);
});

async function openTestForms(t: TestContext) {
  const server = await sharedServer();
  const page = await openPage(t, {}, /status of 500/);
  await page.goto(`${server.url}/test-forms`);
  await waitForHydration(page);
  const run = page.getByRole("button", { name: "Run this test" });
  return { server, page, forms: page.locator(".tests > li"), run };
}

test("with JavaScript each test of the test page is stored as one, and shows message, id and time", async (t) => {
  const { server, forms, run } = await openTestForms(t);
  assert.equal(await forms.count(), 5);
  for (const form of await forms.all()) {
    await form.locator(run).click();
    await form.getByText("SUCCESS").waitFor();
    const terms = await form.locator("dt").allTextContents();
    assert.deepEqual(terms, ["Result", "Message", "Id", "Time"]);
  }
  assert.deepEqual(query(server.databaseFile, "SELECT count(*) AS n FROM inbox WHERE is_test"), [
    { n: 4 },
  ]);
});

test("with JavaScript the test page shows the error of an endpoint", async (t) => {
  const { page, forms, run } = await openTestForms(t);
  await page.route("**/api/contact?*", (route) => route.fulfill({ status: 500, body: "" }));
  const form = forms.first();
  await form.locator(run).click();
  await form.getByText("ERROR", { exact: true }).waitFor();
  await form.getByText("500: Internal Server Error").waitFor();
});

/** Opens a page of a server that takes a form as quick as a program's only after a second press of Send. */
async function openWithSpamLimit(t: TestContext) {
  const server = await startServer(t, { env: { RUBRICON_SPAM_SECONDS: "3600" } });
  const page = await openPage(t, {}, /status of 422/);
  const asks = page.getByRole("alert").getByText("please press Send once more");
  const countTaken = () =>
    query(server.databaseFile, "SELECT * FROM contact_requests WHERE spam IS NULL").length;
  return { server, page, asks, countTaken };
}

test("a message that came faster than people type is taken when Send is pressed again", async (t) => {
  const { server, page, asks, countTaken } = await openWithSpamLimit(t);
  await page.goto(`${server.url}/contact`);
  await waitForHydration(page);
  await fill(page, contactLabels);
  const send = page.getByRole("button", { name: "Send the message" });
  await send.click();
  await asks.waitFor();
  await send.click();
  await page.getByRole("heading", { name: "Thank you. Your message is with us." }).waitFor();
  assert.equal(countTaken(), 1);
});

test("files that came faster than people choose are taken when Send is pressed again", async (t) => {
  const { server, page, asks, countTaken } = await openWithSpamLimit(t);
  await readyToSend(page, server.url, submissions(2, 1000));
  await sendFiles(page);
  await asks.waitFor();
  await sendFiles(page);
  await page.getByRole("heading", { name: "Thank you. Your files are with us." }).waitFor();
  assert.equal(countTaken(), 1);
});

test("subscribing again shows the same toast and receipt, and stores nothing more", async (t) => {
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
  const stored = "SELECT 1 FROM subscriptions WHERE email = 'thandi@school.example'";
  assert.equal(query(server.databaseFile, stored).length, 1);
});
