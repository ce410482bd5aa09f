/** The commands that open the marking desk, on a running server. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { limitMarking } from "../app/server/http/private-links.ts";
import { column } from "./support/columns.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { withStore } from "./support/desk.ts";
import { succeeded } from "./support/output-of.ts";
import {
  type ClassFiles,
  resultsFor,
  runAsTeam,
  runResults,
  sentToken,
  teamToken,
  uploadSubmissions,
} from "./support/results.ts";
import { sendRequest } from "./support/send-request.ts";
import { runCommand, type Server, setUpOnce, startServer } from "./support/server.ts";

runCommandsHere();

const names = ["anna.txt", "ben.txt", "cleo.txt"];

async function uploadClass(server: Server, files?: ClassFiles) {
  const reference = await uploadSubmissions(server, names, files);
  const run = (...args: string[]) => runAsTeam(server, ...args);
  return { server, reference, run };
}

const classToMark = setUpOnce(uploadClass);

/** A class with marks that were imported. */
const markedClass = setUpOnce(async () => {
  const opened = await classToMark();
  await succeeded(runResults(opened.server, ["import", opened.reference], resultsFor(names)));
  return opened;
});

const sentLinks = (server: Server) =>
  server.query<{ recipient: string; link: string; body: string; status: string }>(
    "SELECT recipient, link, body, status FROM outbox WHERE kind = 'marking'",
  );

/** A class whose desk a command has opened, which rendered its files. */
const openedClass = setUpOnce(async (server) => {
  const { reference, run } = await uploadClass(server, { renders: true });
  const opened = await succeeded(run("marking", "open", reference, "--marker", "N. Dlamini"));
  return { server, reference, opened };
});

test("marking open prints a link that opens the whole class", async () => {
  const { server, reference, opened } = await openedClass();
  assert.match(opened.out, new RegExp(`^${server.url}/marking\\?link=[\\w-]{43}\n$`));
  const learners = await (await fetch(`${opened.out.trim()}&view=learners`)).text();
  for (const number of [1, 2, 3]) assert.match(learners, new RegExp(`Learner ${number}\\b`));
  assert.match(opened.err, /can mark as N\. Dlamini\. It works until/);
  assert.ok(opened.err.endsWith(`To end it: marking close ${reference} --marker 'N. Dlamini'.\n`));
});

test("marking open renders the files of the class, and names those that it cannot show", async () => {
  const { server, opened } = await openedClass();
  assert.match(opened.err, /^questions\.pdf: is damaged\. It was not rendered/m);
  assert.deepEqual(await server.query("SELECT kind FROM rendered_files ORDER BY id"), [
    { kind: "original" },
    ...["rubric", ...names].map(() => ({ kind: "paragraphs" })),
  ]);
});

test("marking open --questions is rejected before there are questions", async () => {
  const { reference, run } = await classToMark();
  const early = await run("marking", "open", reference, "--marker", "X", "--questions", "1");
  assert.equal(early.code, 1);
  assert.match(early.err, /There are no questions yet\. Open a link without --questions/);
});

test("marking progress is rejected before there are questions", async () => {
  const { reference, run } = await classToMark();
  assert.match((await run("marking", "progress", reference)).err, /has no questions yet/);
});

const partOfClass = ["--questions", "1.2", "--learners", "1-2"];

/** A class with a link that was printed, and a link to a part of it that was emailed. */
const classWithTwoLinks = setUpOnce(async () => {
  const opened = await markedClass();
  const { reference, run } = opened;
  await succeeded(run("marking", "open", reference, "--marker", "N. Dlamini"));
  const part = [...partOfClass, "--days", "3", "--names"];
  const email = ["--email", "naidoo@school.example"];
  const marker = ["--marker", "S. Naidoo", "--json"];
  const sent = await succeeded(run("marking", "open", reference, ...marker, ...email, ...part));
  return { ...opened, sent };
});

test("marking open emails a link to a part of the class", async () => {
  const { server, reference, sent } = await classWithTwoLinks();
  const { expiresAt, ...json } = JSON.parse(sent.out);
  assert.deepEqual(json, {
    reference,
    marker: "S. Naidoo",
    email: "naidoo@school.example",
    link: null,
    questions: "1.2",
    learners: "1-2",
    names: true,
    files: [],
  });
  const daysLeft = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
  assert.ok(daysLeft > 2.9 && daysLeft <= 4, `${daysLeft}`);
  assert.match(expiresAt, /T21:59:59\.999Z$/, "the end of the day that the email names");
  const [queued] = await sentLinks(server);
  assert.deepEqual([queued!.recipient, queued!.status], ["naidoo@school.example", "pending"]);
  assert.match(queued!.link, /\/marking\?link=[\w-]{43}$/);
  assert.match(queued!.body, /recorded under your name, S\. Naidoo/);
  assert.doesNotMatch(queued!.body, /anna|link=/);
});

test("marking open emails a marker no second link to the same work while the first is open", async () => {
  const { server, reference, run } = await classWithTwoLinks();
  const marker = ["--marker", "S. Naidoo", "--email", "naidoo@school.example"];
  const repeated = await run("marking", "open", reference, ...marker, ...partOfClass);
  assert.deepEqual([repeated.code, repeated.out], [1, ""]);
  assert.match(
    repeated.err,
    /S\. Naidoo has an open link for naidoo@school\.example already\. .*: marking close [\w-]+ --marker 'S\. Naidoo'\.\n$/,
  );
  assert.equal((await sentLinks(server)).length, 1);
});

test("marking list names each link", async () => {
  const { reference, run } = await classWithTwoLinks();
  const listed = JSON.parse((await run("marking", "list", reference, "--json")).out);
  assert.deepEqual(
    listed.map((link: Record<string, unknown>) => [
      link.marker,
      link.state,
      link.questions,
      (link.learners as number[] | null)?.length,
    ]),
    [
      ["S. Naidoo", "open", ["1.2"], 2],
      ["N. Dlamini", "open", null, undefined],
    ],
  );
  assert.match(
    (await run("marking", "list")).out,
    /S\. Naidoo +naidoo@school\.example +open +1\.2/,
  );
});

test("marking progress counts the marks", async () => {
  const { reference, run } = await classWithTwoLinks();
  const progress = await run("marking", "progress", reference);
  assert.match(progress.out, /^0 of 6 decided, 6 more proposed\n {2}1\.1 {2}0 of 3 decided/);
});

/** A published class, with its marking link, the link to its results and the address of its files of results. */
const publishedClass = setUpOnce(async () => {
  const { server, reference, run } = await markedClass();
  const opened = await succeeded(run("marking", "open", reference, "--marker", "N. Dlamini"));
  await succeeded(runResults(server, ["publish", reference, "--yes"]));
  const token = await sentToken(server);
  const results = `${server.url}/?results=${token}`;
  return { server, link: opened.out.trim(), results, files: `${server.url}/api/results/${token}` };
});

test("a link is recorded as opened by GET, not by HEAD, as mail servers look at it", async () => {
  const { server, link, results, files } = await publishedClass();
  const recorded = async () =>
    (await server.query("SELECT 1 FROM audit WHERE action LIKE '%link opened'")).length;
  for (const url of [link, `${link}&view=mark`, results, files, `${files}/marks`]) {
    assert.equal((await fetch(url, { method: "HEAD" })).status, 200, url);
    assert.equal(await recorded(), 0, url);
  }
  for (const [openedBefore, url] of [link, `${files}/marks`].entries()) {
    assert.equal((await fetch(url)).status, 200, url);
    assert.equal(await recorded(), openedBefore + 1, url);
  }
});

test("HEAD takes no answer for a marker", async () => {
  const { server, link } = await publishedClass();
  const [first] = await server.query<{ id: number }>("SELECT min(id) AS id FROM submissions");
  for (const query of ["", `&learner=${first!.id}&question=1.1`]) {
    const url = `${link}&view=mark${query}`;
    assert.equal((await fetch(url, { method: "HEAD" })).status, 200, url);
    assert.deepEqual(await server.query("SELECT 1 FROM open_answers"), [], url);
  }
});

test("marking close closes the links of one marker, or all, with unsent emails, and records it", async () => {
  const { server, reference, run } = await classWithTwoLinks();
  const closed = await run("marking", "close", reference, "--marker", "S. Naidoo", "--json");
  assert.deepEqual(JSON.parse(closed.out), { reference, closed: ["S. Naidoo"] });
  assert.deepEqual(await sentLinks(server), []);
  assert.match((await run("marking", "close", reference)).err, /1 link closed\. What was decided/);
  assert.match((await run("marking", "close", reference)).err, /no such open link/);
  const audit = await server.query(
    "SELECT action FROM audit WHERE action LIKE 'marking%' ORDER BY id",
  );
  assert.deepEqual(column(audit, "action"), [
    "marking opened",
    "marking opened",
    "marking closed",
    "marking closed",
  ]);
});

test("the erasure of a marker says that marks stay", async () => {
  const { run } = await classWithTwoLinks();
  assert.match(
    (await run("subject", "erase", "N. Dlamini", "--dry-run")).err,
    /^To be deleted: 0 requests, .* The name is replaced on 1 marking link; marks stay\./,
  );
});

test("the erasure of a lead says how many names the history lost", async () => {
  const { server, reference, run } = await classToMark();
  await withStore(server, (store) =>
    store.openAudit("marking opened", new Date(), reference, "L. Lead"),
  );
  const { err } = await succeeded(run("subject", "erase", "L. Lead", "--yes"));
  assert.match(
    err,
    /^Erased: 0 requests, .*\n1 name in the history of requests was removed\.\nSenders are not looked for by name: .*\nNo backup/,
  );
});

test("an erasure by name says what it looked for, and where a sender of the name is found", async () => {
  const { run } = await classToMark();
  const { err } = await succeeded(run("subject", "erase", "Thandi Example", "--yes"));
  assert.match(
    err,
    /^Nothing is stored about a marker, lead or proposer of this name\. Senders are not .*: requests list --find NAME lists .*\nNo backup in the data folder contains a marker, lead or proposer of this name\.$/m,
  );
  assert.match((await run("requests", "list", "--find", "Thandi Example")).out, /Thandi Example/);
});

test("the erasure of a marker by address says that the name may be left", async () => {
  const { run } = await classWithTwoLinks();
  const { err } = await succeeded(run("subject", "erase", "naidoo@school.example", "--yes"));
  assert.match(err, /on 1 marking link, .*\nMarking links without an address .* erase it too\.$/m);
});

test("the erasure of a sender counts what is deleted, without links and webhooks", async () => {
  const { server, reference, run } = await classToMark();
  const [sender] = await server.query<{ email: string }>("SELECT email FROM inbox");
  await succeeded(run("marking", "open", reference, "--marker", "N. Dlamini"));
  await server.change(`INSERT INTO outbox (kind, message_id, subject, body, reply_to, next_attempt_at, created_at, contact_request_id)
    SELECT 'webhook', 'hook', '', '', '', next_attempt_at, created_at, contact_request_id FROM outbox WHERE kind = 'request'`);
  const erase = (flag: string) => run("subject", "erase", sender!.email, flag);
  const deleted = "1 request, 5 files, 1 email, 0 subscriptions\\.";
  assert.match(
    (await erase("--dry-run")).err,
    new RegExp(`^To be deleted: ${deleted} Nothing was deleted`),
  );
  assert.match((await erase("--yes")).err, new RegExp(`^Erased: ${deleted}\nNo backup`));
});

test("answers have one second marker", async () => {
  const { reference, run } = await classWithTwoLinks();
  const second = (marker: string) =>
    run("marking", "open", reference, "--marker", marker, "--second");
  await succeeded(second("T. Moyo"));
  const other = await second("Z. Dube");
  assert.equal(other.code, 1, other.out);
  assert.match(other.err, /T\. Moyo has an open link as the second marker/);
});

test("marking open --blind chooses that percentage of learners, rounded up, to show no proposals", async () => {
  const { server, reference, run } = await markedClass();
  const args = ["--marker", "Z. Dube", "--blind", "50"];
  const { err } = await succeeded(run("marking", "open", reference, ...args));
  assert.match(err, /^2 learners of 3 show no proposal to markers until decided\.$/m);
  assert.equal((await server.query("SELECT id FROM submissions WHERE is_blind")).length, 2);
});

/** A class whose questions an imported sheet has set, with functions that import a sheet and read the desk. */
const classWithSheet = setUpOnce(async () => {
  const { server, reference, run } = await classToMark();
  const template = await run("results", "template", reference, "--questions", "2");
  const sheet = template.out
    .replace(/^(.?)Title,.*$/m, "$1Title,Plants")
    .replace(/^Question,.*$/m, "Question,,,1.1,,1.2,")
    .replace(/^Description,.*$/m, "Description,,,Terms,,Essay,")
    .replace(/^Out of,.*$/m, "Out of,,,3,,5,")
    .replace(/^Memo,.*$/m, 'Memo,,,"thick leaves (1)\ndeep roots (1)",,heat; water,')
    .replaceAll(/^(\w+)\.txt,[^,]*,/gm, "$1.txt,$1,");
  const importSheet = (text: string) => {
    writeFileSync(path.join(server.folder, "sheet.csv"), text);
    return succeeded(run("results", "import", reference, "sheet.csv"));
  };
  const firstImport = await importSheet(sheet);
  const { out } = await run("marking", "open", reference, "--marker", "N. Dlamini");
  const desk = async (query = "") =>
    (await (await fetch(`${out.trim()}${query}`)).text()).replace(/<[^>]*>/g, "");
  return { reference, run, sheet, importSheet, firstImport, desk };
});

test("an imported sheet sets the questions of the desk, with warnings about their memos", async () => {
  const { firstImport, desk } = await classWithSheet();
  assert.equal(
    firstImport.err,
    [
      "question 1.1: 2 points for 3 marks: thick leaves (1); deep roots (1)",
      "question 1.1: The points sum to 2, less than the 3 of the question.",
      "question 1.2: the memo has no points, as no part of it ends in a worth such as (1)",
      "No proposal is new or another.\n",
    ].join("\n"),
  );
  assert.match(
    await desk("&view=questions"),
    /1\.1 \| 3 \| Terms \| thick leaves \(1\); deep roots \(1\)\n1\.2 \| 5 \| Essay \| heat; water\n?/,
  );
  assert.match(await desk(), /0 of 6 decided/);
  assert.match(await desk(), /Learner 1, question 1\.1: – nothing yet/);
});

test("an imported sheet proposes its marks", async () => {
  const { sheet, importSheet, desk } = await classWithSheet();
  const { err } = await importSheet(sheet.replaceAll(/^(\w+\.txt,\w+,),*$/gm, "$1,2,One.,4,"));
  assert.match(await desk(), /Learner 1, question 1\.1: 2 proposed/);
  assert.match(await desk("&view=mark"), /Agree with 2 and go on/);
  assert.doesNotMatch(err, /^question/m, "no warning about memos that stay as they were");
});

test("a template has the memos of the class", async () => {
  const { reference, run } = await classWithSheet();
  const filled = await run("results", "template", reference, "--format", "json");
  assert.deepEqual(column(JSON.parse(filled.out).questions, "memo"), [
    "thick leaves (1); deep roots (1)",
    "heat; water",
  ]);
});

test("wrong arguments of marking open are rejected with a sentence", async () => {
  const { server, reference, run } = await markedClass();
  const rejected: [args: string[], code: number, says: RegExp][] = [
    [["--marker", " "], 2, /Type your name/],
    [["--marker", "N", "--email", "nobody"], 2, /nobody is not an email address/],
    [
      ["--marker", "N", "--questions", "7"],
      2,
      /--questions: There is none for “7”; there are: 1\.1, 1\.2\./,
    ],
    [["--marker", "N", "--learners", "4-9"], 2, /--learners: There is none for “4-9”/],
    [
      ["--marker", "N", "--days", "90"],
      1,
      /deleted on .*: a link to it can have at most 89 days\./,
    ],
    [[], 2, /--marker/],
  ];
  for (const [args, code, says] of rejected) {
    const { code: actual, err } = await run("marking", "open", reference, ...args);
    assert.match(err, says);
    assert.equal(actual, code, err);
  }
  await succeeded(run("marking", "open", reference, "--marker", "N", "--days", "89"));
  assert.equal((await server.query("SELECT 1 FROM marking_links")).length, 1);
});

test("a link ends with its request, even within a day", async () => {
  const { server, reference } = await markedClass();
  const args = ["marking", "open", reference, "--marker", "N"];
  const settings = { RUBRICON_PUBLIC_URL: server.url, RUBRICON_RETENTION_DAYS: "1" };
  await succeeded(runCommand(server.folder, args, settings));
});

test("a class list gives learners numbers and names", async () => {
  const { server, reference, run } = await classToMark();
  writeFileSync(path.join(server.folder, "list.csv"), "Number;Name\n31;Anna\n32;Ben\n33;Dora\n");
  const named = await succeeded(run("class", "list", reference, "list.csv"));
  assert.equal(named.out, "3  cleo  cleo.txt\n31  Anna  anna.txt\n32  Ben  ben.txt\n");
  assert.equal(
    named.err,
    "2 learners named.\nOn the list without a file: Dora.\nNot on the list: cleo.txt.\n",
    "no advice to use --add, which might double the learner of a file",
  );
  const template = await run("results", "template", reference);
  assert.match(template.out, /anna\.txt,Anna,.*ben\.txt,Ben,/s);
});

test("a class list from standard input that cannot be read is called stdin and CSV", async () => {
  const { reference, run } = await classToMark();
  // These commands have an empty stdin.
  const empty = await run("class", "list", reference, "-");
  assert.match(empty.err, /^rubricon: stdin cannot be read as CSV: it is empty\./);
});

const twoRows = "11,Learner Name11,\n9001,Aisha Adams,\n";

/** A class with a file of two parts, and a function that gives it a class list. */
const classToList = setUpOnce(async (server) => {
  const files = ["11_part1.txt", "11_part2.txt", "Adams, Aisha.txt", "notes.txt"];
  const reference = await uploadSubmissions(server, files);
  const list = (text: string, ...args: string[]) => {
    writeFileSync(path.join(server.folder, "list.csv"), `Number,Name,File\n${text}`);
    return runCommand(server.folder, ["class", "list", reference, "list.csv", ...args]);
  };
  return { server, list };
});

test("a class list with --dry-run says what it would change, and changes nothing", async () => {
  const { server, list } = await classToList();
  const dry = await succeeded(list(twoRows, "--only", "--dry-run"));
  for (const sentence of [
    /^Removed from the desk, because they are not on the list: notes\.txt\. Files stay/m,
    /^11_part1\.txt and 11_part2\.txt become the work of 11 Learner Name11\.$/m,
    /^Nothing was changed\.$/m,
  ]) {
    assert.match(dry.err, sentence);
  }
  assert.equal((await server.query("SELECT 1 FROM submissions")).length, 4);
});

test("a class list prints the learners, then those who are removed", async () => {
  const { list } = await classToList();
  const { out } = await succeeded(list(twoRows, "--only"));
  assert.equal(
    out,
    "11  Learner Name11  11_part1.txt + 11_part2.txt\n9001  Aisha Adams  Adams, Aisha.txt\nremoved: 4  notes  notes.txt\n",
  );
});

/** The class without the learner of one file, which no learner has then. */
const classWithUnusedFile = setUpOnce(async () => {
  const opened = await classToList();
  await succeeded(opened.list(twoRows, "--only"));
  return opened;
});

test("class list --json has the learners, those removed and the files that no learner has", async () => {
  const { list } = await classWithUnusedFile();
  const { out } = await list("9001,Aisha Adams,\n", "--only", "--json");
  const { removed: gone, learners, unused } = JSON.parse(out);
  assert.deepEqual(column(gone, "fileName"), ["11_part1.txt + 11_part2.txt"]);
  assert.deepEqual(column(learners, "name"), ["Aisha Adams"]);
  assert.deepEqual(column(unused, "name"), ["notes.txt"]);
});

test("a class list names the files and learners that are left over", async () => {
  const { list } = await classWithUnusedFile();
  const absent = "9013,Mia Botha,nowhere.txt\n";
  const added = await list(`${twoRows}${absent}`, "--add");
  assert.match(added.out, /^11 {2}Learner Name11 {2}11_part1\.txt \+ 11_part2\.txt$/m);
  assert.match(added.out, /^9013 {2}Mia Botha {2}no file \(9013\)$/m);
  const again = await list(`${twoRows}${absent}`);
  for (const { err } of [added, again]) {
    assert.match(
      err,
      /The request has no file nowhere\.txt, which the list has for 9013 Mia Botha/,
    );
    assert.match(err, /^Files that no learner has: notes\.txt\.$/m);
    assert.equal(err.match(/9013|Mia/g)!.length, 2, "Mia is named once, by number and name");
  }
});

test("a class list gives a file that no learner has to one learner", async () => {
  const { list } = await classWithUnusedFile();
  const twice = await list("1,A,notes.txt\n2,B,notes\n");
  assert.equal(twice.code, 1);
  assert.match(twice.err, /^1 A and 2 B cannot both have the work with notes$/m);
  assert.match(twice.err, /list\.csv has 1 error; nothing was changed/);
  const given = await list("9013,Mia Botha,notes.txt\n", "--add");
  assert.match(given.err, /^notes\.txt becomes the work of 9013 Mia Botha\.$/m);
  assert.match(given.out, /^9013 {2}Mia Botha {2}notes\.txt$/m);
});

/** Shared results of a class, with functions that read a page and the cells of a file, and take a class list. */
const sharedClass = setUpOnce(async () => {
  const { server, reference, run } = await markedClass();
  const link = (await run("results", "share", reference)).out.trim();
  const token = new URL(link).searchParams.get("results");
  const page = async (query = "") =>
    (await (await fetch(link.replace("#", `${query}#`))).text())
      .replace(/<br\/?>/g, " ")
      .replace(/<[^>]*>/g, "");
  const cells = async (file: string) => {
    const text = await (await fetch(`${server.url}/api/results/${token}/${file}`)).text();
    return text
      .trim()
      .split("\r\n")
      .map((line) => line.split(/[,;]/).map((cell) => cell.replaceAll('"', "")));
  };
  // Gives the learners numbers of the program's own.
  await succeeded(run("marking", "open", reference, "--marker", "N. Dlamini"));
  const list = async (csv: string) => {
    writeFileSync(path.join(server.folder, "list.csv"), csv);
    await succeeded(run("class", "list", reference, "list.csv"));
  };
  return { server, reference, page, cells, list };
});

test("files and slips leave out the program's own numbers of learners", async () => {
  const { page, cells } = await sharedClass();
  for (const file of ["moodle", "brightspace", "blackboard"]) {
    const ids = (await cells(file)).slice(1).map(([id]) => id);
    assert.deepEqual(ids, ["Learner 1", "Learner 2", "Learner 3"], file);
  }
  assert.ok(!(await cells("marks"))[0]!.includes("Number"));
  assert.doesNotMatch(await page("&slips=1"), /Number 1/);
});

test("files and slips have the numbers of the class list", async () => {
  const { page, cells, list } = await sharedClass();
  await list("Number,Name\n2026002,Anna\n3,Ben\n");
  for (const [file, head] of [
    ["moodle", "ID number"],
    ["brightspace", "OrgDefinedId"],
    ["blackboard", "Username"],
  ] as const) {
    const rows = await cells(file);
    assert.equal(rows[0]![0]!.replace("\uFEFF", ""), head);
    assert.deepEqual(
      rows.slice(1).map(([id]) => id),
      ["2026002", "3", "Learner 3"],
      file,
    );
  }
  const canvas = (await cells("canvas")).slice(2).map(([name, , id]) => `${name}: ${id}`);
  assert.deepEqual(canvas, ["Anna: 2026002", "Ben: 3", "Learner 3: Learner 3"]);
  const [head, ...rows] = await cells("marks");
  assert.deepEqual(
    rows.map((row) => row[head!.indexOf("Number")]),
    ["2026002", "3", ""],
  );
  assert.match(await page("&slips=1"), /Anna\s*Number 2026002/);
});

test("an import keeps learners' numbers", async () => {
  const { server, reference, cells, list } = await sharedClass();
  await list("Number,Name\n2026002,Anna\n3,Ben\n");
  await succeeded(runResults(server, ["import", reference], resultsFor(names, 30)));
  assert.equal((await cells("moodle"))[1]![0], "2026002");
});

test("the class page says whether every learner has a number", async () => {
  const { page, list } = await sharedClass();
  assert.match(await page(), /No class list has given us your learners’ numbers/);
  await list("Number,Name\n2026002,Anna\n3,Ben\n");
  assert.match(await page(), /The class list has no number for Learner 3, so the gradebook files/);
  await list("Number,Name,File\n4,Cleo,cleo\n");
  assert.match(await page(), /These files have the numbers of your class list/);
});

test("an absent learner has no grade on the class page and in files", async () => {
  const { server, page, cells } = await sharedClass();
  await server.change("UPDATE submissions SET no_grade = 'absent', grade = NULL WHERE id = 2");
  assert.match(await page(), /1 without a grade: 1 absent/);
  assert.match(await page("&learner=2"), /Absent: no grade/);
  const [head, , ben] = await cells("marks");
  assert.match(head!.join(), /Percentage.*No grade/);
  assert.match(ben!.join(), /^Learner 2,ben\.txt,{4,}.*absent/);
  assert.match((await cells("moodle"))[2]!.join(), /^Learner 2,,/);
});

test("RUBRICON_MARKING_NETWORKS limits markers, not the educator", async () => {
  const isRestricted = async (token: string) => token !== "educators";
  /** Returns true for a request that passes, and the status of another. */
  const outcomeOf = async (
    networks: string[] | undefined,
    ip: string,
    url = "/marking?link=all",
  ) => {
    const [path] = url.split("?");
    const request = { path, url, ip, headers: {}, socket: { remoteAddress: ip } };
    try {
      let passed = false;
      await limitMarking(networks, isRestricted)(request as never, {} as never, () => {
        passed = true;
      });
      return passed;
    } catch (error) {
      return (error as { status: number }).status;
    }
  };
  const school = ["10.0.0.0/8", "2001:db8::/32"];
  const cases: [outcome: true | 403, ...Parameters<typeof outcomeOf>][] = [
    [true, undefined, "203.0.113.9"],
    [true, school, "10.1.2.3"],
    [true, school, "2001:db8::7"],
    [403, school, "203.0.113.9"],
    [403, school, "203.0.113.9", "/api/marking/token/pages/1/1"],
    [true, school, "203.0.113.9", "/api/marking/educators/pages/1/1"],
    [true, school, "203.0.113.9", "/marking?link=educators"],
    [true, school, "203.0.113.9", "/marking?link=sample"],
    [true, school, "203.0.113.9", "/marking?help"],
    [403, school, "203.0.113.9", "/marking?help&link=all"],
    [403, school, "203.0.113.9", "/marking"],
    [true, school, "203.0.113.9", "/"],
  ];
  for (const [outcome, ...request] of cases) {
    assert.equal(await outcomeOf(...request), outcome, request.join(" "));
  }
});

test("RUBRICON_MARKING_NETWORKS limits a link also where its path is written with dot segments", async (t) => {
  const env = { RUBRICON_MARKING_NETWORKS: "192.0.2.1" };
  const { server, reference, run } = await uploadClass(await startServer(t, { env }));
  const { out } = await succeeded(run("marking", "open", reference, "--marker", "X"));
  const link = new URL(out.trim()).searchParams.get("link");
  const team = await teamToken(server, reference);
  const statusOf = async (address: string) => (await sendRequest(server.url, address)).status;
  assert.equal(await statusOf(`/marking?link=${link}`), 403);
  for (const address of [
    `/api/results/x/../../../marking?link=${link}`,
    `/api/results/x/%2e%2E/.%2e/../marking?link=${link}`,
    `/api/results/x/..\\..\\..\\marking?link=${link}`,
    `/api/results/x/../../team/${team}/files.zip`,
    `/api/marking/sample/../${link}/originals/5`,
    // The turns of page images are taken by the link in the path.
    `/api/marking/sample/../${link}/pages/1/1`,
    `/api/marking/./${link}/pages/1/1`,
  ]) {
    assert.equal(await statusOf(address), 400, address);
  }
});
