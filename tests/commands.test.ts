import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { test } from "node:test";
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
  setUpOnce,
} from "./support/server.ts";
import { contact, sha256, threeFiles, txt, uploaded } from "./support/upload.ts";

runCommandsHere();

/** A time as lists show it: South African, on a machine of any zone. */
const shownTime = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\+02:00";

/** A server with one upload of three files, and a function that runs commands beside it. */
async function oneUpload() {
  const server = await emptyServer();
  const files = threeFiles();
  const reference = await uploaded(server, files);
  const run = (...args: string[]) => runCommand(server.folder, args);
  return { server, files, reference, run };
}

test("a command whose output does not fit on the disk says so", () => {
  const stdio = ["ignore", openSync("/dev/full", "w"), "pipe"] as const;
  const { status, stderr } = spawnSync(executable, ["version"], { env: {}, stdio: [...stdio] });
  assert.equal(status, 1);
  assert.match(String(stderr), /^rubricon: The output cannot be written: ENOSPC: .*\.\n$/);
});

test("a request is listed while the server runs", async () => {
  const { reference, run } = await oneUpload();
  const { out } = await succeeded(run("requests", "list"));
  assert.match(
    out,
    new RegExp(`^REFERENCE .*\n${reference}  ${shownTime}  demo-upload  3      ${contact.name}  `),
  );
});

test("a request is shown by its reference in small letters without hyphens", async () => {
  const { files, reference, run } = await oneUpload();
  const typed = reference.toLowerCase().replaceAll("-", "");
  const { out } = await succeeded(run("requests", "show", typed));
  for (const text of [...Object.values(contact), "submitted", sha256(files[0]!.bytes), "pending"]) {
    assert.ok(out.includes(text), text);
  }
});

test("the files of a request are written to a folder under names that are free", async () => {
  const server = await emptyServer();
  const [questions, rubric, learner] = threeFiles();
  const reference = await uploaded(server, [questions, rubric, learner, learner]);
  const out = path.join(server.folder, "out");
  mkdirSync(out);
  writeFileSync(path.join(out, "rubric.txt"), "mine");
  const args = ["requests", "files", reference, "--out", "out"];
  const { out: printed } = await succeeded(runCommand(server.folder, args));
  const written: [string, Buffer][] = [
    ["questions.pdf", questions.bytes],
    ["rubric (2).txt", rubric.bytes],
    ["learner-01.pdf", learner.bytes],
    ["learner-01 (2).pdf", learner.bytes],
  ];
  assert.equal(printed, written.map(([name]) => `out/${name}\n`).join(""));
  assert.equal(readdirSync(out).length, written.length + 1);
  for (const [name, bytes] of [...written, ["rubric.txt", txt("mine")] as const]) {
    assert.ok(readFileSync(path.join(out, name)).equals(bytes), name);
  }
});

test("a request's files can be piped as an archive of private files with their names and bytes", async () => {
  const server = await emptyServer();
  const [questions, rubric, learner] = threeFiles();
  const long = { ...learner, name: `${"é".repeat(90)}.txt`, bytes: txt("x".repeat(512)) };
  const files = [questions, rubric, learner, learner, long];
  const reference = await uploaded(server, files);
  const options = { cwd: server.folder, encoding: "utf8" as const };
  const pipe = `${executable} requests files ${reference} --tar - | tar -xvf -`;
  const listed = execFileSync("bash", ["-o", "pipefail", "-c", pipe], options);
  const out = path.join(server.folder, reference);
  assert.equal(listed.trim().split("\n").length, files.length);
  const names = [questions.name, rubric.name, learner.name, "learner-01 (2).pdf", long.name];
  assert.deepEqual(readdirSync(out).sort(), names.toSorted());
  for (const [index, name] of names.entries()) {
    assert.ok(readFileSync(path.join(out, name)).equals(files[index]!.bytes), name);
  }
  assert.equal(statSync(path.join(out, long.name)).mode & 0o777, 0o600);
});

test("a request's files are written to a tar archive over no other file", async () => {
  const { server, reference, run } = await oneUpload();
  writeFileSync(path.join(server.folder, "mine.tar"), "mine");
  const toFile = (file: string) => run("requests", "files", reference, "--tar", file);
  assert.match((await toFile("mine.tar")).err, /mine\.tar already exists/);
  assert.equal(readFileSync(path.join(server.folder, "mine.tar"), "utf8"), "mine");
  await succeeded(toFile("files.tar"));
  const list = execFileSync("tar", ["-tf", "files.tar"], { cwd: server.folder, encoding: "utf8" });
  assert.match(list, /questions\.pdf\n/);
});

test("a request's files are all written if the reader of their names goes early", async () => {
  const { server, reference } = await oneUpload();
  const pipe = `${executable} requests files ${reference} --out early | true`;
  execFileSync("bash", ["-o", "pipefail", "-c", pipe], { cwd: server.folder });
  assert.equal(readdirSync(path.join(server.folder, "early")).length, 3);
});

test("requests files says that a request has none", async () => {
  const server = await emptyServer();
  const reference = await referenceIn(await postJson(server.url, "/api/contact", contactTyped));
  const { out, err } = await succeeded(
    runCommand(server.folder, ["requests", "files", reference, "--out", "none"]),
  );
  assert.deepEqual([out, err], ["", `Request ${reference} has no files.\n`]);
});

test("requests files without a folder or an archive is a usage error", async () => {
  const { reference, run } = await oneUpload();
  const { code, err } = await run("requests", "files", reference);
  assert.deepEqual([code, err], [2, "rubricon: Give --out FOLDER or --tar FILE.\n"]);
});

test("purge and erase with --dry-run only say what they would delete", async () => {
  const { server, reference, run } = await oneUpload();
  const purge = await run("requests", "purge", reference, "--dry-run");
  assert.deepEqual(purge, { code: 0, out: `${reference}\n`, err: "1 request would be deleted.\n" });
  const erase = await run("subject", "erase", contact.email, "--dry-run", "--json");
  assert.match(erase.err, /To be deleted: 1 request, 3 files, .*Nothing was deleted/);
  assert.equal(JSON.parse(erase.out).wouldErase.requests, 1);
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

test("exported files, their folders and archives are private", async () => {
  const { server, reference, run } = await oneUpload();
  await succeeded(run("requests", "files", reference, "--out", "new/out"));
  await succeeded(run("requests", "files", reference, "--tar", "private.tar"));
  await succeeded(run("subject", "export", contact.email, "--out", "person"));
  const modeOf = (file: string) => statSync(path.join(server.folder, file)).mode & 0o777;
  for (const folder of ["new", "new/out", "person", `person/${reference}`])
    assert.equal(modeOf(folder), 0o700, folder);
  const names = readdirSync(path.join(server.folder, "new/out"));
  assert.equal(names.length, 3);
  const copies = names.flatMap((name) => [`new/out/${name}`, `person/${reference}/${name}`]);
  for (const file of [...copies, "person/subject.json", "private.tar"])
    assert.equal(modeOf(file), 0o600, file);
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
  assert.equal(unlike.err, "rubricon: unknown command 'audit'\nSee rubricon requests --help.\n");
});

test("help for an unknown command says that it is unknown", async (t) => {
  const { code, err } = await runCommand(newFolder(t), ["help", "requests", "flies"]);
  assert.deepEqual([code, err.split("\n")[0]], [2, "rubricon: unknown command 'flies'"]);
});

test("a group of commands without one of them prints its usage", async (t) => {
  const none = await runCommand(newFolder(t), ["subject"]);
  assert.equal(none.code, 2);
  assert.match(none.err, /^Usage: rubricon subject .*^ {2}erase /ms);
});

/** A server with four requests, of which one is in quarantine, and a function that finds requests. */
const findable = setUpOnce(async (server) => {
  const send = async (name: string, email: string) =>
    referenceIn(await postJson(server.url, "/api/contact", { ...contactTyped, name, email }));
  const jo = await send("Jo Adams", "office@hill.example");
  const spam = await send("Other Name", "JO@hill.example");
  await server.change(`UPDATE contact_requests SET spam = 'links' WHERE reference = '${spam}'`);
  const other = await send("Thandeka Zulu", "thandeka@school.example");
  const accented = await send("Élodie 100%", "elodie@school.example");
  const find = async (...args: string[]) => {
    const command = ["requests", "list", "--find", ...args];
    return (await succeeded(runCommand(server.folder, command))).out;
  };
  return { jo, spam, other, accented, find };
});

test("requests are found by a part of a name or address, or by reference", async () => {
  const { jo, spam, other, accented, find } = await findable();
  for (const [args, found] of [
    [["jO"], [spam, jo]],
    [["@SCHOOL"], [accented, other]],
    [["ÉLODIE"], [accented]],
    [["E\u0301lodie"], [accented]],
    [["%"], [accented]],
    // All its characters are of the alphabet of references.
    [["Thandeka Zulu"], [other]],
    [[other.toLowerCase().replaceAll("-", "")], [other]],
    [["jo", "--spam"], [spam]],
    [["nobody"], []],
  ] as const) {
    const rows = JSON.parse(await find(...args, "--json")) as { reference: string }[];
    assert.deepEqual(column(rows, "reference"), found, args.join(" "));
  }
});

test("requests that are found have the list on which they are", async () => {
  const { jo, spam, find } = await findable();
  const [head, first, second] = (await find("jO")).split("\n");
  assert.match(head!, /EMAIL +LIST$/);
  assert.match(first!, new RegExp(`^${spam} .* quarantine$`));
  assert.match(second!, new RegExp(`^${jo} .* requests$`));
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
  await setTimes();
  assert.match((await list()).out, /2026-11-24 00:30:0\d \+02:00/);
});

test("a list as JSON has the stored times", async () => {
  const { list, setTimes } = await twoRequests();
  await setTimes();
  const [{ receivedAt }] = JSON.parse((await list("--json", "--limit", "1")).out);
  assert.equal(receivedAt, "2026-11-23T22:30:02.000Z");
});

test("a list is limited by form, time and number", async () => {
  const { first, second, list, setTimes } = await twoRequests();
  await setTimes();
  for (const [limit, expected] of [
    ["--since 2026-11-24", [second, first]],
    ["--since 2026-11-24T00:30:02", [second]],
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
  for (const [limit, error] of [
    ["--since yesterday", /--since takes a day .* not yesterday\.\n/],
    ["--since 2026-02-30", /--since takes a day .* not 2026-02-30\.\n/],
    ["--limit -1", /argument '-1' is invalid\. It must be a whole number /],
    ["--form letter", /argument 'letter' is invalid\. Allowed choices are contact, /],
  ] as const) {
    const { code, err } = await runCommand(folder, ["requests", "list", ...limit.split(" ")]);
    assert.equal(code, 2, limit);
    assert.match(err, error);
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
    for (const short of shorts)
      assert.deepEqual(await runCommand(folder, short), expected, short.join(" "));
  }
});

test("an extra argument is reported as one", async (t) => {
  for (const args of ["serve now", "requests list all"]) {
    const { code, err } = await runCommand(newFolder(t), args.split(" "));
    assert.equal(code, 2, args);
    assert.match(err, /^rubricon: too many arguments/);
  }
});

test("--version prints the version of the package and creates no data folder", async (t) => {
  const folder = newFolder(t);
  const { out } = await runExecutable(folder, ["--version"]);
  const { version } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, "../package.json"), "utf8"),
  );
  // The version of a build without a tag ends in its commit.
  assert.equal(out.replace(/~git\d{14}\.[0-9a-f]+/, ""), `rubricon ${version}\n`);
  assert.deepEqual(readdirSync(folder), []);
});

test("--help fits on a screen and creates no data folder", async (t) => {
  const folder = newFolder(t);
  const { out } = await succeeded(runExecutable(folder, ["--help"]));
  for (const text of ["serve", "requests", "--data-dir", "help settings"])
    assert.ok(out.includes(text), text);
  const lines = out.split("\n").length;
  assert.ok(lines <= 40, `${lines} lines`);
  assert.deepEqual(readdirSync(folder), []);
});

test("a folder that cannot be created is reported at once", async (t) => {
  const folder = newFolder(t);
  // Below /proc, Node's recursive mkdir never ends.
  for (const [args, code, error] of [
    [["content", "export", "/proc/none"], 1, /^rubricon: \/proc\/none cannot be used: .+\n$/],
    [["--data-dir", "/proc/none"], 78, /^rubricon: The data folder \/proc\/none cannot .+\n$/],
    [["--data-dir", "/dev/null/none"], 78, /^rubricon: .* \/dev\/null\/none cannot .+\n$/],
  ] as const) {
    const rejected = await runCommand(folder, [...args], { PORT: "0" });
    assert.equal(rejected.code, code, args.join(" "));
    assert.match(rejected.err, error);
  }
});

test("an empty name of a folder or file is a usage error", async (t) => {
  const folder = newFolder(t);
  for (const [args, error] of [
    ["content export", "Give a folder."],
    ["config init", "Give a file, or - for stdout."],
  ] as const) {
    const { code, err } = await runCommand(folder, [...args.split(" "), ""]);
    assert.deepEqual([code, err], [2, `rubricon: ${error}\n`], args);
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

const mailTo = { RUBRICON_MAIL_TO: "team@school.example" };

test("mail test sends an email to the address and creates no data folder", async (t) => {
  const mail = await startMailServer(t);
  const folder = newFolder(t);
  const env = { RUBRICON_MAIL_URL: mail.url, ...mailTo };
  await succeeded(runCommand(folder, ["mail", "test", "person@school.example"], env));
  assert.deepEqual(mail.emails[0]!.recipients, ["person@school.example"]);
  assert.equal(mail.emails[0]!.from!.address, "team@school.example");
  assert.deepEqual(readdirSync(folder), []);
});

test("mail test exits with a code for each way in which an email is not sent", async (t) => {
  let rejection = 451;
  const mail = await startMailServer(t, { reject: () => rejection });
  const mailTest = (RUBRICON_MAIL_URL: string, address = "person@school.example") =>
    runCommand(newFolder(t), ["mail", "test", address], { RUBRICON_MAIL_URL, ...mailTo });
  assert.equal((await mailTest(mail.url)).code, 75, "an email rejected for now");
  rejection = 550;
  const rejected = await mailTest(mail.url);
  assert.equal(rejected.code, 1, "an email rejected for good");
  assert.match(rejected.err, /The email was not accepted: .*550/);
  assert.equal((await mailTest("smtp://127.0.0.1:9")).code, 75, "no mail server there");
  assert.equal((await mailTest("")).code, 78, "no mail server set");
  assert.equal((await mailTest(mail.url, "a@b.example, c@d.example")).code, 2, "two addresses");
});

test("mail test says that a mail server does not begin with TLS", async (t) => {
  const { port } = await startMailServer(t);
  const env = { RUBRICON_MAIL_URL: `smtps://127.0.0.1:${port}`, ...mailTo };
  const { code, err } = await runCommand(newFolder(t), ["mail", "test", "a@b.example"], env);
  assert.equal(code, 1, err);
  assert.match(err, /does not begin with TLS on this port\. Use smtp:\/\//);
});

test("version --json prints every version that a bug report needs, and leaves no file", async (t) => {
  const folder = newFolder(t);
  const { out } = await runExecutable(folder, ["version", "--json"]);
  const { version, node, sqlite, platform, schemaVersion } = JSON.parse(out);
  const plain = await runExecutable(folder, ["version"]);
  assert.equal(plain.out, `rubricon ${version}\n`);
  assert.equal(node, process.versions.node);
  assert.match(sqlite, /^3\.\d+\.\d+$/);
  assert.equal(platform, `linux-${process.arch}`);
  assert.equal(schemaVersion, latestSchemaVersion);
  assert.deepEqual(readdirSync(folder), []);
});
