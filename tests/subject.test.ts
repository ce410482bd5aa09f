import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import Sqlite from "better-sqlite3";
import {
  contactTyped,
  postJson,
  postMultipart,
  referenceIn,
  rubricForm,
  rubricTyped,
} from "./support/forms.ts";
import { executable, query, runCommand, type Server, startServer } from "./support/server.ts";
import { contact, sha256, threeFiles, txt, uploadByApi, uploadForm } from "./support/upload.ts";

const address = "Zanele.Mark@School.example";
/** Must be gone after the erasure: parts of the address, name, phone number, message and files. */
const secrets = [
  "zanele.mark@school",
  "Zanele Markx",
  "+27 31 555 4711",
  "Grade 11 zebra",
  "zigzag",
];

const files = () => [
  ...threeFiles(),
  {
    field: "submissionFiles" as const,
    name: "zigzag.txt",
    bytes: txt("A zigzag answer. ".repeat(90)),
  },
  {
    field: "submissionFiles" as const,
    name: "zigzag-long.txt",
    bytes: txt("A long zigzag answer. ".repeat(9000)),
  },
];

/** Starts a server with requests of two people; the first has sent every form. */
async function startWithTwoPeople(t: TestContext) {
  const server = await startServer(t);
  const { url } = server;
  const zanele = { email: address, name: "Zanele Markx", phone: "+27 31 555 4711" };
  const sentFiles = files();
  const typed = { ...contact, ...zanele, message: "Grade 11 zebra studies" };
  const reference = await referenceIn(await uploadByApi(url, uploadForm(sentFiles, typed)));
  const { name: _, ...rubricZanele } = { ...rubricTyped, ...zanele, fullName: zanele.name };
  assert.equal(
    (await postMultipart(url, "/latest-feature", rubricForm(undefined, rubricZanele))).status,
    303,
  );
  const lower = { ...contactTyped, ...zanele, email: address.toLowerCase() };
  assert.equal((await postJson(url, "/api/contact", lower)).status, 201);
  assert.equal((await postJson(url, "/api/subscription", { email: address })).status, 201);
  assert.equal((await postJson(url, "/api/contact", contactTyped)).status, 201);
  const run = (...args: string[]) => runCommand(server.folder, ["subject", ...args]);
  return { server, run, sentFiles, reference };
}

/** The bytes of the database and its WAL, as text in lower case. */
const bytesOf = ({ databaseFile }: Server) =>
  [databaseFile, `${databaseFile}-wal`]
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file).toString("latin1").toLowerCase())
    .join();

function assertGone(server: Server) {
  const bytes = bytesOf(server);
  for (const secret of secrets) assert.ok(!bytes.includes(secret.toLowerCase()), secret);
  assert.deepEqual(
    query(server.databaseFile, "SELECT email FROM inbox").map(({ email }) => email),
    [contactTyped.email],
    "other people's requests stay",
  );
  assert.deepEqual(query(server.databaseFile, "PRAGMA integrity_check"), [
    { integrity_check: "ok" },
  ]);
}

test("a person's export contains every row and file under the address, and no one else's", async (t) => {
  const { server, run, sentFiles, reference } = await startWithTwoPeople(t);
  const { code, out, err } = await run(
    "export",
    "  zanele.MARK@school.example ",
    "--out",
    "export",
  );
  assert.equal(code, 0, err);
  const folder = path.join(server.folder, "export");
  const record = JSON.parse(readFileSync(path.join(folder, "subject.json"), "utf8"));
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
      ["uploaded_files", 7],
    ],
  );
  assert.doesNotMatch(JSON.stringify(record), /thandi/i);
  assert.match(record.outbox[0].body, /Grade 11 zebra studies/);
  for (const file of record.uploaded_files) {
    assert.equal(sha256(readFileSync(path.join(folder, file.exported_as))), file.sha256);
  }
  for (const { name, bytes } of sentFiles) {
    assert.ok(readFileSync(path.join(folder, reference, name)).equals(bytes), name);
  }
  assert.equal(out.trim().split("\n").length, 8);
  assert.equal((await run("export", address, "--out", "export")).code, 1, "never overwrites");
  const unknown = await run("export", "unknown@school.example", "--out", "other");
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /Nothing is stored under this address/);
  assert.ok(!existsSync(path.join(server.folder, "other")));
  assert.equal((await run("export", "zanele", "--out", "other")).code, 2, "not an address");
});

for (const isServing of [true, false]) {
  test(`an erasure ${isServing ? "while the server runs" : "after the server was killed"} leaves no byte of the person`, async (t) => {
    const { server, run } = await startWithTwoPeople(t);
    if (!isServing) await server.stop("SIGKILL");
    const before = bytesOf(server);
    for (const secret of secrets) assert.ok(before.includes(secret.toLowerCase()), secret);
    const asked = await run("erase", address);
    assert.equal(asked.code, 2);
    assert.match(asked.err, /3 requests, 7 files, 3 emails, 1 subscription\. .*add --yes/);

    const done = await run("erase", address, "--yes", "--json");
    assert.equal(done.code, 0, done.err);
    const counts = { requests: 3, files: 7, emails: 3, subscriptions: 1 };
    assert.deepEqual(JSON.parse(done.out), { erased: counts, mentionedIn: [], backups: [] });
    assert.match(done.err, /Erased: 3 requests, 7 files, 3 emails, 1 subscription\./);
    assert.doesNotMatch(done.err, /not rewritten/);
    assertGone(server);
    const [line, ...others] = query(server.databaseFile, "SELECT * FROM audit");
    assert.deepEqual(others, []);
    assert.deepEqual(
      { ...line, created_at: undefined },
      { id: 1, created_at: undefined, action: "subject erased", ...counts },
    );
    if (isServing) {
      assert.equal(
        (await uploadByApi(server.url, uploadForm())).status,
        201,
        "the server still works",
      );
    }
    const again = await run("erase", address, "--yes");
    assert.equal(again.code, 0);
    assert.match(again.err, /Nothing is stored under this address/);
    assert.equal(query(server.databaseFile, "SELECT 1 FROM audit").length, 1);
  });
}

/** Writes the address into an unused part of a page, where SQLite leaves such copies when it splits a page. */
function leaveStrayCopy({ databaseFile }: Server): void {
  const db = new Sqlite(databaseFile);
  const page = db
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'users'")
    .pluck()
    .get() as number;
  const pageBytes = db.pragma("page_size", { simple: true }) as number;
  db.close();
  const bytes = readFileSync(databaseFile);
  const middle = (page - 1) * pageBytes + pageBytes / 2;
  assert.ok(bytes.subarray(middle, middle + 100).every((byte) => byte === 0));
  bytes.write(address, middle);
  writeFileSync(databaseFile, bytes);
}

test("an erasure rewrites the file, so that no copy stays in unused parts of pages", async (t) => {
  const { server, run } = await startWithTwoPeople(t);
  await server.stop();
  leaveStrayCopy(server);
  assert.equal((await run("erase", address, "--yes")).code, 0);
  assertGone(server);
});

test("with --no-vacuum an erasure says that the file was not rewritten; a later one rewrites it", async (t) => {
  const { server, run, reference } = await startWithTwoPeople(t);
  await server.stop();
  leaveStrayCopy(server);
  const notRewritten =
    /^The file was not rewritten \(--no-vacuum\): .* may still contain parts of what was deleted\. Run the command again without the flag/m;
  const purge = ["requests", "purge", reference, "--yes", "--no-vacuum"];
  const purged = await runCommand(server.folder, purge);
  assert.equal(purged.code, 0, purged.err);
  assert.match(purged.err, notRewritten);
  const remove = ["subscriptions", "remove", address, "--yes", "--no-vacuum"];
  const removed = await runCommand(server.folder, remove);
  assert.equal(removed.code, 0, removed.err);
  assert.match(removed.err, notRewritten);
  const erased = await run("erase", address, "--yes", "--no-vacuum");
  assert.equal(erased.code, 0, erased.err);
  assert.match(erased.err, notRewritten);
  assert.deepEqual(
    query(server.databaseFile, "SELECT email FROM inbox").map(({ email }) => email),
    [contactTyped.email],
  );
  assert.ok(bytesOf(server).includes(address.toLowerCase()), "the stray copy is still there");
  const again = await run("erase", address, "--yes");
  assert.equal(again.code, 0, again.err);
  assert.doesNotMatch(again.err, /not rewritten/);
  assertGone(server);
});

test("while another program reads an old state, the erasure reports that the WAL still contains the person", async (t) => {
  const { server, run } = await startWithTwoPeople(t);
  const reader = new Sqlite(server.databaseFile, { readonly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM inbox").get();
  const busy = await run("erase", address, "--yes");
  assert.equal(busy.code, 75);
  assert.match(
    busy.err,
    /The rows are deleted, but the write-ahead log still contains them, .* run the command again/,
  );
  reader.close();
  assert.equal((await run("erase", address, "--yes")).code, 0);
  assertGone(server);
});

test("an erasure lists the backups that contain the person, when they expire, and other requests that mention the address", async (t) => {
  const { server } = await startWithTwoPeople(t);
  const mention = { ...contactTyped, message: `Please answer ${address.toUpperCase()} too.` };
  const reference = await referenceIn(await postJson(server.url, "/api/contact", mention));
  const data = path.dirname(server.databaseFile);
  mkdirSync(path.join(data, "backups"));
  const backup = (name: string) => path.join(data, "backups", name);
  assert.equal((await runCommand(server.folder, ["backup", "copy.db"])).code, 0);
  const copy = path.join(server.folder, "copy.db");
  copyFileSync(copy, backup("rubricon-2026-11-02T03-00-00Z.db"));
  copyFileSync(copy, backup("rubricon-before-schema-8-2026-11-01T03-00-00Z.db"));
  copyFileSync(copy, path.join(data, "rubricon-before-restore-2026-10-01T03-00-00Z.db"));
  copyFileSync(copy, backup("by-hand.db"));
  new Sqlite(backup("rubricon-2026-11-03T03-00-00Z.db")).exec("CREATE TABLE a (b)").close();
  const clean = new Sqlite(copy);
  clean.exec(
    "DELETE FROM outbox; DELETE FROM contact_requests; DELETE FROM rubric_requests; DELETE FROM subscriptions",
  );
  clean.close();
  copyFileSync(copy, backup("rubricon-2026-11-04T03-00-00Z.db"));

  const env = { RUBRICON_BACKUPS_KEPT: "7", RUBRICON_BACKUP_HOURS: "24" };
  const done = await runCommand(
    server.folder,
    ["subject", "erase", address, "--yes", "--json"],
    env,
  );
  assert.equal(done.code, 0, done.err);
  const { backups, mentionedIn } = JSON.parse(done.out);
  assert.deepEqual(mentionedIn, [reference]);
  assert.deepEqual(
    backups.map(({ file, expiresAt, error }: Record<string, string>) => [
      path.basename(file!),
      expiresAt,
      Boolean(error),
    ]),
    [
      ["rubricon-2026-11-03T03-00-00Z.db", "2026-11-10T03:00:00.000Z", true],
      ["rubricon-2026-11-02T03-00-00Z.db", "2026-11-09T03:00:00.000Z", false],
      ["rubricon-before-schema-8-2026-11-01T03-00-00Z.db", "2026-11-08T03:00:00.000Z", false],
      ["rubricon-before-restore-2026-10-01T03-00-00Z.db", "2026-11-07T03:00:00.000Z", false],
      ["by-hand.db", undefined, false],
    ],
  );
  const unscheduled = await runCommand(server.folder, ["subject", "erase", address, "--yes"], {
    RUBRICON_BACKUP_HOURS: "0",
  });
  assert.match(unscheduled.err, /^4 backups still contain the person’s data, as listed\.$/m);
  assert.match(
    unscheduled.err,
    /^1 backup could not be read, and may contain the person’s data\.$/m,
  );
  assert.match(unscheduled.out, /rubricon-2026-11-02T03-00-00Z\.db {2}not deleted automatically\n/);
});

test("requests are purged by reference or by age, and leave no byte", async (t) => {
  const { server, reference } = await startWithTwoPeople(t);
  const run = (...args: string[]) => runCommand(server.folder, ["requests", "purge", ...args]);
  for (const args of [
    [],
    [reference, "--older-than", "3"],
    ["--older-than", "soon"],
    [reference],
  ]) {
    const { code, err } = await run(...args);
    assert.equal(code, 2, args.join(" "));
    assert.match(err, /^rubricon: [^\n]+\n$/);
  }
  assert.equal((await run(reference, "2222-2222-2222", "--yes")).code, 1, "all or none");
  assert.equal(query(server.databaseFile, "SELECT 1 FROM inbox").length, 4);
  const one = await run(reference, "--yes");
  assert.equal(one.code, 0, one.err);
  assert.equal(one.out, `${reference}\n`);
  const bytes = bytesOf(server);
  for (const text of ["grade 11 zebra", "zigzag", reference.toLowerCase()]) {
    assert.ok(!bytes.includes(text), text);
  }
  assert.equal(query(server.databaseFile, "SELECT 1 FROM inbox").length, 3);

  const writer = new Sqlite(server.databaseFile);
  writer.exec("UPDATE rubric_requests SET created_at = '2026-01-01T00:00:00.000Z'");
  writer.close();
  const old = await run("--older-than", "30", "--yes", "--json");
  const { purged, ...counts } = JSON.parse(old.out);
  assert.equal(purged.length, 1);
  assert.deepEqual(counts, { requests: 1, files: 2, emails: 1, subscriptions: 0 });
  assert.deepEqual(query(server.databaseFile, "SELECT action, requests, files FROM audit"), [
    { action: "requests purged", requests: 1, files: 5 },
    { action: "requests purged", requests: 1, files: 2 },
  ]);
  const none = await run("--older-than", "30", "--yes", "--json");
  assert.deepEqual(JSON.parse(none.out), { purged: [] });
  assert.equal(none.err, "No request is that old; nothing was deleted.\n");
});

test("on a terminal an erasure asks first, and only yes continues", async (t) => {
  const { server } = await startWithTwoPeople(t);
  if (spawnSync("script", ["--version"]).error) {
    t.skip("script, which provides a terminal, is not installed");
    return;
  }
  const ask = (reply: string) =>
    spawnSync("script", ["-qec", `${executable} subject erase ${address}`, "/dev/null"], {
      cwd: server.folder,
      input: reply,
      encoding: "utf8",
      timeout: 20_000,
    });
  const no = ask("n\n");
  assert.equal(no.status, 1);
  assert.match(no.stdout, /Continue\? \[y\/N\]/);
  assert.match(no.stdout, /Nothing was done/);
  assert.equal(ask("\u0004").status, 1, "no reply means no");
  assert.equal(query(server.databaseFile, "SELECT 1 FROM inbox").length, 4);
  const yes = ask("y\n");
  assert.equal(yes.status, 0, yes.stdout);
  assertGone(server);
});
