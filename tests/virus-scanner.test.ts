import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { openLog } from "../app/server/log.ts";
import { once } from "../app/server/system/once.ts";
import { openVirusScanner } from "../app/server/virus-scanner.ts";
import { type Scope, wholeFile } from "./support/at-end.ts";
import { harmfulText, type ScannerMode, startClamd } from "./support/clamd.ts";
import { column } from "./support/columns.ts";
import { draftToken, formWithDraft } from "./support/drafts.ts";
import {
  emptyServer,
  localMetrics,
  newFolder,
  runCommand,
  sharedServer,
  sharedSettings,
  startServer,
  until,
} from "./support/server.ts";
import {
  contact,
  maxFileBytes,
  pdf,
  threeFiles,
  txt,
  uploadByApi,
  uploadByPage,
  uploadForm,
} from "./support/upload.ts";

const [questions, rubric, submission] = threeFiles();
const harmful = { ...rubric, name: "harmful.txt", bytes: txt(`1.1 ${harmfulText}`) };

const clamd = await startClamd(wholeFile);
sharedSettings.RUBRICON_CLAMD = clamd.address;

test("each uploaded file is scanned", async () => {
  const server = await sharedServer();
  const large = { ...submission, bytes: pdf(maxFileBytes) };
  const before = clamd.scanned.length;
  const clean = await uploadByApi(server.url, uploadForm([questions, rubric, large]));
  assert.equal(clean.status, 201);
  const sizes = [questions.bytes.length, rubric.bytes.length, maxFileBytes];
  assert.deepEqual(clamd.scanned.slice(before), sizes);
});

test("a harmful file is rejected by name", async () => {
  const server = await sharedServer();
  const rejected = await uploadByApi(server.url, uploadForm([questions, harmful, submission]));
  assert.equal(rejected.status, 422);
  const { code, fields } = (await rejected.json()) as {
    code: string;
    fields: Record<string, string[]>;
  };
  assert.equal(code, "invalid_files");
  assert.match(fields.rubricFile![0]!, /^harmful\.txt: The virus scanner found something harmful/);
});

test("the log says what was found in a harmful file, and not the file's name", async () => {
  const server = await sharedServer();
  await uploadByApi(server.url, uploadForm([questions, harmful, submission]));
  assert.match(server.log(), /the virus scanner found Test\.Harmful in an uploaded file/);
  assert.doesNotMatch(server.log(), /harmful\.txt/);
});

test("a form with a harmful file comes back with its other files", async () => {
  const server = await emptyServer();
  const page = await uploadByPage(server.url, uploadForm([questions, harmful, submission]));
  assert.equal(page.status, 422);
  const html = await page.text();
  assert.match(html, /name="draft" value="\S+"/);
  const names = await server.query("SELECT name FROM uploaded_files ORDER BY id");
  assert.deepEqual(column(names, "name"), ["questions.pdf", "learner-01.pdf"]);
});

test("a file that is rejected for its content is not scanned", async () => {
  const server = await sharedServer();
  const before = clamd.scanned.length;
  const fake = { ...rubric, name: "fake.pdf" };
  assert.equal((await uploadByApi(server.url, uploadForm([fake]))).status, 422);
  assert.equal(clamd.scanned.length, before);
});

/** A server with a virus scanner that no other test uses. */
async function ownScanning(t: Scope) {
  const clamd = await startClamd(t, path.join(newFolder(t), "clamd.sock"));
  const env = { RUBRICON_CLAMD: clamd.address, ...localMetrics };
  return { clamd, server: await startServer(t, { env }) };
}

test("a server whose virus scanner is gone serves pages but is not ready", async (t) => {
  const { clamd, server } = await ownScanning(t);
  const ready = async () => {
    const response = await fetch(`${server.url}/readyz`);
    const { checks } = (await response.json()) as { checks: { scanner?: string } };
    return [response.status, checks.scanner];
  };
  assert.deepEqual(await ready(), [200, "ok"]);
  clamd.close();
  // The server checks the scanner at most once a second.
  await until(async () => (await ready())[0] === 503);
  assert.deepEqual(await ready(), [503, "The virus scanner cannot be reached: ENOENT."]);
  assert.equal((await fetch(server.url)).status, 200);
});

/** A server with a virus scanner and a draft of two files, and a function that posts the draft with a third. */
async function scanningDraft(t: Scope) {
  const scanning = await ownScanning(t);
  const { url, query } = scanning.server;
  const page = await uploadByPage(url, uploadForm([questions, submission]));
  assert.equal(page.status, 422);
  const token = draftToken(await page.text());
  const rubricFile = new File([new Uint8Array(rubric.bytes)], rubric.name);
  // As in the page: the draft comes before the files, and texts after them.
  const form = () => formWithDraft(token, [["rubricFile", rubricFile], ...Object.entries(contact)]);
  const retry = () => uploadByPage(url, form());
  const draftFiles = async () =>
    column(await query("SELECT name FROM uploaded_files ORDER BY id"), "name");
  return { ...scanning, token, retry, draftFiles };
}

/** Asserts that a post of the draft is a 503 that keeps it, for this reason. */
async function assertUnavailable(
  { server, token, retry, draftFiles }: Awaited<ReturnType<typeof scanningDraft>>,
  reason: RegExp,
): Promise<void> {
  const response = await retry();
  assert.equal(response.status, 503);
  assert.ok(response.headers.get("Retry-After"));
  const html = await response.text();
  assert.match(html, new RegExp(`value="${contact.name}"`));
  assert.equal(draftToken(html), token);
  assert.deepEqual(await draftFiles(), [questions.name, submission.name]);
  assert.match(server.log(), reason);
}

const sharedDraft = once(() => scanningDraft(wholeFile));

for (const [mode, reason] of [
  ["floods", /The virus scanner sent too long a response/],
  ["hangs up", /The virus scanner (closed the connection|cannot be reached: ECONNRESET)/],
  ["fails", /The virus scanner responded with “INSTREAM size limit exceeded. ERROR”/],
] satisfies [ScannerMode, RegExp][]) {
  test(`an upload is a 503 that keeps its draft while clamd ${mode}`, async () => {
    const draft = await sharedDraft();
    draft.clamd.state.mode = mode;
    await assertUnavailable(draft, reason);
  });
}

test("an upload is a 503 that keeps its draft while clamd is gone, and accepted once it is back", async (t) => {
  const draft = await scanningDraft(t);
  draft.clamd.close();
  await assertUnavailable(draft, /The virus scanner cannot be reached: ENOENT/);
  assert.equal((await uploadByApi(draft.server.url, uploadForm())).status, 503);
  await startClamd(t, draft.clamd.address);
  assert.equal((await draft.retry()).status, 303);
});

test("doctor says whether the virus scanner responds", async (t) => {
  const clamd = await startClamd(t, path.join(newFolder(t), "clamd.sock"));
  const env = { RUBRICON_CLAMD: clamd.address };
  const doctor = async () => (await runCommand(newFolder(t), ["doctor"], env)).out;
  assert.match(await doctor(), /^ok +virus scanner +clamd responds$/m);
  clamd.close();
  assert.match(await doctor(), /^FAIL +virus scanner +The virus scanner cannot be reached/m);
});

for (const mode of ["is silent", "drips"] satisfies ScannerMode[]) {
  test(`a scan ends when clamd ${mode}`, async (t) => {
    const clamd = await startClamd(t, path.join(newFolder(t), "clamd.sock"));
    clamd.state.mode = mode;
    const scanner = openVirusScanner({ path: clamd.address }, openLog("text", false), 1000);
    const message = "The virus scanner did not respond within 1 seconds.";
    await assert.rejects(scanner.finds(Buffer.from("A memo.")), { message });
  });
}
