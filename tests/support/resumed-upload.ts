/** An upload over a line that is cut, from the browser to the database. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { openPage } from "./browser.ts";
import { openLine } from "./line.ts";
import { newFolder, query, type Server, startServer } from "./server.ts";
import { contact, pdf, sha256 } from "./upload.ts";

/** What a cut may cost besides the file in flight: the browser repeats a post until the server stops it. */
export const repeatedPerCut = 192 * 1024;

/** What the texts and the form around the files add to a post. */
export const overheadPerPost = 64 * 1024;

interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export const submissions = (count: number, size: number): ChosenFile[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `learner-${String(index + 1).padStart(2, "0")}.pdf`,
    mimeType: "application/pdf",
    buffer: pdf(size),
  }));

/** Opens the demo upload with all files chosen and all texts typed. */
export async function readyToSend(page: Page, url: string, files: ChosenFile[] | string[]) {
  await page.goto(url);
  await page.locator("#demo").scrollIntoViewIfNeeded();
  await page.locator('[type="submit"][aria-disabled="true"]').waitFor();
  const [question, rubric] = submissions(2, 1000);
  await page.locator("#questionsFile").setInputFiles({ ...question!, name: "questions.pdf" });
  await page.locator("#rubricFile").setInputFiles({ ...rubric!, name: "rubric.pdf" });
  await page.locator("#submissionFiles").setInputFiles(files);
  await page.getByRole("button", { name: "Process with AI" }).click();
  for (const name of ["name", "email", "phone"] as const) {
    await page.locator(`#${name}`).fill(contact[name]);
  }
}

export const sendFiles = (page: Page) =>
  page.getByRole("button", { name: "Send the files" }).click();

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

/** Sends files over a line that is cut at random; returns the bytes sent and the bytes of the files. */
export async function sendOverBadLine(
  t: TestContext,
  {
    count,
    size,
    cuts,
    bytesPerSecond,
  }: Record<"count" | "size" | "cuts" | "bytesPerSecond", number>,
) {
  const server = await startServer(t);
  const line = await openLine(t, server.url, bytesPerSecond);
  // Chromium repeats a post after a loss, unasked; the server stops it by a 409.
  const page = await openPage(t, {}, /ERR_|status of 409/);
  const files = submissions(count, size);
  // Playwright takes at most 50 MB from memory.
  const folder = newFolder(t);
  const paths = files.map(({ name }) => path.join(folder, name));
  for (const [index, { buffer }] of files.entries()) writeFileSync(paths[index]!, buffer);
  await readyToSend(page, line.url, paths);
  const before = line.sent();
  const total = count * size;
  const cutEvery = total / cuts;
  const scheduleCut = (number: number) => {
    if (number === cuts) return;
    line.cutAt(before + (number + 0.1 + 0.8 * Math.random()) * cutEvery);
    const watch = setInterval(() => {
      if (line.cuts() <= number) return;
      clearInterval(watch);
      scheduleCut(number + 1);
    }, 20);
    t.after(() => clearInterval(watch));
  };
  scheduleCut(0);
  await sendFiles(page);
  await page.getByRole("heading", { name: "Thank you" }).waitFor({ timeout: 200_000 });
  assert.equal(line.cuts(), cuts);
  assertStored(server, files);
  return { sent: line.sent() - before, total };
}

/** Sends files of which the third is none; asserts that the second Send carries its replacement alone. */
export async function sendWithOneBadFile(
  t: TestContext,
  { count, size }: Record<"count" | "size", number>,
) {
  const server = await startServer(t);
  const line = await openLine(t, server.url);
  const page = await openPage(t, {}, /status of 422/);
  const files = submissions(count, size);
  const bad = { ...files[2]!, buffer: Buffer.from("no PDF") };
  await readyToSend(page, line.url, files.with(2, bad));
  await sendFiles(page);
  const summary = page.locator(".problem-summary");
  await summary
    .getByText("learner-03.pdf: This is not a PDF file, although its name ends in .pdf")
    .first()
    .waitFor();
  // With the questions and the rubric.
  const others = count + 1;
  await summary
    .getByText(`The other ${others} files have arrived and will not be sent again`)
    .waitFor();
  assert.equal(
    await page.getByText("There was an error submitting your information").count(),
    0,
    "trying again would not help",
  );
  assert.equal(await page.locator(".chosen").getByText("received").count(), others);
  await page.getByRole("button", { name: "Remove learner-03.pdf" }).click();
  await page.locator("#submissionFiles").setInputFiles(files[2]!);
  await page.getByRole("button", { name: "Process with AI" }).click();
  const before = line.sent();
  await sendFiles(page);
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
  const sent = line.sent() - before;
  assert.ok(sent < size + overheadPerPost, `${sent} bytes`);
  assertStored(server, [...files.toSpliced(2, 1), files[2]!]);
}
