/** Of an upload that stops nothing is lost, and only what was in flight is sent twice. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage } from "../../support/browser.ts";
import { openLine } from "../../support/line.ts";
import {
  assertStored,
  overheadPerPost,
  readyToSend,
  sendFiles,
  submissions,
  watchSentAgain,
} from "../../support/resumed-upload.ts";
import { query, startServer, until } from "../../support/server.ts";

after(closeBrowser);

test("after a kill of the server an upload goes on with the next one", async (t) => {
  const server = await startServer(t);
  const line = await openLine(t, server.url, 500_000);
  const page = await openPage(t, {}, /ERR_/);
  const files = submissions(6, 400_000);
  await readyToSend(page, line.url, files);
  const sentAgain = watchSentAgain(page);
  const before = line.sent();
  await sendFiles(page);
  await until(() => line.sent() - before > 1_200_000);
  await server.stop("SIGKILL");
  line.cut();
  await page.getByRole("status").getByText("The connection is lost.").waitFor();
  assert.equal(await page.locator("#name").inputValue(), "Thandi Example");
  const next = await startServer(t, { folder: server.folder });
  line.restore(next.url);
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  assertStored(next, files);
  assert.deepEqual(sentAgain, [], "files that had arrived are not sent again");
  const sent = line.sent() - before;
  assert.ok(sent < 2_400_000 + 3 * 400_000 + 6 * overheadPerPost, `${sent} bytes were sent`);
});

test("the progress bar rises with what the browser has sent, and never falls", async (t) => {
  const server = await startServer(t);
  const line = await openLine(t, server.url, 400_000);
  const page = await openPage(t);
  const files = submissions(8, 200_000);
  await readyToSend(page, line.url, files);
  await page.evaluate(() => {
    const values: number[] = [];
    Object.assign(window, { values });
    new MutationObserver(() => {
      const bar = document.querySelector("progress");
      if (bar?.value) values.push(bar.value);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  await sendFiles(page);
  await page.getByRole("status").getByText("Step 1 of 2: sending 10 files").waitFor();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  const seen = await page.evaluate(() => (window as unknown as { values: number[] }).values);
  assert.deepEqual(
    seen,
    seen.toSorted((one, other) => one - other),
  );
  assert.ok(new Set(seen).size >= 4, `the bar was at ${seen}`);
  assertStored(server, files);
});

test("if only the response is lost, the upload is stored once and the receipt appears", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, {}, /ERR_/);
  const files = submissions(2, 1000);
  await readyToSend(page, server.url, files);
  await page.route(
    "**/api/demo-request-with-files",
    async (route) => {
      if (route.request().method() === "POST") await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await sendFiles(page);
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  assertStored(server, files);
});

test("a page with a form that is filled in asks before it closes", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t);
  await readyToSend(page, server.url, submissions(1, 1000));
  const asked = page.waitForEvent("dialog");
  void page.close({ runBeforeUnload: true });
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.dismiss();
});

test("an upload that is cancelled and sent again goes on with what has arrived", async (t) => {
  const server = await startServer(t);
  const line = await openLine(t, server.url, 300_000);
  const page = await openPage(t);
  const files = submissions(6, 300_000);
  await readyToSend(page, line.url, files);
  const sentAgain = watchSentAgain(page);
  const before = line.sent();
  await sendFiles(page);
  await until(() => query(server.databaseFile, "SELECT 1 FROM uploaded_files").length >= 4);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  assert.equal(query(server.databaseFile, "SELECT 1 FROM contact_requests").length, 0);
  await sendFiles(page);
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  assertStored(server, files);
  assert.deepEqual(sentAgain, [], "files that had arrived are not sent again");
  const sent = line.sent() - before;
  // The socket buffers of the browser and of the line may hold more than what was in flight.
  assert.ok(sent < 1_800_000 + 3 * 300_000 + 2 * overheadPerPost, `${sent} bytes were sent`);
});
