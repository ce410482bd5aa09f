/** Whatever fails, a form keeps its texts and files. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { closeBrowser, openPage } from "../support/browser.ts";
import {
  contentsOf,
  type FormPage,
  fillIn,
  formPages,
  sendWithoutScript,
} from "../support/form-pages.ts";
import { openLine } from "../support/line.ts";
import { query, startServer } from "../support/server.ts";

after(closeBrowser);

const offline = "You seem to be offline. Nothing is lost; press Send when the connection is back.";
const tolerated = /ERR_|Failed to (fetch|load)|status of|broken/;
const extras = "**/assets/extras-*.js";

/** In place of app/islands/form/extras/extras.ts: its components fail when they are rendered. */
const brokenExtras = `
  const broken = () => { throw new Error("broken"); };
  export { broken as Toast, broken as DropQuestion };
  export const textErrors = () => ({});`;

const send = (page: Page, { submit }: FormPage) =>
  page.getByRole("button", { name: submit }).click();

/** Sends the form, which fails; everything stays, and a second Send works. */
async function failAndSendAgain(
  page: Page,
  form: FormPage,
  words: string,
  { lose, restore }: { lose: () => unknown; restore: () => unknown },
) {
  const before = await contentsOf(page, form);
  await lose();
  await send(page, form);
  await page.locator(form.form).getByText(words).first().waitFor();
  assert.deepEqual(await contentsOf(page, form), before);
  assert.ok(await page.locator(".site-header").isVisible());
  await restore();
  await send(page, form);
  await page.getByRole("heading", { name: form.thanks }).waitFor();
}

test("without a connection every form says so and keeps what it has", async (t) => {
  const server = await startServer(t);
  for (const form of formPages) {
    await t.test(form.name, async (t) => {
      const page = await openPage(t, {}, tolerated);
      await fillIn(page, server.url, form);
      await failAndSendAgain(page, form, offline, {
        lose: () => page.context().setOffline(true),
        async restore() {
          await page.locator(".toast").getByText(offline).waitFor();
          await page.context().setOffline(false);
        },
      });
    });
  }
});

test("without the server every form says the specification’s words and keeps what it has", async (t) => {
  const server = await startServer(t);
  for (const form of formPages) {
    await t.test(form.name, async (t) => {
      const line = await openLine(t, server.url);
      const page = await openPage(t, {}, tolerated);
      await page.route(extras, (route) => route.fulfill({ status: 404 }));
      await fillIn(page, line.url, form);
      await failAndSendAgain(page, form, form.failure, { lose: line.cut, restore: line.restore });
    });
  }
});

test("if posts by script get no answer twice, each form offers to be sent without script", async (t) => {
  const server = await startServer(t);
  for (const form of formPages) {
    await t.test(form.name, (t) => sendWithoutScript(t, server, form));
  }
});

test("a form works although a script that it loads later is broken", async (t) => {
  const server = await startServer(t);
  for (const form of formPages.filter(({ name }) => /contact|upload/.test(name))) {
    await t.test(form.name, async (t) => {
      const page = await openPage(t, {}, tolerated);
      await page.route(extras, (route) =>
        route.fulfill({ contentType: "text/javascript", body: brokenExtras }),
      );
      await fillIn(page, server.url, form);
      await failAndSendAgain(page, form, form.failure, {
        lose: () =>
          page.route("**/api/**", (route) => route.fulfill({ status: 500 }), { times: 1 }),
        restore() {},
      });
    });
  }
});

test("after a stored rubric request whose toast cannot be loaded, the confirmation stays", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, {}, tolerated);
  const form = formPages.find(({ name }) => name === "rubric request")!;
  await page.route(extras, (route) => route.abort());
  await fillIn(page, server.url, form);
  await send(page, form);
  await page.getByRole("dialog").getByText("Your request is with us.").waitFor();
  await page.getByRole("heading", { name: form.thanks }).waitFor();
  assert.equal(query(server.databaseFile, "SELECT 1 FROM rubric_requests").length, 1);
});

test("after 30 seconds without progress a form offers to keep waiting or to cancel", async (t) => {
  const server = await startServer(t);
  for (const form of formPages.filter(({ name }) => /contact|upload/.test(name))) {
    await t.test(form.name, async (t) => {
      const page = await openPage(t, {}, tolerated);
      await page.clock.install();
      await fillIn(page, server.url, form);
      const before = await contentsOf(page, form);
      await page.route("**/api/**", () => {});
      await send(page, form);
      const notice = page.getByText("There has been no progress for 30 seconds.");
      for (const answer of ["Keep waiting", "Cancel"]) {
        await page
          .locator(form.form)
          .getByText(/Sending…|sending 3 files/)
          .waitFor();
        assert.equal(await notice.count(), 0);
        await page.clock.runFor(31_000);
        await notice.waitFor();
        await page.getByRole("button", { name: answer }).click();
        await notice.waitFor({ state: "detached" });
      }
      assert.deepEqual(await contentsOf(page, form), before);
      await page.unroute("**/api/**");
      await send(page, form);
      await page.getByRole("heading", { name: form.thanks }).waitFor();
    });
  }
});
