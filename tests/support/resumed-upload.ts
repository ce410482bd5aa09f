/** An upload over a line that is cut, from the browser to the database. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import type { Page, Request } from "playwright-core";
import { openPage } from "./browser.ts";
import {
  type ChosenFile,
  chooseAll,
  fillContact,
  openDemo,
  pdfFile,
  processButton,
} from "./demo-form.ts";
import { openLine } from "./line.ts";
import { emptyServer, newFolder, query, type Server } from "./server.ts";
import { sha256 } from "./upload.ts";

/** The most bytes that the texts and the form around the files add to a post. */
export const overheadPerPost = 64 * 1024;

/** For tests of what a page sends: a smaller window takes less processor time to paint. */
export const smallWindow = { viewport: { width: 500, height: 400 } };

export const submissions = (count: number, size: number): ChosenFile[] =>
  Array.from({ length: count }, (_, index) =>
    pdfFile(`learner-${String(index + 1).padStart(2, "0")}.pdf`, size),
  );

/** Writes files into a folder, because Playwright takes at most 50 MB from memory, slowly. Returns their paths. */
export function onDisk(t: TestContext, files: ChosenFile[]): string[] {
  const folder = newFolder(t);
  return files.map(({ name, buffer }) => {
    writeFileSync(path.join(folder, name), buffer);
    return path.join(folder, name);
  });
}

/** Opens the demo upload with all files chosen and all texts typed. */
export async function readyToSend(page: Page, url: string, files: ChosenFile[] | string[]) {
  await openDemo(page, { url });
  await chooseAll(page, files);
  await processButton(page).click();
  await fillContact(page);
}

export const sendFiles = (page: Page) =>
  page.getByRole("button", { name: "Send the files" }).click();

/** The numbers of the files that the page sends again after a response said that they have arrived. */
export function watchSentAgain(page: Page): string[] {
  const arrived = new Set<string>();
  const sentAgain: string[] = [];
  const numberOf = (request: Request) => request.headers()["file-number"];
  page.on("response", (response) => {
    const number = numberOf(response.request());
    if (number !== undefined && response.status() === 201) arrived.add(number);
  });
  page.on("request", (request) => {
    const number = numberOf(request);
    if (number !== undefined && arrived.has(number)) sentAgain.push(number);
  });
  return sentAgain;
}

/** Asserts that one request holds exactly these submissions, byte for byte and in their order. */
export function assertStored(server: Server, files: ChosenFile[]) {
  assert.equal(query(server.databaseFile, "SELECT 1 FROM contact_requests").length, 1);
  const stored = query<{ name: string; bytes: Buffer }>(
    server.databaseFile,
    `SELECT name, bytes FROM uploaded_files JOIN uploaded_file_bytes ON file_id = uploaded_files.id
    JOIN assessment_submissions, json_each(submission_files_data) AS listed
    ON listed.value = uploaded_files.id ORDER BY listed.key`,
  );
  assert.deepEqual(
    stored.map(({ name, bytes }) => [name, sha256(bytes)]),
    files.map(({ name, buffer }) => [name, sha256(buffer)]),
  );
  assert.equal(
    query(server.databaseFile, "SELECT 1 FROM uploaded_files").length,
    files.length + 2,
    "no file is left over",
  );
}

/** Sends files over a line that breaks whenever it has carried so many bytes, with one press of Send. */
export async function sendOverBreakingLine(
  t: TestContext,
  {
    count,
    size,
    bytesPerSecond,
    breakEveryBytes,
  }: Record<"count" | "size" | "bytesPerSecond" | "breakEveryBytes", number>,
) {
  const server = await emptyServer();
  const line = await openLine(t, server.url, bytesPerSecond);
  const page = await openPage(t, smallWindow, /ERR_/);
  const files = submissions(count, size);
  await readyToSend(page, line.url, onDisk(t, files));
  const before = line.sent();
  const sentAgain = watchSentAgain(page);
  let breakAt = before + breakEveryBytes;
  const timer = setInterval(() => {
    if (line.sent() < breakAt) return;
    line.breakOnce();
    breakAt = line.sent() + breakEveryBytes;
  }, 25);
  t.after(() => clearInterval(timer));
  await sendFiles(page);
  await page.getByRole("heading", { name: "Thank you" }).waitFor({ timeout: 500_000 });
  clearInterval(timer);
  assertStored(server, files);
  assert.deepEqual(sentAgain, [], "files that had arrived are not sent again");
  const again = line.sent() - before - count * size;
  const cuts = line.cuts();
  t.diagnostic(`${cuts} breaks; ${again} of ${count * size} bytes were sent again`);
  assert.ok(cuts > 1, `the line broke only ${cuts} times`);
  // Three files are in flight at the first break, then one at a time.
  const max = (cuts + 2) * (size + overheadPerPost) + count * 2048;
  assert.ok(again < max, `${again} bytes were sent again, of at most ${max}`);
}

/** Sends files of which the third is cut short; asserts that the second Send carries only its replacement. */
export async function sendWithOneBadFile(
  t: TestContext,
  { count, size }: Record<"count" | "size", number>,
) {
  const server = await emptyServer();
  const line = await openLine(t, server.url);
  const page = await openPage(t, smallWindow, /status of 422/);
  const files = submissions(count, size);
  const bad = { ...files[2]!, buffer: files[2]!.buffer.subarray(0, -1024) };
  await readyToSend(page, line.url, files.with(2, bad));
  await sendFiles(page);
  const summary = page.locator(".problem-summary");
  await summary
    .getByText("learner-03.pdf: The file is cut short: its end is missing")
    .first()
    .waitFor();
  // The questions and the rubric count too.
  const others = count + 1;
  await summary
    .getByText(`The other ${others} files have arrived and will not be sent again`)
    .waitFor();
  assert.equal(
    await page.getByText("There was an error submitting your information").count(),
    0,
    "no advice to try again, which would not help",
  );
  assert.equal(await page.locator(".chosen").getByText("received").count(), others);
  await page.getByRole("button", { name: "Remove learner-03.pdf" }).click();
  await page.locator("#submissionFiles").setInputFiles(files[2]!);
  await page.getByRole("button", { name: "Process with AI" }).click();
  const before = line.sent();
  await sendFiles(page);
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  const sent = line.sent() - before;
  assert.ok(sent < size + overheadPerPost, `the second Send carried ${sent} bytes`);
  assertStored(server, [...files.toSpliced(2, 1), files[2]!]);
}
