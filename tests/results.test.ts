import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { readResultsFile } from "../app/server/cli/results-io.ts";
import { column } from "./support/columns.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { postJson, referenceIn } from "./support/forms.ts";
import { formsIn, textOf } from "./support/html-forms.ts";
import { succeeded } from "./support/output-of.ts";
import {
  resultsFor,
  runResults,
  sentResults,
  sentToken,
  team,
  uploadMarked,
  uploadPublished,
  uploadSubmissions,
} from "./support/results.ts";
import { sample, sampleNames } from "./support/sample.ts";
import { sendRequest } from "./support/send-request.ts";
import {
  databaseSettings,
  emptyServer,
  executable,
  newFolder,
  runCommand,
  type Server,
  setUpOnce,
  sharedServer,
  startAnother,
  until,
} from "./support/server.ts";
import { contact, uploadByApi, uploadForm } from "./support/upload.ts";

runCommandsHere();

/** All rows of the tables about marks and their links. */
const stored = (server: Server) =>
  Promise.all(
    ["assessments", "submissions", "replaced_results", "result_links"].map((table) =>
      server.query(`SELECT * FROM ${table} ORDER BY id`),
    ),
  );

/** A class of one learner, uploaded, and also imported or published. */
const classAfter = (upload: (server: Server) => Promise<string>) =>
  setUpOnce(async (server) => ({ server, reference: await upload(server) }));
const uploadedClass = classAfter(uploadSubmissions);
const importedClass = classAfter(uploadMarked);
const publishedClass = classAfter(uploadPublished);

/** A page without its nonces, which differ with every rendering. */
const plain = (bytes: Buffer) => bytes.toString().replaceAll(/nonce="[^"]+"/g, "");

test("the receipt of marks that were sent promises no email any more", async () => {
  const { server, reference } = await publishedClass();
  const receipt = async () => (await fetch(`${server.url}/?received=${reference}`)).text();
  assert.match(await receipt(), /<strong>You will hear from us by email/);
  await server.change(`UPDATE outbox SET status = 'sent', sent_at = '2026-11-28T12:00:00.000Z'
    WHERE reference = '${reference}'`);
  const sent = await receipt();
  assert.match(sent, /Ready, with the link in our email of/);
  assert.doesNotMatch(sent, /<strong>You will hear from us by email/);
});

test("published marks reach the educator by one email with a link and without marks", async () => {
  const { mail, server, reference, email, link, token } = await sentResults();
  await until(
    async () => (await server.query("SELECT 1 FROM outbox WHERE status = 'pending'")).length === 0,
  );
  assert.deepEqual(column(mail.emails, "recipients").flat().sort(), [
    "team@team.example",
    "team@team.example",
    contact.email,
  ]);
  assert.match(token, /^[\w-]{22}$/);
  assert.equal(link.hash, "#demo");
  // The reference and the link are random, and may contain any two figures.
  const text = email.text!.replaceAll(reference, "").replaceAll(link.href, "");
  for (const secret of ["Learner 1", "85", "42.5"]) assert.ok(!text.includes(secret), secret);
  assert.match(text, / No mark is missing\. /);
});

test("requests show says how long published marks are open, and to whom they were sent", async () => {
  const { server, reference } = await sentResults();
  const show = async () => (await runCommand(server.folder, ["requests", "show", reference])).out;
  assert.match(
    await show(),
    /Assessment: +published; the link is valid until 2\d{3}-\d\d-\d\d 23:59:59 \+02:00\n/,
  );
  const sent = new RegExp(`to ${contact.email}  sent`);
  await until(async () => sent.test(await show()));
});

test("the page of a link to results shows the marks and is kept out of caches and searches", async () => {
  const { server, link } = await sentResults();
  const page = await sendRequest(server.url, link.pathname + link.search);
  const html = page.bytes.toString();
  assert.equal(page.status, 200);
  assert.equal(page.headers["cache-control"], "no-store");
  assert.equal(page.headers["x-robots-tag"], "noindex");
  assert.equal(page.headers["referrer-policy"], "strict-origin");
  for (const text of ["Learner 1", "80 and above", 'content="noindex"']) {
    assert.ok(html.includes(text), text);
  }
});

test("the page of a learner has the marks once", async () => {
  const { server, link } = await sentResults();
  const learner = await sendRequest(server.url, `${link.pathname}${link.search}&learner=1`);
  const card = learner.bytes.toString();
  for (const text of ["Learner 1", "80 and above", "All of them.", "Well begun."]) {
    assert.ok(card.includes(text), text);
  }
  assert.equal(card.split("All of them.").length, 2);
});

test("the API sends the marks only to those who have the token", async () => {
  const { server, token } = await sentResults();
  const response = await sendRequest(server.url, `/api/results/${token}`);
  assert.equal(response.status, 200);
  assert.equal(response.headers["cache-control"], "no-store");
  assert.equal(JSON.parse(response.bytes.toString()).submissions[0].grade, 85);
  assert.equal((await sendRequest(server.url, `/api/results/${"A".repeat(22)}`)).status, 401);
});

test("a request of a private page is logged without its token", async () => {
  const { server, link, token } = await sentResults();
  await sendRequest(server.url, link.pathname + link.search);
  assert.match(server.log(), /GET \/ 200/);
  assert.ok(!server.log().includes(token));
});

/** Published marks with a token that opens nothing, and functions that read their page and what an unknown link opens. */
async function publishedLink() {
  const { server, reference } = await publishedClass();
  const read = (token: string) => sendRequest(server.url, `/?results=${token}`);
  const assertUnknown = async (token: string) => {
    const [dead, wrong] = [await read(token), await read("AAAAAAAAAAAAAAAAAAAAAA")];
    assert.equal(dead.status, 404);
    assert.match(dead.bytes.toString(), /This link opens no results/);
    assert.equal(plain(dead.bytes), plain(wrong.bytes));
    assert.equal(dead.headers["cache-control"], "no-store");
  };
  const token = await sentToken(server);
  assert.equal((await read(token)).status, 200);
  return { server, reference, token, read, assertUnknown };
}

/** Published marks whose link has expired. */
async function expiredLink() {
  const opened = await publishedLink();
  await opened.server.change("UPDATE result_links SET expires_at = '2026-01-01T00:00:00.000Z'");
  return opened;
}

test("an expired link looks like one that never was", async () => {
  const { server, reference, token, assertUnknown } = await expiredLink();
  const ended = await runCommand(server.folder, ["requests", "show", reference]);
  assert.match(ended.out, /Assessment: +published; no link is open\n/);
  await assertUnknown(token);
  assert.equal((await sendRequest(server.url, `/api/results/${token}`)).status, 401);
});

test("marks whose link has expired are published anew", async () => {
  const { server, reference, token, read } = await expiredLink();
  assert.match((await runResults(server, ["publish", reference])).err, /is published;/);
  const anew = await sentToken(server);
  assert.notEqual(anew, token);
  assert.equal((await read(anew)).status, 200);
});

test("a link is revoked once, and then looks like one that never was", async () => {
  const { server, reference, token, assertUnknown } = await publishedLink();
  const revoked = await runResults(server, ["revoke", "--json", reference]);
  assert.deepEqual(JSON.parse(revoked.out), { revoked: reference });
  await assertUnknown(token);
  const repeated = await succeeded(runResults(server, ["revoke", reference]));
  assert.match(repeated.err, /has no open link; nothing was changed/);
});

test("marks that were not imported yet are not published", async () => {
  const { server, reference } = await uploadedClass();
  const early = await runResults(server, ["publish", reference]);
  assert.equal(early.code, 1);
  assert.match(early.err, /has no marks yet/);
});

test("an import is printed and stored with the grades", async () => {
  const { server, reference } = await uploadedClass();
  const imported = await succeeded(
    runResults(server, ["import", reference], resultsFor(["learner-01.pdf"])),
  );
  assert.match(imported.out, /graded {2}submissions 1 {2}average 85%/);
  assert.match(imported.out, /85% {2}learner-01\.pdf {2}Learner 1/);
  const [assessment] = await server.query("SELECT * FROM assessments");
  assert.equal(assessment!.status, "graded");
  const [row] = await server.query("SELECT * FROM submissions");
  assert.equal(row!.grade, 85);
});

test("marks are published only with an address for the link", async () => {
  const { server, reference } = await importedClass();
  const mail = { ...team, RUBRICON_MAIL_URL: "smtp://127.0.0.1:1" };
  const unaddressed = await runCommand(server.folder, ["results", "publish", reference], mail);
  assert.equal(unaddressed.code, 78);
  assert.match(unaddressed.err, /Set RUBRICON_PUBLIC_URL/);
  assert.deepEqual(await server.query("SELECT 1 FROM result_links"), []);
});

/** A class of twelve with one mark decided and one missing, and a function that publishes it. */
const undecidedClass = setUpOnce(async (server) => {
  const names = Array.from({ length: 12 }, (_, index) => `learner-${index + 1}.txt`);
  const reference = await uploadSubmissions(server, names);
  const sheet = resultsFor(names);
  Object.assign(sheet.submissions[1]!.questionMarks[0]!, { marksAwarded: null });
  await succeeded(runResults(server, ["import", reference], sheet));
  await succeeded(runResults(server, ["mark", reference, "Learner 1", "1.1", "20"]));
  return {
    server,
    reference,
    publish: (...args: string[]) => runResults(server, ["publish", reference, ...args]),
  };
});

test("a class of which little is decided is not published without --yes, and what is open is listed", async () => {
  const { server, publish } = await undecidedClass();
  const unconfirmed = await publish();
  assert.deepEqual([unconfirmed.code, unconfirmed.out], [2, ""]);
  assert.match(
    unconfirmed.err,
    /^1 answer has neither mark nor proposal: Learner 2, question 1\.1\.\n22 answers are still in pencil: Learner 1, question 1\.2; .*; and 4 more\.\nrubricon: .* would be published with this open\. To confirm without a terminal, add --yes\.$/m,
  );
  const listed = await publish("--json");
  assert.equal(listed.code, 2);
  const { published, open } = JSON.parse(listed.out);
  assert.equal(published, false);
  assert.deepEqual(
    [open.length, open[0].kind, open[0].learner, open[0].questions],
    [13, "no mark", "Learner 2", ["1.1"]],
  );
  assert.deepEqual(await server.query("SELECT id FROM result_links"), []);
});

test("a class of which little is decided is published with --yes, and the email says how much is complete", async () => {
  const { server, publish } = await undecidedClass();
  const done = await succeeded(publish("--yes", "--json"));
  assert.equal(JSON.parse(done.out).open.length, 13);
  const [email] = await server.query<{ body: string }>(
    "SELECT body FROM outbox WHERE recipient IS NOT NULL",
  );
  assert.match(
    email!.body,
    / 0 of 12 learners are complete: of the others a mark, a decision, the work or an absence/,
  );
  assert.match((await publish()).err, /is published already/, "a published class needs no --yes");
});

test("the email says how much is complete when the operator has replied, not when asked", async (t) => {
  if (spawnSync("script", ["--version"]).error) {
    t.skip("script, which provides a terminal, is not installed");
    return;
  }
  const { server, reference } = await undecidedClass();
  const command = `${executable} results publish ${reference}`;
  const terminal = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: server.folder,
    env: {
      ...process.env,
      ...databaseSettings(server.folder),
      ...team,
      RUBRICON_PUBLIC_URL: server.url,
    },
    timeout: 120_000,
  });
  let shown = "";
  terminal.stdout.on("data", (part) => {
    shown += part;
  });
  await until(() => shown.includes("Continue? [y/N]"));
  await succeeded(runResults(server, ["mark", reference, "Learner 1", "1.2", "20"]));
  terminal.stdin.end("y\n");
  assert.deepEqual(await once(terminal, "exit"), [0, null], shown);
  const [email] = await server.query<{ body: string }>(
    "SELECT body FROM outbox WHERE recipient IS NOT NULL",
  );
  assert.match(email!.body, / 1 of 12 learners is complete: /);
});

/** A class with two files of one name, a faulty file of results, and the errors that it has. */
async function faultyResults() {
  const server = await emptyServer();
  const names = ["a.txt", "essay.txt", "essay.txt"];
  const reference = await uploadSubmissions(server, names);
  const file = resultsFor(["a.txt", "a.txt", "b.txt"]);
  const [first, second] = file.submissions;
  first!.questionMarks[1]!.marksAwarded = 31;
  second!.questionMarks[1]!.questionNumber = "1.1";
  file.questions[0]!.totalMarks = 19;
  Object.assign(file, { titel: "x" });
  const errors = [
    'the file: Unrecognized key: "titel"',
    "submissions[0].questionMarks[0].marksAwarded: 20 is more than the question’s 19",
    "submissions[0].questionMarks[1].marksAwarded: 31 is more than the question’s 30",
    'submissions[1].questionMarks[1]: "1.1" is marked twice',
    'submissions[1].fileName: "a.txt" is of a learner who has a row already',
    'submissions[2].fileName: "b.txt" is of no learner of the class',
  ];
  return { server, reference, names, file, errors };
}

test("every error of a results file is reported with its path", async () => {
  const { server, reference, file, errors } = await faultyResults();
  const before = await stored(server);
  const rejected = await runResults(server, ["import", reference], file);
  assert.deepEqual([rejected.code, rejected.out], [1, ""]);
  for (const error of errors) assert.ok(rejected.err.includes(`${error}\n`), rejected.err);
  assert.match(rejected.err, /errors; nothing was changed\.\n$/);
  const { out } = await runResults(server, ["import", "--json", reference], file);
  const listed: string[] = JSON.parse(out).errors;
  for (const error of errors) assert.ok(listed.includes(error), out);
  assert.equal(listed.length, rejected.err.split("\n").length - 2);
  assert.deepEqual(await stored(server), before);
});

test("works whose files have one name are imported", async () => {
  const { server, reference, names } = await faultyResults();
  await succeeded(runResults(server, ["import", reference], resultsFor(names)));
  const files = await server.query("SELECT file_name FROM submissions ORDER BY id");
  assert.deepEqual(column(files, "file_name"), names);
});

test("a results file that is no object changes nothing", async () => {
  const { server, reference } = await uploadedClass();
  const before = await stored(server);
  const odd = await runResults(server, ["import", reference], null);
  assert.equal(odd.code, 1);
  assert.match(odd.err, /^the file: /);
  assert.deepEqual(await stored(server), before);
});

test("a results file that cannot be read is rejected with the reason", async (t) => {
  const file = path.join(newFolder(t), "odd.json");
  await assert.rejects(
    readResultsFile(file),
    /odd\.json cannot be read: it does not exist, or its folder does not \(ENOENT\)\.$/,
  );
  for (const [bytes, why] of [
    ["", "it is empty"],
    ["{", "odd.json cannot be read as JSON"],
    ["[".repeat(100_000), "odd.json cannot be read as JSON"],
    [Buffer.from('\uFEFF{"a":1}', "utf16le"), "it is not UTF-8"],
  ] as const) {
    writeFileSync(file, bytes);
    await assert.rejects(readResultsFile(file), ({ message }) => message.includes(why), why);
  }
  truncateSync(file, 65 * 1_048_576);
  await assert.rejects(readResultsFile(file), /cannot be read as JSON: it is larger than 64 MB\.$/);
});

test("the errors of a wrong file do not flood the terminal", async () => {
  const { server, reference } = await uploadedClass();
  const manyNames = Array.from({ length: 5000 }, (_, index) => `${index}.txt`);
  const foreign = { ...resultsFor(manyNames), ["x".repeat(1_000_000)]: 1 };
  const short = await runResults(server, ["import", reference], foreign);
  assert.equal(short.code, 1);
  assert.ok(short.err.length < 20_000);
  assert.match(short.err, /\nand 4901 more\nrubricon: results\.json has 5001 errors/);
});

test("a results file may begin with a byte order mark", async () => {
  const { server, reference } = await uploadedClass();
  const text = `\uFEFF${JSON.stringify(resultsFor(["learner-01.pdf"]))}`;
  writeFileSync(path.join(server.folder, "marked.json"), text);
  const imported = await runResults(server, ["import", reference, "marked.json", "--json"]);
  const first = JSON.parse(imported.out);
  assert.deepEqual([first.reference, first.replaced, first.averageGrade], [reference, false, 85]);
  assert.deepEqual(first.submissions, [
    { fileName: "learner-01.pdf", studentName: "Learner 1", grade: 85, band: "80 and above" },
  ]);
});

test("publish renders the class and names files that cannot be shown", async () => {
  const server = await emptyServer();
  const reference = await uploadMarked(server, ["learner-01.txt"], { renders: true });
  const { out } = await runResults(server, ["publish", "--json", reference]);
  const { published, files } = JSON.parse(out);
  assert.equal(published, true);
  assert.deepEqual(column(files as { file: string }[], "file"), [
    "questions.pdf",
    "rubric.txt",
    "learner-01.txt",
  ]);
  assert.match(files[0].problems[0], /^questions\.pdf: is damaged/);
});

test("publish makes another link only after the email with the first has failed", async () => {
  const { server, reference } = await importedClass();
  const publish = async () =>
    JSON.parse((await runResults(server, ["publish", "--json", reference])).out);
  const link = async () => {
    const show = await runCommand(server.folder, ["requests", "show", "--json", reference]);
    return JSON.parse(show.out).resultsLink;
  };
  const first = await publish();
  assert.equal(first.published, true);
  const { createdAt, expiresAt } = first;
  assert.deepEqual(await link(), { createdAt, expiresAt });
  assert.deepEqual(await publish(), { ...first, published: false, files: [] });
  await server.change(
    "UPDATE outbox SET status = 'failed', link = NULL WHERE recipient IS NOT NULL",
  );
  assert.equal(await link(), null);
  assert.equal((await publish()).published, true);
  const emails = "SELECT status FROM outbox WHERE recipient IS NOT NULL";
  assert.deepEqual(await server.query(emails), [{ status: "pending" }]);
});

test("results of a request that is due for deletion are not published", async () => {
  const { server, reference } = await importedClass();
  await server.change("UPDATE contact_requests SET created_at = '2026-01-01T00:00:00.000Z'");
  const late = await runResults(server, ["publish", reference]);
  assert.equal(late.code, 1);
  assert.match(late.err, /is older than 90 days/);
});

test("an email whose link has expired fails, and its publication can be withdrawn", async (t) => {
  const { server, reference } = await publishedClass();
  await server.change("UPDATE result_links SET expires_at = '2026-01-01T00:00:00.000Z'");
  const again = await startAnother(t, server);
  const stateOfEmail = `SELECT status, last_error, link FROM outbox WHERE recipient IS NOT NULL`;
  await until(() => / failed: its private link expired/.test(again.log()));
  assert.deepEqual(await again.query(stateOfEmail), [
    { status: "failed", last_error: "its link has expired", link: null },
  ]);
  await succeeded(runResults(again, ["revoke", reference]));
  assert.deepEqual(await again.query("SELECT status FROM assessments"), [{ status: "graded" }]);
});

/** The page of the sample, and links to its files by their names. */
async function samplePage() {
  const server = await emptyServer();
  const page = await sendRequest(server.url, "/?results=sample");
  const html = page.bytes.toString();
  const links = [...html.matchAll(/<a href="(\/assets\/[^"]+\.txt)" download="([^"]+)"/g)];
  return { server, page, html, files: new Map(links.map(([, href, name]) => [name!, href!])) };
}

test("the page of the sample is cached", async () => {
  const { server, page, html } = await samplePage();
  assert.equal(page.status, 200);
  const headers = { "If-None-Match": page.headers.etag! };
  assert.equal((await sendRequest(server.url, "/?results=sample", { headers })).status, 304);
  for (const text of ["Sample – fictitious", "70.5%"]) assert.ok(html.includes(text), text);
});

test("without script every view of the sample is reached by links", async () => {
  const { url } = await sharedServer();
  const open = async (href: string) => (await fetch(new URL(href, url))).text();
  const hrefIn = (html: string, text: string) => {
    const links = [...html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs)];
    const found = links.find(([, , inner]) => textOf(inner!).startsWith(text));
    return (found ?? assert.fail(`no link ${text}`))[1]!.replaceAll("&amp;", "&");
  };
  const follow = async (html: string, text: string) => open(hrefIn(html, text));
  const page = await follow(await open("/"), "See a sample result");
  assert.deepEqual(formsIn(page), [], "the sample has no form");
  assert.match(await follow(page, "sort by mark"), /<tbody><tr[^>]*><th[^>]*><a[^>]*>Learner 03</);
  const first = await follow(page, "Learner 01");
  assert.match(first, /<ins[^>]*>“Not like an animal cell” does not say/);
  const second = await follow(first, "Next learner");
  assert.match(second, /<h\d[^>]*>Learner 02</);
  assert.match(await follow(second, "Back to the class"), /<table class="grid/);
  // A dot leads to its learner, for the mouse; the keyboard has the grid.
  const [, dot] = /<a [^>]*href="([^"]*learner=4)"[^>]*><circle/.exec(page)!;
  assert.match(await open(dot!.replaceAll("&amp;", "&")), /<h\d[^>]*>Learner 04</);
  const marks = await fetch(new URL(hrefIn(page, "Marks as a spreadsheet"), url));
  assert.match(
    decodeURIComponent(marks.headers.get("Content-Disposition")!),
    /Grade 10 Life Sciences .* - marks - unsigned\.csv/,
  );
  assert.match(await follow(page, "Feedback slips to print, two"), /class="feedback-slip/);
});

test("the learners of the sample have numbers for names, and bands", async () => {
  const { server, html } = await samplePage();
  const names = [...html.matchAll(/<th scope="row"><a[^>]*>(.*?)<\/a>/g)].map(([, name]) => name);
  assert.equal(names.length, 30);
  for (const name of names) assert.match(name!, /^Learner \d\d$/);
  for (const band of ["90 and above", "80 and above", "70 and above", "below 70"]) {
    assert.ok(html.includes(`<dt class="hint band">${band}</dt>`), band);
  }
  const apiResponse = await sendRequest(server.url, "/api/results/sample");
  assert.equal(JSON.parse(apiResponse.bytes.toString()).totalSubmissions, 30);
});

test("the sample is a valid results file of files that can be downloaded", async () => {
  const { server, files } = await samplePage();
  assert.deepEqual(
    [...files.keys()].sort(),
    ["questions.txt", "rubric.txt", ...sampleNames].sort(),
  );
  const form = uploadForm([]);
  for (const [name, href] of files) {
    const { status, headers, bytes } = await sendRequest(server.url, href);
    assert.equal(status, 200, name);
    assert.equal(headers["content-type"], "text/plain; charset=utf-8", name);
    assert.match(bytes.toString(), /^SAMPLE – FICTITIOUS\n/);
    const field = ["questions", "rubric"].find((kind) => name === `${kind}.txt`);
    form.append(
      field ? `${field}File` : "submissionFiles",
      new File([new Uint8Array(bytes)], name),
    );
  }
  const reference = await referenceIn(await uploadByApi(server.url, form));
  const imported = await succeeded(runResults(server, ["import", reference], sample));
  assert.match(imported.out, /90 and above: 5, 80 and above: 3, 70 and above: 11, below 70: 11/);
});

test("results schema prints the schema of a results file", async () => {
  const schema = JSON.parse((await runResults(await emptyServer(), ["schema"])).out);
  assert.deepEqual(schema.required, ["submissions"]);
  const { title, questions, submissions } = schema.properties;
  assert.equal(title.type, "string");
  for (const [list, item] of [
    [questions, resultsFor(["a.txt"]).questions[0]!],
    [submissions, resultsFor(["a.txt"]).submissions[0]!],
  ]) {
    for (const key of Object.keys(item)) assert.ok(key in list.items.properties, key);
  }
});

test("a request without submissions has nothing to mark", async () => {
  const server = await emptyServer();
  const general = { ...contact, requestType: "general" };
  const reference = await referenceIn(await postJson(server.url, "/api/contact", general));
  const rejected = await runResults(server, ["import", reference], resultsFor(["a.txt"]));
  assert.equal(rejected.code, 1);
  assert.match(rejected.err, /has no submissions to mark/);
});
