/** Several servers, each an executable of its own, on one PostgreSQL database. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { baselineVersion, insertRequest, latestSchemaVersion } from "./support/database.ts";
import { formWithDraft, startDraft } from "./support/drafts.ts";
import { contactTyped, postJson, referenceIn } from "./support/forms.ts";
import { listen } from "./support/free-port.ts";
import { startMailServer } from "./support/mail-server.ts";
import { succeeded } from "./support/output-of.ts";
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

/** Two servers that send emails, for tests that look at what they have stored or sent themselves. */
const startTwo = once(async () => {
  const [url, mail] = [await newDatabase(wholeFile), await startMailServer(wholeFile)];
  const env = { RUBRICON_MAIL_URL: mail.url, RUBRICON_MAIL_TO: "team@school.example" };
  const start = () => startServer(wholeFile, { env: { RUBRICON_DATABASE_URL: url, ...env } });
  const [one, two] = await Promise.all([start(), start()]);
  return { url, mail, one, two };
});

test("four servers that start at once migrate the database once", async (t) => {
  const url = await newDatabase(t);
  const { log } = await postgresServer();
  const before = log().length;
  const databases = await Promise.all(Array.from({ length: 4 }, () => openPostgres(url, 1)));
  await Promise.all(databases.map((database) => database.close()));
  await queryPostgres(url, "SELECT 'all are closed'");
  const statements = await until(() => {
    const [logged, end] = log().slice(before).split("SELECT 'all are closed'");
    return end === undefined ? undefined : logged;
  });
  assert.equal(statements.split('CREATE TABLE "contact_requests"').length - 1, 1);
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

/** The schema version of release 1.0.0. */
const releaseVersion = 2;

/** The URL of a database as release 1.0.0 made it, with a request. */
async function databaseOfRelease(t: TestContext) {
  const url = await newDatabase(t);
  const baseline = path.join(import.meta.dirname, "../db/postgres/migrations/0000_baseline.sql");
  await withClient(url, async (client) => {
    await client.query(readFileSync(baseline, "utf8"));
    await client.query(
      `CREATE TABLE schema_version (id integer PRIMARY KEY, version integer NOT NULL, holder text,
        held_until timestamptz, copied_at timestamptz)`,
    );
    await client.query(`INSERT INTO schema_version (id, version) VALUES (1, ${releaseVersion})`);
    await client.query(insertRequest);
  });
  return url;
}

test("a database that a newer program migrates just before keeps the newer version", async (t) => {
  const url = await databaseOfRelease(t);
  // Acts as the newer server, between this one's look at the version and its lease.
  await queryPostgres(
    url,
    `CREATE FUNCTION migrate_first() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN IF NEW.holder IS NOT NULL THEN NEW.version = 999; END IF; RETURN NEW; END'`,
  );
  await queryPostgres(
    url,
    "CREATE TRIGGER first BEFORE UPDATE ON schema_version FOR EACH ROW EXECUTE FUNCTION migrate_first()",
  );
  await assert.rejects(openPostgres(url, 1), /newer version of this program/);
  const [row] = await queryPostgres(url, "SELECT version, holder FROM schema_version");
  assert.deepEqual(row, { version: 999, holder: null });
});

test("a PostgreSQL database of release 1.0.0 is migrated with its requests", async (t) => {
  const url = await databaseOfRelease(t);
  await (await openPostgres(url, 1)).close();
  assert.deepEqual(await queryPostgres(url, "SELECT reference, email FROM inbox"), [
    { reference: "ABCD-EFGH-JKMN", email: "thandi@school.example" },
  ]);
  const version = releaseVersion + latestSchemaVersion - baselineVersion;
  assert.deepEqual(await queryPostgres(url, "SELECT version FROM schema_version"), [{ version }]);
});

test("a form that is sent to both of two servers at once is one request with one email", async () => {
  const { url, one, two } = await startTwo();
  const before = [await countIn(url, "contact_requests"), await countIn(url, "outbox")] as const;
  const rounds = 4;
  for (let round = 0; round < rounds; round += 1) {
    const typed = { ...contactTyped, message: `Question ${round}` };
    const files = threeFiles();
    // The first form is an upload, the others are messages.
    const send = async (server: Server) =>
      round > 0
        ? referenceIn(await postJson(server.url, "/api/contact", typed))
        : uploaded(server, files);
    const [reference, other] = await Promise.all([one, two].map(send));
    assert.equal(reference, other, `form ${round}`);
  }
  assert.equal(await countIn(url, "contact_requests"), before[0] + rounds);
  assert.equal(await countIn(url, "outbox"), before[1] + rounds);
});

test("a draft of one server is sent to another, and its receipt is on both", async () => {
  const { one, two } = await startTwo();
  const { token } = await startDraft(one);
  const received = await uploadByPage(two.url, formWithDraft(token));
  const reference = /received=([\w-]+)/.exec(received.headers.get("Location") ?? "")?.[1];
  assert.ok(reference, String(received.status));
  for (const { url } of [one, two]) {
    const receipt = await fetch(`${url}/?received=${reference}`);
    assert.match(await receipt.text(), /learner-01\.pdf/);
  }
});

test("a server on PostgreSQL needs no data folder", async () => {
  const { one } = await startTwo();
  assert.deepEqual(await (await fetch(`${one.url}/readyz`)).json(), { ready: true });
  assert.ok(!existsSync(path.join(one.folder, "data")));
});

test("commands read the database of several servers", async (t) => {
  const { url, one } = await startTwo();
  const reference = await referenceIn(await postJson(one.url, "/api/contact", contactTyped));
  const env = { RUBRICON_DATABASE_URL: url };
  const listed = await succeeded(runCommand(newFolder(t), ["requests", "list"], env));
  assert.ok(listed.out.includes(reference));
  const status = await runCommand(newFolder(t), ["migrate", "status"], env);
  assert.match(status.out, /^Database: schema version \d+ {2}test_\w+ on 127\.0\.0\.1:\d+\n/);
});

test("each email is sent once by one of two servers", async () => {
  const { url, mail, one, two } = await startTwo();
  const posts = Array.from({ length: 8 }, async (_, index) => {
    const typed = { ...contactTyped, message: `Once, ${index}` };
    return referenceIn(await postJson((index % 2 ? one : two).url, "/api/contact", typed));
  });
  const references = await Promise.all(posts);
  await until(
    async () =>
      (await queryPostgres(url, "SELECT 1 FROM outbox WHERE status <> 'sent'")).length === 0,
  );
  for (const reference of references) {
    const sent = mail.emails.filter(({ subject }) => subject!.includes(reference));
    assert.equal(sent.length, 1, reference);
  }
});

/** Has a server begin to send an email to a mail server that never answers, and kills it. Returns the email's reference. */
async function killWhileSending(t: TestContext, start: (mailUrl: string) => Promise<Server>) {
  const silent = await startSilentMailServer(t);
  const slow = await start(silent.url);
  const reference = await referenceIn(await postJson(slow.url, "/api/contact", contactTyped));
  await silent.connected;
  await slow.stop("SIGKILL");
  return reference;
}

test("an email that a killed server was sending is sent by another once its lease has ended", async (t) => {
  const [url, mail] = [await newDatabase(t), await startMailServer(t)];
  const env = { RUBRICON_DATABASE_URL: url, RUBRICON_MAIL_TO: "team@school.example" };
  const start = (mailUrl: string) =>
    startServer(t, { env: { ...env, RUBRICON_MAIL_URL: mailUrl } });
  const reference = await killWhileSending(t, start);
  const next = await start(mail.url);
  const state = () =>
    queryPostgres<{ status: string; lease: string | null }>(
      url,
      `SELECT status, lease FROM outbox WHERE reference = '${reference}'`,
    );
  const [leased] = await state();
  assert.equal(leased?.status, "pending");
  assert.ok(leased?.lease, "the killed server still has the lease");
  await queryPostgres(url, "UPDATE outbox SET leased_until = now() WHERE lease IS NOT NULL");
  // Another email wakes the outbox worker.
  const other = { ...contactTyped, message: "Are you there?" };
  await postJson(next.url, "/api/contact", other);
  await until(async () => (await state())[0]?.status === "sent");
  await until(() => mail.emails.length >= 2);
  assert.equal(new Set(mail.emails.map(({ messageId }) => messageId)).size, 2);
  assert.equal(mail.emails.length, 2);
});
