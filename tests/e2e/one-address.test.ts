/** Several browsers behind one address; tests/long/one-address.test.ts has a school. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { after, test } from "node:test";
import { closeBrowser, openPage } from "../support/browser.ts";
import { openLine } from "../support/line.ts";
import { movedBytes, sendClasses } from "../support/one-address.ts";
import { assertStored, readyToSend, sendFiles, submissions } from "../support/resumed-upload.ts";
import { startServer } from "../support/server.ts";

after(closeBrowser);

const onePlace = { RUBRICON_UPLOAD_SLOTS: "1" };

test("three teachers behind one address with one place for files: each gets a receipt", async (t) => {
  const school = { classes: 3, files: 2, size: 200_000, bytesPerSecond: 1_000_000, apartMs: 0 };
  await sendClasses(t, { ...school, env: onePlace });
});

test("a page whose turn has not come sends nothing until a place is free", async (t) => {
  const server = await startServer(t, { env: onePlace });
  const page = await openPage(t);
  const files = submissions(2, 100_000);
  const line = await openLine(t, server.url);
  await readyToSend(page, line.url, files);
  const before = line.sent();
  // It has the place for 30 seconds while it sends nothing.
  const other = request(`${server.url}/api/demo-request-with-files`, {
    method: "POST",
    headers: {
      "Content-Type": "multipart/form-data; boundary=x",
      "Content-Length": 1_000_000,
      Expect: "100-continue",
    },
  });
  other.on("error", () => {});
  other.flushHeaders();
  await new Promise((resolve) => other.once("continue", resolve));
  await sendFiles(page);
  await page.getByRole("status").getByText("Others are uploading at this moment").waitFor();
  await page.getByText("0 bytes of 198 kB arrived", { exact: true }).waitFor();
  assert.ok(line.sent() - before < movedBytes, `${line.sent() - before} bytes`);
  other.destroy();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  assertStored(server, files);
});
