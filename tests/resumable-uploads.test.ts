/** An upload by its id, over HTTP: files that have arrived are not sent again, and it is stored once. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import type { UploadProgress, UploadStatus } from "../app/domain/upload.ts";
import { query, runCommand, type Server, startServer, until } from "./support/server.ts";
import {
  contact,
  pdf,
  sha256,
  threeFiles,
  type UploadedFile,
  uploadForm,
} from "./support/upload.ts";

const path = "/api/demo-request-with-files";
const id = "0123456789abcdef0123456789abcdef";
const wrongEmail = { ...contact, email: "wrong" };

/** A post as a browser sends it: the manifest first. */
function uploadOf(
  files: UploadedFile[],
  manifest: { kept: number[]; sent: number[] } | undefined,
  typed: Record<string, string> = contact,
): FormData {
  const form = new FormData();
  if (manifest) form.append("upload", JSON.stringify(manifest));
  for (const [name, value] of uploadForm(files, typed)) form.append(name, value);
  return form;
}

interface Answer {
  status: number;
  code?: string;
  reference?: string;
  fields?: Record<string, string[]>;
}

async function post(server: Server, body: FormData, uploadId = id): Promise<Answer> {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { "Upload-Id": uploadId },
    body,
  });
  return { ...((await response.json()) as Omit<Answer, "status">), status: response.status };
}

async function statusOf(server: Server, uploadId = id): Promise<UploadStatus> {
  const response = await fetch(server.url + path, { headers: { "Upload-Id": uploadId } });
  assert.equal(response.headers.get("Cache-Control"), "no-store");
  return (await response.json()) as UploadStatus;
}

async function progressOf(server: Server): Promise<UploadProgress> {
  const headers = { "Upload-Id": id };
  const response = await fetch(`${server.url}${path}?progress`, { headers });
  return (await response.json()) as UploadProgress;
}

const storedFiles = (server: Server) =>
  query<{ name: string; bytes: Buffer }>(
    server.databaseFile,
    `SELECT name, bytes FROM uploaded_files JOIN uploaded_file_bytes ON file_id = id
    WHERE contact_request_id IS NOT NULL ORDER BY name`,
  ).map(({ name, bytes }) => [name, sha256(bytes)]);
const digests = (files: UploadedFile[]) =>
  files.map(({ name, bytes }) => [name, sha256(bytes)]).sort();
const count = (server: Server, table: string) =>
  query(server.databaseFile, `SELECT 1 FROM ${table}`).length;

test("good files of a rejected upload stay under its id, and the next post brings only the others", async (t) => {
  const server = await startServer(t);
  const files = threeFiles();
  const bad = { ...files[2]!, bytes: Buffer.from("no PDF") };
  const rejected = await post(
    server,
    uploadOf([files[0]!, files[1]!, bad], { kept: [], sent: [0, 1, 2] }),
  );
  assert.equal(rejected.status, 422);
  assert.deepEqual(Object.keys(rejected.fields!), ["submissionFiles"]);
  const { files: arrived, ...others } = await statusOf(server);
  assert.deepEqual(others, { reference: null });
  assert.deepEqual(await progressOf(server), { step: null, received: 0 });
  assert.deepEqual(
    arrived.map(({ position }) => position),
    [0, 1],
  );
  const kept = arrived.map((file) => file.id);
  const stored = await post(server, uploadOf([files[2]!], { kept, sent: [3] }));
  assert.equal(stored.status, 201);
  assert.deepEqual(storedFiles(server), digests(files));
  assert.equal((await statusOf(server)).reference, stored.reference);
});

test("the same id twice is one request: with all files again, with none, and at the same time", async (t) => {
  const server = await startServer(t);
  const files = threeFiles();
  const manifest = { kept: [], sent: [0, 1, 2] };
  const first = await post(server, uploadOf(files, manifest));
  assert.equal(first.status, 201);
  for (const again of [
    uploadOf(files, manifest),
    uploadOf([], { kept: [], sent: [] }),
    uploadOf(files, undefined),
    uploadOf(files, manifest, { ...contact, message: "Changed meanwhile, and sent again." }),
  ]) {
    const repeated = await post(server, again);
    assert.deepEqual([repeated.status, repeated.reference], [201, first.reference]);
  }
  const other = "fedcba9876543210fedcba9876543210";
  const form = () =>
    uploadOf(threeFiles(), undefined, { ...contact, message: "Another class of ten." });
  const outcomes = await Promise.allSettled([
    post(server, form(), other),
    post(server, form(), other),
    post(server, form(), other),
  ]);
  const references = outcomes.flatMap((one) =>
    one.status === "fulfilled" && one.value.status === 201 ? [one.value.reference] : [],
  );
  assert.ok(references.length > 0, JSON.stringify(outcomes));
  assert.equal(new Set(references).size, 1, "of posts at the same time");
  assert.equal(count(server, "contact_requests"), 2);
  assert.equal(count(server, "uploaded_files"), 6, "nothing is left over");
});

test("a request never lacks a file that the upload counts on", async (t) => {
  const server = await startServer(t);
  const files = threeFiles();
  await post(server, uploadOf(files, { kept: [], sent: [0, 1, 2] }, wrongEmail));
  const { files: arrived } = await statusOf(server);
  const kept = arrived.map((file) => file.id);
  const gone = await post(server, uploadOf([], { kept: [...kept, 9999], sent: [] }));
  assert.deepEqual([gone.status, gone.code], [422, "files_gone"]);
  const db = new Sqlite(server.databaseFile);
  db.prepare("UPDATE upload_drafts SET expires_at = ?").run(new Date(0).toISOString());
  db.close();
  assert.deepEqual((await statusOf(server)).files, []);
  const expired = await post(server, uploadOf([], { kept, sent: [] }));
  assert.deepEqual([expired.status, expired.code], [422, "files_gone"]);
  assert.equal(count(server, "contact_requests"), 0);
  const anew = await post(server, uploadOf(files, { kept: [], sent: [0, 1, 2] }));
  assert.equal(anew.status, 201);
});

test("files that the visitor took out or replaced are not part of the request", async (t) => {
  const server = await startServer(t);
  const [questions, rubric, submission] = threeFiles() as [
    UploadedFile,
    UploadedFile,
    UploadedFile,
  ];
  const removed = { ...submission, name: "removed.pdf", bytes: pdf() };
  await post(
    server,
    uploadOf([questions, rubric, removed], { kept: [], sent: [0, 1, 2] }, wrongEmail),
  );
  const { files: arrived } = await statusOf(server);
  const keptId = arrived.find(({ position }) => position === 0)!.id;
  const better = { ...rubric, name: "better.pdf", bytes: pdf() };
  const stored = await post(
    server,
    uploadOf([better, submission], { kept: [keptId], sent: [3, 4] }),
  );
  assert.equal(stored.status, 201);
  assert.deepEqual(storedFiles(server), digests([questions, better, submission]));
  assert.equal(count(server, "uploaded_files"), 3);
});

test("a post that is cut leaves its whole files, and a further post of the same upload ends it", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_UPLOAD_SLOTS: "2" } });
  const files = threeFiles();
  const whole = new Response(uploadOf(files, { kept: [], sent: [0, 1, 2] }));
  const bytes = Buffer.from(await whole.arrayBuffer());
  const half = request(server.url + path, {
    method: "POST",
    headers: {
      "Content-Type": whole.headers.get("Content-Type")!,
      "Content-Length": bytes.length,
      "Upload-Id": id,
    },
  });
  half.on("error", () => {});
  half.write(bytes.subarray(0, -200));
  await until(async () => (await statusOf(server)).files.length === 2);
  const { step, received } = await progressOf(server);
  assert.equal(step, "checking");
  assert.ok(received > bytes.length - 1000 && received <= bytes.length, `${received} bytes`);
  // The connection of the first post stays open: it seems alive, and holds the only slot.
  const closed = new Promise((resolve) => half.once("close", resolve));
  const kept = (await statusOf(server)).files.map((file) => file.id);
  const stored = await post(server, uploadOf([files[2]!], { kept, sent: [2] }));
  assert.equal(stored.status, 201);
  await closed;
  assert.deepEqual(storedFiles(server), digests(files));
});

test("a post that repeats files which have arrived is a 409, and its connection is closed", async (t) => {
  const server = await startServer(t);
  const manifest = { kept: [], sent: [0, 1, 2] };
  await post(server, uploadOf(threeFiles(), manifest, wrongEmail));
  const whole = new Response(uploadOf(threeFiles(), manifest));
  const repeated = request(server.url + path, {
    method: "POST",
    headers: {
      "Content-Type": whole.headers.get("Content-Type")!,
      "Content-Length": 100_000_000,
      "Upload-Id": id,
    },
  });
  repeated.on("error", () => {});
  const closed = new Promise((resolve) => repeated.once("close", resolve));
  const status = new Promise((resolve) =>
    repeated.once("response", (response) => {
      response.resume();
      resolve(response.statusCode);
    }),
  );
  repeated.write(Buffer.from(await whole.arrayBuffer()));
  assert.equal(await status, 409);
  await closed;
  assert.equal((await statusOf(server)).files.length, 3);
});

test("an id that could be guessed is none, another form's id opens nothing, and a bad manifest is a 400", async (t) => {
  const server = await startServer(t);
  const short = await fetch(server.url + path, { headers: { "Upload-Id": "short" } });
  assert.equal(short.status, 405);
  await post(server, uploadOf(threeFiles(), undefined, wrongEmail), "short");
  assert.equal(count(server, "uploaded_files"), 0, "rejected as a post without an id");
  await post(server, uploadOf(threeFiles(), undefined, wrongEmail));
  assert.equal((await statusOf(server)).files.length, 3);
  const other = await fetch(`${server.url}/api/rubric-regeneration`, {
    headers: { "Upload-Id": id },
  });
  assert.deepEqual(((await other.json()) as UploadStatus).files, []);
  for (const manifest of ["", "{}", '{"kept":[-1],"sent":[]}', '{"kept":[],"sent":[1,1]}', "[]"]) {
    const form = new FormData();
    form.append("upload", manifest);
    for (const [name, value] of uploadForm()) form.append(name, value);
    assert.equal((await post(server, form)).status, 400, manifest);
  }
  const late = uploadOf(threeFiles(), undefined);
  late.append("upload", JSON.stringify({ kept: [], sent: [9] }));
  assert.equal((await post(server, late)).status, 400, "a manifest after files");
  const short3 = uploadOf(threeFiles(), { kept: [], sent: [5, 6] });
  assert.equal((await post(server, short3)).status, 400, "a file without a position");
});

test("erasing a request erases that its upload was sent", async (t) => {
  const server = await startServer(t);
  const { reference } = await post(server, uploadOf(threeFiles(), undefined));
  assert.equal(count(server, "upload_drafts"), 1);
  await server.stop();
  const { code, err } = await runCommand(server.folder, [
    "requests",
    "purge",
    String(reference),
    "--yes",
  ]);
  assert.equal(code, 0, err);
  assert.equal(count(server, "upload_drafts"), 0);
});
