import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { copyThereAndBack } from "../support/copied-database.ts";
import { contactTyped, postJson } from "../support/forms.ts";
import { succeeded } from "../support/output-of.ts";
import { newDatabase, queryPostgres } from "../support/postgres.ts";
import { newFolder, runCommand, startServer } from "../support/server.ts";

test("a file with rows in every table is copied to PostgreSQL and back", copyThereAndBack);

/** Starts a server on a PostgreSQL database. */
async function startOnPostgres(t: TestContext) {
  const url = await newDatabase(t);
  const folder = newFolder(t);
  const env = { RUBRICON_DATABASE_URL: url, RUBRICON_METRICS_NETWORKS: "127.0.0.1" };
  return { server: await startServer(t, { env }), url, folder, env };
}

test("doctor changes nothing in an empty PostgreSQL database", async (t) => {
  const url = await newDatabase(t);
  const { out } = await runCommand(newFolder(t), ["doctor"], { RUBRICON_DATABASE_URL: url });
  assert.match(out, /warn +database +schema version 0; this program uses \d+/);
  const tables = "SELECT 1 FROM pg_tables WHERE schemaname = 'public'";
  assert.deepEqual(await queryPostgres(url, tables), []);
});

test("the metrics of a server on PostgreSQL have those of its database", async (t) => {
  const { server } = await startOnPostgres(t);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  for (const line of [
    /^rubricon_database_connections\{state="idle"\} \d+$/m,
    /^rubricon_database_bytes \d{6,}$/m,
    /^rubricon_database_repeated_transactions_total 0$/m,
    /^rubricon_email_leases_lost_total 0$/m,
  ]) {
    assert.match(metrics, line);
  }
});

test("doctor reports on a PostgreSQL database and the server on it", async (t) => {
  const { server, url, folder, env } = await startOnPostgres(t);
  assert.equal((await postJson(server.url, "/api/contact", contactTyped)).status, 201);
  // An email to a visitor: the team has missed nothing.
  await queryPostgres(
    url,
    `INSERT INTO outbox (kind, message_id, subject, body, recipient, reply_to, status, next_attempt_at, created_at)
    VALUES ('acknowledgement', 'a', '', '', 'a@school.example', 'team@school.example', 'failed', now(), now())`,
  );
  const { port } = new URL(server.url);
  const { out } = await runCommand(folder, ["doctor"], { ...env, PORT: port });
  for (const line of [
    /ok +database +PostgreSQL \d+\.\d+, on this machine without TLS, schema current/,
    // As these tests start it.
    /FAIL +durability +fsync = off/,
    /warn +durability +no synchronous standby/,
    /ok +connections +200 connections are enough for 20 servers/,
    /ok +emails +1 pending/,
    /ok +port +a rubricon server on 127\.0\.0\.1:\d+ is ready/,
  ]) {
    assert.match(out, line);
  }
});

test("a backup of a PostgreSQL database into a folder that cannot be written exits with 1", async (t) => {
  const { folder, env } = await startOnPostgres(t);
  const { code, err } = await runCommand(folder, ["backup", "/proc/copy.db"], env);
  assert.equal(code, 1, err);
  assert.match(err, /ENOENT/);
});

test("a person is erased from a PostgreSQL database", async (t) => {
  const { server, url, folder, env } = await startOnPostgres(t);
  const [erased, other] = ["erase@school.example", "other@school.example"];
  for (const email of [erased, other]) {
    const typed = { ...contactTyped, email };
    assert.equal((await postJson(server.url, "/api/contact", typed)).status, 201);
  }
  await succeeded(runCommand(folder, ["subject", "erase", erased!, "--yes"], env));
  const emails = await queryPostgres(url, "SELECT email FROM contact_requests");
  assert.deepEqual(emails, [{ email: other }]);
  const outbox = await queryPostgres(url, "SELECT reply_to FROM outbox");
  assert.deepEqual(outbox, [{ reply_to: other }]);
});

test("doctor fails if no PostgreSQL database answers", async (t) => {
  const env = { RUBRICON_DATABASE_URL: "postgres://site@127.0.0.1:1/none" };
  const { code, out, err } = await runCommand(newFolder(t), ["doctor"], env);
  assert.equal(code, 1, err);
  assert.match(out, /FAIL +database .* cannot be used: connect ECONNREFUSED/);
});
