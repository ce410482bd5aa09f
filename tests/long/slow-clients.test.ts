/** Clients that are too slow, with the times of the program: 30 s of silence, 60 s for a text or a response. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { test } from "node:test";
import { atEnd } from "../support/at-end.ts";
import { assetNamed } from "../support/built-assets.ts";
import { contactTyped } from "../support/forms.ts";
import { open } from "../support/raw-client.ts";
import { sendRequest } from "../support/send-request.ts";
import { localMetrics, query, startServer, until } from "../support/server.ts";
import { uploadByApi, uploadForm } from "../support/upload.ts";

const video = `/assets/${assetNamed(/^demo-landscape-.*\.mp4$/)}`;
const get = (address: string, headers = "") =>
  `GET ${address} HTTP/1.1\r\nHost: site\r\n${headers}\r\n`;
const urlEncoded = "Content-Type: application/x-www-form-urlencoded\r\n";
const contact = new URLSearchParams(contactTyped).toString();

test("a client is disconnected if it reads nothing, not if it reads slowly", async (t) => {
  const { url } = await startServer(t);
  const length = Number(
    (await sendRequest(url, video, { method: "HEAD" })).headers["content-length"],
  );
  // More than the buffers of both sides hold.
  const requests = 8;
  const stuck = open(t, url);
  stuck.socket.pause();
  stuck.socket.write(get(video).repeat(requests));
  const slow = open(t, url);
  slow.socket.write(get(video).repeat(requests));
  // Longer than twice the time without progress: what the buffers took in the first minute is progress.
  const slowMs = 150_000;
  slow.socket.on("data", (chunk) => {
    slow.socket.pause();
    setTimeout(() => slow.socket.resume(), (slowMs * chunk.length) / (requests * length));
  });
  await until(() => slow.received().length > requests * length, 300_000);
  stuck.socket.resume();
  await until(stuck.isClosed);
  assert.ok(stuck.received().length < requests * length, "only what the buffers held");
});

test("a form without files has a deadline, however steadily it arrives", async (t) => {
  const { url, databaseFile } = await startServer(t);
  const trickle = async (address: string) => {
    const start = performance.now();
    const client = open(t, url);
    client.socket.write(
      `POST ${address} HTTP/1.1\r\nHost: site\r\n${urlEncoded}Content-Length: 4000\r\n\r\n${contact}`,
    );
    const drip = setInterval(() => client.socket.write("a".repeat(20)), 1000);
    atEnd(t, () => clearInterval(drip));
    await until(() => /^HTTP\/1\.1 \d/.test(client.received()), 90_000);
    clearInterval(drip);
    assert.match(client.received(), /^HTTP\/1\.1 400/, address);
    const seconds = (performance.now() - start) / 1000;
    assert.ok(seconds > 55, `${address}: rejected after ${seconds} seconds`);
  };
  await Promise.all([trickle("/contact"), trickle("/test-forms")]);
  assert.deepEqual(query(databaseFile, "SELECT * FROM contact_requests"), []);
});

test("the slot of a client that sends too slowly is freed", async (t) => {
  const server = await startServer(t, {
    env: { ...localMetrics, RUBRICON_UPLOAD_SLOTS: "1" },
  });
  const upload = request(`${server.url}/api/demo-request-with-files`, {
    method: "POST",
    headers: {
      "Content-Type": "multipart/form-data; boundary=x",
      "Content-Length": 1_000_000,
      Expect: "100-continue",
    },
  });
  upload.on("error", () => {});
  const status = new Promise<number>((resolve) =>
    upload.once("response", (response) => {
      response.resume();
      resolve(response.statusCode!);
    }),
  );
  upload.flushHeaders();
  await once(upload, "continue");
  upload.write('--x\r\nContent-Disposition: form-data; name="message"\r\n\r\n');
  const trickle = setInterval(() => upload.write("."), 200);
  atEnd(t, () => clearInterval(trickle));
  const next = uploadByApi(server.url, uploadForm());
  await until(async () =>
    /_uploads_waiting 1$/m.test(await (await fetch(`${server.url}/metrics`)).text()),
  );
  assert.equal(await status, 400);
  assert.equal((await next).status, 201);
});
