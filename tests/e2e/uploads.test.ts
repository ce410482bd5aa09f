/**
 * Uploads over a line that is cut, and to a server whose slot is taken; tests/long has longer lines, and a school.
 */
import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { scanPartBytes } from "../../app/domain/scan-upload.ts";
import { beginPost, longUpload } from "../support/begun-post.ts";
import { closeBrowser, holdRequests, openPage, violations } from "../support/browser.ts";
import { openLine } from "../support/line.ts";
import { movedBytes } from "../support/one-address.ts";
import { teamToken, uploadSubmissions } from "../support/results.ts";
import {
  assertStored,
  readyToSend,
  sendFiles,
  sendOverBreakingLine,
  sendWithOneBadFile,
  smallWindow,
  submissions,
} from "../support/resumed-upload.ts";
import { query, sharedServer, startServer } from "../support/server.ts";
import { contact } from "../support/upload.ts";

after(closeBrowser);

test("over a line that breaks again and again, one Send delivers every file and repeats none that has arrived", (t) =>
  sendOverBreakingLine(t, {
    count: 8,
    size: 100_000,
    bytesPerSecond: 600_000,
    breakEveryBytes: 270_000,
  }));

test("after one bad file among others, the second Send carries only its replacement", (t) =>
  sendWithOneBadFile(t, { count: 3, size: 200_000 }));

test("a page whose turn has not come sends nothing until a slot is free", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_UPLOAD_SLOTS: "1" } });
  const page = await openPage(t, smallWindow);
  const files = submissions(2, 100_000);
  const line = await openLine(t, server.url);
  await readyToSend(page, line.url, files);
  const sentBefore = line.sent();
  // It has the slot for 30 seconds while it sends nothing.
  const other = await beginPost(`${server.url}/api/demo-request-with-files`, longUpload);
  await sendFiles(page);
  await page.getByRole("status").getByText("Others are uploading at this moment").waitFor();
  await page.getByText("0 bytes of 198 kB arrived", { exact: true }).waitFor();
  assert.ok(line.sent() - sentBefore < movedBytes, `${line.sent() - sentBefore} bytes`);
  other.destroy();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  assertStored(server, files);
});

test("a form that is changed after its response was lost is sent as a request of its own", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, smallWindow, /net::ERR/);
  await readyToSend(page, server.url, submissions(1, 1000));
  const path = "**/api/demo-request-with-files";
  let isStored = false;
  await page.route(path, async (route) => {
    const headers = route.request().headers();
    if (isStored) return await route.abort();
    if (!headers["content-type"]?.startsWith("multipart/")) return await route.continue();
    await route.fetch();
    isStored = true;
    await route.abort("connectionreset");
  });
  await sendFiles(page);
  await page.getByText("The connection is lost").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator("#email").fill("corrected@school.example");
  await page.unroute(path);
  await sendFiles(page);
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  const emails = query(server.databaseFile, "SELECT email FROM contact_requests ORDER BY id");
  assert.deepEqual(emails, [{ email: contact.email }, { email: "corrected@school.example" }]);
});

/** Opens the team's page of a new class, with a name typed. `sendScan` chooses a scan and sends it. */
async function openTeamPage(t: TestContext) {
  const server = await sharedServer();
  const reference = await uploadSubmissions(server, ["a.txt"]);
  const page = await openPage(t, {}, /net::ERR|422|503/);
  const link = `${server.url}/team?link=${await teamToken(server, reference)}`;
  await page.goto(link, { waitUntil: "networkidle" });
  await page.locator("#class-scan-by").fill("L. Lead");
  const sendScan = async (buffer: Buffer) => {
    await page.setInputFiles("#scan", { name: "scan.pdf", mimeType: "application/pdf", buffer });
    await page.getByRole("button", { name: "Send the scan" }).click();
  };
  return { page, sendScan };
}

const scanOf = (bytes: number) => Buffer.alloc(bytes, "%PDF-1.4\n");

test("a scan that is empty or no PDF is rejected, and another one can be sent", async (t) => {
  const { page, sendScan } = await openTeamPage(t);
  await sendScan(Buffer.alloc(0));
  await page.getByText("scan.pdf is empty").waitFor();
  await sendScan(Buffer.from("no PDF"));
  await page.getByText("This is not a PDF").waitFor();
  await sendScan(scanOf(1000));
  await page.getByText("The scan has arrived").waitFor();
});

test("the page of a class whose scan was rejected has no axe violation", async (t) => {
  const { page, sendScan } = await openTeamPage(t);
  await sendScan(Buffer.alloc(0));
  await page.getByText("scan.pdf is empty").waitFor();
  assert.deepEqual(await violations(page), []);
});

test("the upload of a scan goes on where the line was cut", async (t) => {
  const { page, sendScan } = await openTeamPage(t);
  const sent: string[] = [];
  let isCut = false;
  await page.route("**/api/team/*/scan", async (route) => {
    const number = route.request().headers()["file-number"];
    if (number === "1" && !isCut) {
      isCut = true;
      return await route.abort("connectionreset");
    }
    if (number) sent.push(number);
    return await route.continue();
  });
  await sendScan(scanOf(2 * scanPartBytes + 5));
  await page.getByText("The scan has arrived").waitFor();
  assert.deepEqual(sent, ["0", "1", "2"], "each part was sent once");
});

test("the bytes of a scan that have arrived are shown, and not said", async (t) => {
  const { page, sendScan } = await openTeamPage(t);
  const gate = await holdRequests(
    page,
    "**/api/team/*/scan",
    (request) => request.headers()["file-number"] === "1",
  );
  await sendScan(scanOf(scanPartBytes + 5));
  await page.locator(".sending .figures", { hasText: "arrived" }).waitFor();
  assert.equal(await page.locator(".sending [role=status]").textContent(), "Sending the scan.");
  gate.resolve();
  await page.getByText("The scan has arrived").waitFor();
});

test("a scan that waits is said to wait for others only if it does", async (t) => {
  const { page, sendScan } = await openTeamPage(t);
  const codes = ["busy", "unavailable"];
  await page.route("**/api/team/*/scan", async (route) => {
    const code = route.request().headers()["file-number"] === "1" && codes.shift();
    if (!code) return await route.continue();
    return await route.fulfill({ status: 503, json: { error: "Try again.", code, fields: {} } });
  });
  await sendScan(scanOf(scanPartBytes + 5));
  await page.getByText("Others are uploading at this moment").waitFor();
  await page.getByText("The server cannot take more at this moment").waitFor();
  await page.getByText("The scan has arrived").waitFor();
});
