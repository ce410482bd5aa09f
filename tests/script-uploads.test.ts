/** An upload as script sends it, over HTTP: one request for each file, then one with the texts. */
import assert from "node:assert/strict";
import { type IncomingMessage, request } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { test } from "node:test";
import type { UploadStatus } from "../app/domain/upload.ts";
import { columns } from "./support/columns.ts";
import { succeeded } from "./support/output-of.ts";
import { emptyServer, runCommand, type Server, startServer, until } from "./support/server.ts";
import {
  contact,
  maxFileBytes,
  pdf,
  sha256,
  threeFiles,
  type UploadedFile,
  uploadByApi,
  uploadForm,
} from "./support/upload.ts";

const path = "/api/demo-request-with-files";
const token = "0123456789abcdef0123456789abcdef";

interface Answer {
  status: number;
  id?: number;
  code?: string;
  reference?: string;
  fields?: Record<string, string[]>;
}

const answerOf = async (response: Response): Promise<Answer> => ({
  ...((await response.json()) as Omit<Answer, "status">),
  status: response.status,
});

const headersOf = ({ field, name }: UploadedFile, number: number | string, draft = token) => ({
  "Content-Type": "application/octet-stream",
  "Upload-Draft": draft,
  "File-Number": String(number),
  "File-Field": field,
  "File-Name": encodeURIComponent(name),
});

/** Opens the post of a file, of which nothing is sent yet. */
function openPost(server: Server, file: UploadedFile, draft = token, more = {}) {
  const size = { "Content-Length": file.bytes.length };
  const headers = { ...headersOf(file, 0, draft), ...size, ...more };
  return request(server.url + path, { method: "POST", headers }).on("error", () => {});
}

const sendFile = async (
  server: Pick<Server, "url">,
  file: UploadedFile,
  number: number | string,
  more: Record<string, string> = {},
): Promise<Answer> =>
  answerOf(
    await fetch(server.url + path, {
      method: "POST",
      headers: { ...headersOf(file, number), ...more },
      body: new Uint8Array(file.bytes),
    }),
  );

const sendAll = async (server: Pick<Server, "url">, files: UploadedFile[], from = 0) =>
  await Promise.all(
    files.map(async (file, index) => (await sendFile(server, file, from + index)).id!),
  );

async function finish(
  server: Pick<Server, "url">,
  ids: (number | string)[],
  typed: Record<string, string> = contact,
  draft = token,
): Promise<Answer> {
  const body = uploadForm([], typed);
  body.append("files", ids.join(","));
  return answerOf(
    await fetch(server.url + path, { method: "POST", headers: { "Upload-Draft": draft }, body }),
  );
}

async function statusOf(server: Server, endpoint = path): Promise<UploadStatus> {
  const response = await fetch(server.url + endpoint, { headers: { "Upload-Draft": token } });
  return (await response.json()) as UploadStatus;
}

const storedFiles = async (server: Server) =>
  (
    await server.query<{ name: string; sha256: string }>(
      "SELECT name, sha256 FROM uploaded_files WHERE contact_request_id IS NOT NULL ORDER BY name",
    )
  ).map(({ name, sha256 }) => [name, sha256]);
const digests = (files: UploadedFile[]) =>
  files.map(({ name, bytes }) => [name, sha256(bytes)]).sort();
const count = async (server: Server, table: string) =>
  (await server.query(`SELECT 1 FROM ${table}`)).length;

test("the last post of an upload makes a request of its files, in the order of the post", async () => {
  const server = await emptyServer();
  const [questions, rubric, submission] = threeFiles();
  const second = { ...submission, name: "Ünathi’s script.pdf", bytes: pdf(maxFileBytes) };
  const files = [questions, rubric, submission, second];
  // The later ones arrive first.
  const ids: number[] = [];
  for (const number of [3, 1, 0, 2]) {
    ids[number] = (await sendFile(server, files[number]!, number)).id!;
  }
  assert.equal((await finish(server, ids)).status, 201);
  assert.deepEqual(await storedFiles(server), digests(files));
  const listed = "SELECT submission_files_data AS ids FROM assessment_submissions";
  assert.deepEqual(await server.query(listed), [{ ids: JSON.stringify(ids.slice(2)) }]);
});

test("the status of an upload has the files that arrived, and once it is sent, its reference", async () => {
  const server = await emptyServer();
  const ids = await sendAll(server, threeFiles());
  const { files, reference } = await statusOf(server);
  assert.equal(reference, null);
  assert.deepEqual(Object.fromEntries(columns(files, "number", "id")), { ...ids });
  const stored = await finish(server, ids);
  assert.equal((await statusOf(server)).reference, stored.reference);
});

test("the last post sent again, or the same form as one multipart post, is the same request", async () => {
  const server = await emptyServer();
  const files = threeFiles();
  const ids = await sendAll(server, files);
  const stored = await finish(server, ids);
  assert.equal((await finish(server, ids)).reference, stored.reference);
  const whole = await answerOf(await uploadByApi(server.url, uploadForm(files)));
  assert.equal(whole.reference, stored.reference);
  assert.equal(await count(server, "contact_requests"), 1);
  assert.equal(await count(server, "uploaded_files"), files.length);
});

test("a file that is sent again under its number is answered before it is read", async () => {
  const server = await emptyServer();
  const [file] = threeFiles();
  const { id } = await sendFile(server, file, 0);
  const unread = openPost(server, file);
  const responded = new Promise<IncomingMessage>((resolve) => unread.once("response", resolve));
  unread.flushHeaders();
  assert.equal(JSON.parse(await textOf(await responded)).id, id);
  unread.destroy();
  assert.equal(await count(server, "uploaded_files"), 1);
});

test("another file under the number of one takes its place", async () => {
  const server = await emptyServer();
  const [file] = threeFiles();
  await sendFile(server, file, 0);
  const { id } = await sendFile(server, { ...file, bytes: pdf(2000) }, 0);
  assert.deepEqual(await server.query("SELECT id FROM uploaded_files"), [{ id }]);
});

test("an upload without one of its files is told all that is wrong, and sent once the file has arrived", async () => {
  const server = await emptyServer();
  const files = threeFiles();
  const bad = { ...files[2], bytes: Buffer.from("no PDF") };
  const [first, second] = await Promise.all(
    [files[0], files[1], bad].map((file, number) => sendFile(server, file, number)),
  );
  const ids = [first!.id!, second!.id!];
  const incomplete = await finish(server, ids, { ...contact, email: "wrong" });
  assert.deepEqual(Object.keys(incomplete.fields!).sort(), ["email", "submissionFiles"]);
  const { id } = await sendFile(server, files[2], 3);
  assert.equal((await finish(server, [...ids, id!])).status, 201);
});

test("a file that the visitor took out is not part of the request and is deleted", async () => {
  const server = await emptyServer();
  const [questions, rubric, submission] = threeFiles();
  const removed = { ...submission, name: "removed.pdf", bytes: pdf() };
  const ids = await sendAll(server, [questions, rubric, removed, submission]);
  assert.equal((await finish(server, [ids[0]!, ids[1]!, ids[3]!])).status, 201);
  assert.deepEqual(await storedFiles(server), digests([questions, rubric, submission]));
  assert.equal(await count(server, "uploaded_files"), 3);
});

test("an upload that names a file that is gone, or one file twice, becomes no request", async () => {
  const server = await emptyServer();
  const ids = await sendAll(server, threeFiles());
  const gone = await finish(server, [...ids, 9999]);
  assert.deepEqual([gone.status, gone.code], [422, "files_gone"]);
  assert.equal((await finish(server, [...ids, ids[2]!])).code, "files_gone", "named twice");
  assert.equal(await count(server, "contact_requests"), 0);
});

test("an upload that names a file by other than its whole number is malformed", async () => {
  const server = await emptyServer();
  const ids = await sendAll(server, threeFiles());
  for (const odd of [`${ids[2]}.0`, `+${ids[2]}`, `0x${ids[2]!.toString(16)}`, "1e0", " 1"]) {
    const malformed = await finish(server, [...ids.slice(0, 2), odd]);
    assert.deepEqual([malformed.status, malformed.code], [400, "malformed"], odd);
  }
});

test("an upload with two files for a field of one becomes no request", async () => {
  const server = await emptyServer();
  const [questions, rubric, submission] = threeFiles();
  const ids = await sendAll(server, [questions, rubric, submission, rubric]);
  const tooMany = await finish(server, ids);
  assert.deepEqual(tooMany.fields, { rubricFile: ["Please choose one file only"] });
  assert.equal(await count(server, "contact_requests"), 0);
});

test("files of an expired upload are sent again", async () => {
  const server = await emptyServer();
  const ids = await sendAll(server, threeFiles());
  await server.change(`UPDATE upload_drafts SET expires_at = '${new Date(0).toISOString()}'`);
  assert.deepEqual((await statusOf(server)).files, []);
  assert.equal((await finish(server, ids)).code, "files_gone");
  const anew = await sendAll(server, threeFiles());
  assert.equal((await finish(server, anew)).status, 201);
});

test("a file for an upload that was sent already is rejected", async () => {
  const server = await emptyServer();
  await finish(server, await sendAll(server, threeFiles()));
  assert.equal((await sendFile(server, threeFiles()[2], 7)).code, "files_gone");
});

test("the last post sent three times at once is one request", async () => {
  const server = await emptyServer();
  const ids = await sendAll(server, threeFiles());
  const answers = await Promise.all([1, 2, 3].map(() => finish(server, ids)));
  assert.equal(new Set(answers.map(({ reference }) => reference)).size, 1, JSON.stringify(answers));
  assert.equal(await count(server, "contact_requests"), 1);
  assert.equal(await count(server, "uploaded_files"), 3);
});

test("a file that is cut off frees its slot for the next one", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_UPLOAD_SLOTS: "1" } });
  const [file] = threeFiles();
  const half = openPost(server, file);
  half.write(file.bytes.subarray(0, 500));
  await until(async () => (await count(server, "upload_drafts")) === 1);
  half.destroy();
  const cutOffAt = Date.now();
  assert.equal((await sendFile(server, file, 0)).status, 201);
  assert.ok(Date.now() - cutOffAt < 25_000, "a file that is only silent has its slot for 30 s");
  assert.equal(await count(server, "uploaded_files"), 1);
});

const waitForTurn = async (
  server: Pick<Server, "url">,
  draft: string,
  more: Record<string, string> = {},
): Promise<number> => {
  const headers = { "Upload-Draft": draft, "Upload-Turn": "wait", ...more };
  const response = await fetch(server.url + path, { method: "POST", headers });
  return ((await response.json()) as { places: number }).places;
};

/** Begins to send a file, which then occupies a place. Returns a function that sends the rest. */
async function beginFile(server: Server, file: UploadedFile, draft: string) {
  const half = openPost(server, file, draft, { Expect: "100-continue" });
  half.flushHeaders();
  await new Promise((resolve) => half.once("continue", resolve));
  half.write(file.bytes.subarray(0, 500));
  await until(async () => (await count(server, "upload_drafts")) === 1);
  return async () => {
    const responded = new Promise<IncomingMessage>((resolve) => half.once("response", resolve));
    half.end(file.bytes.subarray(500));
    return JSON.parse(await textOf(await responded)) as { id: number; isCrowded: boolean };
  };
}

test("an upload that has sent a file waits behind others of its address", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_UPLOAD_SLOTS: "1" } });
  const [file] = threeFiles();
  const [a, b, c] = ["a", "b", "c"].map((name) => name.repeat(32)) as [string, string, string];
  const sendRest = await beginFile(server, file, a);
  assert.equal(await waitForTurn(server, b), 0);
  assert.equal(await waitForTurn(server, c), 0);
  assert.equal((await sendRest()).isCrowded, true);
  assert.equal(await waitForTurn(server, a), 0, "the place waits for b");
  // A file of this size ends the turn of its upload.
  const large = { ...file, bytes: pdf(maxFileBytes) };
  assert.equal((await sendFile(server, large, 0, { "Upload-Draft": b })).status, 201);
  const waiting = [a, c].map(async (draft) => [draft, await waitForTurn(server, draft)]);
  assert.deepEqual(await Promise.race(waiting), [c, 1]);
  assert.equal((await sendFile(server, large, 0, { "Upload-Draft": c })).status, 201);
  assert.deepEqual(await waiting[0], [a, 1]);
});

test("an upload that is alone may send several files at once", async () => {
  const server = await emptyServer();
  // One client gets at most half of the six slots.
  assert.equal(await waitForTurn(server, token), 3);
});

test("an upload may send one file at once while another waits, although slots are free", async (t) => {
  const server = await startServer(t, {
    env: { RUBRICON_UPLOAD_SLOTS: "6", RUBRICON_TRUSTED_PROXIES: "127.0.0.1" },
  });
  const wait = (client: string, draft: string) =>
    waitForTurn(server, draft.repeat(32), { "X-Forwarded-For": client });
  assert.equal(await wait("192.0.2.1", "a"), 3);
  for (const [draft, places] of [
    ["b", 3],
    ["c", 2],
    ["d", 1],
    ["e", 0],
  ] as const) {
    assert.equal(await wait("192.0.2.2", draft), places, draft);
  }
  assert.equal(await wait("192.0.2.1", "a"), 1);
});

test("a file for which the queue has no place leaves no draft", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_UPLOAD_SLOTS: "1" } });
  const [file] = threeFiles();
  await beginFile(server, file, "a".repeat(32));
  // At most 12 files of a client wait.
  const waiting = Array.from({ length: 12 + 1 }, (_, index) =>
    sendFile(server, file, 0, { "Upload-Draft": `${index}`.padStart(32, "b") }),
  );
  assert.equal((await Promise.race(waiting)).status, 503);
  assert.equal(await count(server, "upload_drafts"), 1);
});

test("a file whose name or size is wrong leaves no draft", async () => {
  const server = await emptyServer();
  const [file] = threeFiles();
  for (const [bad, error] of [
    [{ ...file, name: "marks.csv" }, /^marks\.csv: Invalid file type/],
    [{ ...file, bytes: Buffer.alloc(maxFileBytes + 1) }, /^File size too large/],
  ] as const) {
    const { status, fields } = await sendFile(server, bad, 0);
    assert.equal(status, 422);
    assert.match(fields![file.field]![0]!, error);
  }
  assert.equal(await count(server, "upload_drafts"), 0);
});

test("an upload needs a long token", async () => {
  const server = await emptyServer();
  const draft = { "Upload-Draft": "short" };
  assert.equal((await fetch(server.url + path, { headers: draft })).status, 405);
  assert.equal((await sendFile(server, threeFiles()[0], 0, draft)).status, 415);
  assert.equal(await count(server, "uploaded_files"), 0);
});

test("the files of an upload are only those of its form", async () => {
  const server = await emptyServer();
  await sendFile(server, threeFiles()[0], 0);
  assert.equal((await statusOf(server)).files.length, 1);
  assert.deepEqual((await statusOf(server, "/api/rubric-regeneration")).files, []);
});

test("a file whose headers are wrong is malformed", async () => {
  const server = await emptyServer();
  for (const [number, more] of [
    ["-1", {}],
    ["1000", {}],
    ["x", {}],
    ["1", { "File-Name": "%E0%A4" }],
    ["1", { "File-Field": "gradingRubric" }],
    ["1", { "File-Field": "__proto__" }],
  ] as const) {
    const { status } = await sendFile(server, threeFiles()[0], number, more);
    assert.equal(status, 400, JSON.stringify([number, more]));
  }
  assert.equal(await count(server, "uploaded_files"), 0);
});

test("the last post of an upload is rejected if it brings files", async () => {
  const server = await emptyServer();
  const withFile = await uploadByApi(server.url, uploadForm(), { "Upload-Draft": token });
  assert.equal(withFile.status, 400);
  assert.equal(await count(server, "uploaded_files"), 0);
});

test("one upload counts once for the limit, however many files it has", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_UPLOADS_PER_10_MINUTES: "2" } });
  const files = threeFiles();
  const ids = await sendAll(server, files);
  assert.equal((await finish(server, ids)).status, 201);
  const other = { "Upload-Draft": "fedcba9876543210fedcba9876543210" };
  assert.equal((await sendFile(server, files[0], 0, other)).status, 201);
  const third = { "Upload-Draft": "00112233445566778899aabbccddeeff" };
  for (const number of [0, 1]) {
    assert.equal((await sendFile(server, files[0], number, third)).status, 429, `file ${number}`);
  }
  assert.equal((await sendFile(server, files[1], 1, other)).status, 201);
});

test("erasing a request erases its upload draft", async () => {
  const server = await emptyServer();
  const { reference } = await finish(server, await sendAll(server, threeFiles()));
  assert.equal(await count(server, "upload_drafts"), 1);
  const args = ["requests", "purge", String(reference), "--yes"];
  await succeeded(runCommand(server.folder, args));
  assert.equal(await count(server, "upload_drafts"), 0);
});
