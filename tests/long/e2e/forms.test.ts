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
import { contactTyped, demoTyped, rubricTyped } from "../../support/forms.ts";
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

test("a demo request can be sent by keyboard alone", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t);
  await page.goto(`${server.url}/demo`);
  await waitForHydration(page);
  await page.getByLabel("Full name *").focus();
  const texts = [
    demoTyped.fullName,
    demoTyped.email,
    demoTyped.phone,
    demoTyped.institution,
    demoTyped.message,
  ];
  for (const text of texts) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  // The links to the terms and the privacy policy are between the last field and the button.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Thank you. Your request is with us." }).waitFor();
  assert.equal(await page.locator("form").count(), 0);
  const columns = "name, email, phone, institution, message";
  const [stored] = query(server.databaseFile, `SELECT ${columns} FROM contact_requests`);
  assert.deepEqual(Object.values(stored!), texts);
  await page.reload();
  await page.getByRole("heading", { name: "Thank you. Your request is with us." }).waitFor();
});

test("a demo request that fails shows the server’s reason, or the specification’s words", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, {}, /status of 5\d\d/);
  await page.goto(`${server.url}/demo`);
  await waitForHydration(page);
  for (const [field, text] of Object.entries(demoTyped)) await page.locator(`#${field}`).fill(text);
  const error = "We cannot store anything at the moment.";
  await page.route(
    "**/api/demo-request",
    (route) => route.fulfill({ status: 503, json: { error, code: "unavailable", fields: {} } }),
    { times: 1 },
  );
  const send = page.getByRole("button", { name: "Request a demo" });
  await send.click();
  const toast = page.locator(".toast");
  await toast.getByText("Submission Failed").waitFor();
  await toast.getByText(error).waitFor();
  await page.route("**/api/demo-request", (route) => route.fulfill({ status: 502 }), { times: 1 });
  await send.click();
  await toast.getByText("Please try again later.").waitFor();
  await send.click();
  await page.getByRole("heading", { name: "Thank you. Your request is with us." }).waitFor();
});

test("without JavaScript the modal’s fields are below the pickers in the same form", async (t) => {
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

test("without JavaScript, a form that was sent too often is sent again by a reload, with its texts and files", async (t) => {
  const limits = { RUBRICON_POSTS_PER_10_MINUTES: "1", RUBRICON_UPLOADS_PER_10_MINUTES: "1" };
  const server = await startServer(t, { env: limits });
  const rejected = /status of 4(22|29)/;
  const contact = await openPage(t, { javaScriptEnabled: false }, rejected);
  await contact.goto(`${server.url}/contact`);
  await contact.getByRole("button", { name: "Send the message" }).click();
  await contact.locator(".problem-summary").waitFor();
  // The page that came back may not be cached: going back to it would lose what is typed now.
  await fill(contact, contactLabels);
  await contact.getByRole("button", { name: "Send the message" }).click();
  await contact.getByRole("heading", { name: "Please wait before you send this" }).waitFor();

  const rubric = await openPage(t, { javaScriptEnabled: false }, rejected);
  await rubric.goto(`${server.url}/latest-feature`);
  const send = rubric.locator('form[action="/latest-feature"] button[type="submit"]').last();
  await send.click();
  await rubric.locator(".problem-summary").waitFor();
  await fill(rubric, rubricLabels);
  // Files on a disk: Chromium cannot send those again that Playwright makes up.
  const file = path.join(newFolder(t), "a.txt");
  writeFileSync(file, "1.1 two marks for the definition");
  await rubric.getByLabel("Assessment Questions *").setInputFiles(file);
  await rubric.getByLabel("Grading Rubric *").setInputFiles(file);
  await send.click();
  await rubric.getByRole("heading", { name: "Please wait before you send this" }).waitFor();

  // A restart forgets the counts, as ten minutes do.
  await server.stop();
  const again = await startServer(t, {
    folder: server.folder,
    env: { ...limits, PORT: new URL(server.url).port },
  });
  for (const page of [contact, rubric]) {
    await page.reload();
    await page.waitForURL(/received=/);
  }
  const [stored] = query(again.databaseFile, "SELECT message FROM contact_requests");
  assert.equal(stored!.message, contactTyped.message);
  assert.deepEqual(query(again.databaseFile, "SELECT expected_improvements FROM rubric_requests"), [
    { expected_improvements: rubricTyped.expectedImprovements },
  ]);
  const files = query(again.databaseFile, "SELECT name, sha256 FROM uploaded_files");
  const sent = { name: "a.txt", sha256: sha256(readFileSync(file)) };
  assert.deepEqual(files, [sent, sent]);
});

for (const [name, viewport, javaScriptEnabled] of [
  ["phone", { width: 360, height: 640 }, false],
  ["desk", { width: 1280, height: 800 }, true],
] as const) {
  const script = javaScriptEnabled ? "with" : "without";
  test(`a message on home asks for a demo, and its receipt stays in view at a reload, on a ${name} ${script} script`, async (t) => {
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
    const type = `SELECT request_type FROM inbox WHERE reference = '${await reference.textContent()}'`;
    assert.deepEqual(query(server.databaseFile, type), [{ request_type: "demo" }]);
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

test("the tooltip opens after 700 ms, or at once within 300 ms after it closed", async (t) => {
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

test("with JavaScript the test page shows the message, id and time of each endpoint’s success, and an error", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, {}, /status of 500/);
  await page.goto(`${server.url}/test-forms`);
  await waitForHydration(page);
  const forms = page.locator(".tests > li");
  assert.equal(await forms.count(), 5);
  for (let index = 0; index < 5; index += 1) {
    await forms.nth(index).getByRole("button", { name: "Run this test" }).click();
    await forms.nth(index).getByText("SUCCESS").waitFor();
    const terms = await forms.nth(index).locator("dt").allTextContents();
    assert.deepEqual(terms, ["Result", "Message", "Id", "Time"]);
  }
  assert.deepEqual(query(server.databaseFile, "SELECT count(*) AS n FROM inbox WHERE is_test"), [
    { n: 4 },
  ]);
  await page.route("**/api/contact?*", (route) => route.fulfill({ status: 500, body: "" }));
  await forms.nth(0).getByRole("button").click();
  await forms.nth(0).getByText("ERROR", { exact: true }).waitFor();
  await forms.nth(0).getByText("500: Internal Server Error").waitFor();
});

test("a form that came faster than people type is taken when Send is pressed again", async (t) => {
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

test("subscribing again shows the same toast and receipt", async (t) => {
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
