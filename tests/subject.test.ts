import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import Sqlite from "better-sqlite3";
import { contactTyped, postJson, postMultipart, rubricForm, rubricTyped } from "./support/forms.ts";
import { executable, query, runCommand, type Server, startServer } from "./support/server.ts";
import { contact, sha256, threeFiles, txt, uploadByApi, uploadForm } from "./support/upload.ts";

const address = "Zanele.Mark@School.example";
/** What may be left nowhere: address, name, number, text, and what stood in the files. */
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

/** Two people; the first has sent every form. */
async function startWithTwoPeople(t: TestContext) {
  const server = await startServer(t);
  const { url } = server;
  const zanele = { email: address, name: "Zanele Markx", phone: "+27 31 555 4711" };
  const sent = files();
  const typed = { ...contact, ...zanele, message: "Grade 11 zebra studies" };
  const upload = await uploadByApi(url, uploadForm(sent, typed));
  assert.equal(upload.status, 201);
  const { reference } = (await upload.json()) as { reference: string };
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
  return { server, run, sent, reference };
}

/** The bytes of the database and its log. */
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
    "what others sent stays",
  );
  assert.deepEqual(query(server.databaseFile, "PRAGMA integrity_check"), [
    { integrity_check: "ok" },
  ]);
}

test("a person's export holds every row and every file under the address, and nobody else's", async (t) => {
  const { server, run, sent, reference } = await startWithTwoPeople(t);
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
  for (const { name, bytes } of sent) {
    assert.ok(readFileSync(path.join(folder, reference, name)).equals(bytes), name);
  }
  assert.equal(out.trim().split("\n").length, 8);
  assert.equal((await run("export", address, "--out", "export")).code, 1, "never overwrites");
  const nobody = await run("export", "nobody@school.example", "--out", "other");
  assert.equal(nobody.code, 1);
  assert.match(nobody.err, /Nothing is kept under this address/);
  assert.ok(!existsSync(path.join(server.folder, "other")));
  assert.equal((await run("export", "zanele", "--out", "other")).code, 2, "no address");
});

for (const isServing of [true, false]) {
  test(`an erasure ${isServing ? "beside the running server" : "while nothing runs"} leaves no byte of the person`, async (t) => {
    const { server, run } = await startWithTwoPeople(t);
    if (!isServing) await server.stop("SIGKILL");
    const before = bytesOf(server);
    for (const secret of secrets) assert.ok(before.includes(secret.toLowerCase()), secret);
    const asked = await run("erase", address);
    assert.equal(asked.code, 2);
    assert.match(asked.err, /3 requests, 7 files, 3 letters, 1 subscription\. .*add --yes/);

    const done = await run("erase", address, "--yes", "--json");
    assert.equal(done.code, 0, done.err);
    const counts = { requests: 3, files: 7, emails: 3, subscriptions: 1 };
    assert.deepEqual(JSON.parse(done.out), { erased: counts, mentionedIn: [], backups: [] });
    assertGone(server);
    const [line, ...others] = query(server.databaseFile, "SELECT * FROM audit");
    assert.deepEqual(others, []);
    assert.deepEqual(
      { ...line, created_at: undefined },
      { id: 1, created_at: undefined, action: "subject erased", ...counts },
    );
    if (isServing) {
      assert.equal((await uploadByApi(server.url, uploadForm())).status, 201, "it serves on");
    }
    const again = await run("erase", address, "--yes");
    assert.equal(again.code, 0);
    assert.match(again.err, /Nothing is kept under this address/);
    assert.equal(query(server.databaseFile, "SELECT 1 FROM audit").length, 1);
  });
}

test("what SQLite left behind where it moved rows is found and cleared away", async (t) => {
  const { server, run } = await startWithTwoPeople(t);
  await server.stop();
  // A copy in a page's unused part, as a page that was split leaves it.
  const bytes = readFileSync(server.databaseFile);
  const db = new Sqlite(server.databaseFile);
  const page = db
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'users'")
    .pluck()
    .get() as number;
  db.close();
  bytes.write("Zanele.Mark@School.example", (page - 1) * 16_384 + 5000);
  writeFileSync(server.databaseFile, bytes);
  assert.equal((await run("erase", address, "--yes")).code, 0);
  assertGone(server);
});

test("while another program reads an old state, the erasure says that the log still holds the person", async (t) => {
  const { server, run } = await startWithTwoPeople(t);
  const reader = new Sqlite(server.databaseFile, { readonly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM inbox").get();
  const busy = await run("erase", address, "--yes");
  assert.equal(busy.code, 75);
  assert.match(busy.err, /still stands in the log .* run the command again/);
  reader.close();
  assert.equal((await run("erase", address, "--yes")).code, 0);
  assertGone(server);
});

test("backups that hold the person are named with the day they go, and so is who else wrote the address", async (t) => {
  const { server } = await startWithTwoPeople(t);
  const mention = { ...contactTyped, message: `Please answer ${address.toUpperCase()} too.` };
  const answer = await postJson(server.url, "/api/contact", mention);
  const { reference } = (await query(
    server.databaseFile,
    "SELECT reference FROM inbox WHERE message LIKE 'Please answer%'",
  )[0]) as { reference: string };
  assert.equal(answer.status, 201);
  const data = path.dirname(server.databaseFile);
  mkdirSync(path.join(data, "backups"));
  const backup = (name: string) => path.join(data, "backups", name);
  assert.equal((await runCommand(server.folder, ["backup", "copy.db"])).code, 0);
  const copy = path.join(server.folder, "copy.db");
  copyFileSync(copy, backup("rubricon-2026-11-02T03-00-00Z.db"));
  copyFileSync(copy, backup("rubricon-before-layout-5-2026-11-01T03-00-00Z.db"));
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
    backups.map(({ file, expiresAt, fault }: Record<string, string>) => [
      path.basename(file!),
      expiresAt,
      Boolean(fault),
    ]),
    [
      ["rubricon-2026-11-03T03-00-00Z.db", "2026-11-10T03:00:00.000Z", true],
      ["rubricon-2026-11-02T03-00-00Z.db", "2026-11-09T03:00:00.000Z", false],
      ["rubricon-before-layout-5-2026-11-01T03-00-00Z.db", "2026-11-08T03:00:00.000Z", false],
      ["rubricon-before-restore-2026-10-01T03-00-00Z.db", "2026-11-07T03:00:00.000Z", false],
      ["by-hand.db", undefined, false],
    ],
  );
  const never = await runCommand(server.folder, ["subject", "erase", address, "--yes"], {
    RUBRICON_BACKUP_HOURS: "0",
  });
  assert.match(never.out, /rubricon-2026-11-02T03-00-00Z\.db {2}kept until somebody deletes it\n/);
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
  const left = bytesOf(server);
  for (const text of ["grade 11 zebra", "zigzag", reference.toLowerCase()]) {
    assert.ok(!left.includes(text), text);
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

test("on a terminal it asks, and only yes goes on", async (t) => {
  const { server } = await startWithTwoPeople(t);
  if (spawnSync("script", ["--version"]).error) {
    t.skip("script, which makes a terminal, is not installed");
    return;
  }
  const ask = (answer: string) =>
    spawnSync("script", ["-qec", `${executable} subject erase ${address}`, "/dev/null"], {
      cwd: server.folder,
      input: answer,
      encoding: "utf8",
      timeout: 20_000,
    });
  const no = ask("n\n");
  assert.equal(no.status, 1);
  assert.match(no.stdout, /Go on\? \[y\/N\]/);
  assert.match(no.stdout, /Nothing was done/);
  assert.equal(ask("\u0004").status, 1, "no answer is no");
  assert.equal(query(server.databaseFile, "SELECT 1 FROM inbox").length, 4);
  const yes = ask("y\n");
  assert.equal(yes.status, 0, yes.stdout);
  assertGone(server);
});
