/** What the store does with a file, beside its operations, which are in store.contract.test.ts. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isWriteDenied } from "../db/errors.ts";
import type * as examineModule from "../db/sqlite/examine.ts";
import { loadSource } from "./support/source.ts";
import { openFileStore } from "./support/store.ts";
import {
  day,
  importOf,
  later,
  noon,
  publication,
  results,
  submitContact,
  submitDemo,
} from "./support/store-requests.ts";

test("a link that is revoked before its email was sent is in no file any more", async (t) => {
  const { store, file } = await openFileStore(t);
  const { reference, assessmentId } = await submitDemo(store);
  await store.importResults(assessmentId, importOf(results), noon);
  await store.publishResults(assessmentId, publication(reference, "the-secret-token"), noon);
  const filesWithToken = () =>
    [file, `${file}-wal`].filter((one) => readFileSync(one).includes("the-secret-token"));
  assert.notDeepEqual(filesWithToken(), []);
  assert.equal(await store.revokeResults(assessmentId, noon), true);
  assert.deepEqual(filesWithToken(), []);
});

test("a write to a database that cannot be written is rejected as denied", async (t) => {
  const { store, connection } = await openFileStore(t);
  await store.tryWriting();
  connection.client.pragma("query_only = ON");
  for (const write of [() => submitContact(store), () => store.tryWriting()]) {
    await assert.rejects(write, isWriteDenied);
  }
  connection.client.pragma("query_only = OFF");
  await submitContact(store);
});

test("a file is searched for a lead, a marker and a proposer whatever the capitals of their names", async (t) => {
  const { store, file } = await openFileStore(t);
  const { containsSubject } = await loadSource<typeof examineModule>("/db/sqlite/examine.ts");
  const { reference, assessmentId } = await submitDemo(store);
  await store.openAudit("marking opened", noon, reference, "É. Lead");
  const part = { questions: null, learners: null, showsNames: true, tolerance: null };
  const marker = { token: "marker", marker: "Ö. Marker (lead)", expiresAt: later(day), ...part };
  await store.addMarkingLink(assessmentId, marker, undefined, noon);
  await store.importResults(assessmentId, { ...importOf(results), proposedBy: "Ä. Model" }, noon);
  for (const name of ["É. Lead", "é. lead", "Ö. MARKER", "ä. model"])
    assert.ok(containsSubject(file, name), name);
  assert.equal(containsSubject(file, "Lead"), false, "a part of a name");
});

test("the emails of requests are found by an index", async (t) => {
  const { query } = await openFileStore(t);
  const plan = await query<{ detail: string }>("EXPLAIN QUERY PLAN SELECT email_status FROM inbox");
  const steps = plan.map(({ detail }) => detail).join("\n");
  assert.match(steps, /outbox USING INDEX outbox_contact_request/);
  assert.match(steps, /outbox USING INDEX outbox_rubric_request/);
});

test("requests are found without a search of the whole outbox", async (t) => {
  const { store, connection, query } = await openFileStore(t);
  const { reference } = await submitDemo(store);
  const prepare = t.mock.method(connection.client, "prepare");
  const [found] = await store.findRequests([reference], noon);
  const statements = prepare.mock.calls.map(({ arguments: [sql] }) => sql);
  prepare.mock.restore();
  assert.equal(found!.emails.length, 1);
  const ofEmails = statements.filter((sql) => sql.includes('from "outbox"'));
  assert.notEqual(ofEmails.length, 0);
  for (const sql of ofEmails) {
    const plan = await query<{ detail: string }>(
      `EXPLAIN QUERY PLAN ${sql.replaceAll("?", "'one'").replace(/ in \(/, "$&'two', ")}`,
    );
    for (const { detail } of plan) assert.doesNotMatch(detail, /^SCAN/, sql);
  }
});

test("the database’s thread parses no marks to send a class or its scripts", async (t) => {
  const { store, connection } = await openFileStore(t);
  const { reference, assessmentId } = await submitDemo(store);
  await store.importResults(assessmentId, importOf(results), noon);
  await store.publishResults(assessmentId, publication(reference, "a-token"), noon);
  const parse = t.mock.method(JSON, "parse");
  await connection.run({ name: "prepareDesk", args: [assessmentId] });
  await connection.run({ name: "findImportedResults", args: [assessmentId] });
  for (const name of ["findDesk", "findResults"] as const) {
    assert.partialDeepStrictEqual(await connection.run({ name, args: ["a-token", noon] }), {
      link: { reference },
    });
  }
  await connection.run({ name: "findScripts", args: ["a-token", undefined, noon] });
  const countParsedMarks = () =>
    parse.mock.calls.filter((call) => call.arguments[0].includes("marksAwarded")).length;
  assert.equal(countParsedMarks(), 0);
  await store.findImportedResults(assessmentId);
  assert.ok(countParsedMarks() > 0, "the thread that asks for them parses them");
});
