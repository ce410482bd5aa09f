import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import Sqlite from "better-sqlite3";
import { column, columns } from "./support/columns.ts";
import { contactTyped, postJson } from "./support/forms.ts";
import { emptyServer, query, type Server } from "./support/server.ts";
import { contact, uploadByApi, uploadForm } from "./support/upload.ts";

/** The server waits two seconds for a lock, then rejects a post. */
const maxHeldMs = 1500;

/** Posts messages so that they are pending at the same time: the database is locked until all have arrived. */
async function postTogether(messages: string[]) {
  for (;;) {
    const server = await emptyServer();
    const { heldMs, responses } = await postWhileLocked(server, messages);
    // If the lock was held for longer, the server may have rejected the posts: try again.
    if (heldMs < maxHeldMs) return { server, responses };
  }
}

async function postWhileLocked({ url, databaseFile }: Server, messages: string[]) {
  const locker = new Sqlite(databaseFile);
  locker.exec("BEGIN IMMEDIATE");
  const lockedAt = performance.now();
  const post = async (message: string) => {
    const response = await postJson(url, "/api/contact", { ...contactTyped, message });
    const { reference } = (await response.json()) as { reference?: string };
    return { message, status: response.status, reference };
  };
  // The server answers what arrives after a post once it has read the post, and passed it to the database's thread.
  const untilRead = async () => {
    for (let count = 0; count < 5; count += 1) await fetch(`${url}/healthz`);
  };
  const first = post("The first, alone at the lock.");
  await untilRead();
  const others = messages.map(post);
  await untilRead();
  locker.exec("ROLLBACK");
  locker.close();
  const heldMs = performance.now() - lockedAt;
  const { status } = await first;
  const responses = await Promise.all(others);
  if (heldMs < maxHeldMs) assert.equal(status, 201);
  return { heldMs, responses };
}

const stored = ({ databaseFile }: Server) =>
  query<{ message: string; reference: string; emails: number }>(
    databaseFile,
    `SELECT message, reference, (SELECT count(*) FROM outbox WHERE outbox.reference = r.reference) AS emails
       FROM contact_requests r ORDER BY id`,
  );

const messages = Array.from({ length: 20 }, (_, i) => `Message number ${i} of twenty.`);

test("posts that wait at the same time each become a request of its own", async () => {
  const { server, responses } = await postTogether(messages);
  const rows = stored(server);
  assert.equal(rows.length, 21);
  for (const { message, status, reference } of responses) {
    assert.equal(status, 201, message);
    const found = rows.filter((row) => row.message === message);
    assert.deepEqual(columns(found, "reference", "emails"), [[reference, 1]], message);
  }
});

/** Gives the server a trigger, until the test ends, that rejects messages with the word "poison". */
async function poisonServer(t: TestContext, how: "ABORT" | "ROLLBACK") {
  const server = await emptyServer();
  await server.change(
    `CREATE TRIGGER poison AFTER INSERT ON contact_requests WHEN NEW.message LIKE '%poison%'
     BEGIN SELECT RAISE(${how}, 'no'); END`,
  );
  t.after(() => server.change("DROP TRIGGER poison"));
}

for (const [how, undone] of [
  ["ABORT", "its own statement"],
  ["ROLLBACK", "the shared transaction"],
] as const) {
  test(`a post that fails does not affect the others if SQLite rolls back ${undone}`, async (t) => {
    await poisonServer(t, how);
    const poisoned = messages.toSpliced(5, 0, "This is poison.");
    const { server, responses } = await postTogether([...poisoned, "Also poison."]);
    for (const { message, status } of responses) {
      assert.equal(status, message.includes("poison") ? 500 : 201, message);
    }
    assert.deepEqual(column(stored(server), "emails"), Array(21).fill(1));
  });
}

test("uploads and messages at the same time: staging files does not disturb shared commits", async () => {
  const server = await emptyServer();
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, i) => [
      uploadByApi(server.url, uploadForm(undefined, { ...contact, message: `Upload no. ${i}.` })),
      postJson(server.url, "/api/contact", { ...contactTyped, message: `Message number ${i}.` }),
      postJson(server.url, "/api/subscription", { email: `reader${i}@school.example` }),
    ]).flat(),
  );
  for (const { status } of responses) assert.equal(status, 201);
  assert.equal(stored(server).length, 24);
  const orphans = "SELECT 1 FROM uploaded_files WHERE contact_request_id IS NULL";
  assert.equal(query(server.databaseFile, orphans).length, 0);
  assert.equal(query(server.databaseFile, "SELECT 1 FROM subscriptions").length, 12);
});
