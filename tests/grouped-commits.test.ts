import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import { contactTyped, postJson } from "./support/forms.ts";
import { query, type Server, startServer } from "./support/server.ts";
import { contact, uploadByApi, uploadForm } from "./support/upload.ts";

/**
 * Sends submissions that meet: the database is locked until all of them wait, the first at the lock and
 * the others behind it.
 */
async function sendTogether({ url, databaseFile }: Server, messages: string[]) {
  const other = new Sqlite(databaseFile);
  other.exec("BEGIN IMMEDIATE");
  const send = async (message: string) => {
    const answer = await postJson(url, "/api/contact", { ...contactTyped, message });
    const { reference } = (await answer.json()) as { reference?: string };
    return { message, status: answer.status, reference };
  };
  const first = send("The first, alone at the lock.");
  await new Promise((resolve) => setTimeout(resolve, 200));
  const others = messages.map(send);
  await new Promise((resolve) => setTimeout(resolve, 600));
  other.exec("ROLLBACK");
  other.close();
  assert.equal((await first).status, 201);
  return Promise.all(others);
}

const stored = ({ databaseFile }: Server) =>
  query<{ message: string; reference: string; emails: number }>(
    databaseFile,
    `SELECT message, reference, (SELECT count(*) FROM outbox WHERE outbox.reference = r.reference) AS letters
       FROM contact_requests r ORDER BY id`,
  );

/** Commits in the write-ahead log: frames that tell the size of the database after them. */
function commitsIn({ databaseFile }: Server): number {
  const log = readFileSync(`${databaseFile}-wal`);
  const frame = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (
    let at = 32;
    at < log.length && log.subarray(at + 8, at + 16).equals(log.subarray(16, 24));
  ) {
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
    at += frame;
  }
  return commits;
}

const messages = Array.from({ length: 20 }, (_, i) => `Message number ${i} of twenty.`);

test("submissions that wait together are made durable together, each as a request of its own", async (t) => {
  const server = await startServer(t);
  await postJson(server.url, "/api/contact", contactTyped);
  const before = commitsIn(server);
  const answers = await sendTogether(server, messages);
  const commits = commitsIn(server) - before;
  t.diagnostic(`21 submissions in ${commits} commits`);
  assert.ok(commits >= 2 && commits <= 6, `${commits} commits`);
  const rows = stored(server);
  assert.equal(rows.length, 22);
  for (const { message, status, reference } of answers) {
    assert.equal(status, 201, message);
    const mine = rows.filter((row) => row.message === message);
    assert.deepEqual(
      mine.map((row) => [row.reference, row.emails]),
      [[reference, 1]],
    );
  }
});

test("the same submission twice among those that wait is one request", async (t) => {
  const server = await startServer(t);
  const answers = await sendTogether(server, ["Twice.", "Once.", "Twice.", "Twice."]);
  assert.equal(new Set(answers.map(({ reference }) => reference)).size, 2);
  assert.equal(stored(server).length, 3);
});

/** An administrator's hand: what holds this word cannot be stored. */
function poison({ databaseFile }: Server, how: "ABORT" | "ROLLBACK") {
  const db = new Sqlite(databaseFile);
  db.exec(
    `CREATE TRIGGER poison AFTER INSERT ON contact_requests WHEN NEW.message LIKE '%poison%'
     BEGIN SELECT RAISE(${how}, 'no'); END`,
  );
  db.close();
}

test("one that fails harms none of the others", async (t) => {
  const server = await startServer(t);
  poison(server, "ABORT");
  const answers = await sendTogether(server, [
    ...messages.slice(0, 5),
    "This is poison.",
    ...messages.slice(5),
    "Also poison.",
  ]);
  for (const { message, status } of answers) {
    assert.equal(status, message.includes("poison") ? 500 : 201, message);
  }
  assert.equal(stored(server).length, 21);
  assert.ok(stored(server).every(({ emails }) => emails === 1));
});

test("where SQLite undoes all of them, each is stored by itself, and once", async (t) => {
  const server = await startServer(t);
  poison(server, "ROLLBACK");
  const answers = await sendTogether(server, [
    ...messages.slice(0, 5),
    "This is poison.",
    ...messages.slice(5),
  ]);
  const rows = stored(server);
  assert.equal(rows.length, 21);
  for (const { message, status, reference } of answers) {
    assert.equal(status, message.includes("poison") ? 500 : 201, message);
    assert.equal(
      rows.some((row) => row.reference === reference),
      status === 201,
      message,
    );
  }
  assert.equal(query(server.databaseFile, "SELECT 1 FROM outbox").length, rows.length);
});

test("uploads and messages at once: files are staged beside what is made durable together", async (t) => {
  const server = await startServer(t);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => [
      uploadByApi(
        server.url,
        uploadForm(undefined, { ...contact, message: `Upload number ${i}.` }),
      ),
      postJson(server.url, "/api/contact", { ...contactTyped, message: `Message number ${i}.` }),
      postJson(server.url, "/api/subscription", { email: `reader${i}@school.example` }),
    ]).flat(),
  );
  for (const { status } of answers) assert.equal(status, 201);
  assert.equal(stored(server).length, 24);
  const orphans = "SELECT 1 FROM uploaded_files WHERE contact_request_id IS NULL";
  assert.equal(query(server.databaseFile, orphans).length, 0);
  assert.equal(query(server.databaseFile, "SELECT 1 FROM subscriptions").length, 12);
});
