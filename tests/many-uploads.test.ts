import assert from "node:assert/strict";
import { request } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import { atEnd } from "./support/at-end.ts";
import { query, startServer, until } from "./support/server.ts";
import { contact, uploadByApi, uploadByPage, uploadForm } from "./support/upload.ts";

const path = "/api/demo-request-with-files";

/** Begins an upload, so that it takes a slot, and leaves it there until it is let go. */
async function occupy(url: string, address = "192.0.2.1"): Promise<() => void> {
  const call = request(url + path, {
    method: "POST",
    headers: {
      "Content-Type": "multipart/form-data; boundary=x",
      "Content-Length": 1_000_000,
      Expect: "100-continue",
      "X-Forwarded-For": address,
    },
  });
  call.on("error", () => {});
  call.flushHeaders();
  await new Promise((resolve) => call.once("continue", resolve));
  call.write("--x\r\n");
  return () => call.destroy();
}

test("beyond the slots and the queue: 503 with Retry-After, with all that was typed; then the way is free", async (t) => {
  const env = { RUBRICON_UPLOAD_SLOTS: "1", RUBRICON_UPLOAD_QUEUE: "0" };
  const server = await startServer(t, { env });
  const letGo = await occupy(server.url);
  await until(async () => (await uploadByApi(server.url, uploadForm())).status === 503);
  const call = await uploadByApi(server.url, uploadForm());
  assert.equal(call.status, 503);
  assert.ok(call.headers.get("Retry-After"));
  assert.equal(((await call.json()) as { code: string }).code, "busy");
  const page = await uploadByPage(server.url, uploadForm());
  assert.equal(page.status, 503);
  assert.match(await page.text(), new RegExp(`value="${contact.name}"`));
  assert.equal((await fetch(server.url)).status, 200, "pages need no slot");
  letGo();
  await until(async () => (await uploadByApi(server.url, uploadForm())).status === 201);
});

test("who waits in the queue gets the next free slot", async (t) => {
  const env = { RUBRICON_UPLOAD_SLOTS: "1", RUBRICON_UPLOAD_QUEUE: "5" };
  const server = await startServer(t, { env });
  const letGo = await occupy(server.url);
  const waiting = [0, 1, 2].map(() => uploadByApi(server.url, uploadForm()));
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(query(server.databaseFile, "SELECT 1 FROM contact_requests").length, 0);
  letGo();
  for (const answer of await Promise.all(waiting)) assert.equal(answer.status, 201);
});

test("whoever leaves the queue makes room, and is not stored when the turn would have come", async (t) => {
  const env = { RUBRICON_UPLOAD_SLOTS: "1", RUBRICON_UPLOAD_QUEUE: "1" };
  const server = await startServer(t, { env });
  const letGo = await occupy(server.url);
  const leaver = new AbortController();
  const left = fetch(server.url + path, {
    method: "POST",
    body: uploadForm(undefined, { ...contact, name: "Cancelled" }),
    signal: leaver.signal,
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal((await uploadByApi(server.url, uploadForm())).status, 503, "the queue is full");
  leaver.abort();
  await assert.rejects(left);
  const waiting = uploadByApi(server.url, uploadForm());
  await new Promise((resolve) => setTimeout(resolve, 300));
  letGo();
  assert.equal((await waiting).status, 201);
  assert.deepEqual(query(server.databaseFile, "SELECT name FROM contact_requests"), [
    { name: contact.name },
  ]);
});

test("a refused upload gives its slot back at once, however slowly its body comes", async (t) => {
  const env = { RUBRICON_UPLOAD_SLOTS: "1", RUBRICON_UPLOAD_QUEUE: "0" };
  const server = await startServer(t, { env });
  const call = request(server.url + path, {
    method: "POST",
    headers: { "Content-Type": "text/plain" },
  });
  call.on("error", () => {});
  call.write("never ending");
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal((await uploadByApi(server.url, uploadForm())).status, 201);
  call.destroy();
});

test("one address has its share of the slots and of the queue, and leaves the rest to others", async (t) => {
  const server = await startServer(t, {
    env: {
      RUBRICON_UPLOAD_SLOTS: "2",
      RUBRICON_UPLOAD_SLOTS_PER_ADDRESS: "1",
      RUBRICON_UPLOAD_QUEUE: "1",
      RUBRICON_TRUSTED_PROXIES: "127.0.0.1",
    },
  });
  const sendFrom = (address: string) =>
    fetch(server.url + path, {
      method: "POST",
      headers: { "X-Forwarded-For": address },
      body: uploadForm(undefined, { ...contact, name: `From ${address}` }),
    });
  const letGo = await occupy(server.url, "192.0.2.1");
  const waiting = sendFrom("192.0.2.1");
  await until(async () => (await sendFrom("192.0.2.1")).status === 503);
  assert.equal((await sendFrom("192.0.2.2")).status, 201, "another address finds a slot");
  letGo();
  assert.equal((await waiting).status, 201);
});

test("who sends next to nothing, but never stops, is cut off and gives the slot back", async (t) => {
  const server = await startServer(t, {
    env: { RUBRICON_UPLOAD_SLOTS: "1", RUBRICON_UPLOAD_QUEUE: "0", RUBRICON_IDLE_SECONDS: "2" },
  });
  const call = request(server.url + path, {
    method: "POST",
    headers: { "Content-Type": "multipart/form-data; boundary=x", "Content-Length": 1_000_000 },
  });
  call.on("error", () => {});
  const answer = new Promise<number>((resolve) =>
    call.once("response", (response) => {
      response.resume();
      resolve(response.statusCode!);
    }),
  );
  call.write('--x\r\nContent-Disposition: form-data; name="message"\r\n\r\n');
  const trickle = setInterval(() => call.write("."), 200);
  atEnd(t, () => clearInterval(trickle));
  assert.equal(await answer, 400);
  assert.equal((await uploadByApi(server.url, uploadForm())).status, 201);
});

test("how far an upload is can be asked, and is true", async (t) => {
  const server = await startServer(t);
  const address = `${server.url}${path}?upload=0123456789abcdef`;
  const step = async () => ((await (await fetch(address)).json()) as { step: string | null }).step;
  assert.equal(await step(), null);
  const other = new Sqlite(server.databaseFile);
  other.exec("BEGIN IMMEDIATE");
  const upload = fetch(address, { method: "POST", body: uploadForm() });
  await until(async () => (await step()) === "checking");
  other.exec("ROLLBACK");
  // The moment of storing is short: the lock is taken again and again until it is met.
  const seen = new Set<string | null>();
  const watch = (async () => {
    while (!seen.has(null)) seen.add(await step());
  })();
  assert.equal((await upload).status, 201);
  await watch;
  other.close();
  assert.equal(await step(), null);
});

test("somebody who never stops sending still gets the answer, and is cut off", async (t) => {
  const server = await startServer(t);
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  let sending = true;
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => {});
  socket.on("close", () => {
    sending = false;
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const block = Buffer.alloc(1_048_576, "x");
  const chunk = Buffer.concat([Buffer.from("100000\r\n"), block, Buffer.from("\r\n")]);
  const send = () => {
    while (sending && socket.write(chunk)) {}
  };
  socket.on("drain", send);
  send();
  await closed;
  assert.match(answer, /^HTTP\/1\.1 4\d\d /);
  assert.equal((await uploadByApi(server.url, uploadForm())).status, 201);
});

test("hostile bodies over the wire: the right 4xx, nothing stored, and the next request is fine", async (t) => {
  const server = await startServer(t);
  const type = "multipart/form-data; boundary=x";
  const head = (disposition: string) =>
    `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
  const file = head('name="questionsFile"; filename="a.txt"');
  for (const [body, contentType, statuses] of [
    [`${file}hello\r\n--x--`, "Multipart/Form-Data; boundary=x", [415]],
    [`${file}hello`, `multipart/form-data; boundary=${"x".repeat(12_000)}`, [400, 431]],
    [`--x\r\n${"a: b\r\n".repeat(20_000)}`, type, [413]],
    [`${file}hello\r\n`.repeat(10_000), type, [413]],
    [`${file}hello`, type, [400]],
    [`${head("name=\"questionsFile\"; filename*=UTF-8''a.txt")}hello\r\n--x--`, type, [400]],
    [
      `${head('name="__proto__"')}{}\r\n${head('name="__proto__"; filename="a.txt"')}x\r\n--x--`,
      type,
      [400],
    ],
    [`${head('name="questionsFile"')}1\r\n${head('name="replace-1"')}2\r\n--x--`, type, [422]],
    [`${head('name="name"')}${"n".repeat(70_000)}\r\n--x--`, type, [413]],
    [`${head('name="name"')}\xff\r\n--x--`, type, [400]],
  ] as const) {
    const answer = await fetch(server.url + path, {
      method: "POST",
      body: Buffer.from(body, "latin1"),
      headers: { "Content-Type": contentType },
    });
    assert.ok(
      (statuses as readonly number[]).includes(answer.status),
      `${answer.status} for ${body.slice(0, 90)}`,
    );
    for (const table of ["contact_requests", "uploaded_files", "upload_drafts"]) {
      assert.equal(query(server.databaseFile, `SELECT 1 FROM ${table}`).length, 0, table);
    }
  }
  assert.equal((await uploadByApi(server.url, uploadForm())).status, 201);
});
