/** Every operation of the store, on a PostgreSQL database: the tests are the same. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type * as addressModule from "../db/postgres/address.ts";
import type * as copyModule from "../db/postgres/copy-in.ts";
import { preparedDesk } from "./store.contract.desk.ts";
import "./store.contract.test.ts";
import { newDatabase, postgresServer, queryPostgres, withClient } from "./support/postgres.ts";
import { openRecorded } from "./support/recorded-store.ts";
import { until } from "./support/server.ts";
import { loadSource } from "./support/source.ts";
import { openFileStore, openPostgres } from "./support/store.ts";
import {
  email,
  nextReference,
  noon,
  publication,
  submitContact,
  submitDemo,
} from "./support/store-requests.ts";

// Each test reads it when it opens a store, and none has begun yet.
process.env.TEST_ENGINE = "postgres";

const waiting =
  "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/** Starts an operation while another transaction has locked the class and then makes a change. Returns its result. */
async function whileLocked<Result>(
  { url, query }: Pick<Awaited<ReturnType<typeof preparedDesk>>, "url" | "query">,
  change: string,
  start: () => Promise<Result>,
): Promise<Result> {
  return await withClient(url!, async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT id FROM assessments FOR UPDATE");
    const started = start();
    await until(async () => (await query(waiting)).length > 0);
    await client.query(change);
    await client.query("COMMIT");
    return await started;
  });
}

test("nothing is decided under a link that ends while the decision waits", async (t) => {
  const desk = await preparedDesk(t);
  const { store, assessmentId, reference, query } = desk;
  const decision = await desk.decision(0, "1", 5);
  const closes = "UPDATE marking_links SET revoked_at = now()";
  assert.deepEqual(
    await whileLocked(desk, closes, () => store.decideAnswer("all", decision, noon)),
    { outcome: "no link" },
  );
  await store.publishResults(assessmentId, publication(reference), noon);
  const revokes = "UPDATE result_links SET revoked_at = now()";
  assert.deepEqual(
    await whileLocked(desk, revokes, () => store.decideAnswer("a-token", decision, noon)),
    { outcome: "no link" },
  );
  assert.deepEqual(await query("SELECT 1 FROM decisions"), []);
});

test("ending a link waits for decisions", async (t) => {
  const desk = await preparedDesk(t);
  const { store, assessmentId, reference } = desk;
  await store.publishResults(assessmentId, publication(reference), noon);
  await desk.link({ token: "second", marker: "S. Naidoo" });
  const close = () => store.closeMarkingLinks(assessmentId, "S. Naidoo", noon);
  assert.deepEqual(await whileLocked(desk, "SELECT 1", close), ["S. Naidoo"]);
  const revoke = () => store.revokeResults(assessmentId, noon);
  assert.equal(await whileLocked(desk, "SELECT 1", revoke), true);
  const auditId = await store.openAudit("subject erased", noon);
  const erase = () => store.eraseMarker("S. Naidoo", auditId, noon);
  assert.equal((await whileLocked(desk, "SELECT 1", erase)).markingLinks, 1);
});

test("unsubscribing deletes an email that is being announced", async (t) => {
  const { store, query, url } = await openRecorded(t);
  const recipient = "a@b.example";
  const asked = { reference: nextReference(), spam: null, isTest: false };
  await store.subscribe({ ...asked, email: recipient }, noon);
  const link = { token: "t1", link: "link t1" };
  await store.askToConfirm({ ...email, recipient }, link, { perMailbox: 1, all: 1 }, noon);
  await withClient(url!, async (client) => {
    await client.query("BEGIN");
    // The link of an announcement locks the subscription as this does.
    await client.query("SELECT id FROM subscriptions FOR KEY SHARE");
    const unsubscribed = store.unsubscribe("t1");
    await until(async () => (await query(waiting)).length > 0);
    await client.query(`INSERT INTO outbox
      (kind, message_id, subject, body, recipient, reply_to, created_at, next_attempt_at)
      VALUES ('announcement', 'm', 's', 'b', '${recipient}', 'r', now(), now())`);
    await client.query("COMMIT");
    assert.equal(await unsubscribed, true);
  });
  assert.deepEqual(await query("SELECT kind FROM outbox"), []);
});

test("of links to the team’s page that are made at once, one opens it", async (t) => {
  const { store } = await openRecorded(t);
  const { reference } = await submitDemo(store);
  for (let round = 0; round < 5; round += 1) {
    const links = Array.from({ length: 4 }, (_, index) => {
      const token = `${round}-${index}`;
      return { token, url: `https://site.example/team?link=${token}` };
    });
    assert.deepEqual(
      await Promise.all(links.map((link) => store.replaceTeamLink(reference, link, noon))),
      links.map(() => true),
    );
    const opened = await Promise.all(links.map(({ token }) => store.findTeamRequest(token, noon)));
    assert.equal(opened.filter(Boolean).length, 1, `round ${round}`);
  }
});

test("a connection that a server has opened as read-only is replaced", async (t) => {
  const { store, url } = await openRecorded(t);
  await withClient(url!, async (client) => {
    const { rows } = await client.query("SELECT current_database() AS name");
    const isOfStore = `datname = '${rows[0].name}' AND pid <> pg_backend_pid()`;
    const connections = (what: string) =>
      client.query(`SELECT ${what} FROM pg_stat_activity WHERE ${isOfStore}`);
    await client.query(`ALTER DATABASE ${rows[0].name} SET default_transaction_read_only = on`);
    await connections("pg_terminate_backend(pid)");
    await until(async () => (await connections("pid")).rows.length === 0);
    const submitted = submitContact(store);
    // The store keeps each connection for milliseconds only, so the database itself watches for one.
    await client.query(`DO $$ BEGIN
      WHILE NOT EXISTS (SELECT FROM pg_stat_activity WHERE ${isOfStore}) LOOP
        PERFORM pg_sleep(0.001), pg_stat_clear_snapshot();
      END LOOP;
    END $$`);
    await client.query(`ALTER DATABASE ${rows[0].name} RESET default_transaction_read_only`);
    const { reference } = await submitted;
    assert.ok(await store.findRequest(reference, noon));
  });
});

test("a file is not copied into a database with an older schema, which is said in a sentence", async (t) => {
  const url = await newDatabase(t);
  await (await openPostgres(url)).close();
  await queryPostgres(url, "UPDATE schema_version SET version = version - 1");
  // An older schema lacks a table: if rows are counted before the version is checked, another error comes first.
  await queryPostgres(url, "DROP TABLE lead_questions");
  const { file, connection } = await openFileStore(t);
  connection.close();
  await assertCopyFails(
    file,
    url,
    /schema version \d+, this program's is \d+\. Start a server once to migrate it/,
  );
});

test("a database file that lacks the bytes of a file is not copied, which names the file", async (t) => {
  const url = await newDatabase(t);
  const { store, query, file, connection } = await openFileStore(t);
  await submitDemo(store);
  await query("DELETE FROM uploaded_file_bytes WHERE file_id = 2");
  connection.close();
  await assertCopyFails(file, url, /store\.db lacks the bytes of file 2\. Restore a backup/);
  assert.deepEqual(
    await queryPostgres(url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'"),
    [],
  );
});

async function assertCopyFails(file: string, url: string, message: RegExp): Promise<void> {
  const { copyIntoServer } = await loadSource<typeof copyModule>("/db/postgres/copy-in.ts");
  const { parseAddress } = await loadSource<typeof addressModule>("/db/postgres/address.ts");
  for (const isDryRun of [true, false]) {
    await assert.rejects(copyIntoServer(file, parseAddress(url), { isDryRun }), message);
  }
}

/** What distributed engines lack or do differently, and poolers between transactions lose. */
const avoided: [words: RegExp, instead: string][] = [
  [/advisory/i, "a row in leases"],
  [/\b(un)?listen\b|\bnotify\b/i, "a look every minute"],
  [/skip locked|nowait/i, "compare and set"],
  [/\block table\b|\btruncate\b/i, "a row in leases, DELETE"],
  [/\bcreate (trigger|function|extension|type|rule)\b/i, "the program"],
  [/\b(deferrable|exclude using)\b/i, "nothing"],
  [/\bwith \w+ as \(\s*(insert|update|delete)/i, "several statements"],
  [/\b(ctid|xmin|xmax|lo_\w+|pg_cancel_backend|statement_timeout)\b/i, "nothing"],
  [/\b(small|big)?serial\b/i, "an identity column"],
  [/\btimestamp(?! \(3\) with time zone|tz)\b/i, "timestamp (3) with time zone"],
  [/\b(begin|start transaction)\b.*\bserializable\b/i, "a unique index"],
];

test("no statement uses what distributed engines lack", async () => {
  const { log } = await postgresServer();
  const statements = log()
    .split(/\n(?=\S* LOG: {2})/)
    .filter((line) => line.startsWith("grading-site LOG:"));
  assert.ok(statements.length > 1000, `${statements.length} statements were sent`);
  for (const [words, instead] of avoided) {
    const found = statements.filter((statement) => words.test(statement));
    assert.deepEqual(found, [], instead);
  }
  const named = statements.filter((statement) => / LOG: {2}execute (?!<unnamed>)/.test(statement));
  assert.deepEqual(named, [], "poolers give each transaction another connection");
});
