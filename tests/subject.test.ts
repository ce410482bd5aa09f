import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { getTableName, is, Table } from "drizzle-orm";
import * as schema from "../db/schema.ts";
import { wholeFile } from "./support/at-end.ts";
import { column } from "./support/columns.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { contactTyped, postJson, referenceIn } from "./support/forms.ts";
import { succeeded } from "./support/output-of.ts";
import { emptyServer, newFolder, runCommand, type Server, setUpOnce } from "./support/server.ts";
import { address, assertErased, secrets, storeTwoPeople } from "./support/two-people.ts";
import { sha256 } from "./support/upload.ts";

runCommandsHere();

/** All rows of all tables, as text in lower case. */
async function textOf(server: Server): Promise<string> {
  const tables = Object.values(schema).filter((one) => is(one, Table));
  const rows = await Promise.all(
    tables.map((table) => server.query(`SELECT * FROM ${getTableName(table)}`)),
  );
  return rows
    .flat()
    .flatMap((row) => Object.values(row))
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value))
    .join("\n")
    .toLowerCase();
}

const assertGone = async (server: Server) => assertErased(server, await textOf(server));

const twoPeople = setUpOnce(async (server) => ({ server, ...(await storeTwoPeople(server)) }));

/** The export of one of two people, in a folder of its own. */
const exported = setUpOnce(async () => {
  const stored = await twoPeople();
  const folder = path.join(newFolder(wholeFile), "export");
  const args = ["export", "  zanele.MARK@school.example ", "--out", folder] as const;
  const { out } = await succeeded(stored.run(...args));
  const record = JSON.parse(readFileSync(path.join(folder, "subject.json"), "utf8"));
  return { ...stored, out, folder, record };
});

test("a person's export contains exactly the rows under the address", async () => {
  const { record } = await exported();
  const { exported_at: _, ...tables } = record;
  assert.deepEqual(
    Object.entries(tables)
      .map(([table, rows]) => [table, (rows as unknown[]).length])
      .sort(),
    [
      ["assessment_submissions", 1],
      ["assessments", 1],
      ["contact_requests", 2],
      ["outbox", 3],
      ["rubric_requests", 1],
      ["subscriptions", 1],
      ["team_links", 1],
      ["uploaded_files", 7],
    ],
  );
  assert.doesNotMatch(JSON.stringify(record), /thandi/i);
  assert.match(record.outbox[0].body, /Grade 11 zebra studies/);
});

test("a person's export contains no link of an email that is not sent yet", async () => {
  const { server, record } = await exported();
  const links = column(
    await server.query("SELECT link FROM outbox WHERE link IS NOT NULL"),
    "link",
  );
  assert.match(links.join(), /\/team\?link=/);
  assert.doesNotMatch(JSON.stringify(record), /link=/);
});

test("a person's export contains the files as they were sent", async () => {
  const { folder, record, sentFiles, reference, out } = await exported();
  assert.equal(record.uploaded_files.length, 7);
  for (const file of record.uploaded_files) {
    assert.equal(sha256(readFileSync(path.join(folder, file.exported_as))), file.sha256);
  }
  for (const { name, bytes } of sentFiles) {
    assert.ok(readFileSync(path.join(folder, reference, name)).equals(bytes), name);
  }
  assert.equal(out.trim().split("\n").length, 7 + 1, "the files and subject.json are printed");
});

test("an export of a person overwrites none before", async () => {
  const { run, folder, record } = await exported();
  const file = path.join(folder, "subject.json");
  const again = await run("export", address, "--out", folder);
  assert.equal(again.code, 1);
  assert.match(again.err, /already exists/);
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), record);
});

test("an export of a person about whom nothing is stored writes no folder", async () => {
  const server = await emptyServer();
  const args = ["subject", "export", "unknown@school.example", "--out", "other"];
  const unknown = await runCommand(server.folder, args);
  assert.equal(unknown.code, 1);
  assert.match(
    unknown.err,
    /Nothing is stored about a sender, .* Learners are not looked for: class remove REFERENCE NUMBER erases one\.$/m,
  );
  assert.ok(!existsSync(path.join(server.folder, "other")));
});

test("an erasure without --yes says what it would delete", async () => {
  const { server, run } = await twoPeople();
  const before = await textOf(server);
  const asked = await run("erase", address);
  assert.equal(asked.code, 2);
  assert.match(asked.err, /3 requests, 7 files, 3 emails, 1 subscription\. .*add --yes/);
  assert.equal(await textOf(server), before);
});

test("an erasure deletes every row of the person, and is recorded", async () => {
  const { server, run } = await twoPeople();
  const before = await textOf(server);
  for (const secret of secrets) assert.ok(before.includes(secret.toLowerCase()), secret);
  const done = await succeeded(run("erase", address, "--yes", "--json"));
  const counts = { requests: 3, files: 7, emails: 3, subscriptions: 1 };
  const { erased, mentionedIn } = JSON.parse(done.out);
  assert.deepEqual([erased, mentionedIn], [counts, []]);
  assert.match(done.err, /Erased: 3 requests, 7 files, 3 emails, 1 subscription\./);
  await assertGone(server);
  const audit = "SELECT action, requests, files, emails, subscriptions FROM audit";
  assert.deepEqual(await server.query(audit), [{ action: "subject erased", ...counts }]);
});

test("a form that is sent again after an erasure is no duplicate", async () => {
  const { server, run } = await twoPeople();
  const typed = { ...contactTyped, email: address, message: "Sent once more" };
  const send = async () => referenceIn(await postJson(server.url, "/api/contact", typed));
  const first = await send();
  assert.equal(await send(), first, "a duplicate until then");
  await succeeded(run("erase", address, "--yes"));
  assert.notEqual(await send(), first);
});

test("an erasure that finds nothing is not recorded", async () => {
  const { server, run } = await twoPeople();
  await succeeded(run("erase", address, "--yes"));
  const again = await succeeded(run("erase", address, "--yes"));
  assert.match(
    again.err,
    /Nothing is stored about a sender, .* Learners are not looked for: class remove REFERENCE NUMBER erases one\.$/m,
  );
  assert.equal((await server.query("SELECT 1 FROM audit")).length, 1);
});

/** Two people's requests, with a function that purges. */
async function requestsToPurge() {
  const { server, reference } = await twoPeople();
  const run = (...args: string[]) => runCommand(server.folder, ["requests", "purge", ...args]);
  const left = async () => (await server.query("SELECT 1 FROM inbox")).length;
  return { server, reference, run, left };
}

test("requests purge needs one kind of choice, and --yes", async () => {
  const { reference, run, left } = await requestsToPurge();
  const choose = /^rubricon: Give references, or --older-than DAYS\.\n$/;
  for (const [args, reason] of [
    [[], choose],
    [[reference, "--older-than", "3"], choose],
    [["--older-than", "soon"], /'soon' is invalid\. It must be a whole number from 0 to 99999\./],
    [[reference], /^rubricon: [^\n]+add --yes[^\n]*\n$/],
  ] as const) {
    const { code, err } = await run(...args);
    assert.equal(code, 2, args.join(" "));
    assert.match(err, reason);
  }
  assert.equal(await left(), 4);
});

test("requests are purged by reference, all or none", async () => {
  const { server, reference, run, left } = await requestsToPurge();
  assert.equal((await run(reference, "2222-2222-2222", "--yes")).code, 1);
  assert.equal(await left(), 4);
  const one = await succeeded(run(reference, "--yes"));
  assert.equal(one.out, `${reference}\n`);
  assert.equal(await left(), 3);
  const audit = await server.query("SELECT action, requests, files FROM audit");
  assert.deepEqual(audit, [{ action: "requests purged", requests: 1, files: 5 }]);
  const [next] = await server.query<{ reference: string }>("SELECT reference FROM inbox");
  const rerun = [reference, next!.reference, "--yes"];
  assert.equal((await succeeded(run(...rerun))).out, `${next!.reference}\n`);
  assert.match((await succeeded(run(...rerun))).err, /deleted before; nothing was deleted\./);
});

test("requests are purged by age", async () => {
  const { server, run } = await requestsToPurge();
  await server.change("UPDATE rubric_requests SET created_at = '2026-01-01T00:00:00.000Z'");
  const old = await run("--older-than", "30", "--yes", "--json");
  const { purged, ...counts } = JSON.parse(old.out);
  assert.equal(purged.length, 1);
  assert.deepEqual(counts, { requests: 1, files: 2, emails: 1, subscriptions: 0 });
  const none = await run("--older-than", "30", "--yes", "--json");
  assert.deepEqual(JSON.parse(none.out), { purged: [] });
  assert.equal(none.err, "No request is that old; nothing was deleted.\n");
  const audit = await server.query("SELECT action, requests, files FROM audit");
  assert.deepEqual(audit, [{ action: "requests purged", requests: 1, files: 2 }]);
});
