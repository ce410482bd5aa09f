import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { once as onceOnly } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { beginPost, longUpload } from "./support/begun-post.ts";
import { open } from "./support/raw-client.ts";
import { sendRaw } from "./support/raw-http.ts";
import { localMetrics, query, startServer, until } from "./support/server.ts";
import { contact, uploadByApi, uploadForm } from "./support/upload.ts";

const path = "/api/demo-request-with-files";

/** Starts an upload that occupies a slot. Returns a function that aborts it. */
async function occupy(url: string, address = "192.0.2.1"): Promise<() => void> {
  const upload = await beginPost(url + path, { ...longUpload, "X-Forwarded-For": address });
  upload.write("--x\r\n");
  return () => upload.destroy();
}

/** How many uploads of one address may wait. */
const queueShare = 12;

/** Returns the number of uploads that wait for a slot. */
async function waitingAt(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^\w+_uploads_waiting (\d+)$/m.exec(metrics)![1]);
}

const oneSlotServer = onceOnly(() =>
  startServer(wholeFile, { env: { ...localMetrics, RUBRICON_UPLOAD_SLOTS: "1" } }),
);

/** Sends this many uploads, which wait while the only slot is occupied. */
const sendMany = (url: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    uploadByApi(url, uploadForm(undefined, { ...contact, phone: `${index}` })),
  );

test("an upload beyond its address's share of slots and queue is a 503 before its body is read", async () => {
  const server = await oneSlotServer();
  const stored = () => query(server.databaseFile, "SELECT 1 FROM contact_requests").length;
  const before = stored();
  const abortUpload = await occupy(server.url);
  const waiting = sendMany(server.url, queueShare);
  await until(async () => (await waitingAt(server.url)) === queueShare);
  const response = await uploadByApi(server.url, uploadForm());
  assert.equal(response.status, 503);
  assert.ok(response.headers.get("Retry-After"));
  assert.equal(((await response.json()) as { code: string }).code, "busy");
  const page = await sendRaw(server.url, [
    "POST /?index&form=demo-upload HTTP/1.1\r\nHost: site\r\nAccept: text/html\r\n" +
      "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 9000\r\n\r\n",
  ]);
  assert.equal(page.status, 503);
  assert.match(page.body, /<h1>This site is busy<\/h1>/);
  assert.match(page.body, /Nothing is lost: please try again in a few minutes/);
  assert.equal(stored(), before);
  abortUpload();
  await Promise.all(waiting);
});

test("a page is served while the only slot for uploads is occupied", async () => {
  const { url } = await oneSlotServer();
  const abortUpload = await occupy(url);
  assert.equal((await fetch(url)).status, 200);
  abortUpload();
});

test("an upload that leaves the queue makes room", async () => {
  const server = await oneSlotServer();
  const abortUpload = await occupy(server.url);
  const controller = new AbortController();
  const aborted = fetch(server.url + path, {
    method: "POST",
    body: uploadForm(undefined, { ...contact, name: "Cancelled" }),
    signal: controller.signal,
  });
  await until(async () => (await waitingAt(server.url)) === 1);
  const others = sendMany(server.url, queueShare - 1);
  await until(async () => (await waitingAt(server.url)) === queueShare);
  assert.equal((await uploadByApi(server.url, uploadForm())).status, 503);
  controller.abort();
  await assert.rejects(aborted);
  await until(async () => (await waitingAt(server.url)) === queueShare - 1);
  const waiting = uploadByApi(server.url, uploadForm());
  await until(async () => (await waitingAt(server.url)) === queueShare);
  abortUpload();
  for (const one of await Promise.all([...others, waiting])) assert.equal(one.status, 201);
  const names = "SELECT DISTINCT name FROM contact_requests";
  assert.deepEqual(query(server.databaseFile, names), [{ name: contact.name }]);
});

test("a rejected upload frees its slot at once, however slowly its body arrives", async () => {
  const server = await oneSlotServer();
  const upload = await beginPost(server.url + path, {
    ...longUpload,
    "Content-Type": "text/plain",
  });
  let isAnswered = false;
  upload.once("response", () => (isAnswered = true));
  upload.write("never ending");
  assert.equal((await uploadByApi(server.url, uploadForm())).status, 201);
  assert.ok(!isAnswered, "the server still reads its body");
  upload.end(Buffer.alloc(1_000_000 - "never ending".length));
  const [response] = (await once(upload, "response")) as [IncomingMessage];
  assert.equal(response.statusCode, 415);
});

test("one address has half of the slots", async (t) => {
  const slots = { RUBRICON_UPLOAD_SLOTS: "2", RUBRICON_TRUSTED_PROXIES: "127.0.0.1" };
  const server = await startServer(t, { env: { ...localMetrics, ...slots } });
  const sendFrom = (address: string) =>
    fetch(server.url + path, {
      method: "POST",
      headers: { "X-Forwarded-For": address },
      body: uploadForm(undefined, { ...contact, name: `From ${address}` }),
    });
  const abortUpload = await occupy(server.url, "192.0.2.1");
  const waiting = sendFrom("192.0.2.1");
  await until(async () => (await waitingAt(server.url)) === 1);
  assert.equal((await sendFrom("192.0.2.2")).status, 201, "another address finds a slot");
  assert.equal(await waitingAt(server.url), 1);
  abortUpload();
  assert.equal((await waiting).status, 201);
});

test("a client that never stops sending is cut off after the response", async (t) => {
  const server = await oneSlotServer();
  const { socket, received, isClosed } = open(t, server.url);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const block = Buffer.alloc(1_048_576, "x");
  const chunk = Buffer.concat([Buffer.from("100000\r\n"), block, Buffer.from("\r\n")]);
  const send = () => {
    while (!isClosed() && socket.write(chunk)) {}
  };
  socket.on("drain", send);
  send();
  await until(isClosed);
  assert.match(received(), /^HTTP\/1\.1 411 /);
});
