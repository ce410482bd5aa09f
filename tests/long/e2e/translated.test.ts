/** Browsers translate a page by replacing its text with elements of their own, at any time. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, holdRequests, openPage } from "../../support/browser.ts";
import { waitForHydration } from "../../support/browser-forms.ts";
import { chooseAll, fillContact, openDemo } from "../../support/demo-form.ts";
import { emptyServer, query, type Server, until } from "../../support/server.ts";
import { contact } from "../../support/upload.ts";

after(closeBrowser);

/** Runs in the page: replaces each text by one of another length in two elements, as Chrome does. */
function translate(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    const isShown = !text.parentElement!.closest("script, style, textarea");
    if (isShown && text.data.trim()) texts.push(text);
  }
  for (const text of texts) {
    const inner = document.createElement("font");
    inner.textContent = `${text.data.trim()} (vertaal) `;
    const outer = document.createElement("font");
    outer.append(inner);
    text.replaceWith(outer);
  }
}

const isHydrated = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluate((form) => Object.keys(form).some((key) => key.startsWith("__react")));

const storedFiles = (server: Server) => query(server.databaseFile, "SELECT 1 FROM uploaded_files");

test("a form that was translated before the script arrived can be sent", async (t) => {
  const server = await emptyServer();
  const page = await openPage(t);
  // The loader itself is late too.
  const gate = await holdRequests(page, "**/*.js");
  await page.goto(server.url, { waitUntil: "commit" });
  await page.locator(".site-footer").waitFor();
  await page.evaluate(translate);
  await chooseAll(page);
  await fillContact(page);
  gate.resolve();
  await page.waitForLoadState("networkidle");
  assert.equal(await isHydrated(page, ".upload-form"), false);
  assert.equal(await page.locator("#name").inputValue(), contact.name);
  await page.locator("#process").click();
  await page.locator(".thank-you").waitFor();
  await page.getByText("learner-02.pdf").waitFor();
  assert.equal(storedFiles(server).length, 4);
});

test("a translation of the rest of the page leaves an island its script", async (t) => {
  const server = await emptyServer();
  const page = await openPage(t);
  const gate = await holdRequests(page, "**/*.js");
  await page.goto(`${server.url}/contact`, { waitUntil: "commit" });
  await page.locator(".site-footer").waitFor();
  await page.evaluate(() => {
    const translation = document.createElement("font");
    translation.textContent = "Kontak ons";
    document.querySelector("h1")!.replaceChildren(translation);
  });
  gate.resolve();
  await until(() => isHydrated(page, ".text-form"));
});

test("translated after it was hydrated, the upload works with script: errors, failure, receipt", async (t) => {
  const server = await emptyServer();
  const page = await openPage(t, {}, /status of 500/);
  await openDemo(page, server);
  await page.evaluate(translate);
  await page.locator("#process").click({ force: true });
  await chooseAll(page);
  await page.locator("#process").click();
  const send = page.locator(".dialog-foot [type=submit]");
  await send.click();
  await page.locator("#name[aria-invalid]").waitFor();
  await page.evaluate(translate);
  await fillContact(page);
  await page.locator("[aria-invalid]").first().waitFor({ state: "detached" });
  await page.route("**/api/**", (route) => route.fulfill({ status: 500 }), { times: 1 });
  await send.click();
  await page.locator(".toast").waitFor();
  await page.evaluate(translate);
  await send.click();
  await page.locator(".thank-you").waitFor();
  assert.equal(storedFiles(server).length, 4);
});

test("translated after it was hydrated, the contact form works with script", async (t) => {
  const server = await emptyServer();
  const page = await openPage(t, {}, /status of 500/);
  await page.goto(`${server.url}/contact`);
  await page.locator("#contact-name").focus();
  await waitForHydration(page);
  await page.evaluate(translate);
  const send = page.locator(".text-form [type=submit]");
  await send.click();
  await page.locator(".problem-summary").waitFor();
  await page.evaluate(translate);
  await send.click();
  for (const [name, text] of Object.entries(contact)) {
    await page.locator(`#contact-${name}`).fill(text);
  }
  await page.route("**/api/**", (route) => route.fulfill({ status: 500 }), { times: 1 });
  await send.click();
  await page.locator(".toast").waitFor();
  await page.evaluate(translate);
  await send.click();
  await page.locator(".thank-you").waitFor();
  assert.equal(query(server.databaseFile, "SELECT 1 FROM contact_requests").length, 1);
});
