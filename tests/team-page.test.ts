/** The team's page of a request, under its private link. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { unzipSync } from "fflate";
import { column } from "./support/columns.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { openLink, prepareClass, readDesk } from "./support/desk.ts";
import { bytesOf } from "./support/file-bytes.ts";
import { assertErrorAt, cellsOf, formOf, formsIn, postForm } from "./support/html-forms.ts";
import { succeeded } from "./support/output-of.ts";
import {
  resultsFor,
  runAsTeam,
  runResults,
  teamToken,
  uploadSubmissions,
} from "./support/results.ts";
import {
  runCommand,
  type Server,
  setUpOnce,
  sharedServer,
  startServer,
  until,
} from "./support/server.ts";
import { contact, sha256, uploaded } from "./support/upload.ts";

runCommandsHere();

const names = ["Adams, Aisha.txt", "ben.txt"];

async function openClass(otherServer?: Server) {
  const server = otherServer ?? (await sharedServer());
  const reference = await uploadSubmissions(server, names);
  const token = (await teamToken(server, reference))!;
  const run = (...args: string[]) => runAsTeam(server, ...args);
  return { server, reference, token, run };
}

const pageOf = ({ url }: Server, token: string) => fetch(`${url}/team?link=${token}`);

const fetchFile = ({ url }: Server, token: string, file: string, method = "GET") =>
  fetch(`${url}/api/team/${token}/${file}`, { method });

const post = ({ url }: Server, token: string, fields: Record<string, string>) =>
  fetch(`${url}/team?link=${token}`, { method: "POST", body: new URLSearchParams(fields) });

test("the table of the team's links has only the hash of a link", async () => {
  const { server, token } = await openClass();
  const hash = sha256(Buffer.from(token));
  const links = await server.query(`SELECT * FROM team_links WHERE token_hash = '${hash}'`);
  assert.equal(links.length, 1);
  assert.ok(!Object.values(links[0]!).includes(token));
});

test("the link in the email opens the page, which is not cached, indexed or audited", async () => {
  const { server, reference, token } = await openClass();
  const audit = () => server.query("SELECT * FROM audit ORDER BY id");
  const before = await audit();
  const page = await pageOf(server, token);
  assert.equal(page.status, 200);
  assert.equal(page.headers.get("Cache-Control"), "no-store");
  assert.equal(page.headers.get("X-Robots-Tag"), "noindex");
  assert.equal(page.headers.get("Referrer-Policy"), "strict-origin");
  const html = await page.text();
  for (const text of ["Received", reference, "Thandi Example", ...names]) {
    assert.ok(html.includes(text), text);
  }
  assert.match(html, /received on \d{1,2}\u00a0[A-Z][a-z]+\u00a0\d{4}\. It is deleted on/);
  assert.deepEqual(await audit(), before);
});

test("before the desk is opened, learners of imported marks are named without a number", async () => {
  const { server, reference, token } = await openClass();
  await succeeded(runResults(server, ["import", reference], resultsFor(names)));
  const html = await (await pageOf(server, token)).text();
  assert.match(html, /<option value="\d+">the work of Learner 1<\/option>/);
  assert.match(html, /<li>Learner 1<\/li>/);
  assert.doesNotMatch(html, /without work|Files that no learner has/);
});

test("the link is in clear only until its email is accepted", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_MAIL_URL: "file:mail" } });
  const reference = await uploadSubmissions(server, names);
  const folder = path.join(server.folder, "mail");
  // Another name is of an email that is being written.
  const file = await until(() =>
    existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith(".eml")) : undefined,
  );
  const email = readFileSync(path.join(folder, file), "utf8").replace(/=\r?\n/g, "");
  assert.match(email, /The next step is the page of this class/);
  await until(async () => (await teamToken(server, reference)) === undefined);
  const [, token] = /team\?link=3?D?([\w-]{43})/.exec(email)!;
  assert.equal((await pageOf(server, token!)).status, 200);
});

test("a request in quarantine has no page until it is released", async () => {
  const server = await sharedServer();
  const spam = { ...contact, homepage: "http://spam.example" };
  const reference = await uploaded(server, undefined, spam);
  const run = (...args: string[]) => runAsTeam(server, ...args);
  assert.equal(await teamToken(server, reference), undefined);
  const none = await run("requests", "link", reference);
  assert.equal(none.code, 1);
  assert.match(none.err, /no page for the team/);
  await succeeded(run("requests", "not-spam", reference));
  const token = await teamToken(server, reference);
  assert.equal((await pageOf(server, token!)).status, 200);
});

/** Makes a new link to the page of a class that has one. */
async function renewLink() {
  const opened = await openClass();
  const made = await succeeded(opened.run("requests", "link", opened.reference, "--json"));
  return { ...opened, made: new URL(JSON.parse(made.out).link).searchParams.get("link")! };
}

test("a new link closes the one before, and takes its place in an email that was not sent", async () => {
  const { server, reference, token, made } = await renewLink();
  assert.equal(await teamToken(server, reference), made);
  assert.equal((await pageOf(server, token)).status, 404);
  assert.match(await (await pageOf(server, made)).text(), /team link made/);
});

test("requests link --close closes the link, also while the institution's content is invalid", async () => {
  const { server, reference, made, run } = await renewLink();
  writeFileSync(path.join(server.folder, "brand.yaml"), "- not a group\n");
  const close = ["requests", "link", reference, "--close"];
  await succeeded(runCommand(server.folder, close, { RUBRICON_CONTENT_DIR: "." }));
  assert.equal((await pageOf(server, made)).status, 404);
  assert.equal(await teamToken(server, reference), undefined);
  assert.match((await run(...close)).err, /no open link/);
});

test("a link opens only the files of its request", async () => {
  const { server, reference, token } = await openClass();
  const other = await openClass();
  const [last] = await server.query<{ id: number }>(
    `SELECT max(file_id) AS id FROM files_received WHERE reference = '${reference}'`,
  );
  const file = await fetchFile(server, token, `files/${last!.id}`);
  assert.equal(file.status, 200);
  assert.match(file.headers.get("Content-Disposition")!, /^attachment; filename="ben\.txt"/);
  assert.match(await file.text(), /^Answers /);
  assert.equal((await fetchFile(server, other.token, `files/${last!.id}`)).status, 404);
});

test("the files of a request come as an archive", async () => {
  const { server, token } = await openClass();
  const archive = await fetchFile(server, token, "files.zip");
  assert.equal(archive.headers.get("Content-Type"), "application/zip");
  const zip = unzipSync(new Uint8Array(await archive.arrayBuffer()));
  assert.deepEqual(Object.keys(zip), ["questions.pdf", "rubric.txt", ...names]);
  assert.match(Buffer.from(zip["ben.txt"]!).toString(), /^Answers /);
});

test("a post of no form of the page or under no link is rejected", async () => {
  const { server, token } = await openClass();
  const desk = { intent: "markers-desk", by: "L. Lead" };
  assert.equal((await post(server, "a".repeat(43), desk)).status, 404);
  for (const intent of ["x", "toString"])
    assert.equal((await post(server, token, { ...desk, intent })).status, 400, intent);
});

test("a server that leaves the link out of the email makes one by command", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_TEAM_LINKS: "off" } });
  const reference = await uploadSubmissions(server, names);
  assert.equal(await teamToken(server, reference), undefined);
  const made = await runCommand(server.folder, ["requests", "link", reference]);
  const [, link] = /^http:\/\/localhost:3000\/team\?link=([\w-]{43})\n$/.exec(made.out)!;
  assert.ok((await (await pageOf(server, link!)).text()).includes(reference));
  assert.equal(await teamToken(server, reference), undefined);
});

test("requests link makes no link without the address of the site", async () => {
  const { server, reference, token } = await openClass();
  const smtp = { RUBRICON_MAIL_URL: "smtp://127.0.0.1:1", RUBRICON_MAIL_TO: "team@team.example" };
  const unaddressed = await runCommand(server.folder, ["requests", "link", reference], smtp);
  assert.equal(unaddressed.code, 78);
  assert.match(unaddressed.err, /Set RUBRICON_PUBLIC_URL/);
  assert.equal((await pageOf(server, token)).status, 200, "a new link would have closed this one");
});

const by = "L. Lead";

/** What the audit has about a request. */
const recorded = async (server: Server, reference: string) =>
  column(
    await server.query(`SELECT action FROM audit WHERE reference = '${reference}' ORDER BY id`),
    "action",
  );

test("a class list is previewed, then stored once under the name of the person", async () => {
  const { server, reference, token } = await openClass();
  const list = "Number\tName\n7\tAisha Adams\n8\tBen\n9\tCleo <b>";
  const ask = (intent: string, more = {}) => post(server, token, { intent, by, list, ...more });
  assert.equal((await post(server, token, { intent: "class-preview", list })).status, 422);
  const shown = await (await ask("class-preview")).text();
  assert.match(shown, /7 Aisha Adams: Adams, Aisha\.txt/);
  assert.match(shown, /On the list without a file: Cleo &lt;b&gt;/);
  assert.match(shown, /name="by" value="L\. Lead"/);
  const adding = await (await ask("class-preview", { adds: "on" })).text();
  const [, version] = /name="version" value="(\w+)"/.exec(adding)!;
  const names = () =>
    server.query("SELECT student_name FROM submissions WHERE learner_number = '7'");
  assert.deepEqual(await names(), []);
  assert.equal((await ask("class-store", { version: "0" })).status, 409);
  const store = { version: version!, adds: "on" };
  for (const _ of [1, 2]) assert.equal((await ask("class-store", store)).status, 200);
  assert.deepEqual(await recorded(server, reference), ["class list stored"]);
  assert.deepEqual(await names(), [{ student_name: "Aisha Adams" }]);
  const page = await (await pageOf(server, token)).text();
  assert.match(page, /<li>9 Cleo &lt;b&gt;: no work<\/li>/);
  assert.match(page, /class list stored, by L\. Lead/);
});

test("a link that was replaced shows what is posted under it, and that nothing was stored", async () => {
  const { server } = await openClass();
  const list = "Number,Name\n1,Aisha <Adams>";
  const late = await post(server, "replaced", { intent: "class-preview", by, list });
  assert.equal(late.status, 404);
  const html = await late.text();
  assert.match(textOf(html), /This link is not open any more\. What you sent was not stored\./);
  assert.match(html, /readOnly="[^>]*>Number,Name\n1,Aisha &lt;Adams&gt;<\/textarea>/);
});

test("a post that cannot be read is reported in the part of its form", async () => {
  const { server, token } = await openClass();
  const { action } = formOf(await (await pageOf(server, token)).text(), "class-preview");
  const sent = { method: "POST", body: new URLSearchParams("by=a&by=b") };
  const html = await (await fetch(server.url + action, sent)).text();
  assert.match(html, /<section id="class"(?:(?!<\/section>).)*could not be read/s);
});

test("a list of the greatest length is stored in Cyrillic too", async () => {
  const { server, token } = await openClass();
  const form = formOf(await (await pageOf(server, token)).text(), "class-preview");
  const rows = Array.from({ length: 1000 }, (_, index) => `${index},${"Ж".repeat(54)}`);
  const list = { by, adds: "on", list: ["Number,Name", ...rows].join("\n") };
  const preview = await postForm(server.url, form, "class-preview", list);
  const plan = formOf(`${preview.bytes}`, "class-store");
  const stored = await postForm(server.url, plan, "class-store");
  assert.equal(stored.status, 200);
  assert.match(textOf(`${stored.bytes}`), /1,?00[02] learners/);
});

test("the name is asked once, and again when the page is opened anew, as its hint says", async () => {
  const { server, token } = await openClass();
  const hint = "it is not asked again until you open the page anew";
  const ask = { intent: "class-preview", by, list: "Number\tName\n7\tAisha Adams" };
  assert.ok(!(await (await post(server, token, ask)).text()).includes(hint));
  assert.ok((await (await pageOf(server, token)).text()).includes(hint));
});

/** A sheet of proposals for a class, with functions that post it and read who proposed what is stored. */
async function classWithSheet() {
  const { server, reference, token } = await openClass();
  const list = [
    "Title,Plants",
    "Question,,,1,,2,",
    "Description,,,Names one,,Explains it,",
    "Out of,,,3,,2,",
    "Memo,,,leaves (1); roots (2),,,",
    "File,Learner,Feedback,Mark,Feedback,Mark,Feedback",
    "ben.txt,Ben,,2,Two of three.,1?,",
  ].join("\n");
  const ask = (intent: string, more = {}) => post(server, token, { intent, by, list, ...more });
  const stored = () =>
    server.query(`SELECT proposed_by AS by FROM imports WHERE assessment_id =
      (SELECT id FROM assessment_submissions WHERE contact_id =
        (SELECT id FROM contact_requests WHERE reference = '${reference}'))`);
  return { server, reference, token, list, ask, stored };
}

test("the sheet for proposals has the files of the class", async () => {
  const { server, token } = await openClass();
  const sheet = await (await fetchFile(server, token, "sheet")).text();
  for (const name of names) assert.ok(sheet.includes(name), name);
});

test("a sheet of proposals with faults is rejected with the place of each", async () => {
  const { list, ask, stored } = await classWithSheet();
  const faulty = list.replace("2,Two of three.,1?", "x,,y");
  const wrong = await ask("proposals-preview", { list: faulty });
  assert.equal(wrong.status, 422);
  assert.match(
    await wrong.text(),
    /<title>Error: .*row 7, column D.*row 7, column F.*Nothing was stored/s,
  );
  for (const text of ["", "{", "{}"]) {
    assert.equal((await ask("proposals-preview", { list: text })).status, 422, text);
  }
  assert.deepEqual(await stored(), []);
});

test("proposals are previewed, then stored once in pencil under the name of the person", async () => {
  const { server, reference, token, ask, stored } = await classWithSheet();
  const shown = await (await ask("proposals-preview", { proposer: "Model X" })).text();
  assert.match(shown, /2 proposals of 1 learner would be stored, proposed by Model X/);
  assert.deepEqual(await stored(), []);
  const [, version] = /name="version" value="(\w+)"/.exec(shown)!;
  const store = { version, proposer: "Model X" };
  assert.equal((await ask("proposals-store", { ...store, version: "9-9-0" })).status, 409);
  assert.equal((await ask("proposals-store", store)).status, 200);
  const again = await ask("proposals-store", store);
  assert.equal(again.status, 200);
  assert.match(await again.text(), /No proposal is new or another/);
  assert.deepEqual(await stored(), [{ by: "Model X" }]);
  assert.deepEqual(await recorded(server, reference), ["results imported"]);
  const page = await (await pageOf(server, token)).text();
  assert.match(page, /results imported, by L\. Lead; proposed by Model X/);
});

/** The path of the marking link that a page shows; undefined if it shows none. */
const linkIn = (page: string) => /value="http[^"]+(\/marking\?link=[\w-]{43})"/.exec(page)?.[1];

/** A class with a function that opens its desk to a marker by one form, and one that finds the links it has made. */
async function classToOpen() {
  const { server, token } = await openClass();
  const html = await (await pageOf(server, token)).text();
  const [, key] = /name="key" value="([\w-]+)"/.exec(html)!;
  const [before] = await server.query("SELECT max(id) AS id FROM marking_links");
  return {
    server,
    token,
    open: (more: Record<string, string>) =>
      post(server, token, { intent: "markers-open", by, key: key!, ...more }),
    links: () => server.query(`SELECT id FROM marking_links WHERE id > ${before!.id ?? 0}`),
  };
}

test("the desk is opened to a marker once for a form", async () => {
  const { open, links } = await classToOpen();
  const made = linkIn(await (await open({ marker: "N. Dlamini" })).text());
  assert.ok(made);
  assert.equal(linkIn(await (await open({ marker: "N. Dlamini" })).text()), made);
  assert.equal((await links()).length, 1);
});

test("a form whose link is closed opens no other", async () => {
  const { server, token, open, links } = await classToOpen();
  await open({ marker: "N. Dlamini" });
  const { fields } = formOf(await (await pageOf(server, token)).text(), "markers-close");
  await post(server, token, { ...fields, intent: "markers-close", by });
  const again = await open({ marker: "N. Dlamini" });
  assert.equal(again.status, 409);
  assert.match(await again.text(), /The link that this form made has ended\./);
  assert.equal((await links()).length, 1);
});

test("two markers to whom the desk is opened from one page get a link each", async () => {
  const { open, links } = await classToOpen();
  const [first, second] = [await open({ marker: "A. Adams" }), await open({ marker: "B. Botha" })];
  assert.notEqual(linkIn(await first.text()), linkIn(await second.text()));
  assert.equal((await links()).length, 2);
});

test("a marker with an open link is emailed no second one", async () => {
  const { open, links } = await classToOpen();
  const send = async (days: string) => {
    const marker = { marker: "S. Naidoo", email: "s.naidoo@school.example" };
    const html = await (await open({ ...marker, days })).text();
    assert.equal(linkIn(html), undefined, "an emailed link is not shown");
    return textOf(html);
  };
  const ofNew =
    /link for S\. Naidoo to s\.naidoo@school\.example waits until a mail server is set.*It works until ([^.]+)\./;
  const [, day] = ofNew.exec(await send("14")) ?? [];
  assert.ok(day);
  const says = `an open link for s.naidoo@school.example already. It works until ${day}. Nothing was sent again`;
  assert.ok((await send("2")).includes(says), says);
  assert.equal((await links()).length, 1);
});

test("the desk is opened for whole days", async () => {
  const { open, links } = await classToOpen();
  for (const days of ["0", "1.5"]) {
    const wrong = await open({ marker: "X", days });
    assert.equal(wrong.status, 422, days);
    assert.match(await wrong.text(), /Days takes a whole number/);
  }
  assert.deepEqual(await links(), []);
});

test("the lead has one desk", async () => {
  const { server, token, reference, run } = await openClass();
  const desk = async () =>
    /href="([^"]+\/marking\?link=[^"]+)"/.exec(
      await (await post(server, token, { intent: "markers-desk", by })).text(),
    )![1]!;
  const own = await desk();
  assert.equal(await desk(), own, "pressed twice, it is one desk");
  const other = { intent: "markers-open", by, key: "o".repeat(36), marker: "N. Dlamini" };
  assert.equal((await post(server, token, other)).status, 200);
  assert.equal(await desk(), own, "a later link does not change it");
  const shown = await fetch(server.url + new URL(own).pathname + new URL(own).search);
  assert.match(await shown.text(), /You decide as L\. Lead \(lead\)/);
  await succeeded(run("marking", "close", reference, "--marker", `${by} (lead)`));
  const next = await desk();
  assert.notEqual(next, own);
  assert.equal(await desk(), next);
});

test("a lead whose name was erased gets a new desk", async () => {
  const { server, token, run } = await openClass();
  const open = async () => {
    const opened = await post(server, token, { intent: "markers-desk", by: "E. Rased" });
    assert.equal(opened.status, 200);
    return /href="[^"]+(\/marking\?link=[^"]+)"/.exec(await opened.text())![1]!;
  };
  const erased = await open();
  await succeeded(run("subject", "erase", "E. Rased", "--yes", "--no-vacuum"));
  assert.equal((await fetch(server.url + erased)).status, 404);
  assert.equal((await fetch(server.url + (await open()))).status, 200);
});

test("a marker's link is closed only on the page of its own class", async () => {
  const { server, token } = await openClass();
  const other = await openClass();
  const opened = { intent: "markers-open", by, key: "k".repeat(36), marker: "N. Dlamini" };
  const made = linkIn(await (await post(server, token, opened)).text())!;
  const { fields } = formOf(await (await pageOf(server, token)).text(), "markers-close");
  const close = (pageToken: string) =>
    post(server, pageToken, { ...fields, intent: "markers-close", by });
  const opens = async () => (await fetch(server.url + made)).status;
  assert.equal((await close(other.token)).status, 409);
  assert.equal(await opens(), 200, "after the page of another class");
  assert.equal((await close(token)).status, 200);
  assert.equal(await opens(), 404);
  assert.equal((await close(token)).status, 409, "the link is closed already");
});

/** The emails about what was done on the page of a request. */
const actionEmails = ({ query }: Server, reference: string) =>
  query<{ body: string }>(
    `SELECT body FROM outbox WHERE kind = 'team action' AND reference = '${reference}'`,
  );

/** A class with imported marks, and functions that press buttons of its page and publish on it. */
async function importClass(otherServer?: Server) {
  const opened = await openClass(otherServer);
  const { server, reference, token } = opened;
  const ask = (intent: string, more = {}) => post(server, token, { intent, ...more, by });
  await succeeded(runResults(server, ["import", reference], resultsFor(names)));
  const page = await (await pageOf(server, token)).text();
  const [, open] = /name="open" value="(\d+)"/.exec(page)!;
  /** What the page shows is posted with the buttons that take it back. */
  const shown = async () =>
    formOf(await (await pageOf(server, token)).text(), "publish-share").fields;
  return { ...opened, ask, shown, publish: () => ask("publish-now", { open }) };
}

const importedClass = setUpOnce(() => importClass());

test("a class without marks is not published", async () => {
  const { server, token } = await openClass();
  const asked = await post(server, token, { intent: "publish-now", by, open: "0" });
  assert.equal(asked.status, 422);
  assert.doesNotMatch(await asked.text(), /With the educator/);
});

test("the lead publishes marks once", async () => {
  const { publish } = await importedClass();
  const published = await publish();
  assert.equal(published.status, 200);
  assert.match(await published.text(), /With the educator/);
  assert.match(await (await publish()).text(), /published already/);
});

test("the lead shares published marks by a reading copy", async () => {
  const { server, publish, ask } = await importedClass();
  await publish();
  const html = await (await ask("publish-share")).text();
  const [path] = /\/\?results=[\w-]{22}(?=#demo)/.exec(html)!;
  const copy = await fetch(server.url + path);
  assert.equal(copy.status, 200);
  assert.match(await copy.text(), /Learner 2/);
});

test("the lead is offered to close reading copies while one is open", async () => {
  const { ask, publish } = await importedClass();
  const close = /Close all reading copies/;
  assert.doesNotMatch(await (await publish()).text(), close);
  assert.match(await (await ask("publish-share")).text(), close);
  assert.doesNotMatch(await (await ask("publish-end")).text(), close);
});

test("the team gets one email about marks that the lead withdraws", async () => {
  const { server, reference, publish, ask, shown } = await importedClass();
  await publish();
  const seen = await shown();
  assert.equal((await ask("publish-withdraw", seen)).status, 200);
  assert.equal((await ask("publish-withdraw", seen)).status, 409);
  const told = await actionEmails(server, reference);
  assert.equal(told.length, 1);
  assert.match(told[0]!.body, /withdrawn[\s\S]*L\. Lead/);
});

test("marks that were withdrawn can be published again, and an old page does not withdraw them", async () => {
  const { publish, ask, shown } = await importedClass();
  await publish();
  const seen = await shown();
  await ask("publish-withdraw", seen);
  assert.match(await (await publish()).text(), /With the educator/);
  assert.equal((await ask("publish-withdraw", seen)).status, 409);
  assert.equal((await ask("publish-withdraw", await shown())).status, 200);
});

const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">");

/** A class with questions, a marker at its desk, and the lead's page. */
async function markedClass() {
  const server = await sharedServer();
  const desk = await prepareClass(server, names);
  const token = (await teamToken(server, desk.reference))!;
  const marking = await openLink(server, desk);
  return { server, token, marking, ...desk };
}

/** A marker who is at the first answer, with functions that read its page and ask the lead there. */
async function markerAtAnswer() {
  const opened = await markedClass();
  const { server, marking, ids } = opened;
  const at = { view: "mark", learner: ids[0]!, question: "1.1" };
  const read = async (where = at) => (await readDesk(server, marking, where)).html;
  const ask = async (fields: Record<string, string>) =>
    postForm(server.url, formOf(await read(), "ask"), "ask", fields);
  return { ...opened, at, read, ask };
}

test("a question to the lead that is empty or too long loses nothing that was typed", async () => {
  const { read, ask } = await markerAtAnswer();
  const cases: [typed: Record<string, string>, says: RegExp][] = [
    [{ ask: "", marks: "2,5" }, /Type the question first/],
    [
      { ask: "x".repeat(501), marks: "2", comment: "So far" },
      /The question has 501 characters; it may have 500/,
    ],
  ];
  for (const [typed, says] of cases) {
    const rejected = await ask(typed);
    assert.equal(rejected.status, 422, String(says));
    assert.match(textOf(rejected.bytes.toString()), says);
    assert.partialDeepStrictEqual(formOf(await read(), "ask").fields, typed);
  }
});

test("a marker asks the lead beside an answer, once", async () => {
  const { server, read } = await markerAtAnswer();
  const text = "Is <b>half</b> a mark fair?";
  const form = formOf(await read(), "ask");
  const asked = await postForm(server.url, form, "ask", { ask: text, marks: "2,5" });
  assert.equal(asked.status, 303, asked.bytes.toString().slice(0, 300));
  assert.match(asked.headers.location!, /question=1\.1#ask$/);
  const waiting = await read();
  assert.match(
    textOf(waiting),
    /You asked the lead: Is <b>half<\/b> a mark fair\? The lead: no reply/,
  );
  assert.equal(formOf(waiting, "save").fields.marks, "2,5");
  assert.equal((await postForm(server.url, form, "ask", { ask: text })).status, 303, "repeated");
  const second = await postForm(server.url, form, "ask", { ask: "Or none?" });
  assert.equal(second.status, 409);
  assert.match(textOf(second.bytes.toString()), /You asked the lead: .*Not sent: “Or none\?”/);
});

/** A question of a marker on the lead's page, with a function that replies to it. */
async function questionToReply() {
  const opened = await markerAtAnswer();
  const { server, token, ask } = opened;
  assert.equal((await ask({ ask: "Is half a mark fair?" })).status, 303);
  const page = await (await pageOf(server, token)).text();
  const [, id] = /name="id" value="(\d+)"[^>]*>(?:(?!<form).)*name="reply"/s.exec(page)!;
  const reply = (fields: Record<string, string>, pageToken = token) =>
    post(server, pageToken, { intent: "asked-reply", id: id!, ...fields });
  return { ...opened, reply, id };
}

test("a reply to a marker needs a name, a text and the link of its class", async () => {
  const { read, reply, id } = await questionToReply();
  const nameless = await reply({ reply: "Yes, give it." });
  assert.equal(nameless.status, 422);
  const html = await nameless.text();
  assert.match(html, />Yes, give it\.<\/textarea>/);
  assert.match(html, /Reply<span class="visually-hidden">: N\. Dlamini, on Adams/);
  assertErrorAt(html, `asked-reply-by${id}`, "Type your name");
  assertErrorAt(await (await reply({ by, reply: " " })).text(), `reply-${id}`, "Type the reply");
  const other = await openClass();
  const elsewhere = await reply({ by, reply: "No" }, other.token);
  assert.equal(elsewhere.status, 409);
  assert.match(await elsewhere.text(), /readOnly="[^>]*>No<\/textarea>/);
  assert.match(textOf(await read()), /The lead: no reply/);
});

test("the lead replies once to a question", async () => {
  const { read, reply } = await questionToReply();
  for (const _ of [1, 2]) assert.equal((await reply({ by, reply: "Yes, give it." })).status, 200);
  const late = await reply({ by, reply: "No." });
  assert.equal(late.status, 409);
  assert.match(await late.text(), /readOnly="[^>]*>No\.<\/textarea>/);
  assert.match(textOf(await read()), /The lead: Yes, give it\./);
});

test("the lead is told that no marker reads a reply under a link that has ended", async () => {
  const { server, token, reply } = await questionToReply();
  for (const { fields, buttons } of formsIn(await (await pageOf(server, token)).text())) {
    const intent = "markers-close";
    if (buttons.some(({ value }) => value === intent)) {
      await post(server, token, { ...fields, intent, by });
    }
  }
  const told = textOf(await (await reply({ by, reply: "Yes, give it." })).text());
  assert.match(told, /Your reply is stored\..*has ended, so no marker reads it/);
});

test("a reply is shown to the marker at the end, and to the lead in the history", async () => {
  const { server, token, marking, reply } = await questionToReply();
  await reply({ by, reply: "Yes, give it." });
  const finish = (await readDesk(server, marking, { view: "finish" })).html;
  assert.match(textOf(finish), /Learner 1, question 1\.1: the lead has replied/);
  const page = textOf(await (await pageOf(server, token)).text());
  assert.match(page, /Every question has a reply/);
  const replied =
    /[A-Z][a-z]{2}\s\d{1,2}\s[A-Z][a-z]{2},\s\d\d:\d\d: reply to a marker, by L\. Lead/;
  assert.match(page, replied);
});

test("a question to the lead is saved with a mark", async () => {
  const { server, token, at, read } = await markerAtAnswer();
  const second = { ...at, question: "1.2" };
  const form = formOf(await read(second), "save");
  const saved = await postForm(server.url, form, "save", { marks: "3", ask: "Fine?" });
  assert.equal(saved.status, 303);
  assert.match(textOf(await read(second)), /You asked the lead: Fine\?/);
  const page = textOf(await (await pageOf(server, token)).text());
  assert.match(
    page,
    /1 question to the lead has no reply: Adams, Aisha, question 1\.2, N\. Dlamini/,
  );
  assert.match(page, /1 decision; last mark/);
});

/** A class whose marker has decided one mark, with a function that hands what is left to Z. Dube. */
const classToHandOver = setUpOnce(async () => {
  const opened = await markedClass();
  const { server, token, marking, ids } = opened;
  const at = { view: "mark", learner: ids[0]!, question: "1.1" };
  const { html } = await readDesk(server, marking, at);
  await postForm(server.url, formOf(html, "save"), "save", { marks: "3" });
  const page = await (await viewOf(server, token, "agreement")).text();
  const { fields } = formsIn(page).findLast(({ fields }) => fields.id && fields.key)!;
  const handOver = (changed: Record<string, string> = {}) =>
    post(server, token, { ...fields, intent: "markers-hand", by, marker: "Z. Dube", ...changed });
  return { ...opened, page, handOver };
});

test("the lead sees how far a marker has got", async () => {
  const { server, token, page } = await classToHandOver();
  assert.match(textOf(await (await pageOf(server, token)).text()), /1 decision; last mark/);
  assert.match(textOf(page), /1 answer decided, 100% of the marks on average; last mark/);
});

test("the lead hands what a marker has left to another marker", async () => {
  const { server, token, marking, handOver } = await classToHandOver();
  const made = linkIn(await (await handOver()).text())!;
  assert.equal((await fetch(`${server.url}/marking?link=${marking}`)).status, 404);
  assert.match(textOf(await (await fetch(server.url + made)).text()), /You decide as Z\. Dube/);
  assert.match(await (await pageOf(server, token)).text(), /marking handed over, by L\. Lead/);
});

test("what a marker has left is handed over once", async () => {
  const { handOver } = await classToHandOver();
  const made = linkIn(await (await handOver()).text());
  assert.ok(made);
  assert.equal(linkIn(await (await handOver()).text()), made, "repeated, it is one link");
  assert.equal((await handOver({ key: "k".repeat(36) })).status, 409);
});

test("a marker to hand over to whose email address is wrong stays in the form", async () => {
  const { handOver } = await classToHandOver();
  const wrong = await handOver({ email: "nowhere" });
  assert.equal(wrong.status, 422);
  assert.match(await wrong.text(), /value="Z\. Dube"/);
});

test("the team's page says which questions a link opened by command is for", async () => {
  const { server, token, reference } = await classToHandOver();
  const open = ["marking", "open", reference, "--marker", "P. Pule", "--questions", "1.1"];
  await succeeded(runAsTeam(server, ...open));
  const page = textOf(await (await pageOf(server, token)).text());
  assert.match(page, /P\. Pule: [^;]+; question 1\.1;/);
});

test("the marks of a class are a file with its proposals", async () => {
  const { server, token } = await importedClass();
  const marks = await fetchFile(server, token, "marks");
  assert.equal(marks.status, 200);
  assert.equal(marks.headers.get("Cache-Control"), "no-store");
  assert.match(marks.headers.get("Content-Type")!, /^text\/csv/);
  assert.match(await marks.text(), /ben\.txt.*42[.,]5/);
});

test("a file of marks for a gradebook leaves out proposals", async () => {
  const { server, token } = await importedClass();
  const page = await (await pageOf(server, token)).text();
  assert.ok(page.includes(`/api/team/${token}/moodle"`));
  const moodle = await (await fetchFile(server, token, "moodle")).text();
  assert.match(moodle, /^\uFEFF?ID number.*\r\nLearner 1,,.*\r\nLearner 2,,/);
});

test("a link of the team opens no file of an unknown name", async () => {
  const { server, token } = await importedClass();
  // One is a property of every object.
  for (const file of ["nothing", "toString"]) {
    assert.equal((await fetchFile(server, token, file)).status, 404, file);
  }
});

test("no files are under an unknown link, and no marks under that of a class without", async () => {
  const { server, token } = await openClass();
  assert.equal((await fetchFile(server, token, "marks")).status, 404);
  for (const file of ["marks", "files.zip"]) {
    assert.equal((await fetchFile(server, "a".repeat(43), file)).status, 404, file);
  }
});

test("HEAD for a file with names sends the team no email", async () => {
  const { server, reference, token } = await importedClass();
  for (const file of ["marks", "sheet", "files.zip"]) {
    assert.equal((await fetchFile(server, token, file, "HEAD")).status, 200, file);
  }
  assert.deepEqual(await actionEmails(server, reference), []);
});

test("downloads of one kind soon after each other are one email", async () => {
  const { server, reference, token } = await importedClass();
  for (const file of ["marks", "moodle"]) {
    assert.equal((await fetchFile(server, token, file)).status, 200, file);
  }
  assert.equal((await actionEmails(server, reference)).length, 1);
});

test("the team's page records a download of names", async () => {
  const { server, token } = await importedClass();
  assert.equal((await fetchFile(server, token, "marks")).status, 200);
  const page = await (await pageOf(server, token)).text();
  assert.match(page, /names exported, by a person with the link/);
});

/** A class whose marks are published, all of them proposals. */
const publishedClass = setUpOnce(async () => {
  const opened = await openClass();
  const results = { ...resultsFor(names), title: "Plants" };
  await succeeded(runResults(opened.server, ["import", opened.reference], results));
  await succeeded(opened.run("results", "publish", opened.reference, "--yes"));
  return opened;
});

/** A published class with a learner who has a number of the school, for whom there is a cover sheet. */
const classWithSheets = setUpOnce(async () => {
  const opened = await publishedClass();
  const { server, reference, run } = opened;
  writeFileSync(path.join(server.folder, "list.csv"), "Number,Name\n7,Zanele Seven\n");
  await succeeded(run("class", "list", reference, "list.csv", "--add"));
  return opened;
});

const marksOrList = /marks or the class list of a request were downloaded as a file with names/;

for (const [file, told] of [
  ["marks", marksOrList],
  ["moodle", marksOrList],
  ["sheet", marksOrList],
  ["sheets.pdf", marksOrList],
  ["files.zip", /all files of a request were downloaded/],
  ["scripts.zip", /the marked scripts of a request were downloaded/],
] as const) {
  test(`the team gets an email when ${file} is downloaded`, async () => {
    const { server, reference, token } = await classWithSheets();
    const downloaded = await fetchFile(server, token, file);
    assert.equal(downloaded.status, 200);
    await downloaded.arrayBuffer();
    const [email, ...others] = await actionEmails(server, reference);
    assert.match(email!.body, told);
    assert.match(email!.body, /a person with the link/);
    assert.deepEqual(others, []);
  });
}

const postSheet = async ({ url }: Server, token: string, fields: Record<string, string | Blob>) => {
  const body = new FormData();
  body.set("intent", "publish-fill");
  for (const [name, value] of Object.entries({ by, ...fields })) {
    if (typeof value === "string") body.set(name, value);
    else body.set(name, value, "Term 4.csv");
  }
  return await fetch(`${url}/team?link=${token}`, { method: "POST", body });
};

const schoolSheet = "Name,Term 3,Plants\nLearner 1,50,\nLearner 2,51,\nNobody,52,\n";

/** A published class with the marks of its first learner decided, and a function that has a sheet filled in. */
const classToFill = setUpOnce(async () => {
  const opened = await publishedClass();
  const { server, reference, token, run } = opened;
  for (const [question, marks] of Object.entries({ "1.1": "20", "1.2": "22.5" })) {
    await succeeded(run("results", "mark", reference, "Learner 1", question, marks));
  }
  const fill = (text: string, fields = {}) =>
    postSheet(server, token, { sheet: new Blob([text]), ...fields });
  return { ...opened, fill };
});

test("the school's sheet is filled only with marks that are decided", async () => {
  const { server, token } = await publishedClass();
  const inPencil = await postSheet(server, token, { sheet: new Blob([schoolSheet]) });
  assert.equal(inPencil.status, 422);
  assert.match(await inPencil.text(), /are decided \([^)]* in pencil\)\. Nothing was filled in/);
});

test("the school's sheet comes back filled without being stored", async () => {
  const { server, fill } = await classToFill();
  const filled = await fill(schoolSheet);
  const html = await filled.text();
  assert.equal(filled.status, 200, textOf(html));
  assert.match(textOf(html), /1 of 2 learners filled into “Plants”/);
  assert.match(
    textOf(html),
    /Not filled: Learner 2 has 2 marks in pencil\.Row 4 belongs to no learner here: Nobody/,
  );
  const [, base64, name] =
    /href="data:application\/octet-stream;base64,([^"]+)" download="([^"]+)"/.exec(html)!;
  assert.equal(name, "Term 4 - filled - unsigned.csv");
  assert.equal(Buffer.from(base64!, "base64").toString(), schoolSheet.replace("50,", "50,42.5"));
  assert.match(html, /sheet filled, by L\. Lead/);
  assert.ok(!bytesOf(server).includes("nobody,52"));
});

test("a column that the school's sheet lacks comes back with the reason", async () => {
  const { fill } = await classToFill();
  const wrong = await fill(schoolSheet.replace("Plants", "Animals"), { column: "Rocks" });
  assert.equal(wrong.status, 422);
  const said = await wrong.text();
  assert.match(textOf(said), /has no columns called “Rocks”; name one of these under “Column”/);
  assert.match(said, /name="column"[^>]* value="Rocks"/);
});

test("a school's sheet that is missing, too large or under no link is rejected", async () => {
  const { server, token, fill } = await classToFill();
  assert.equal((await postSheet(server, token, {})).status, 422);
  assert.equal((await fill("x".repeat(1_048_577))).status, 413);
  const sheet = new Blob([schoolSheet]);
  assert.equal((await postSheet(server, "a".repeat(43), { sheet })).status, 404);
});

/** Reads a view of the team's page. */
const viewOf = ({ url }: Server, token: string, view: string) =>
  fetch(`${url}/team?link=${token}&view=${view}`);

test("the lead sees in a preview what the educator will get", async () => {
  const { server, token } = await publishedClass();
  const preview = await (await viewOf(server, token, "preview")).text();
  assert.match(textOf(preview), /This is a preview of what the educator sees/);
  assert.match(preview, /Plants/);
  assert.equal(formsIn(preview).length, 0, "nothing can be decided");
  const [, learner] = /href="(\/team\?link=[^"]+learner=\d+)"/.exec(preview)!;
  const one = await fetch(server.url + learner!.replaceAll("&amp;", "&"));
  assert.match(textOf(await one.text()), /Learner 1/);
});

test("a class without marks has no preview", async () => {
  const { server, token } = await openClass();
  const early = textOf(await (await viewOf(server, token, "preview")).text());
  assert.match(early, /There are no marks yet/);
  assert.doesNotMatch(early, /This is a preview/);
});

test("an unknown link opens no view of the page", async () => {
  const server = await sharedServer();
  for (const view of ["preview", "agreement"]) {
    assert.equal((await viewOf(server, "a".repeat(43), view)).status, 404, view);
  }
});

test("the lead sees how far decisions agree with proposals, once there is one", async () => {
  const { server, reference, token, run } = await publishedClass();
  const agreed = async () => (await viewOf(server, token, "agreement")).text();
  assert.doesNotMatch(await agreed(), /Agreement with the proposals/);
  await succeeded(run("results", "mark", reference, "Learner 1", "1.1", "19"));
  const [, table] = /Agreement with the proposals<.*?<tbody>(.*?)<\/tbody>/s.exec(await agreed())!;
  const [all, question] = [...table!.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) => cellsOf(row!));
  const shares = ["decided one by one", "1", "0 (0%) [1 (100%)]", "1 (100%) [1 (100%)]"];
  const rest = [...shares, "-1.00 [0.00]", "undefined [undefined]"];
  assert.deepEqual(
    [all, question],
    [
      ["all", ...rest],
      ["1.1", ...rest],
    ],
  );
});

/** A published class whose files can be rendered, with a function that gets the archive of its marked scripts. */
const classWithScripts = setUpOnce(async () => {
  const { server, token } = await publishedClass();
  await server.change(
    `UPDATE rendered_files SET kind = 'paragraphs', reason = NULL, paragraphs = '["Leaves."]'`,
  );
  return {
    server,
    token,
    get: (method?: string) => fetchFile(server, token, "scripts.zip", method),
  };
});

test("marked scripts of a published class come as an archive", async () => {
  const { get } = await classWithScripts();
  const zip = await get();
  assert.equal(zip.status, 200);
  assert.equal(zip.headers.get("Content-Type"), "application/zip");
  const files = unzipSync(new Uint8Array(await zip.arrayBuffer()));
  const scripts = [1, 2].map((learner) => `${learner} Learner ${learner} - unsigned.pdf`);
  assert.deepEqual(Object.keys(files), scripts);
  assert.match(Buffer.from(files[scripts[1]!]!).toString("latin1"), /^%PDF-/);
});

test("marked scripts are under the link only while the class is published", async () => {
  const { server, token, get } = await classWithScripts();
  assert.equal((await get("HEAD")).status, 200);
  const { fields } = formOf(await (await pageOf(server, token)).text(), "publish-share");
  await post(server, token, { ...fields, intent: "publish-withdraw", by });
  assert.equal((await get("HEAD")).status, 404);
});

test("marked scripts whose pictures are gone are prepared, and can be downloaded then", async () => {
  const { server, get } = await classWithScripts();
  await server.change("DELETE FROM rendered_files");
  const early = await get();
  assert.equal(early.status, 503);
  assert.match(await early.text(), /being prepared\. Please try again in a few minutes/);
  await until(async () => (await server.query("SELECT 1 FROM class_jobs")).length === 0);
  const prepared = await get();
  assert.equal(prepared.status, 200);
  await prepared.body!.cancel();
});

test("archives of marked scripts are made one at a time, while two wait", async () => {
  const { get } = await classWithScripts();
  const many = [get(), get(), get(), get()];
  await Promise.any(many.map(async (response) => assert.equal((await response).status, 503)));
  const statuses = many.map(async (response) => {
    const { status, body } = await response;
    await body!.cancel();
    return status;
  });
  assert.deepEqual((await Promise.all(statuses)).sort(), [200, 200, 200, 503]);
});

test("an archive of marked scripts that fails or is not read gives its place back", async () => {
  const { server, get } = await classWithScripts();
  await server.change("ALTER TABLE rendered_files RENAME TO away");
  assert.equal((await get()).status, 500);
  await server.change("ALTER TABLE away RENAME TO rendered_files");
  assert.equal((await get("HEAD")).status, 200);
  for (const before of ["one that failed", "one that was not read"]) {
    const next = await get();
    assert.equal(next.status, 200, `after ${before}`);
    await next.body!.cancel();
  }
});

test("the tabs of the team's page and of the desk of one class have different titles", async () => {
  const { server, reference, token, run } = await openClass();
  const { out } = await succeeded(run("marking", "open", reference, "--marker", "N. Dlamini"));
  const pages = [await pageOf(server, token), await fetch(out.trim())];
  const titles = await Promise.all(
    pages.map(async (page) => /<title>([^<]*)<\/title>/.exec(await page.text())?.[1]),
  );
  assert.deepEqual(titles, ["questions", "Marking: questions"]);
});

/** A class that was published and signed. */
async function signedClass() {
  const opened = await importedClass();
  const sign = (day: string) =>
    opened.server.change(`INSERT INTO signatures (assessment_id, result_link_id, signed_by, created_at)
      SELECT id, NULL, 'T. Example', '${day}T00:00:00.000Z' FROM assessments`);
  await opened.publish();
  await sign("2026-11-01");
  return { ...opened, sign };
}

test("the lead is told whether a link to the reopened marks is open", async () => {
  const { ask, shown, sign } = await signedClass();
  const reopen = async () => textOf(await (await ask("publish-reopen", await shown())).text());
  assert.match(await reopen(), /can be changed again, under the link that is open\./);
  await sign("2026-11-02");
  await ask("publish-withdraw", await shown());
  assert.match(await reopen(), /Thandi Example has no open link to them/);
});

test("an educator who signed gets an email when the lead reopens the marks", async () => {
  const { server, reference, ask, shown, sign } = await signedClass();
  const seen = await shown();
  assert.equal((await ask("publish-reopen", seen)).status, 200);
  assert.equal(
    (await ask("publish-reopen", seen)).status,
    409,
    "the marks are not signed any more",
  );
  await sign("2026-11-02");
  assert.equal(
    (await ask("publish-reopen", seen)).status,
    409,
    "the page showed another signature",
  );
  const emails = await server.query<{ recipient: string; subject: string; body: string }>(
    `SELECT recipient, subject, body FROM outbox WHERE kind = 'reopened' AND reference = '${reference}'`,
  );
  assert.equal(emails.length, 1);
  const [{ recipient, subject, body }] = emails as [(typeof emails)[number]];
  assert.equal(recipient, "thandi@school.example");
  assert.ok(subject.includes(reference));
  assert.match(body, /reopened[\s\S]*find the private link[\s\S]*sign/);
  assert.doesNotMatch(body, /Learner|L\. Lead|42[.,]5/);
});

test("the page says that emails wait only if no mail server is set", async (t) => {
  const waits = / waits until a mail server/;
  const withoutMail = await importedClass();
  assert.match(await (await withoutMail.publish()).text(), waits);
  const server = await startServer(t, { env: { RUBRICON_MAIL_URL: "file:mail" } });
  const { ask, publish, token } = await importClass(server);
  const form = formOf(await (await pageOf(server, token)).text(), "markers-open");
  const marker = { by, marker: "S. Naidoo", email: "s.naidoo@school.example" };
  const opened = await (await ask("markers-open", { ...form.fields, ...marker })).text();
  assert.match(opened, /S\. Naidoo is sent to s\.naidoo@school\.example\./);
  const published = await (await publish()).text();
  assert.match(published, /published/);
  for (const html of [opened, published]) assert.doesNotMatch(html, waits);
});
