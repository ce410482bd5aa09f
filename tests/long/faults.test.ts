import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import {
  contactTyped,
  demoTyped,
  postForm,
  postJson,
  postMultipart,
  rubricForm,
} from "../support/forms.ts";
import { exchange } from "../support/raw-http.ts";
import { query, startServer, until } from "../support/server.ts";
import { uploadByApi, uploadByPage, uploadForm } from "../support/upload.ts";

const count = (file: string, table: string) => query(file, `SELECT 1 FROM ${table}`).length;

test("a locked database: every form says to come back and keeps what was typed, pages stay up, and it passes by itself", async (t) => {
  const server = await startServer(t);
  const { url, databaseFile } = server;
  const sendAll = (message: string) =>
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
  const other = new Sqlite(databaseFile);
  other.exec("BEGIN IMMEDIATE");
  let waiting = true;
  let slowest = 0;
  const reader = (async () => {
    while (waiting) {
      const begun = performance.now();
      assert.equal((await fetch(`${url}/about`)).status, 200);
      slowest = Math.max(slowest, performance.now() - begun);
    }
  })();
  const rejected = await sendAll("While it is locked.");
  waiting = false;
  await reader;
  for (const answer of rejected) {
    assert.equal(answer.status, 503, answer.url);
    assert.ok(answer.headers.get("Retry-After"), answer.url);
  }
  assert.match(await rejected[0].text(), /While it is locked\./);
  assert.ok(
    slowest < 5000,
    `a page took ${slowest} ms; the database is waited for in its own thread`,
  );
  for (const table of ["contact_requests", "rubric_requests", "subscriptions"]) {
    assert.equal(count(databaseFile, table), 0, table);
  }
  other.exec("ROLLBACK");
  other.close();
  const taken = await sendAll("Now it is open.");
  assert.deepEqual(
    taken.map(({ status }) => status),
    [303, 303, 303, 201, 201, 201, 303, 303, 201],
  );
});

const head = (url: string, length: number) =>
  `POST /api/demo-request-with-files HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}\r\n\r\n`;
const begunFile =
  '--x\r\nContent-Disposition: form-data; name="questionsFile"; filename="a.txt"\r\n\r\nhello\r\n--x\r\n';

test("a body that stops coming is given up in words, leaves nothing, and its slot is free", async (t) => {
  const server = await startServer(t, {
    env: {
      RUBRICON_IDLE_SECONDS: "1",
      RUBRICON_UPLOAD_SLOTS: "1",
      RUBRICON_UPLOAD_QUEUE: "0",
    },
  });
  const { url, databaseFile } = server;
  const stalled = exchange(url, [head(url, 9000), begunFile]);
  await until(() => count(databaseFile, "uploaded_files") === 1);
  assert.equal((await uploadByApi(url, uploadForm())).status, 503, "it holds the slot");
  const answer = await stalled;
  assert.equal(answer.status, 400);
  assert.match(answer.body, /"code":"stalled"/);
  await until(() => count(databaseFile, "uploaded_files") === 0);
  assert.equal((await uploadByApi(url, uploadForm())).status, 201);

  const text = await exchange(
    url,
    `POST /contact HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 900\r\n\r\nname=a`,
  );
  assert.equal(text.status, 400);
  assert.match(text.body, /has stopped on its way/);
});

test("told to stop while a visitor sends nothing more, it ends all the same, with nothing half stored", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_IDLE_SECONDS: "2" } });
  const { url, databaseFile } = server;
  const stalled = exchange(url, [head(url, 9000), begunFile]);
  await until(() => count(databaseFile, "uploaded_files") === 1);
  server.process.kill("SIGTERM");
  assert.equal((await stalled).status, 400);
  assert.equal(await server.stop(), 0);
  assert.equal(count(databaseFile, "uploaded_files"), 0);
});

test("visitors who leave in mid-upload, many at once, leave nothing and take nothing with them", async (t) => {
  const server = await startServer(t);
  const { url, databaseFile } = server;
  const { hostname, port } = new URL(url);
  const leavers = Array.from({ length: 20 }, () => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write(head(url, 9000));
    socket.write(begunFile);
    return socket;
  });
  await until(() => count(databaseFile, "uploaded_files") >= 3, 10_000);
  // Some hang up, some are cut off.
  for (const [place, socket] of leavers.entries()) {
    if (place % 2) socket.destroy();
    else socket.resetAndDestroy();
  }
  await until(() => count(databaseFile, "uploaded_files") === 0);
  const answers = await Promise.all(
    [1, 2, 3].map((n) =>
      uploadByApi(
        url,
        uploadForm(undefined, { ...contactTyped, message: `Upload number ${n}, of one class.` }),
      ),
    ),
  );
  for (const answer of answers) assert.equal(answer.status, 201);
  assert.doesNotMatch(server.log(), / error /);
});

test("when the database's thread dies the program says so and ends with 1, and the next start has everything", async (t) => {
  // A thread that may take little memory, and a receipt with more files than fit into it.
  const env = { NODE_OPTIONS: "--max-old-space-size=48" };
  const server = await startServer(t, { env });
  const answer = await postForm(server.url, "/contact", contactTyped);
  const receipt = server.url + answer.headers.get("Location");
  const db = new Sqlite(server.databaseFile);
  const change = (sql: string) => db.exec(sql);
  change(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500000)
     INSERT INTO uploaded_files (field, name, media_type, size, sha256, created_at, contact_request_id)
     SELECT 'f', 'a file with a name ' || i, 'text/plain', 1, 'x', '2026-12-01', 1 FROM n`,
  );
  await assert.rejects(fetch(receipt));
  await until(() => server.process.exitCode !== null);
  assert.equal(server.process.exitCode, 1);
  assert.match(server.log(), /error nothing can be kept any more, so this program ends: .*memory/);
  change("DELETE FROM uploaded_files");
  db.close();
  const again = await startServer(t, { folder: server.folder, env });
  const path = new URL(receipt);
  assert.equal((await fetch(again.url + path.pathname + path.search)).status, 200);
});
