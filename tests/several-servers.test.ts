/** Several servers, each an executable of its own, on one PostgreSQL database. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { baselineVersion, insertRequest, latestSchemaVersion } from "./support/database.ts";
import { formWithDraft, startDraft } from "./support/drafts.ts";
import { contactTyped, postJson, referenceIn } from "./support/forms.ts";
import { listen } from "./support/free-port.ts";
import { startMailServer } from "./support/mail-server.ts";
import { newDatabase, postgresServer, queryPostgres, withClient } from "./support/postgres.ts";
import { newFolder, runCommand, type Server, startServer, until } from "./support/server.ts";
import { openPostgres } from "./support/store.ts";
import { threeFiles, uploadByPage, uploaded } from "./support/upload.ts";

const countIn = async (url: string, table: string) =>
  (await queryPostgres(url, `SELECT 1 FROM ${table}`)).length;

/** Accepts a connection and says nothing. */
async function startSilentMailServer(t: TestContext) {
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  const server = createServer(() => resolve());
  return { url: `smtp://127.0.0.1:${await listen(t, server)}`, connected };
}

async function startTwo(t: TestContext, env: Record<string, string> = {}) {
  const url = await newDatabase(t);
  const start = () => startServer(t, { env: { RUBRICON_DATABASE_URL: url, ...env } });
  const [one, two] = await Promise.all([start(), start()]);
  return { url, one: one!, two: two!, start };
}

test("eight servers that start at once migrate the database once", async (t) => {
  const url = await newDatabase(t);
  const { log } = await postgresServer();
  const before = log().length;
  const databases = await Promise.all(Array.from({ length: 8 }, () => openPostgres(url, 1)));
  await Promise.all(databases.map((database) => database.close()));
  const times = () => log().slice(before).split('CREATE TABLE "contact_requests"').length - 1;
  await until(() => times() > 0);
  assert.equal(times(), 1);
});

test("a server migrates in place of one that was killed while it migrated", async (t) => {
  const url = await newDatabase(t);
  await (await openPostgres(url, 1)).close();
  const version = "SELECT version, holder FROM schema_version";
  const migrated = await queryPostgres(url, version);
  // A server has run some of the statements, and its lease has ended.
  await queryPostgres(url, "DROP VIEW inbox");
  await queryPostgres(url, "DROP TABLE audit CASCADE");
  await queryPostgres(
    url,
    "UPDATE schema_version SET version = 0, holder = 'ended', held_until = now()",
  );
  await (await openPostgres(url, 1)).close();
  assert.deepEqual(await queryPostgres(url, version), migrated);
  assert.equal(await countIn(url, "inbox"), 0);
  assert.equal(await countIn(url, "audit"), 0);
});

test("a server does not use a database of a newer version", async (t) => {
  const url = await newDatabase(t);
  await (await openPostgres(url, 1)).close();
  await queryPostgres(url, "UPDATE schema_version SET version = 999");
  await assert.rejects(openPostgres(url, 1), /newer version of this program/);
});

/** A database as release 1.0.0 made it, with a request, and the setting that names it. */
async function databaseOfRelease(t: TestContext) {
  const url = await newDatabase(t);
  const baseline = path.join(import.meta.dirname, "../db/postgres/migrations/0000_baseline.sql");
  await withClient(url, async (client) => {
    await client.query(readFileSync(baseline, "utf8"));
    await client.query(
      `CREATE TABLE schema_version (id integer PRIMARY KEY, version integer NOT NULL, holder text,
        held_until timestamptz, copied_at timestamptz)`,
    );
    await client.query("INSERT INTO schema_version (id, version) VALUES (1, 2)");
    await client.query(insertRequest);
  });
  return { url, env: { RUBRICON_DATABASE_URL: url } };
}

test("a PostgreSQL database of a development build is rejected", async (t) => {
  const { url, env } = await databaseOfRelease(t);
  await queryPostgres(url, "UPDATE schema_version SET version = 1");
  await assert.rejects(
    startServer(t, { env }),
    /The database was written by a development build before the first release \(schema version 1\), which this program cannot migrate\. It was not changed\./,
  );
});

test("a PostgreSQL database of release 1.0.0 is migrated with its requests", async (t) => {
  const { url, env } = await databaseOfRelease(t);
  await startServer(t, { env });
  assert.deepEqual(await queryPostgres(url, "SELECT reference, email FROM inbox"), [
    { reference: "ABCD-EFGH-JKMN", email: "thandi@school.example" },
  ]);
  const [state] = await queryPostgres<{ version: number }>(url, "SELECT * FROM schema_version");
  assert.equal(state!.version - 2, latestSchemaVersion - baselineVersion);
});

test("a form may be sent to either of two servers, twice or after a draft, and is one request", async (t) => {
  const { url, one, two } = await startTwo(t);
  for (let round = 0; round < 10; round += 1) {
    const typed = { ...contactTyped, message: `Question ${round}` };
    const both = await Promise.all(
      [one, two].map(async (server) =>
        referenceIn(await postJson(server.url, "/api/contact", typed)),
      ),
    );
    assert.equal(both[0], both[1]);
  }
  for (let round = 0; round < 2; round += 1) {
    const files = threeFiles();
    const both = await Promise.all([one, two].map(async (server) => uploaded(server, files)));
    assert.equal(both[0], both[1]);
  }
  assert.equal(await countIn(url, "contact_requests"), 12);
  assert.equal(await countIn(url, "outbox"), 12);

  const { token } = await startDraft(one);
  const received = await uploadByPage(two.url, formWithDraft(token));
  const reference = /received=([\w-]+)/.exec(received.headers.get("Location") ?? "")?.[1];
  assert.ok(reference, String(received.status));
  const receipt = await fetch(`${one.url}/?received=${reference}`);
  assert.match(await receipt.text(), /learner-01\.pdf/);
  assert.equal(await countIn(url, "uploaded_files"), 9);
  assert.ok(!existsSync(path.join(one.folder, "data")), "no data folder is needed");
  const ready = await fetch(`${one.url}/readyz`);
  assert.deepEqual(await ready.json(), { ready: true });

  const env = { RUBRICON_DATABASE_URL: url };
  const listed = await runCommand(newFolder(t), ["requests", "list", "--json"], env);
  assert.equal(JSON.parse(listed.out).length, 13, listed.err);
  const status = await runCommand(newFolder(t), ["migrate", "status"], env);
  assert.match(status.out, /^Database: schema version \d+ {2}test_\w+ on 127\.0\.0\.1:\d+\n/);
});

test("each email is sent once by one of two servers, even if one is killed while it sends", async (t) => {
  const mail = await startMailServer(t);
  const env = { RUBRICON_MAIL_URL: mail.url, RUBRICON_MAIL_TO: "team@school.example" };
  const { url, one, two } = await startTwo(t, env);
  const post = (server: Server, message: string) =>
    postJson(server.url, "/api/contact", { ...contactTyped, message });
  const posts = Array.from({ length: 8 }, (_, index) =>
    post(index % 2 ? one : two, `Question ${index}`),
  );
  for (const response of await Promise.all(posts)) await referenceIn(response);
  await until(async () => {
    const sent = await queryPostgres(url, "SELECT 1 FROM outbox WHERE status = 'sent'");
    return sent.length === 8;
  });
  assert.equal(mail.emails.length, 8);
  assert.equal(new Set(mail.emails.map(({ messageId }) => messageId)).size, 8);

  // A mail server that never answers: the email stays leased to the server that sends it.
  const silent = await startSilentMailServer(t);
  const slow = await startServer(t, {
    env: { RUBRICON_DATABASE_URL: url, ...env, RUBRICON_MAIL_URL: silent.url },
  });
  await Promise.all([one.stop(), two.stop()]);
  const reference = await referenceIn(await post(slow, "Are you there?"));
  await silent.connected;
  await slow.stop("SIGKILL");
  const last = await startServer(t, { env: { RUBRICON_DATABASE_URL: url, ...env } });
  const state = () =>
    queryPostgres<{ status: string; lease: string | null }>(
      url,
      `SELECT status, lease FROM outbox WHERE reference = '${reference}'`,
    );
  const [leased] = await state();
  assert.equal(leased?.status, "pending");
  assert.ok(leased?.lease, "until its lease ends");
  await queryPostgres(url, "UPDATE outbox SET leased_until = now() WHERE lease IS NOT NULL");
  await referenceIn(await post(last, "This wakes the outbox worker."));
  await until(async () => (await state())[0]?.status === "sent");
  await until(() => mail.emails.length >= 10);
  assert.equal(mail.emails.length, 10);
  assert.equal(new Set(mail.emails.map(({ messageId }) => messageId)).size, 10);
});
