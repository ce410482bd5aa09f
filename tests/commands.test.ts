import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import { column } from "./support/columns.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { latestSchemaVersion } from "./support/database.ts";
import { contactTyped, postJson, referenceIn } from "./support/forms.ts";
import { startMailServer } from "./support/mail-server.ts";
import { succeeded } from "./support/output-of.ts";
import {
  emptyServer,
  executable,
  newFolder,
  query,
  runCommand,
  runExecutable,
  startServer,
} from "./support/server.ts";
import { contact, sha256, threeFiles, txt, uploadByApi, uploadForm } from "./support/upload.ts";

runCommandsHere();

/** A time as lists show it: South African, on a machine of any zone. */
const shownTime = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\+02:00";

test("a request is listed and shown while the server runs", async () => {
  const server = await emptyServer();
  const files = threeFiles();
  const reference = await referenceIn(await uploadByApi(server.url, uploadForm(files)));
  const list = await succeeded(runCommand(server.folder, ["requests", "list"]));
  assert.match(
    list.out,
    new RegExp(`^REFERENCE .*\n${reference}  ${shownTime}  demo-upload  3      ${contact.name}  `),
  );
  const typed = reference.toLowerCase().replaceAll("-", "");
  const show = await succeeded(runCommand(server.folder, ["requests", "show", typed]));
  for (const text of [...Object.values(contact), "submitted", sha256(files[0]!.bytes), "pending"]) {
    assert.ok(show.out.includes(text), text);
  }
});

test("the files of a request are written to a folder once, under names that are free", async () => {
  const server = await emptyServer();
  const files = [
    ...threeFiles(),
    { field: "submissionFiles" as const, name: "learner-01.pdf", bytes: threeFiles()[0]!.bytes },
  ];
  const reference = await referenceIn(await uploadByApi(server.url, uploadForm(files)));
  const out = path.join(server.folder, "out");
  mkdirSync(out);
  writeFileSync(path.join(out, "rubric.txt"), "mine");
  const args = ["requests", "files", reference, "--out", "out"];
  const write = await succeeded(runCommand(server.folder, args));
  assert.equal(readFileSync(path.join(out, "rubric.txt"), "utf8"), "mine");
  const written: [string, Buffer][] = [
    ["questions.pdf", files[0]!.bytes],
    ["rubric (2).txt", files[1]!.bytes],
    ["learner-01.pdf", files[2]!.bytes],
    ["learner-01 (2).pdf", files[3]!.bytes],
  ];
  assert.deepEqual(
    readdirSync(out).sort(),
    [...written.map(([name]) => name), "rubric.txt"].sort(),
  );
  for (const [name, bytes] of written) {
    assert.ok(readFileSync(path.join(out, name)).equals(bytes), name);
  }
  assert.deepEqual(
    write.out.trim().split("\n"),
    written.map(([name]) => path.join("out", name)),
  );
  const repeated = await runCommand(server.folder, args);
  assert.equal(repeated.out, write.out, "the files that are there already are not written again");
  assert.equal(readdirSync(out).length, written.length + 1);
});

test("names that a system hides or rejects are made safe", async () => {
  const server = await emptyServer();
  const named = [
    ["CON.txt", "_CON.txt"],
    [".profile.txt", "_profile.txt"],
    ['a:b*c?"d"<e>|f.txt', "a_b_c__d__e__f.txt"],
  ] as const;
  const files = named.map(([name]) => ({
    field: "submissionFiles" as const,
    name,
    bytes: txt(name),
  }));
  const form = uploadForm([...threeFiles(), ...files]);
  const reference = await referenceIn(await uploadByApi(server.url, form));
  const args = ["requests", "files", reference, "--out", "safe"];
  const write = await succeeded(runCommand(server.folder, args));
  const paths = named.map(([, safe]) => path.join("safe", safe));
  assert.deepEqual(write.out.trim().split("\n").slice(3), paths);
  const out = path.join(server.folder, "safe");
  assert.equal(readdirSync(out).length, 6);
  for (const [name, safe] of named)
    assert.ok(readFileSync(path.join(out, safe)).equals(txt(name)), safe);
  assert.equal((await runCommand(server.folder, args)).out, write.out, "not written again");
  assert.equal(readdirSync(out).length, 6);
});

test("a request's files can be piped as a tar archive with their names and bytes", async () => {
  const server = await emptyServer();
  const long = `${"é".repeat(90)}.txt`;
  const files = [
    ...threeFiles(),
    {
      field: "submissionFiles" as const,
      name: threeFiles()[2]!.name,
      bytes: threeFiles()[2]!.bytes,
    },
    { field: "submissionFiles" as const, name: long, bytes: txt("x".repeat(512)) },
  ];
  const reference = await referenceIn(await uploadByApi(server.url, uploadForm(files)));
  const options = { cwd: server.folder, encoding: "utf8" as const };
  const pipe = `${executable} requests files ${reference} --tar - | tar -xvf -`;
  const listed = execFileSync("bash", ["-o", "pipefail", "-c", pipe], options);
  const out = path.join(server.folder, reference);
  assert.equal(listed.trim().split("\n").length, files.length);
  const names = ["questions.pdf", "rubric.txt", "learner-01.pdf", "learner-01 (2).pdf", long];
  assert.deepEqual(readdirSync(out).sort(), names.toSorted());
  for (const [index, name] of names.entries()) {
    assert.ok(readFileSync(path.join(out, name)).equals(files[index]!.bytes), name);
  }
  assert.equal(statSync(path.join(out, long)).mode & 0o777, 0o600);
});

test("a request's files are written to a tar archive over no other file", async () => {
  const server = await emptyServer();
  const reference = await referenceIn(await uploadByApi(server.url, uploadForm()));
  const toFile = ["requests", "files", reference, "--tar", "files.tar"];
  await succeeded(runCommand(server.folder, toFile));
  assert.match((await runCommand(server.folder, toFile)).err, /files\.tar already exists/);
  assert.equal((await runCommand(server.folder, ["requests", "files", reference])).code, 2);
});

test("purge and erase with --dry-run only say what they would delete", async () => {
  const server = await emptyServer();
  const reference = await referenceIn(await uploadByApi(server.url, uploadForm()));
  const purge = await runCommand(server.folder, ["requests", "purge", reference, "--dry-run"]);
  assert.deepEqual(purge, { code: 0, out: `${reference}\n`, err: "1 request would be deleted.\n" });
  const erase = ["subject", "erase", contact.email, "--dry-run"];
  const { err } = await succeeded(runCommand(server.folder, erase));
  assert.match(err, /To be deleted: 1 request, 3 files, .*Nothing was deleted/);
  const json = JSON.parse((await runCommand(server.folder, [...erase, "--json"])).out);
  assert.equal(json.wouldErase.requests, 1);
  assert.equal(query(server.databaseFile, "SELECT reference FROM inbox").length, 1);
  assert.equal(query(server.databaseFile, "SELECT * FROM audit").length, 0);
});

/** Runs the program as another account in a folder that the account may read. */
function runAsNobody(folder: string, args: string[], env: Record<string, string> = {}) {
  const program = path.join(folder, "rubricon");
  copyFileSync(executable, program);
  chmodSync(folder, 0o755);
  return spawnSync(program, args, { cwd: folder, env, uid: 65534, gid: 65534, encoding: "utf8" });
}

test("another account is told that it may not read the database, not that there is none", async (t) => {
  if (process.getuid!() !== 0) return t.skip("running as another account needs root");
  const server = await emptyServer();
  const { status, stderr } = runAsNobody(server.folder, ["requests", "list"]);
  assert.equal(status, 78);
  assert.match(
    stderr,
    /^rubricon: This account may not read \S+rubricon\.db \(EACCES\)\. [^\n]+\n$/,
  );
});

test("a server that may not write to the data folder names it", (t) => {
  if (process.getuid!() !== 0) return t.skip("running as another account needs root");
  const folder = newFolder(t);
  mkdirSync(path.join(folder, "closed"));
  const { status, stderr } = runAsNobody(folder, ["--data-dir", "closed"], { PORT: "0" });
  assert.equal(status, 78, stderr);
  assert.match(stderr, /The data folder \S+closed cannot be written: EACCES/);
});

test("exported files are private under names that are neither hidden nor flags", async () => {
  const server = await emptyServer();
  const reference = await referenceIn(await uploadByApi(server.url, uploadForm()));
  const db = new Sqlite(server.databaseFile);
  const rename = db.prepare("UPDATE uploaded_files SET name = ? WHERE id = ?");
  for (const [index, name] of ["-rf.pdf", ".pdf", "..pdf"].entries()) rename.run(name, index + 1);
  db.close();
  const out = path.join(server.folder, "new/out");
  const args = ["requests", "files", reference, "--out", out];
  await succeeded(runCommand(server.folder, args));
  assert.deepEqual(readdirSync(out).sort(), ["_ (2).pdf", "_-rf.pdf", "_.pdf"]);
  for (const name of readdirSync(out)) {
    assert.equal(statSync(path.join(out, name)).mode & 0o777, 0o600, name);
  }
  for (const folder of ["new", "new/out"]) {
    assert.equal(statSync(path.join(server.folder, folder)).mode & 0o777, 0o700, folder);
  }
  const exported = path.join(server.folder, "person");
  const person = ["subject", "export", contact.email, "--out", exported];
  await succeeded(runCommand(server.folder, person));
  for (const folder of [exported, path.join(exported, reference)]) {
    assert.equal(statSync(folder).mode & 0o777, 0o700, folder);
  }
  const record = path.join(exported, "subject.json");
  for (const file of [record, path.join(exported, reference, "_-rf.pdf")]) {
    assert.equal(statSync(file).mode & 0o777, 0o600, file);
  }
});

test("an unknown or misspelt reference is an error in one line", async () => {
  const server = await emptyServer();
  const missing = await runCommand(server.folder, ["requests", "show", "2222-2222-2222"]);
  assert.equal(missing.code, 1);
  assert.equal(missing.err, "rubricon: There is no request 2222-2222-2222.\n");
  const misspelt = await runCommand(server.folder, ["requests", "show", "0OI1"]);
  assert.equal(misspelt.code, 1);
  assert.match(misspelt.err, /^rubricon: 0OI1 is not a reference\. [^\n]+\n$/);
});

test("an unknown command or flag exits with 2 and suggests the most similar one", async (t) => {
  const folder = newFolder(t);
  for (const [args, suggestion] of [
    [["reqests"], "requests"],
    [["requests", "lst"], "list"],
    [["requests", "files", "X", "--out", "d", "--hepl"], "--help"],
    [["serve", "--prot", "80"], "--port"],
    [["--verison"], "--version"],
    [["hepl"], "help"],
  ] as const) {
    const { code, err } = await runCommand(folder, [...args]);
    assert.equal(code, 2, args.join(" "));
    assert.match(err, new RegExp(`^rubricon: [^\\n]+\\n\\(Did you mean ${suggestion}\\?\\)\\n`));
  }
  const unlike = await runCommand(folder, ["requests", "audit"]);
  assert.equal(unlike.err, "rubricon: unknown command 'audit'\nSee rubricon --help.\n");
  const flies = await runCommand(folder, ["help", "requests", "flies"]);
  assert.deepEqual(
    [flies.code, flies.err.split("\n")[0]],
    [2, "rubricon: unknown command 'flies'"],
  );
  const none = await runCommand(folder, ["subject"]);
  assert.equal(none.code, 2);
  assert.match(none.err, /^Usage: rubricon subject .*^ {2}erase /ms);
});

test("requests are found by name, address or reference, in quarantine or not", async () => {
  const server = await emptyServer();
  const send = async (name: string, email: string, more = {}) =>
    referenceIn(
      await postJson(server.url, "/api/contact", { ...contactTyped, name, email, ...more }),
    );
  const jo = await send("Jo Adams", "office@hill.example");
  const spam = await send("Other Name", "JO@hill.example");
  await server.change(`UPDATE contact_requests SET spam = 'links' WHERE reference = '${spam}'`);
  const other = await send("Thandi Example", "thandi@school.example");
  const accented = await send("Élodie 100%", "elodie@school.example");
  const found = async (...args: string[]) => {
    const find = ["requests", "list", "--find", ...args];
    const { out } = await succeeded(runCommand(server.folder, find));
    return out;
  };
  const both = (await found("jO")).trimEnd().split("\n");
  assert.equal(both.length, 3);
  assert.match(both[0]!, /EMAIL +LIST$/);
  assert.match(both[1]!, new RegExp(`^${spam} .* quarantine$`));
  assert.match(both[2]!, new RegExp(`^${jo} .* requests$`));
  const json = async (...args: string[]) =>
    (JSON.parse(await found(...args, "--json")) as { reference: string }[]).map(
      ({ reference }) => reference,
    );
  assert.deepEqual(await json("@SCHOOL"), [accented, other]);
  for (const text of ["ÉLODIE", "E\u0301lodie", "%"]) {
    assert.deepEqual(await json(text), [accented], text);
  }
  assert.deepEqual(await json(other.toLowerCase().replaceAll("-", "")), [other]);
  assert.deepEqual(await json("jo", "--spam"), [spam]);
  assert.deepEqual(await json("nobody"), []);
});

/** A server with two requests, and a function that lists requests on a machine of another time zone. */
async function twoRequests() {
  const server = await emptyServer();
  const send = async (path: string, name: string) => {
    return referenceIn(await postJson(server.url, path, { ...contactTyped, name }));
  };
  const first = await send("/api/contact", "Jo Adams");
  const second = await send("/api/contact", "Thandiwe Nkosi-Vermeulen");
  const list = (...args: string[]) =>
    runCommand(server.folder, ["requests", "list", ...args], { TZ: "Pacific/Kiritimati" });
  const setTimes = () =>
    server.change("UPDATE contact_requests SET created_at = '2026-11-23T22:30:0' || id || '.000Z'");
  return { server, first, second, list, setTimes };
}

test("a list has aligned columns and South African times on a machine of any zone", async () => {
  const { first, second, list, setTimes } = await twoRequests();
  const { out } = await list();
  const [header, ...rows] = out.trimEnd().split("\n");
  assert.deepEqual(
    rows.map((row) => row.slice(0, 14)),
    [second, first],
  );
  for (const row of rows) {
    assert.match(row, new RegExp(`^\\S+ {2}${shownTime} {2}`));
    assert.equal(row.indexOf(contactTyped.email), header!.indexOf("EMAIL"));
  }
  const [{ receivedAt }] = JSON.parse((await list("--json", "--limit", "1")).out);
  assert.match(receivedAt, /T.*Z$/, "JSON has the stored time");
  await setTimes();
  assert.match((await list()).out, /2026-11-24 00:30:0\d \+02:00/);
});

test("a list is limited by form, time and number", async () => {
  const { first, second, list, setTimes } = await twoRequests();
  await setTimes();
  for (const [limit, expected] of [
    ["--since 2026-11-24", [second, first]],
    ["--since 2026-11-24T00:31", []],
    ["--form contact", [second, first]],
    ["--form demo-upload", []],
    ["--limit 1", [second]],
    ["--since 2999-01-01T00:00+02:00", []],
  ] as const) {
    const { out } = await list(...limit.split(" "), "--json");
    assert.deepEqual(
      column(JSON.parse(out) as { reference: string }[], "reference"),
      expected,
      limit,
    );
  }
});

test("a limit of a list that is no date, number or form is a usage error", async () => {
  const { folder } = await emptyServer();
  for (const limit of ["--since yesterday", "--since 2026-02-30", "--limit -1", "--form letter"]) {
    const { code } = await runCommand(folder, ["requests", "list", ...limit.split(" ")]);
    assert.equal(code, 2, limit);
  }
});

test("emails and subscriptions are listed from a time on", async () => {
  const { url, folder } = await emptyServer();
  await postJson(url, "/api/contact", contactTyped);
  await postJson(url, "/api/subscription", { email: contactTyped.email });
  const countSince = async (list: string, time: string) => {
    const args = [list, "list", "--since", time, "--json"];
    return JSON.parse((await succeeded(runCommand(folder, args))).out).length;
  };
  for (const list of ["outbox", "subscriptions"]) {
    assert.equal(await countSince(list, "2026-01-01"), 1, list);
    assert.equal(await countSince(list, "2999-01-01"), 0, list);
  }
});

test("-h, -V and help COMMAND print what --help and --version do", async (t) => {
  const folder = newFolder(t);
  for (const [long, ...shorts] of [
    [["--help"], ["-h"], ["help"]],
    [
      ["requests", "files", "--help"],
      ["requests", "files", "-h"],
      ["help", "requests", "files"],
    ],
    [["--version"], ["-V"]],
  ]) {
    const expected = await succeeded(runCommand(folder, long!));
    assert.notEqual(expected.out, "");
    for (const short of shorts) assert.deepEqual(await runCommand(folder, short), expected);
  }
});

test("an extra argument is reported as one", async (t) => {
  for (const args of ["serve now", "requests list all"]) {
    const { code, err } = await runCommand(newFolder(t), args.split(" "));
    assert.equal(code, 2, args);
    assert.match(err, /^rubricon: too many arguments/);
  }
});

test("--help and --version print without creating a data folder", async (t) => {
  const folder = newFolder(t);
  const version = await runExecutable(folder, ["--version"]);
  const { version: packaged } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, "../package.json"), "utf8"),
  );
  // The version of a build without a tag ends in its commit.
  assert.equal(version.out.replace(/~git\d{14}\.[0-9a-f]+/, ""), `rubricon ${packaged}\n`);
  const help = await succeeded(runExecutable(folder, ["--help"]));
  for (const text of ["serve", "requests", "--data-dir", "help settings"]) {
    assert.ok(help.out.includes(text));
  }
  assert.ok(help.out.split("\n").length <= 40, "it fits on a screen");
  assert.deepEqual(readdirSync(folder), [], "neither creates a data folder");
});

test("a server with a read-only home folder stores its data in RUBRICON_DATA_DIR", async (t) => {
  const folder = newFolder(t);
  const home = path.join(folder, "home");
  mkdirSync(home);
  chmodSync(home, 0o500);
  const data = path.join(folder, "elsewhere");
  const server = await startServer(t, { folder, env: { HOME: home, RUBRICON_DATA_DIR: data } });
  assert.equal((await uploadByApi(server.url, uploadForm())).status, 201);
  assert.ok(readdirSync(data).includes("rubricon.db"));
  assert.deepEqual(readdirSync(home), []);
});

test("a folder that cannot be created is reported at once", async (t) => {
  const folder = newFolder(t);
  // Below /proc, Node's recursive mkdir never ends.
  for (const [args, code] of [
    [["content", "export", "/proc/none"], 1],
    [["content", "export", ""], 2],
    [["--data-dir", "/proc/none"], 78],
    [["--data-dir", "/dev/null/none"], 78],
  ] as const) {
    const rejected = await runCommand(folder, [...args], { PORT: "0" });
    assert.equal(rejected.code, code, args.join(" "));
    assert.match(rejected.err, /^rubricon: [^\n]+\n$/);
  }
});

test("content export creates the folders above its files", async (t) => {
  const folder = newFolder(t);
  const deep = await runCommand(folder, ["content", "export", "new/and deep"]);
  const written = deep.out.trim().split("\n");
  assert.ok(written.includes("new/and deep/brand.yaml"));
  for (const file of written) assert.ok(existsSync(path.join(folder, file)), file);
});

test("an address that is not of this machine, and a name without an address, exit with 78", async (t) => {
  const folder = newFolder(t);
  for (const [host, message] of [
    ["192.0.2.1", /192\.0\.2\.1:0 cannot be used: EADDRNOTAVAIL\. .* set RUBRICON_HOST/],
    ["no-such-name.invalid", /no-such-name\.invalid:0 cannot be used: E\w+\. .* set RUBRICON_HOST/],
  ] as const) {
    const { code, err } = await runCommand(folder, ["--host", host], { PORT: "0" });
    assert.equal(code, 78, err);
    assert.match(err, message);
  }
});

test("a port that is taken exits with 75", async (t) => {
  const server = await emptyServer();
  const { code, err } = await runCommand(newFolder(t), [], { PORT: new URL(server.url).port });
  assert.equal(code, 75);
  assert.match(err, /127\.0\.0\.1:\d+ is taken by another program\. .* set RUBRICON_PORT to/);
});

test("mail test exits with 0 only if the mail server accepts the email", async (t) => {
  let rejection: number | false = false;
  const mail = await startMailServer(t, { reject: () => rejection });
  const folder = newFolder(t);
  const env = { RUBRICON_MAIL_URL: mail.url, RUBRICON_MAIL_TO: "team@school.example" };
  const send = (more: Record<string, string> = {}, address = "person@school.example") =>
    runCommand(folder, ["mail", "test", address], { ...env, ...more });
  await succeeded(send());
  assert.deepEqual(mail.emails[0]!.recipients, ["person@school.example"]);
  assert.equal(mail.emails[0]!.from!.address, "team@school.example");
  rejection = 451;
  assert.equal((await send()).code, 75);
  rejection = 550;
  const rejected = await send();
  assert.equal(rejected.code, 1);
  assert.match(rejected.err, /The email was not accepted: .*550/);
  const { port } = new URL(mail.url);
  const tls = await send({ RUBRICON_MAIL_URL: `smtps://127.0.0.1:${port}` });
  assert.equal(tls.code, 1, tls.err);
  assert.match(tls.err, /does not begin with TLS on this port\. Use smtp:\/\//);
  assert.equal(mail.emails.length, 1);
  assert.equal((await send({ RUBRICON_MAIL_URL: "smtp://127.0.0.1:9" })).code, 75);
  assert.equal((await send({ RUBRICON_MAIL_URL: "" })).code, 78);
  assert.equal((await send({}, "a@b.example, c@d.example")).code, 2);
  assert.deepEqual(readdirSync(folder), [], "no data folder is created");
});

test("version --json prints every version that a bug report needs", async (t) => {
  const folder = newFolder(t);
  const { out } = await runExecutable(folder, ["version", "--json"]);
  const { version, node, sqlite, platform, schemaVersion } = JSON.parse(out);
  const plain = await runExecutable(folder, ["version"]);
  assert.equal(plain.out, `rubricon ${version}\n`);
  assert.equal(node, process.versions.node);
  assert.match(sqlite, /^3\.\d+\.\d+$/);
  assert.equal(platform, `linux-${process.arch}`);
  assert.equal(schemaVersion, latestSchemaVersion);
  assert.deepEqual(readdirSync(folder), [], "no file is left behind");
});
