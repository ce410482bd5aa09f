import assert from "node:assert/strict";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import Sqlite from "better-sqlite3";
import { atEnd } from "../support/at-end.ts";
import { column } from "../support/columns.ts";
import {
  contactTyped,
  demoTyped,
  postForm,
  postJson,
  postMultipart,
  rubricForm,
} from "../support/forms.ts";
import { sendRaw } from "../support/raw-http.ts";
import { query, type Server, startServer, until } from "../support/server.ts";
import { uploadByApi, uploadByPage, uploadForm } from "../support/upload.ts";

const count = (file: string, table: string) => query(file, `SELECT 1 FROM ${table}`).length;

/** Sends every form, by page and by script. */
const sendAll = ({ url }: Server, message: string) =>
  Promise.all([
    postForm(url, "/contact", { ...contactTyped, message }),
    postForm(url, "/demo", { ...demoTyped, message }),
    postForm(url, "/blog", { email: "new@school.example" }),
    postJson(url, "/api/contact", { ...contactTyped, message: `${message}!` }),
    postJson(url, "/api/demo-request", { ...demoTyped, message: `${message}!` }),
    postJson(url, "/api/subscription", { email: "other@school.example" }),
    postMultipart(url, "/latest-feature", rubricForm()),
    uploadByPage(url, uploadForm()),
    uploadByApi(url, uploadForm()),
  ]);

/** Starts a server whose database is locked until `unlock`. */
async function startLocked(t: TestContext) {
  const server = await startServer(t);
  const locker = new Sqlite(server.databaseFile);
  atEnd(t, () => locker.close());
  locker.exec("BEGIN IMMEDIATE");
  return { server, unlock: () => locker.exec("ROLLBACK") };
}

test("while the database is locked, every form is a 503, and stored once it is not", async (t) => {
  const { server, unlock } = await startLocked(t);
  const rejected = await sendAll(server, "While it is locked.");
  for (const response of rejected) {
    assert.equal(response.status, 503, response.url);
    assert.ok(response.headers.get("Retry-After"), response.url);
  }
  assert.match(await rejected[0].text(), /While it is locked\./);
  for (const table of ["contact_requests", "rubric_requests", "subscriptions"]) {
    assert.equal(count(server.databaseFile, table), 0, table);
  }
  unlock();
  const accepted = await sendAll(server, "Now it is open.");
  assert.deepEqual(column(accepted, "status"), [303, 303, 303, 201, 201, 201, 303, 303, 201]);
  const stored = ["contact_requests", "rubric_requests", "subscriptions"].map((table) =>
    count(server.databaseFile, table),
  );
  assert.deepEqual(stored, [6, 1, 2]);
});

test("forms that wait for a locked database hold up no page", async (t) => {
  const { server } = await startLocked(t);
  const start = performance.now();
  let waitedMs = 0;
  const sent = sendAll(server, "While it is locked.").finally(() => {
    waitedMs = performance.now() - start;
  });
  let longestMs = 0;
  while (waitedMs === 0) {
    const asked = performance.now();
    assert.equal((await fetch(`${server.url}/about`)).status, 200);
    longestMs = Math.max(longestMs, performance.now() - asked);
  }
  assert.deepEqual([...new Set(column(await sent, "status"))], [503]);
  assert.ok(longestMs < waitedMs / 5, `a page took ${longestMs} ms, the forms ${waitedMs} ms`);
});

const uploadHead = (url: string, length: number) =>
  `POST /api/demo-request-with-files HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}\r\n\r\n`;
/** A file is stored when the header of the next part has arrived. */
const partialFile =
  '--x\r\nContent-Disposition: form-data; name="questionsFile"; filename="a.txt"\r\n\r\nhello\r\n--x\r\nContent-Disposition: form-data; name="message"\r\n\r\n';

test("a stalled upload is rejected and frees its slot", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_UPLOAD_SLOTS: "1" } });
  const { url, databaseFile } = server;
  const stalled = sendRaw(url, [uploadHead(url, 9000), partialFile]);
  await until(() => count(databaseFile, "uploaded_files") === 1);
  const response = await stalled;
  assert.equal(response.status, 400);
  assert.match(response.body, /"code":"stalled"/);
  await until(() => count(databaseFile, "uploaded_files") === 0);
  assert.equal((await uploadByApi(url, uploadForm())).status, 201);
});

test("a stalled form without files is rejected", async (t) => {
  const { url } = await startServer(t);
  const text = await sendRaw(
    url,
    `POST /contact HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 900\r\n\r\nname=a`,
  );
  assert.equal(text.status, 400);
  assert.match(text.body, /stopped before it was complete/);
});

test("a stalled upload does not keep the server from stopping on SIGTERM", async (t) => {
  const server = await startServer(t);
  const { url, databaseFile } = server;
  const stalled = sendRaw(url, [uploadHead(url, 9000), partialFile]);
  await until(() => count(databaseFile, "uploaded_files") === 1);
  // Both have 30 seconds, the silence that is allowed and the grace after SIGTERM: so the silence ends first.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  server.process.kill("SIGTERM");
  assert.equal((await stalled).status, 400);
  assert.equal(await server.stop(), 0);
  assert.equal(count(databaseFile, "uploaded_files"), 0);
});

test("twenty visitors who disconnect during an upload leave no files, and their slots to others", async (t) => {
  const server = await startServer(t);
  const { url, databaseFile } = server;
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: 20 }, () => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write(uploadHead(url, 9000));
    socket.write(partialFile);
    return socket;
  });
  await until(() => count(databaseFile, "uploaded_files") >= 3, 10_000);
  // Half of them close the connection, the others reset it.
  for (const [index, socket] of sockets.entries()) {
    if (index % 2) socket.destroy();
    else socket.resetAndDestroy();
  }
  await until(() => count(databaseFile, "uploaded_files") === 0);
  const responses = await Promise.all(
    [1, 2, 3].map((n) =>
      uploadByApi(
        url,
        uploadForm(undefined, { ...contactTyped, message: `Upload number ${n}, of one class.` }),
      ),
    ),
  );
  for (const response of responses) assert.equal(response.status, 201);
  assert.doesNotMatch(server.log(), / error /);
});

test("a server whose database thread dies logs it and exits with 1, and what it stored stays", async (t) => {
  // Limits the thread's memory to half of what the names of the receipt's files take.
  const env = { NODE_OPTIONS: "--max-old-space-size=48" };
  const server = await startServer(t, { env });
  const response = await postForm(server.url, "/contact", contactTyped);
  const receipt = response.headers.get("Location");
  const db = new Sqlite(server.databaseFile);
  const change = (sql: string) => db.exec(sql);
  change(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
     INSERT INTO uploaded_files (field, name, media_type, size, sha256, created_at, contact_request_id)
     SELECT 'f', printf('%0500d', i), 'text/plain', 1, 'x', '2026-12-01', 1 FROM n`,
  );
  // The page is cut off, or ends without the list of its files, if that takes long.
  const page = fetch(server.url + receipt).then((response) => response.text());
  await page.catch(() => {});
  await until(() => server.process.exitCode !== null);
  assert.equal(server.process.exitCode, 1);
  assert.match(server.log(), /error the database thread has stopped; exiting: .*memory/);
  change("DELETE FROM uploaded_files");
  db.close();
  const again = await startServer(t, { folder: server.folder, env });
  assert.equal((await fetch(again.url + receipt)).status, 200);
});
