/** Every operation of the store, on a PostgreSQL database: the tests are the same. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { postgresServer } from "./support/postgres.ts";

process.env.TEST_ENGINE = "postgres";
await import("./store.contract.test.ts");

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
  const named = statements.filter((statement) => /execute (?!<unnamed>)/.test(statement));
  assert.deepEqual(named, [], "poolers give each transaction another connection");
});
