import assert from "node:assert/strict";
import { test } from "node:test";
import { copyThereAndBack } from "../support/copied-database.ts";
import { contactTyped, postJson } from "../support/forms.ts";
import { succeeded } from "../support/output-of.ts";
import { newDatabase, queryPostgres } from "../support/postgres.ts";
import { newFolder, runCommand, startServer } from "../support/server.ts";

test("a file with 2,000 requests is copied to PostgreSQL and back", async (t) => {
  await copyThereAndBack(t, 2000);
});

test("metrics, doctor, backup and erasure work on a PostgreSQL database", async (t) => {
  const url = await newDatabase(t);
  const folder = newFolder(t);
  const env = { RUBRICON_DATABASE_URL: url, RUBRICON_METRICS_NETWORKS: "127.0.0.1" };
  const before = await runCommand(folder, ["doctor"], env);
  assert.match(before.out, /warn +database +schema version 0; this program uses \d+/);
  assert.deepEqual(
    await queryPostgres(url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'"),
    [],
  );

  const server = await startServer(t, { env });
  const typed = { ...contactTyped, email: "erase@school.example" };
  assert.equal((await postJson(server.url, "/api/contact", typed)).status, 201);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  assert.match(metrics, /^rubricon_database_connections\{state="idle"\} \d+$/m);
  assert.match(metrics, /^rubricon_database_bytes \d{6,}$/m);
  assert.match(metrics, /^rubricon_database_repeated_transactions_total 0$/m);
  assert.match(metrics, /^rubricon_email_leases_lost_total 0$/m);
  // An email to a visitor: the team has missed nothing.
  await queryPostgres(
    url,
    `INSERT INTO outbox (kind, message_id, subject, body, recipient, reply_to, status, next_attempt_at, created_at)
    VALUES ('acknowledgement', 'a', '', '', 'a@school.example', 'team@school.example', 'failed', now(), now())`,
  );
  const { port } = new URL(server.url);
  const after = await runCommand(folder, ["doctor"], { ...env, PORT: port });
  assert.match(
    after.out,
    /ok +database +PostgreSQL \d+\.\d+, on this machine without TLS, schema current/,
  );
  assert.match(after.out, /FAIL +durability +fsync = off/, "as these tests start it");
  assert.match(after.out, /warn +durability +no synchronous standby/);
  assert.match(after.out, /ok +connections +200 connections are enough for 20 servers/);
  assert.match(after.out, /ok +emails +1 pending/);
  assert.match(after.out, /ok +port +a rubricon server on 127\.0\.0\.1:\d+ is ready/);

  const unwritable = await runCommand(folder, ["backup", "/proc/copy.db"], env);
  assert.equal(unwritable.code, 1, unwritable.err);
  assert.match(unwritable.err, /ENOENT/);

  await succeeded(runCommand(folder, ["subject", "erase", typed.email, "--yes"], env));
  assert.deepEqual(await queryPostgres(url, "SELECT 1 FROM contact_requests"), []);
  const { code, err } = await runCommand(folder, ["doctor"], {
    RUBRICON_DATABASE_URL: "postgres://site@127.0.0.1:1/none",
  });
  assert.notEqual(code, 0, err);
});
