/** Classes of a school, sent by several browsers behind one address. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { openPage } from "./browser.ts";
import { openLine } from "./line.ts";
import { onDisk, readyToSend, sendFiles, smallWindow, submissions } from "./resumed-upload.ts";
import { query, type Server, startServer } from "./server.ts";
import { sha256 } from "./upload.ts";
import { memoryOf } from "./visitors.ts";

/** More bytes than a page sends while it waits for its turn. */
export const movedBytes = 16_384;

export interface School {
  classes: number;
  /** Number of submissions of each class, beside the questions and the rubric. */
  files: number;
  /** Bytes of each submission. */
  size: number;
  /** Bandwidth of each browser; 0 is unlimited. */
  bytesPerSecond: number;
  /** Time between the starts of one teacher and the next. */
  apartMs: number;
  env?: Record<string, string>;
}

/**
 * Sends the classes, each with one press of Send; asserts that each gets its receipt and is stored byte for byte.
 * Returns the longest time, in ms, that one of them had no file of its own on the line.
 */
export async function sendClasses(t: TestContext, school: School): Promise<number> {
  const server = await startServer(t, { env: school.env ?? {} });
  const startedAt = performance.now();
  const teachers = await Promise.all(
    Array.from({ length: school.classes }, () => openTeacher(t, server, school)),
  );
  let peakMb = 0;
  let stillMs = 0;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, memoryOf(server.process.pid!));
    for (const { watch } of teachers) stillMs = Math.max(stillMs, watch());
  }, 250);
  t.after(() => clearInterval(timer));
  const readyAt = performance.now();
  await Promise.all(teachers.map(({ send }, index) => send(index * school.apartMs)));
  clearInterval(timer);
  const seconds = Math.round((performance.now() - readyAt) / 1000);
  t.diagnostic(
    `${school.classes} receipts after ${seconds} s (chosen in ${Math.round((readyAt - startedAt) / 1000)} s); ` +
      `at most ${Math.round(stillMs / 1000)} s without a file of its own moving; peak RSS ${peakMb} MB`,
  );
  assertAllStored(
    server,
    teachers.flatMap(({ digests }) => digests),
    school,
  );
  return stillMs;
}

async function openTeacher(
  t: TestContext,
  server: Server,
  { files: count, size, bytesPerSecond }: School,
) {
  const line = await openLine(t, server.url, bytesPerSecond);
  // A browser gets 503 while all places are taken, and comes back.
  const page = await openPage(t, smallWindow, /status of 503/);
  const files = submissions(count, size);
  await readyToSend(page, line.url, onDisk(t, files));
  let moved = { bytes: line.sent(), at: Number.POSITIVE_INFINITY };
  return {
    digests: files.map(({ buffer }) => sha256(buffer)),
    /** Returns for how many ms no file has moved; 0 before and after the sending. */
    watch(): number {
      const still = Math.max(0, performance.now() - moved.at);
      if (line.sent() - moved.bytes > movedBytes) {
        moved = { bytes: line.sent(), at: performance.now() };
      }
      return still;
    },
    async send(afterMs: number) {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      moved = { bytes: line.sent(), at: performance.now() };
      await sendFiles(page);
      await waitForReceipt(page);
      moved.at = Number.POSITIVE_INFINITY;
    },
  };
}

/** Waits for the receipt; throws with what the page says if there is none. */
async function waitForReceipt(page: Page) {
  const thanks = page.getByRole("heading", { name: "Thank you" });
  const failure = page.getByText("Submission failed").first();
  await thanks
    .or(failure)
    .first()
    .waitFor({ timeout: 30 * 60_000 });
  assert.equal(await failure.count(), 0, String(await page.locator("#demo").textContent()));
}

function assertAllStored(server: Server, digests: string[], { classes, files }: School) {
  const ids = query<{ id: number }>(
    server.databaseFile,
    "SELECT id FROM uploaded_files WHERE contact_request_id IS NOT NULL",
  );
  const selectBytes = `SELECT bytes FROM uploaded_file_bytes WHERE file_id = `;
  const all = ids.map(({ id }) =>
    sha256(query<{ bytes: Buffer }>(server.databaseFile, selectBytes + id)[0]!.bytes),
  );
  assert.equal(query(server.databaseFile, "SELECT 1 FROM contact_requests").length, classes);
  assert.equal(all.length, classes * (files + 2));
  assert.deepEqual(
    digests.filter((digest) => !all.includes(digest)),
    [],
    "every file is stored",
  );
}
