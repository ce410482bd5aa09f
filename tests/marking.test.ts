/** A team marks a class on the desk, without JavaScript. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import {
  openLink,
  prepareClass,
  readDesk,
  storeRenderings,
  twoPages,
  withStore,
} from "./support/desk.ts";
import { assertErrorAt, formOf, type HtmlForm, postForm, textOf } from "./support/html-forms.ts";
import { open } from "./support/raw-client.ts";
import { formType, sendRequest } from "./support/send-request.ts";
import { copiedFolder, type Server, setUpOnce, startServer, until } from "./support/server.ts";

const names = ["anna.txt", "ben.txt", "cleo.txt"];

/** A class, with a link to it and the query of its first answer. */
const prepare = setUpOnce(async (server) => {
  const desk = await prepareClass(server, names);
  const answer = { view: "mark", learner: desk.ids[0]!, question: "1.1" };
  return { server, ...desk, token: await openLink(server, desk), answer };
});

const linkOf = (html: string, text: string) =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)</g)]
    .find(([, , own]) => own === text)?.[1]
    ?.replaceAll("&amp;", "&") ?? assert.fail(`no link ${text}`);

test("the overview says how much is decided, and as whom the link decides", async () => {
  const { server, token } = await prepare();
  const { html } = await readDesk(server, token);
  assert.match(textOf(html), /0 of 6 decided\. You decide as N\. Dlamini/);
});

test("Start marking leads to the first open answer, beside its memo", async () => {
  const { server, token } = await prepare();
  const overview = await readDesk(server, token);
  const redirected = await sendRequest(server.url, linkOf(overview.html, "Start marking"));
  assert.equal(redirected.status, 302);
  const first = await readDesk(server, token, { view: "mark" });
  assert.equal(redirected.headers.location, first.path);
  assert.match(textOf(first.html), /Learner 1, question 1\.1.*Memo: leaves; roots/s);
});

/** The form that saves the mark of an answer. */
const formAt = async (...answer: Parameters<typeof readDesk>) =>
  formOf((await readDesk(...answer)).html, "save");

/** Saves a mark for the first answer of a class. Returns what is responded. */
async function markFirst() {
  const prepared = await prepare();
  const { server, token } = prepared;
  const form = await formAt(server, token, { view: "mark" });
  const typed = { marks: "2,5", comment: "See <line> 3." };
  return { ...prepared, saved: await postForm(server.url, form, "save", typed) };
}

test("an answer that is marked without script leads to the next one, which says what was saved", async () => {
  const { server, saved } = await markFirst();
  assert.equal(saved.status, 303, saved.bytes.toString().slice(0, 300));
  const next = await sendRequest(server.url, saved.headers.location!);
  const text = textOf(next.bytes.toString());
  assert.match(text, /Learner 2, question 1\.1/);
  assert.match(text, /Saved \d\d:\d\d: Learner 1, question 1\.1: 2\.5\. Change it/);
  assert.match(text, /1 of 6 decided/);
});

test("the redirect to the next answer is not cached", async () => {
  const { saved } = await markFirst();
  assert.equal(saved.headers["cache-control"], "no-store");
});

test("a mark that is saved is the decision of the link's marker", async () => {
  const { server, token } = await markFirst();
  const decisions = await server.query("SELECT to_marks, decided_by, how, comment FROM decisions");
  const decision = { to_marks: 2.5, decided_by: "N. Dlamini", how: "entered" };
  assert.deepEqual(decisions, [{ ...decision, comment: "See <line> 3." }]);
  const { html } = await readDesk(server, token);
  assert.match(textOf(html), /Learner 1, question 1\.1: 2\.5 decided/);
});

/** A class whose scripts have two pages each. */
const prepareScripts = setUpOnce(async () => {
  const prepared = await prepare();
  await storeRenderings(prepared.server, prepared.token);
  return prepared;
});

test("without script the page that was chosen stays chosen in the next work, and on the way back", async () => {
  const { server, ids, token } = await prepareScripts();
  const first = await formAt(server, token, { view: "mark" });
  const saved = await postForm(server.url, first, "save", { marks: "2", from: "2" });
  const location = saved.headers.location!;
  assert.match(location, /&page=2&.*#shown$/);
  const next = (await sendRequest(server.url, location.split("#")[0]!)).bytes.toString();
  const [, pageOne, pageTwo] = next.split(/<figure/);
  assert.doesNotMatch(pageOne!, /id="shown"/);
  assert.match(pageTwo!, /id="shown"/);
  assert.match(formOf(next, "save").action, /page=2/);
  assert.match(linkOf(next, "Next, without deciding"), /page=2/);
  const back = linkOf(next, "The answer before");
  assert.match(back, new RegExp(`learner=${ids[0]}&question=1.1&page=2`));
  assert.match(textOf((await sendRequest(server.url, back)).bytes.toString()), /Learner 1, quest/);
});

/** Turns all pages of an answer without JavaScript, with a mark typed that is not saved. */
function turnAll({ url }: Server, html: string, marks: string) {
  const [, value] = /value="(\d+-2-90)" name="turnAll"/.exec(html)!;
  return postForm(url, formOf(html, "save"), undefined, { marks, turnAll: value! });
}

test("turning all pages of a script without JavaScript keeps what was typed", async () => {
  const { server, token } = await prepareScripts();
  const { html } = await readDesk(server, token, { view: "mark" });
  const turned = await turnAll(server, html, "1");
  assert.equal(turned.status, 303);
  assert.match(turned.headers.location!, /#page-\d+-2$/);
  const draft = await formAt(server, token, { view: "mark" });
  assert.equal(draft.fields.marks, "1");
});

test("pages are turned from upright, so a repeated post turns them no further", async () => {
  const { server, token } = await prepareScripts();
  const { html } = await readDesk(server, token, { view: "mark" });
  for (const _ of [1, 2]) assert.equal((await turnAll(server, html, "1")).status, 303);
  assert.deepEqual(await server.query("SELECT page, turn FROM page_turns ORDER BY page"), [
    { page: 1, turn: 90 },
    { page: 2, turn: 90 },
  ]);
});

test("an answer links to the question paper and the memo", async () => {
  const { server, token } = await prepare();
  const { html } = await readDesk(server, token, { view: "mark" });
  const read = await sendRequest(server.url, linkOf(html, "Question paper and memo"));
  assert.match(textOf(read.bytes.toString()), /Question paper.*Open the original, .*Memo/s);
});

test("a stored mark is named beside one that was typed and not saved", async () => {
  const { server, token, answer } = await prepareScripts();
  await postForm(server.url, await formAt(server, token, answer), "save", { marks: "2" });
  const decided = await readDesk(server, token, answer);
  await turnAll(server, decided.html, "1");
  const typed = await readDesk(server, token, answer);
  assert.match(textOf(typed.html), /You typed this before and have not saved it\. 2 is stored\./);
});

/** A class whose second learner has sent no work, with a link to one of its questions and that learner's answer. */
const prepareWithoutWork = setUpOnce(async () => {
  const prepared = await prepare();
  const { server, ids, assessmentId } = prepared;
  const some = { marker: "S. Naidoo", questions: ["1.1"] };
  const part = await openLink(server, { assessmentId }, some);
  await server.change(`DELETE FROM submission_files WHERE submission_id = ${ids[1]}`);
  return { ...prepared, part, answer: { view: "mark", learner: ids[1]!, question: "1.1" } };
});

test("a link to some questions offers to report a learner absent only without work", async () => {
  const { server, ids, part, answer } = await prepareWithoutWork();
  const shown = await readDesk(server, part, answer);
  assert.match(textOf(shown.html), /Learner 2 has sent no work\. Absent/);
  assert.match(shown.html, /value="absent"/);
  const withWork = await readDesk(server, part, { ...answer, learner: ids[0]! });
  assert.match(textOf(withWork.html), /Learner 1, question 1\.1/);
  assert.doesNotMatch(withWork.html, /value="absent"/);
});

test("a learner reported absent under a link to some questions is left to the lead", async () => {
  const { server, ids, part, token, answer } = await prepareWithoutWork();
  const reported = await postForm(server.url, await formAt(server, part, answer), "absent");
  assert.equal(reported.status, 303);
  const next = textOf((await sendRequest(server.url, reported.headers.location!)).bytes.toString());
  assert.match(next, /Saved: Learner 2: absent, for the lead to decide/);
  for (const link of [part, token]) {
    const left = textOf((await readDesk(server, link, { view: "finish" })).html);
    assert.match(left, /these learners were absent:Learner 2, says S\. Naidoo/);
    assert.match(left, /Question 1\.1: 2 answers/);
  }
  const learner = await readDesk(server, token, { view: "learners", learner: ids[1]! });
  assert.match(textOf(learner.html), /absent, says S\. Naidoo.*Not absent/s);
});

test("a mark that is saved after the lead has set its learner absent is named as saved", async () => {
  const { server, ids, token, answer } = await prepare();
  const open = await formAt(server, token, answer);
  const absent = { change: "no grade", learnerId: ids[0]!, noGrade: "absent" } as const;
  await withStore(server, (store) => store.changeLearners(token, absent, new Date()));
  const saved = await postForm(server.url, open, "save", { marks: "2" });
  const next = textOf((await sendRequest(server.url, saved.headers.location!)).bytes.toString());
  assert.match(next, /Saved \S+ Learner 1, question 1\.1: 2 \(absent\)\. Change it/);
});

test("a learner reported absent who gets a mark cannot be reported again", async () => {
  const { server, part, token, answer } = await prepareWithoutWork();
  const shown = await formAt(server, part, answer);
  assert.equal((await postForm(server.url, shown, "absent")).status, 303);
  const own = await formAt(server, token, answer);
  assert.equal((await postForm(server.url, own, "save", { marks: "1" })).status, 303);
  const late = await postForm(server.url, shown, "absent");
  assert.equal(late.status, 409);
  assert.match(textOf(late.bytes.toString()), /A mark of the learner is decided already/);
});

/** Decides a mark of the learner without work. Returns a function that reads what is left. */
async function markWithoutWork() {
  const prepared = await prepareWithoutWork();
  const { server, part, answer } = prepared;
  const form = await formAt(server, part, answer);
  assert.equal((await postForm(server.url, form, "save", { marks: "1" })).status, 303);
  const left = async () => textOf((await readDesk(server, part, { view: "finish" })).html);
  return { ...prepared, left };
}

test("what is left names a learner who has marks and no work, until set absent", async () => {
  const { server, ids, token, left } = await markWithoutWork();
  assert.match(await left(), /have marks, but no work, and are not set absent:Learner 2/);
  const page = await readDesk(server, token, { view: "learners", learner: ids[1]! });
  const absent = { ...formOf(page.html, "no grade"), fields: { reason: "absent" } };
  assert.equal((await postForm(server.url, absent, "no grade")).status, 303);
  assert.match(await left(), /1 learner without a grade.*of whom 1 set absent with work or a mark/);
  assert.doesNotMatch(await left(), /but no work/);
});

test("of a class that was marked from the paper itself, no learner is named as without work", async () => {
  const { server, left } = await markWithoutWork();
  assert.match(await left(), /but no work/);
  await server.change("DELETE FROM submission_files");
  const text = await left();
  assert.match(text, /Question 1\.1: 2 answers/);
  assert.doesNotMatch(text, /no work/);
});

const decisionCount = (server: Server) =>
  server.query<{ n: number }>("SELECT count(*) AS n FROM decisions").then(([row]) => row!.n);

/** An answer of the class, with the form that saves its mark. */
async function answerToSave() {
  const prepared = await prepare();
  const { server, token, answer } = prepared;
  const read = async (link = token) => (await readDesk(server, link, answer)).html;
  const form = await formAt(server, token, answer);
  const save = (typed: Record<string, string>) => postForm(server.url, form, "save", typed);
  return { ...prepared, read, save };
}

test("what was typed and cannot be a mark is the draft of its link only", async () => {
  const { server, assessmentId, read, save } = await answerToSave();
  await save({ marks: "9" });
  assert.equal(formOf(await read(), "save").fields.marks, "9");
  const other = await openLink(server, { assessmentId }, { marker: "S. Naidoo" });
  assert.equal(formOf(await read(other), "save").fields.marks, "");
  assert.equal(await decisionCount(server), 0);
});

test("only a link to the whole class that shows names says who decided a mark", async () => {
  const { server, token, assessmentId, read, save } = await answerToSave();
  await save({ marks: "2" });
  const lead = { marker: "L. Lead (lead)", showsNames: true };
  const named = textOf(await read(await openLink(server, { assessmentId }, lead)));
  const count = named.match(/(?<!Decided )by N\. Dlamini/g)?.length;
  assert.equal(count, 1, "the screen and the printed page have the same name");
  const part = await openLink(server, { assessmentId }, { ...lead, questions: ["1.1"] });
  for (const link of [token, part]) {
    assert.doesNotMatch(textOf(await read(link)), /by N\. Dlamini/);
  }
});

test("nothing is cut off a comment that is too long", async () => {
  const { server, read, save } = await answerToSave();
  const long = "<".repeat(12_000);
  const returned = await save({ marks: "2", comment: long });
  assert.equal(formOf(returned.bytes.toString(), "save").fields.comment, long);
  assert.equal(formOf(await read(), "save").fields.comment, long);
  assert.equal(await decisionCount(server), 0);
});

test("what a link does not open is a 404", async () => {
  const { server, ids, token, answer } = await prepare();
  const form = await formAt(server, token, answer);
  const elsewhere = (action: string) =>
    postForm(server.url, { ...form, action }, "save", { marks: "2" });
  const at = (query: string) => `/marking?link=${token}&view=mark&${query}`;
  for (const [action, said] of [
    [at("learner=99999&question=1.1"), "There is no such learner or answer"],
    [at(`learner=${ids[0]}&question=9`), "There is no such learner or answer"],
    [at("learner=1e9&question=1.1"), "There is no such learner or answer"],
    [form.action.replace(token, "A".repeat(43)), "This link is not open any more"],
  ] as const) {
    const { status, bytes } = await elsewhere(action);
    assert.equal(status, 404, action);
    assert.ok(textOf(bytes.toString()).includes(said), said);
  }
  const missing: Record<string, string>[] = [
    { view: "mark", learner: "99999", question: "1.1" },
    { view: "mark", learner: `${ids[0]}.0`, question: "1.1" },
    { view: "learners", learner: `0x${ids[0]}` },
    { view: "other" },
  ];
  for (const query of missing) {
    assert.equal((await readDesk(server, token, query)).status, 404, JSON.stringify(query));
  }
  assert.equal(await decisionCount(server), 0);
});

test("requests of the desk are logged without the token of their link", async () => {
  const { server, token } = await markFirst();
  assert.match(server.log(), /GET \/marking 200.*POST \/marking 303/s);
  assert.ok(!server.log().includes(token));
});

/** An answer as two markers have opened it, with a function that posts the form of either. */
async function answerOfTwo() {
  const { server, token, assessmentId, answer } = await prepare();
  const other = await openLink(server, { assessmentId }, { marker: "S. Naidoo" });
  const mine = (await readDesk(server, token, answer)).html;
  const theirs = (await readDesk(server, other, answer)).html;
  const save = (html: string, typed?: Record<string, string>) =>
    postForm(server.url, formOf(html, "save"), "save", typed);
  const decisions = () => server.query("SELECT to_marks, decided_by FROM decisions ORDER BY id");
  return { server, mine, theirs, save, decisions };
}

test("a marker is told who has the answer open too", async () => {
  const { theirs } = await answerOfTwo();
  assert.match(textOf(theirs), /N\. Dlamini has this open too/);
});

test("a mark whose post is repeated is stored once", async () => {
  const { mine, save, decisions } = await answerOfTwo();
  for (const _ of [1, 2]) assert.equal((await save(mine, { marks: "2" })).status, 303);
  assert.deepEqual(await decisions(), [{ to_marks: 2, decided_by: "N. Dlamini" }]);
});

test("a marker whose answer another has decided meanwhile sees both marks and chooses", async () => {
  const { mine, theirs, save, decisions } = await answerOfTwo();
  await save(mine, { marks: "2" });
  const conflict = await save(theirs, { marks: "1", comment: "Mine" });
  assert.equal(conflict.status, 409);
  const html = conflict.bytes.toString();
  assert.match(textOf(html), /Decided by N\. Dlamini: 2\. Save to put yours in its place/);
  const again = formOf(html, "save");
  assert.deepEqual([again.fields.marks, again.fields.comment], ["1", "Mine"]);
  assert.equal((await save(html)).status, 303);
  assert.deepEqual(await decisions(), [
    { to_marks: 2, decided_by: "N. Dlamini" },
    { to_marks: 1, decided_by: "S. Naidoo" },
  ]);
});

test("a mark that another has decided alike meanwhile is said to be the other's", async () => {
  const { server, mine, theirs, save } = await answerOfTwo();
  await save(theirs, { marks: "1", comment: "Mine" });
  const same = await save(mine, { marks: "1", comment: "Mine" });
  const after = await sendRequest(server.url, same.headers.location!);
  assert.match(textOf(after.bytes.toString()), /Decided by S\. Naidoo, \d\d:\d\d: Learner 1/);
});

test("posts under an open link do not count for their address, also on a server that has not shown its page", async (t) => {
  const { server: shared, token, assessmentId, answer } = await prepare();
  const other = await openLink(shared, { assessmentId }, { marker: "S. Naidoo" });
  const form = await formAt(shared, token, answer);
  const folder = copiedFolder(t, shared);
  const server = await startServer(t, { folder, env: { RUBRICON_POSTS_PER_10_MINUTES: "1" } });
  const post = async (link: string, marks: string) => {
    const action = form.action.replace(token, link);
    return (await postForm(server.url, { ...form, action }, "save", { marks })).status;
  };
  for (const _ of [1, 2]) assert.equal(await post(token, "2"), 303);
  await readDesk(server, other, answer);
  for (const _ of [1, 2]) assert.equal(await post(other, "1"), 409);
  assert.equal(await post("A".repeat(43), "1"), 404, "a failed token counts by address");
  assert.equal(await post("B".repeat(43), "1"), 429);
});

/** Makes the first learner's work two pages, the second's paragraphs, and the third's a file that cannot be shown. */
const prepareRendered = setUpOnce(async () => {
  const prepared = await prepare();
  const { server, ids, token } = prepared;
  const paragraphs = ["<b>One</b>", "1.1 Leaves.", "1.10 No.", "1.2 a", "1.2 b"];
  const original = { kind: "original", reason: "needs more memory." } as const;
  const renderings = [twoPages, { kind: "paragraphs" as const, paragraphs }, original];
  const fileIds = await storeRenderings(server, token, renderings);
  const show = async (learner: number, question = "1.1", link = token) =>
    (await readDesk(server, link, { view: "mark", learner: ids[learner]!, question })).html;
  const get = (path: string) => sendRequest(server.url, `/api/marking/${path}`);
  return { ...prepared, fileIds, show, get };
});

test("work is shown as pages, as paragraphs, or by a link to the original with the reason", async () => {
  const { show } = await prepareRendered();
  const pages = await show(0);
  assert.match(pages, /alt="Page 1 of 2 of learner 1"/);
  assert.match(pages, /loading="lazy"/);
  assert.match(textOf(pages), /It may be empty\..*Typed &amp; &lt;b&gt;/s);
  assert.match(await show(1), /<li [^>]*><span>&lt;b&gt;One&lt;\/b&gt;</);
  assert.match(
    textOf(await show(1)),
    /footnotes and the numbers of lists may be missing, and the layout differs\. Open the original/,
  );
  assert.match(textOf(await show(2)), /This file needs more memory\.Open the original/);
});

test("a file's name, which may be the learner's, is shown only under a link that shows names", async () => {
  const { server, assessmentId, show } = await prepareRendered();
  for (const [learner, name] of [/anna/, /\bben\b/, /cleo/].entries())
    assert.doesNotMatch(await show(learner), name);
  const named = await openLink(server, { assessmentId }, { showsNames: true });
  const shown = textOf(await show(2, "1.1", named));
  assert.match(shown, /cleo\.txt: needs more memory\.Open the original, cleo\.txt/);
});

test("the paragraph that begins with the question's number is tinted if it is the only one", async () => {
  const { show } = await prepareRendered();
  assert.deepEqual((await show(1)).match(/class="tinted cluster"><span>[^<]*/g), [
    'class="tinted cluster"><span>1.1 Leaves.',
  ]);
  assert.doesNotMatch(await show(1, "1.2"), /tinted/, "nothing is tinted if two begin with 1.2");
});

test("below a number that stands alone its answer is tinted, up to the next number", async () => {
  const { server, ids, token, fileIds } = await prepareRendered();
  const tinted = async (paragraphs: string[]) => {
    const rendering = { kind: "paragraphs", paragraphs } as const;
    await withStore(server, (store) => store.storeRendering(fileIds[1]!, rendering, new Date()));
    const answer = { view: "mark", learner: ids[1]!, question: "1.2" };
    const { html } = await readDesk(server, token, answer);
    return [...html.matchAll(/class="tinted cluster"><span>([^<]*)/g)].map(([, text]) => text);
  };
  const answer = ["Question 1.2:", "Less water is lost.", "At night, too."];
  assert.deepEqual(await tinted(["1.1", "Leaves.", ...answer, "2.1", "No."]), answer);
  assert.deepEqual(await tinted(["1.1", "Leaves.", ...answer]), answer);
});

const [firstPage] = twoPages.kind === "pages" ? twoPages.pages : [];

/** The first learner's first page and original, as a link to their class opens them. */
async function sentFiles() {
  const { token, fileIds, get } = await prepareRendered();
  const picture = await get(`${token}/pages/${fileIds[0]}/1`);
  return { picture, original: await get(`${token}/originals/${fileIds[0]}`) };
}

test("a page image and an original are sent as stored, the original under the learner's number", async () => {
  const { picture, original } = await sentFiles();
  assert.equal(picture.status, 200);
  assert.deepEqual(picture.bytes, firstPage!.webp);
  assert.equal(original.status, 200);
  assert.match(original.bytes.toString(), /^Answers 0\.\d+$/);
  const disposition = String(original.headers["content-disposition"]);
  assert.match(disposition, /^attachment; filename="learner 1\.txt"/);
});

test("page images and originals are sent with the headers of private files that run nothing", async () => {
  for (const [file, { headers }] of Object.entries(await sentFiles())) {
    assert.equal(headers["cache-control"], "no-store", file);
    assert.equal(headers["x-robots-tag"], "noindex", file);
    assert.equal(headers["x-content-type-options"], "nosniff", file);
    assert.equal(headers["referrer-policy"], "strict-origin", file);
    assert.match(String(headers["content-security-policy"]), /^default-src 'none';.* sandbox$/);
  }
});

test("an original is recorded as opened when it is read, not when it is asked for by HEAD", async () => {
  const { server, token, fileIds } = await prepareRendered();
  const path = `/api/marking/${token}/originals/${fileIds[0]}`;
  for (const [method, opened] of [
    ["HEAD", 0],
    ["GET", 1],
  ] as const) {
    assert.equal((await sendRequest(server.url, path, { method })).status, 200);
    const audit = await server.query("SELECT 1 FROM audit WHERE action = 'original opened'");
    assert.equal(audit.length, opened, method);
  }
});

test("a page or file that a class does not have is a 404", async () => {
  const { token, fileIds, get } = await prepareRendered();
  for (const path of [
    `pages/${fileIds[0]}/3`,
    `pages/${fileIds[0]}/0`,
    "pages/-1/1",
    "pages/1e3/1",
    "originals/99999999999999999999",
  ]) {
    assert.equal((await get(`${token}/${path}`)).status, 404, path);
  }
});

test("a link opens nothing of other learners and requests", async () => {
  const { server, ids, assessmentId, fileIds, get } = await prepareRendered();
  const foreign = await openLink(server, await prepareClass(server, ["dora.txt"]));
  const part = await openLink(server, { assessmentId }, { learners: [ids[0]!] });
  for (const path of [
    `${foreign}/pages/${fileIds[0]}/1`,
    `${foreign}/originals/${fileIds[0]}`,
    `${part}/originals/${fileIds[1]}`,
    `${"A".repeat(43)}/pages/${fileIds[0]}/1`,
  ]) {
    assert.equal((await get(path)).status, 404, path);
  }
  const partial = await readDesk(server, part);
  assert.match(partial.html, /Learner 1/);
  assert.doesNotMatch(partial.html, /Learner 2/);
  assert.equal((await readDesk(server, part, { view: "learners", learner: ids[1]! })).status, 404);
});

test("a closed link only shows what is posted to it", async () => {
  const { server, token, assessmentId, fileIds, show, get } = await prepareRendered();
  const form = formOf(await show(0), "save");
  await withStore(server, (store) => store.closeMarkingLinks(assessmentId, undefined, new Date()));
  const closed = await readDesk(server, token);
  assert.equal(closed.status, 404);
  assert.match(textOf(closed.html), /This link opens no marking desk/);
  assert.equal((await readDesk(server, "unknown")).html, closed.html);
  const late = await postForm(server.url, form, "save", { marks: "2", comment: "Typed" });
  assert.equal(late.status, 404);
  assert.match(textOf(late.bytes.toString()), /You sent: question 1\.1, mark 2, “Typed”/);
  assert.match(late.bytes.toString(), /<title>Error: /);
  const ticks = { points: "3 12:1 13:0.5", "tick-12": "on", "tick-13": "on" };
  const ticked = await postForm(server.url, form, "save", ticks);
  assert.match(textOf(ticked.bytes.toString()), /question 1\.1, ticks that add up to 1\.5\./);
  assert.equal((await get(`${token}/pages/${fileIds[0]}/1`)).status, 404);
  assert.equal(await decisionCount(server), 0);
});

const typedLines =
  "1 | 3 | Names <three> | leaves\n4.1 | 5 | One\n4.2 | 5 | Two\nchoose 1: 4.1 4.2";

/** A class without questions, with the form that sets them. */
const prepareQuestions = setUpOnce(async (server) => {
  const desk = await prepareClass(server, names, []);
  const token = await openLink(server, desk);
  const read = async () => (await readDesk(server, token, { view: "questions" })).html;
  return { server, token, read, form: formOf(await read(), "questions") };
});

test("a class without a title, or with an unreadable one, is told so at the title, and not at the questions", async () => {
  const { server, form } = await prepareQuestions();
  const postTitle = (title: string) =>
    postForm(server.url, form, "questions", { title, lines: typedLines });
  const unreadable = (await postTitle("Test \ufffd")).bytes.toString();
  assert.match(unreadable, /id="title-error"[^>]*>(<[^>]*>)*The title contains a character that/);
  const { status, bytes } = await postTitle(" ");
  assert.equal(status, 422);
  const html = bytes.toString();
  assert.match(html, /id="title-error"[^>]*>(<[^>]*>)*Type a title for the class\./);
  assert.equal(
    html.match(/Type a title for the class\./g)?.length,
    2,
    "the advice is at the title and in the summary",
  );
});

test("a desk without questions leads to the page that sets them", async () => {
  const { server, token } = await prepareQuestions();
  const { html } = await readDesk(server, token);
  assert.match(linkOf(html, "Set the questions"), /view=questions/);
});

test("questions that cannot be read come back with errors by line", async () => {
  const { server, form } = await prepareQuestions();
  // Browsers send line ends so.
  const lines = "1 | three | A\r\n2 | 3 | B\r\n2 | 1";
  const wrong = await postForm(server.url, form, "questions", { title: "Plants", lines });
  assert.equal(wrong.status, 422);
  const html = wrong.bytes.toString();
  assert.match(textOf(html), /Line 1: The marks.*Line 3: There are two questions 2\./s);
  assert.equal(formOf(html, "questions").fields.lines, lines);
});

test("questions are set as they are typed, line by line", async () => {
  const { server, read } = await prepareQuestions();
  for (const [lines, sum] of [
    [typedLines, "3 questions, 8 marks."],
    ["1 | 1 | One", "1 question, 1 mark."],
  ] as const) {
    const form = formOf(await read(), "questions");
    const set = await postForm(server.url, form, "questions", { title: "Plants", lines });
    assert.equal(set.status, 303, textOf(set.bytes.toString()).slice(0, 400));
    const html = await read();
    assert.ok(textOf(html).includes(sum), sum);
    assert.equal(formOf(html, "questions").fields.lines, lines);
  }
});

test("questions of the greatest length are stored in Greek too", async () => {
  const { server, read, form } = await prepareQuestions();
  const line = (number: number) => `${number} | 1 | ${"ω".repeat(400)} | ${"λ".repeat(185)}`;
  const lines = Array.from({ length: 100 }, (_, index) => line(index + 1)).join("\n");
  const sent = await postForm(server.url, form, "questions", { title: "Plants", lines });
  assert.equal(sent.status, 303);
  assert.ok(formOf(await read(), "questions").fields.lines === lines);
});

test("questions that were typed while others were stored come back", async () => {
  const { server, form } = await prepareQuestions();
  await postForm(server.url, form, "questions", { title: "Plants", lines: typedLines });
  const stale = await postForm(server.url, form, "questions", { title: "Plants", lines: "1 | 2" });
  assert.equal(stale.status, 409);
  assert.match(textOf(stale.bytes.toString()), /The questions have changed/);
  assert.equal(formOf(stale.bytes.toString(), "questions").fields.lines, "1 | 2");
});

test("a change to questions with decided marks is asked about first", async () => {
  const { server, token, read, form } = await prepareQuestions();
  await postForm(server.url, form, "questions", { title: "Plants", lines: typedLines });
  const answer = await formAt(server, token, { view: "mark" });
  await postForm(server.url, answer, "save", { marks: "3" });
  const change = { title: "Plants", lines: typedLines.replace("1 | 3", "1 | 2") };
  const asked = await postForm(server.url, formOf(await read(), "questions"), "questions", change);
  assert.equal(asked.status, 409);
  assert.match(textOf(asked.bytes.toString()), /Question 1 is out of 2 in place of 3/);
  assert.match(textOf(await read()), /3 questions, 8 marks\./);
  const confirm = formOf(asked.bytes.toString(), "questions");
  assert.equal((await postForm(server.url, confirm, "questions")).status, 303);
  assert.match(textOf(await read()), /3 questions, 7 marks\./);
});

/** A class with scripts, with functions that read its learners, and post a form about one of them or about all. */
async function classOfLearners() {
  const { server, ids, token } = await prepareScripts();
  const read = async (learner?: number) =>
    (await readDesk(server, token, { view: "learners", ...(learner && { learner }) })).html;
  const change = async (intent: string, filled: Record<string, string>, learner?: number) =>
    postForm(server.url, formOf(await read(learner), intent), intent, filled);
  return { server, token, ids: ids as [number, number, number], read, change };
}

test("a learner set absent has no grade", async () => {
  const { server, token, ids, read, change } = await classOfLearners();
  assert.equal((await change("no grade", { reason: "absent" }, ids[0])).status, 303);
  assert.match(textOf(await read(ids[0])), /0 of 2 decided, absent: no grade/);
  assert.match(textOf((await readDesk(server, token)).html), /0 of 4 decided/);
});

test("the page of learners says that pages and comments may name them", async () => {
  const { read } = await classOfLearners();
  const warning = /Handwriting, or a name on a page or in a comment, may still say who/;
  assert.match(textOf(await read()), warning);
});

test("a learner is added under a number that is free", async () => {
  const { read, change } = await classOfLearners();
  const taken = await change("add", { number: "2", name: "Zo <b>" });
  assertErrorAt(taken.bytes.toString(), "add-number", "Another learner has this number.");
  assert.match(taken.bytes.toString(), /href="#add-number">/);
  assert.equal(taken.status, 422);
  assert.equal(formOf(taken.bytes.toString(), "add").fields.name, "Zo <b>");
  assert.equal((await change("add", { number: "9", name: "Zo" })).status, 303);
  assert.match(textOf(await read()), /Learner 9 no work/);
});

test("the files of two learners are joined", async () => {
  const { ids, read, change } = await classOfLearners();
  assert.equal((await change("join", { other: String(ids[1]) }, ids[0])).status, 303);
  assert.match(textOf(await read()), /Learner 1 2 files/);
});

test("a file is divided between two learners at a page that it has", async () => {
  const { ids, read, change } = await classOfLearners();
  const divide = (page: string) => change("divide", { page, to: String(ids[0]) }, ids[2]);
  const none = await divide("3");
  assert.equal(none.status, 422);
  assert.match(textOf(none.bytes.toString()), /There is no such page/);
  assert.equal((await divide("2")).status, 303);
  assert.match(textOf(await read()), /Learner 1 2 files/);
});

test("learners whose work cannot be joined stay chosen", async () => {
  const { server, ids, token } = await prepare();
  const save = await formAt(server, token, { view: "mark", learner: ids[2]!, question: "1.1" });
  assert.equal((await postForm(server.url, save, "save", { marks: "1" })).status, 303);
  const { html } = await readDesk(server, token, { view: "learners", learner: ids[0]! });
  const other = String(ids[2]);
  const { status, bytes } = await postForm(server.url, formOf(html, "join"), "join", { other });
  assert.equal(status, 409);
  assert.match(bytes.toString(), new RegExp(`<option[^>]* value="${other}"[^>]* selected=""`));
});

const pagesAndText = [twoPages, { kind: "paragraphs" as const, paragraphs: ["One."] }];

/** A desk with two pages and a text, with functions that read the first answer and post its form with a stamp. */
const prepareStamps = setUpOnce(async () => {
  const { server, ids, token, answer } = await prepare();
  const [fileId, textId] = await storeRenderings(server, token, pagesAndText);
  const read = async (more = {}) => (await readDesk(server, token, { ...answer, ...more })).html;
  const form = formOf(await read(), "save");
  const click = (filled: Record<string, string>, base = form) =>
    postForm(server.url, base, undefined, { marks: "2,", comment: "So far", ...filled });
  const at = `at-${fileId}-1-640`;
  return { server, ids, token, fileId, textId, answer, read, click, at };
});

test("Enter in the form of an answer saves it", async () => {
  const { read } = await prepareStamps();
  // Enter presses the first button of a form, which may be outside it.
  const [first] = /<(button|input)[^>]* form="mark-form"[^>]*>|<form [^>]*id="mark-form"/.exec(
    await read(),
  )!;
  assert.match(first!, /value="save"/);
});

test("a click on a page places the chosen stamp without losing what was typed", async () => {
  const { server, fileId, click, at } = await prepareStamps();
  const placed = await click({ [`${at}.x`]: "160", [`${at}.y`]: "436", stamp: "cross" });
  assert.equal(placed.status, 303, placed.bytes.toString().slice(0, 300));
  const { location } = placed.headers;
  assert.match(location!, new RegExp(`&stamp=cross#page-${fileId}-1$`));
  // The page is shown with 640 by 873 pixels. The stamp is at the middle of the one that was clicked.
  assert.deepEqual(await server.query("SELECT kind, x, y, question_number FROM stamps"), [
    { kind: "cross", x: 160.5 / 640, y: 436.5 / 873, question_number: "1.1" },
  ]);
  assert.equal(await decisionCount(server), 0);
  const after = (await sendRequest(server.url, location!.replace(/#.*/, ""))).bytes.toString();
  const { fields } = formOf(after, "save");
  assert.deepEqual([fields.marks, fields.comment], ["2,", "So far"]);
  assert.match(after, /value="cross"[^>]*checked|checked[^>]*value="cross"/);
  assert.match(textOf(after), /Cross, question 1\.1Remove/);
  assert.match(after, /<svg class="stamps" viewBox="0 0 1000 1363\.63\d*"/);
});

test("a stamp is placed on a whole page, by fields or beside a paragraph", async () => {
  const { server, ids, token, fileId, textId, answer, read, click, at } = await prepareStamps();
  // A picture that is pressed by keyboard posts the place 0, 0.
  await click({ [`${at}.x`]: "0", [`${at}.y`]: "0", stamp: "question", notAnswered: "on" });
  const fieldsOf = { place: "fields", page: `${fileId}-2`, stamp: "comment" };
  await click({ ...fieldsOf, down: "25", stampText: "Why <b>this</b>?" });
  const beside = await formAt(server, token, { ...answer, learner: ids[1]! });
  await click({ place: `${textId}-1`, stamp: "tick" }, beside);
  const rows = await server.query("SELECT page, paragraph, x, y, text FROM stamps ORDER BY id");
  assert.deepEqual(rows, [
    { page: 1, paragraph: null, x: null, y: null, text: "" },
    { page: 2, paragraph: null, x: 0.94, y: 0.25, text: "Why <b>this</b>?" },
    { page: null, paragraph: 1, x: null, y: null, text: "" },
  ]);
  const shown = await read();
  assert.match(shown, /Why &lt;b&gt;this&lt;\/b&gt;\?</);
  assert.match(textOf(shown), /Question mark, question 1\.1, for the whole page/);
  assert.ok(!shown.includes("<b>this"));
});

test("stamps on a page that is turned and zoomed are stored as on the page that was sent", async () => {
  const { server, fileId, read, click } = await prepareStamps();
  const turned = await click({ turn: `${fileId}-2-90` });
  assert.match(turned.headers.location!, new RegExp(`#page-${fileId}-2$`));
  const zoomed = await click({ zoom: `in-page-${fileId}-2` });
  assert.match(zoomed.headers.location!, new RegExp(`&zoom=1#page-${fileId}-2$`));
  const html = await read({ zoom: "1" });
  assert.match(html, /<section class="work zoomed"/);
  assert.match(html, /transform="translate\(1500 0\) rotate\(90\)"/);
  // The turned page is shown with 1100 by 807 pixels: its upper right corner is the upper left one of the page sent.
  await click({ [`at-${fileId}-2-1100.x`]: "1099", [`at-${fileId}-2-1100.y`]: "0", stamp: "tick" });
  const [stamp] = await server.query<{ x: number; y: number }>("SELECT x, y FROM stamps");
  assert.deepEqual([stamp!.x.toFixed(3), stamp!.y.toFixed(3)], ["0.001", "0.000"]);
});

/** An answer with a page and a text, with functions that read its form and name a click on the page at "x y". */
async function answerWithPage() {
  const { server, token, answer } = await prepare();
  const [fileId, textId] = await storeRenderings(server, token, pagesAndText);
  const read = () => formAt(server, token, answer);
  const at = `at-${fileId}-1-640`;
  const click = (place: string, name = at): Record<string, string> => {
    const [x, y] = place.split(" ");
    return { [`${name}.x`]: x!, [`${name}.y`]: y! };
  };
  return { server, form: await read(), read, fileId, textId, at, click };
}

/** Asserts that each post is rejected with a sentence, stores nothing, and comes back with what was typed. */
async function assertKept(
  { server, form }: { server: Server; form: HtmlForm },
  cases: [posts: Record<string, string>[], status: number, said: string][],
) {
  const posts = cases.flatMap(([all, ...rest]) => all.map((post) => [post, ...rest] as const));
  for (const [filled, status, said] of posts) {
    const sent = { marks: "1", comment: "Typed", stamp: "tick", ...filled };
    const rejected = await postForm(server.url, form, undefined, sent);
    const html = rejected.bytes.toString();
    const label = JSON.stringify(filled).slice(0, 80);
    assert.equal(rejected.status, status, label);
    assert.ok(textOf(html).includes(said), `${label}: ${said}`);
    const { fields } = formOf(html, "save");
    const kind = filled.stamp === "comment" ? "comment" : "tick";
    assert.deepEqual([fields.marks, fields.comment, fields.stamp], ["1", "Typed", kind], label);
  }
  for (const table of ["stamps", "page_turns", "decisions"]) {
    assert.deepEqual(await server.query(`SELECT id FROM ${table}`), [], table);
  }
}

test("a stamp or a turn at a place that does not exist keeps what was typed", async () => {
  const opened = await answerWithPage();
  const { server, form, fileId, textId, at, click } = opened;
  const off = ["1000000000 1", "1e9 1", "NaN NaN", "-1 5", "1.5 5", "640 5", "5 873"];
  const unsized = [{ [`${at}.x`]: "5" }, click("5 5", `at-${fileId}-1-641`)];
  const elsewhere = [`at-${fileId}-3-640`, `at-${textId}-1-640`, "at-x"];
  const places = [`${textId}-1`, "x"].map((place) => ({ place }));
  const others: Record<string, string>[] = [
    { place: "fields", page: `${fileId}-9`, down: "" },
    { turn: `${fileId}-3-90` },
  ];
  const noPage = [...elsewhere.map((name) => click("5 5", name)), ...places, ...others];
  await assertKept(opened, [
    [[...off.map((place) => click(place)), ...unsized], 422, "That place is not on the page"],
    [noPage, 404, "has no such page"],
  ]);
  const gone = { ...form, action: form.action.replace("question=1.1", "question=7") };
  assert.equal((await postForm(server.url, gone, undefined, click("10 10"))).status, 404);
  assert.deepEqual(await server.query("SELECT id FROM stamps"), []);
});

test("a comment leaves its field once it is placed, and not if the mark is saved before", async () => {
  const { server, form, read, click } = await answerWithPage();
  const place = { ...click("10 10"), stamp: "comment", stampText: "Here", marks: "2" };
  await postForm(server.url, form, undefined, place);
  const placed = await read();
  assert.deepEqual([placed.fields.marks, placed.fields.stampText], ["2", ""]);
  await postForm(server.url, placed, "save", { marks: "1", stampText: "Why?" });
  const { fields } = await read();
  assert.deepEqual([fields.marks, fields.stampText], ["1", "Why?"]);
});

test("a malformed stamp keeps what was typed", async () => {
  const opened = await answerWithPage();
  const { fileId, click } = opened;
  const comment = (stampText: string) => ({ ...click("10 10"), stamp: "comment", stampText });
  const down = (to: string) => ({ place: "fields", page: `${fileId}-1`, down: to });
  const skull = { ...click("10 10"), stamp: "skull" };
  const forms: Record<string, string>[] = [
    skull,
    { turn: `${fileId}-1-45` },
    { zoom: "in-javascript:" },
  ];
  await assertKept(opened, [
    [[comment("")], 422, "Type the comment first"],
    [[comment("x".repeat(10_000))], 422, "The comment has 10,000 characters; it may have 200."],
    [["Bell \u0007", "Half \ud800"].map(comment), 422, "a character that cannot be read"],
    [["NaN", "1e9", "101"].map(down), 422, "a whole number from 0 to 100"],
    [forms, 400, "The form was incomplete"],
  ]);
});

test("an error beside an answer is at the field that it is about, or at none", async () => {
  const { server, form, fileId, click } = await answerWithPage();
  const place = { place: "fields", page: `${fileId}-1`, down: "x" };
  for (const [intent, filled, id, error] of [
    ["save", { comment: "x".repeat(6000), from: "2" }, "comment", "The comment has 6,000"],
    ["save", { marks: "4" }, "marks", "4 is more than the 3"],
    [undefined, place, "stamp-down", "Say how far down"],
    [undefined, { ...click("5 5"), stamp: "comment" }, "stamp-text", "Type the comment first"],
    [undefined, click("-1 5"), undefined, "That place is not on the page"],
  ] as const) {
    const sent = { marks: "1", stamp: "tick", ...filled };
    const html = (await postForm(server.url, form, intent, sent)).bytes.toString();
    assert.ok(html.includes(error), error);
    assert.match(html, /<title>Error: /);
    if (!id) assert.doesNotMatch(html, /aria-invalid/);
    else {
      assertErrorAt(html, id, error);
      assert.match(html, new RegExp(`href="#${id}">(Question 1\\.1: )?${error}`));
    }
    assert.equal(/value="2" selected/.test(html), "from" in filled, "the first page is as chosen");
    if (id === "stamp-down") assert.match(html, /<details open=""><summary>Place it without/);
  }
});

test("a stamp that script sends again leaves what was typed since", async () => {
  const { server, form, read, click } = await answerWithPage();
  const rejected = { comment: "Typed", stamp: "tick", ...click("-1 5") };
  await postForm(server.url, form, undefined, rejected);
  const { marks: _, ...later } = form.fields;
  const stamp = { stamp: "tick", comment: "", ...click("5 5") };
  await postForm(server.url, { ...form, fields: later }, undefined, stamp);
  assert.equal((await read()).fields.comment, "Typed");
  assert.equal((await server.query("SELECT id FROM stamps")).length, 1);
});

/**
 * Begins one post more than a link may have at once, and returns what the rejected one gets, and a function that ends
 * the others. The limits are in turns.ts: 2 are received and 19 wait.
 */
async function fillLink(t: TestContext, url: string, path: string) {
  const head = `POST ${path} HTTP/1.1\r\nHost: site\r\nContent-Type: ${formType["Content-Type"]}\r\nContent-Length: 40\r\n\r\n`;
  const posts = Array.from({ length: 2 + 19 + 1 }, () => open(t, url));
  for (const { socket } of posts) socket.write(head);
  const answers = () => posts.map(({ received }) => received()).filter(Boolean);
  await until(() => answers().length > 0);
  const end = () => {
    for (const { socket } of posts) socket.destroy();
  };
  return { rejected: answers(), end };
}

const rejectedForAMinute = /^HTTP\/1\.1 503 .*\r\nRetry-After: 60\r\n/s;

test("of too many posts at once under a marking link one is rejected, until the others end", async (t) => {
  const { server, token, answer } = await prepare();
  const { path, html } = await readDesk(server, token, answer);
  const { rejected, end } = await fillLink(t, server.url, path);
  assert.equal(rejected.length, 1);
  assert.match(rejected[0]!, rejectedForAMinute);
  end();
  const saved = await postForm(server.url, formOf(html, "save"), "save", { marks: "2" });
  assert.equal(saved.status, 303);
});

test("of too many posts at once under a reading copy one is rejected", async (t) => {
  const { server, assessmentId } = await prepare();
  const copy = "copy-token";
  await withStore(server, async (store) => {
    const expiresAt = new Date(Date.now() + 86_400_000);
    await store.shareResults(assessmentId, { token: copy, sender: "T.", expiresAt }, new Date());
  });
  const { rejected } = await fillLink(t, server.url, `/?index&results=${copy}&learner=1`);
  assert.equal(rejected.length, 1);
  assert.match(rejected[0]!, rejectedForAMinute);
});

test("too many posts at once under one link hold up no other link", async (t) => {
  const { server, assessmentId, token, answer } = await prepare();
  const { path } = await readDesk(server, token, answer);
  const other = await openLink(server, { assessmentId }, { marker: "S. Naidoo" });
  await fillLink(t, server.url, path);
  const theirs = await formAt(server, other, answer);
  assert.equal((await postForm(server.url, theirs, "save", { marks: "1" })).status, 303);
});

test("what is left counts the undecided answers that others have open, and no decided one", async () => {
  const { server, token, ids, assessmentId } = await prepare();
  const other = await openLink(server, { assessmentId }, { marker: "S. Naidoo" });
  const own = { view: "mark", question: "1.1" };
  for (const learner of [ids[0]!, ids[1]!]) await readDesk(server, other, { ...own, learner });
  const form = formOf((await readDesk(server, token, { ...own, learner: ids[0]! })).html, "save");
  await postForm(server.url, form, "save", { marks: "2" });
  const { html } = await readDesk(server, token, { view: "finish" });
  assert.match(textOf(html), /Other markers have 1 answer open\./);
});
