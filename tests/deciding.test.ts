/** The educator decides and signs, without JavaScript. */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { maxTyped } from "../app/results/typed-decision.ts";
import { column, columns } from "./support/columns.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { assertErrorAt, formOf, formsIn, postForm, textOf } from "./support/html-forms.ts";
import { succeeded } from "./support/output-of.ts";
import { runResults, sentToken, shareMarks, team, uploadSubmissions } from "./support/results.ts";
import { formType, postOf, sendRequest } from "./support/send-request.ts";
import {
  copiedFolder,
  query,
  runCommand,
  type Server,
  setUpOnce,
  sharedServer,
  sharedSettings,
  startServer,
  until,
} from "./support/server.ts";
import { webhookSettings } from "./support/webhook-receiver.ts";

runCommandsHere();

const names = ["one.txt", "two.txt", "three.txt"];

/** Two questions of 10 marks; nothing is proposed for the second question of the second learner. */
const proposals = {
  title: "Fractions",
  questions: [
    { questionNumber: "1", description: "Add", totalMarks: 10 },
    { questionNumber: "2 b", description: "Explain", totalMarks: 10 },
  ],
  submissions: names.map((fileName, index) => ({
    fileName,
    studentName: `Learner ${index + 1}`,
    questionMarks: [
      { questionNumber: "1", marksAwarded: 6, feedback: "All.", unsure: index !== 1 },
      { questionNumber: "2 b", marksAwarded: index === 1 ? null : 2.5 },
    ],
  })),
};

Object.assign(sharedSettings, team, webhookSettings());

const publish = setUpOnce(async (server) => {
  const reference = await uploadSubmissions(server, names);
  const imported = await succeeded(runResults(server, ["import", reference], proposals));
  assert.match(imported.out, /\nno mark yet: Learner 2 {2}2 b\n/);
  await succeeded(runResults(server, ["publish", reference, "--yes"]));
  return { server, reference, token: await sentToken(server) };
});

async function read(server: Server, token: string, query = "") {
  const { status, bytes } = await sendRequest(server.url, `/?results=${token}${query}`);
  assert.equal(status, 200);
  return bytes.toString();
}

/** The page of the desk on which an answer is decided. */
async function answerPage(server: Server, token: string, learner: number, question = "1") {
  const query = new URLSearchParams({ learner: `${learner}`, question });
  const url = `/marking?link=${token}&view=mark&order=learner&${query}`;
  const { status, bytes } = await sendRequest(server.url, url);
  assert.equal(status, 200);
  return bytes.toString();
}

/** Decides an answer on the desk, or what its page offers besides. */
async function decide(
  server: Server,
  token: string,
  [learner, question]: [learner: number, question?: string],
  intent: string,
  filled: Record<string, string> = {},
) {
  const form = formOf(await answerPage(server, token, learner, question), intent);
  const decided = await postForm(server.url, form, intent, filled);
  assert.equal(decided.status, 303, `${intent} of learner ${learner}`);
}

const threeAndAQuarter = { marks: " 3,25 ", comment: "Line 3 <names> it.\r\nGood." };

test("an answer is decided on the desk that its results lead to, without script", async () => {
  const { server, token } = await publish();
  const first = await read(server, token, "&learner=1");
  assert.deepEqual(formsIn(first), [], "the page of results has no form");
  assert.match(textOf(first), /Not signed yet: these marks are not final\./);
  const [, href] = /<a [^>]*href="([^"]*)">Decide it on the desk/.exec(first)!;
  const opened = await sendRequest(server.url, href!.replaceAll("&amp;", "&"));
  const agreed = await postForm(server.url, formOf(opened.bytes.toString(), "agree"), "agree");
  assert.equal(agreed.status, 303);
  assert.match(agreed.headers.location!, /&order=learner&learner=1&question=2%20b&saved=1%3A1$/);
  await decide(server, token, [1, "2 b"], "save", threeAndAQuarter);
  const decided = await read(server, token, "&learner=1");
  assert.match(decided, /<ins>3\.25<\/ins>.*by you.*Line 3 &lt;names&gt; it\. Good\./s);
});

/** A class in which every mark but one is decided by the educator, with a form of the desk that was opened before. */
const decideClass = setUpOnce(async () => {
  const { server, reference, token } = await publish();
  const opened = await answerPage(server, token, 1);
  await decide(server, token, [1], "agree");
  await decide(server, token, [1, "2 b"], "save", threeAndAQuarter);
  await decide(server, token, [2], "agree");
  await decide(server, token, [3], "rest");
  return { server, reference, token, opened };
});

/** The class, as the educator signs it. */
const signClass = setUpOnce(async () => {
  const decided = await decideClass();
  const { server, token } = decided;
  const form = formOf(await read(server, token), "sign");
  const confirmed = { name: "T. Example", "nought-2": "2 b" };
  for (const _ of [1, 2]) {
    const signed = await postForm(server.url, form, "sign", confirmed);
    assert.equal(signed.status, 303, "a repeated post is the same signature");
    assert.equal(signed.headers.location, `/?results=${token}#signed`);
  }
  return { ...decided, form };
});

test("the page of a class says what is left to decide before it can be signed", async () => {
  const { server, token } = await publish();
  assert.match(textOf(await read(server, token)), /0 of 6 decided/);
  await decide(server, token, [1], "rest");
  await decide(server, token, [2], "agree");
  assert.match(textOf(await read(server, token)), /Sign the marks.*Learner 3, questions 1, 2 b/s);
});

test("agreeing with the rest of a learner names each proposal", async () => {
  const { server, token } = await publish();
  const proposed = /that are proposed: question 1, 6 of 10 \(“All\.”\); question 2 b, 2\.5 of 10\./;
  assert.match(textOf(await answerPage(server, token, 3)), proposed);
});

test("only a learner with a proposal that is open can be agreed with as a whole", async () => {
  const { server, token } = await decideClass();
  const hasRest = (html: string) => formsIn(html).some(({ fields }) => "rest" in fields);
  assert.equal(hasRest(await answerPage(server, token, 1)), false, "nothing is left to agree with");
  // Sets the class back to where nothing is decided.
  await publish();
  assert.equal(
    hasRest(await answerPage(server, token, 1)),
    true,
    "proposals are left to agree with",
  );
});

test("the last learner’s page leads back to the class, to sign", async () => {
  const { server, token } = await publish();
  const toSign =
    /This is the last learner\.(<!-- -->)? <a href="[^"]*#sign">Back to the class, to sign</;
  assert.doesNotMatch(await read(server, token, "&learner=2"), toSign);
  assert.match(await read(server, token, "&learner=3"), toSign);
});

test("the form to sign sums up the decisions", async () => {
  const { server, token } = await decideClass();
  assert.match(
    textOf(formOf(await read(server, token), "sign").html),
    /5 marks were decided by you, 1 answer has no mark yet\. ?Different from the proposal: 1, by \+0\.75/,
  );
});

test("the form to sign needs a name and each mark that is missing confirmed", async () => {
  const { server, token } = await decideClass();
  const form = formOf(await read(server, token), "sign");
  const open = await postForm(server.url, form, "sign", { name: "T. Example" });
  assert.equal(open.status, 409);
  assert.match(textOf(open.bytes.toString()), /Some marks are not decided yet, so the class/);
  const others = { name: "T. Example", "nought-2": "1, 2 b" };
  const unseen = await postForm(server.url, form, "sign", others);
  assert.equal(unseen.status, 409, "the tick is for the questions that it names");
  const nameless = await postForm(server.url, form, "sign", { "nought-2": "2 b" });
  assert.equal(nameless.status, 422);
  assert.match(nameless.bytes.toString(), /<title>Error: /);
  assert.match(nameless.bytes.toString(), /href="#sign-name">Type your name/);
  assertErrorAt(nameless.bytes.toString(), "sign-name", "Type your name");
  assert.match(open.bytes.toString(), /href="#sign">Some marks are not decided/);
  assert.match(
    nameless.bytes.toString(),
    /name="nought-2" checked="" value="2 b"/,
    "what was chosen stays",
  );
  assert.deepEqual(await server.query("SELECT 1 FROM signatures"), []);
});

test("the marks of a signed class cannot be changed", async () => {
  const { server, reference, token, opened, form } = await signClass();
  assert.match(textOf(await read(server, token, "&slips=1")), /Signed by T\. Example/);
  assert.deepEqual(formsIn(await answerPage(server, token, 1)), [], "the desk is read-only");
  const late = await postForm(server.url, formOf(opened, "save"), "save", { marks: "9" });
  assert.equal(late.status, 409);
  assert.match(textOf(late.bytes.toString()), /T\. Example has signed.*You sent: .*mark 9/s);
  const asked = await postForm(server.url, formOf(opened, "save"), "ask", { ask: "Line 3?" });
  assert.match(textOf(asked.bytes.toString()), /You sent: .*“Line 3\?”/s);
  const other = await postForm(server.url, form, "sign", { name: "N. Other" });
  assert.equal(other.status, 409);
  assert.match(textOf(other.bytes.toString()), /T\. Example has signed.*the name “N\. Other”/s);
  const imported = await runResults(server, ["import", reference], proposals);
  assert.match(imported.err, /T\. Example has signed the marks; nothing was changed/);
  assert.match((await runResults(server, ["mark", reference, "one.txt", "1", "2"])).err, /signed/);
});

test("of a signature the team has an email and a webhook, and the audit an entry without a name", async () => {
  const { server, reference } = await signClass();
  const emails = await server.query("SELECT kind, subject, body FROM outbox WHERE kind = 'signed'");
  assert.equal(emails.length, 1);
  assert.match(String(emails[0]!.subject), new RegExp(`marks signed ${reference}$`));
  assert.match(String(emails[0]!.body), /Signed by: +T\. Example\n.*\+0\.75 marks in sum/s);
  const webhooks = await server.query("SELECT body FROM outbox WHERE kind = 'webhook' ORDER BY id");
  assert.deepEqual(column(webhooks, "body"), ["", "results.signed"]);
  const audited = await server.query("SELECT * FROM audit ORDER BY id");
  const actions = ["imported", "published", "link opened", "signed"];
  assert.deepEqual(
    columns(audited, "action", "reference"),
    actions.map((action) => [`results ${action}`, reference]),
  );
  assert.doesNotMatch(JSON.stringify(audited), /Example/);
});

test("files of a signed class are called unsigned after it is reopened", async () => {
  const { server, reference, token } = await signClass();
  const nameOfFile = async () => {
    const { headers } = await sendRequest(server.url, `/api/results/${token}/moodle`);
    return String(headers["content-disposition"]);
  };
  assert.match(await nameOfFile(), /filename="Fractions - moodle\.csv"/);
  await succeeded(runResults(server, ["reopen", reference]));
  assert.match(await nameOfFile(), /filename="Fractions - moodle - unsigned\.csv"/);
});

test("a class that is not signed is not reopened", async () => {
  const { server, reference } = await publish();
  const { err } = await succeeded(runResults(server, ["reopen", reference]));
  assert.match(err, /not signed/);
  assert.deepEqual(await server.query("SELECT 1 FROM outbox WHERE kind = 'reopened'"), []);
});

/** A class that was signed and reopened, of which one mark was decided again then. */
const reopenClass = setUpOnce(async () => {
  const signed = await signClass();
  const { server, reference, token } = signed;
  await succeeded(runResults(server, ["reopen", reference]));
  await decide(server, token, [1], "save", { marks: "7" });
  return signed;
});

test("the history of a class has its decisions, signature and reopening", async () => {
  const { server, reference } = await reopenClass();
  const { out } = await runResults(server, ["history", reference]);
  assert.match(
    out,
    /Learner 1 {2}2 b {2}2\.5 to 3\.25 {2}changed by .*: Line 3 <names> it\. Good\./,
  );
  assert.match(out, /Learner 2 {2}2 b {2}– to not answered {2}entered by T\. Example/);
  assert.match(
    out,
    /signed by T\. Example \(educator\)\n.*reopened by the team\n.*6 to 7 {2}changed/,
  );
  const { events } = JSON.parse((await runResults(server, ["history", "--json", reference])).out);
  assert.equal(events.length, out.trimEnd().split("\n").length);
});

test("a class that was reopened and decided further is signed again", async () => {
  const { server, token } = await reopenClass();
  assert.doesNotMatch(textOf(await read(server, token, "&slips=1")), /Signed by/);
  const form = formOf(await read(server, token), "sign");
  assert.equal((await postForm(server.url, form, "sign", { name: "T. Example" })).status, 303);
  assert.match(textOf(await read(server, token, "&slips=1")), /Signed by T\. Example/);
});

/** A published class, with the form that saves learner 1's mark for question 2 b. */
async function publishedForm() {
  const published = await publish();
  const { server, token } = published;
  const save = formOf(await answerPage(server, token, 1, "2 b"), "save");
  const assertNothingStored = async () =>
    assert.deepEqual(await server.query("SELECT 1 FROM decisions"), []);
  type Rejected = Awaited<ReturnType<typeof sendRequest>>;
  const assertRejected = async (...cases: [response: Rejected, status: number, said: string][]) => {
    for (const [{ status, bytes }, expected, said] of cases) {
      assert.equal(status, expected, said);
      assert.ok(textOf(bytes.toString()).includes(said), said);
    }
    await assertNothingStored();
  };
  return { ...published, save, assertNothingStored, assertRejected };
}

test("a decision that cannot be stored comes back with what was typed and the reason", async () => {
  const { server, save, assertNothingStored } = await publishedForm();
  const notANumber = "Type the marks as a number, such as 6 or 6.25.";
  const notQuarters = "Marks go in quarters, such as 6, 6.25, 6.5 or 6.75.";
  const unreadable = "a character that cannot be read";
  const both = "Either type marks or choose “not answered”, not both.";
  for (const [filled, said, status = 422] of [
    [{ marks: "10.25" }, "10.25 is more than the 10 of this question."],
    [{ marks: "-1" }, "Marks cannot be less than 0."],
    ...["1e9", "NaN", "1/2"].map((marks) => [{ marks }, notANumber] as const),
    [{ marks: "9".repeat(400) }, "This is more than the 10 of this question."],
    ...["2.1", `0.${"0".repeat(400)}1`].map((marks) => [{ marks }, notQuarters] as const),
    [{ marks: "" }, "Type the marks, or choose “not answered”."],
    [{ marks: "4", notAnswered: "on" }, both],
    [{ marks: "4", comment: "x".repeat(10_000) }, "10,000 characters; it may have 5,000"],
    ...["a\u0007b", "\ud800", "a\uFFFFb"].map(
      (comment) => [{ marks: "4", comment }, unreadable] as const,
    ),
    [{ marks: "4", seen: "x" }, "The form was incomplete."],
    [{ marks: "4", seen: "77" }, "This mark has changed since the page was opened.", 409],
  ] as const) {
    const rejected = await postForm(server.url, save, "save", filled);
    const html = rejected.bytes.toString();
    assert.equal(rejected.status, status, JSON.stringify(filled).slice(0, 60));
    assert.ok(textOf(html).includes(said), `${said}\n---\n${textOf(html).slice(0, 500)}`);
    assert.equal(rejected.headers["cache-control"], "no-store");
    assert.equal(rejected.headers["referrer-policy"], "strict-origin");
    if (status === 422 && filled.marks.length < 9) {
      assert.equal(formOf(html, "save", "2 b").fields.marks, filled.marks, "what was typed stays");
    }
  }
  await assertNothingStored();
});

test("a post under a link that does not open the answer is rejected with a sentence", async () => {
  const { server, reference, token, save, assertRejected } = await publishedForm();
  const elsewhere = (link: string, learner = "1") => {
    const query = new URLSearchParams({ link, view: "mark", learner, question: "2 b" });
    return postForm(server.url, { ...save, action: `/marking?${query}` }, "save", { marks: "4" });
  };
  const copyToken = await shareMarks(server, reference);
  await assertRejected(
    [await elsewhere(token, "9"), 404, "There is no such learner or answer"],
    [await elsewhere("A".repeat(43)), 404, "This link is not open"],
    [await elsewhere(copyToken), 403, "This is a reading copy"],
    [await elsewhere("sample"), 403, "This is the sample"],
  );
});

test("a post that no form of the class makes is rejected with a sentence", async () => {
  const { server, token, save, assertRejected } = await publishedForm();
  const rest = (seen: string) => postForm(server.url, { ...save, fields: { rest: seen } }, "rest");
  const sign = { ...save, action: `/?index&results=${token}` };
  await assertRejected(
    [await postForm(server.url, save, "other"), 400, "The form was incomplete"],
    [await rest("[[1]]"), 400, "incomplete"],
    [await rest('[["1",2,0],["9 z",1,0]]'), 404, "no such learner or answer"],
    [await postForm(server.url, sign, "sign", { name: "x".repeat(300) }), 422, "300 characters"],
  );
});

test("a post of another site, with a repeated field or a far too long one stores no decision", async () => {
  const { server, save, assertRejected } = await publishedForm();
  const body = new URLSearchParams({ ...save.fields, marks: "4", intent: "save" }).toString();
  const foreign = { ...formType, Origin: "https://other.example" };
  assert.equal((await sendRequest(server.url, save.action, postOf(body, foreign))).status, 403);
  const send = (text: string) => sendRequest(server.url, save.action, postOf(text));
  const unread = "could not be read, was too long, or had a field twice. Nothing was stored.";
  await assertRejected(
    [await send(`marks=1&${body}`), 400, unread],
    [await send(`${body}&padding=${"x".repeat(200_000)}`), 400, unread],
  );
});

test("a reading copy is read until it is revoked", async () => {
  const { server, reference } = await publish();
  const copyToken = await shareMarks(server, reference);
  const readOnly = await read(server, copyToken, "&learner=1");
  assert.deepEqual(formsIn(readOnly), []);
  assert.match(textOf(readOnly), /This is a reading copy\./);
  await succeeded(runResults(server, ["revoke", reference, "--reading"]));
  assert.equal((await sendRequest(server.url, `/?results=${copyToken}`)).status, 404);
});

test("a reading copy opens no desk", async () => {
  const { server, reference } = await publish();
  const copyToken = await shareMarks(server, reference);
  assert.equal((await sendRequest(server.url, `/marking?link=${copyToken}`)).status, 404);
});

test("a mark that is posted under an expired link is shown and not stored", async () => {
  const { server, save, assertNothingStored } = await publishedForm();
  await server.change("UPDATE result_links SET expires_at = '2026-01-01T00:00:00.000Z'");
  const expired = await postForm(server.url, save, "save", { marks: "4", comment: "Typed" });
  assert.equal(expired.status, 404);
  assert.match(textOf(expired.bytes.toString()), /You sent: question 2 b, mark 4, “Typed”/);
  await assertNothingStored();
});

test("a post from a page of an earlier release comes back with a link to the desk", async () => {
  const { server, token } = await publish();
  const post = (fields: Record<string, string>) =>
    sendRequest(
      server.url,
      `/?index&results=${token}&learner=3`,
      postOf(String(new URLSearchParams(fields))),
    );
  const seen = { question: "2 b", seen: "0", was: "2.5" };
  const typed = { ...seen, intent: "save", marks: "4", comment: "Typed <b>" };
  for (const [fields, sent] of [
    [typed, "question 2 b, mark 4, “Typed &lt;b&gt;”"],
    [{ ...seen, intent: "agree" }, "question 2 b, mark 2.5"],
  ] as const) {
    const { status, bytes } = await post(fields);
    const html = bytes.toString();
    assert.equal(status, 410);
    assert.match(textOf(html), /Learner 3: Marks are decided on the marking desk now\./);
    assert.ok(textOf(html).includes(`You sent: ${sent}.`), textOf(html));
    assert.match(html, /view=mark&amp;order=learner&amp;learner=3&amp;question=2%20b"/);
  }
  const rest = await post({ intent: "rest", rest: '[["1",6]]' });
  assert.equal(rest.status, 410);
  assert.match(rest.bytes.toString(), new RegExp(`href="/marking\\?link=${token}">Open the`));
  assert.deepEqual(await server.query("SELECT count(*) AS n FROM decisions"), [{ n: 0 }]);
});

test("a page of results returns no more of a post than it can show", async () => {
  const { url } = await sharedServer();
  const sizeOf = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ intent: "save", question: "1", marks: "4", ...fields });
    const { status, bytes } = await sendRequest(url, "/?index&results=none", postOf(`${body}`));
    assert.equal(status, 404);
    return bytes.length;
  };
  const usual = await sizeOf({ comment: "Good." });
  for (const name of ["comment", "marks", "name", "other"]) {
    const longest = await sizeOf({ [name]: "<".repeat(maxTyped) });
    assert.equal(await sizeOf({ [name]: "<".repeat(40_000) }), longest, name);
    assert.ok(longest < usual + "&lt;".length * maxTyped + 1_000, name);
  }
  assert.ok((await sizeOf({ unknown: "<".repeat(40_000) })) < usual + 1_000);
});

for (const [field, typed] of [
  ["comment", "Line 3 holds."],
  ["marks", "4"],
  ["withoutReason", "on"],
] as const) {
  test(`${field} of an answer comes back if the rest of its learner is agreed with`, async () => {
    const { server, token } = await publish();
    const form = formOf(await answerPage(server, token, 3), "rest");
    const returned = await postForm(server.url, form, "rest", { [field]: typed });
    assert.equal(returned.status, 422);
    const html = returned.bytes.toString();
    assert.match(textOf(html), /Save what you typed or ticked for this answer first/);
    assert.equal(formOf(html, "rest").fields[field], typed);
    const reopened = formOf(await answerPage(server, token, 3), "rest");
    assert.equal(reopened.fields[field], typed);
    assert.deepEqual(await server.query("SELECT id FROM decisions"), []);
  });
}

test("the reason left out of an answer is not left out of the rest too", async () => {
  const { server, token } = await publish();
  const form = formOf(await answerPage(server, token, 1, "2 b"), "rest");
  // As a page posts it whose own answer is decided.
  const others = JSON.parse(form.fields.rest!).slice(0, 1);
  const fields = { rest: JSON.stringify(others), withoutReason: "on" };
  const sent = await postForm(server.url, form, "rest", fields);
  assert.equal(sent.status, 303);
  const reasons = column(await server.query("SELECT reason FROM decisions"), "reason");
  assert.deepEqual(reasons, ["All."]);
});

for (const [intent, wrong, status] of [
  ["agree", { was: "5" }, 409],
  ["rest", { rest: '[["1",5,1],["2 b",2.5,1]]' }, 409],
  ["save", { marks: "11" }, 422],
] as const) {
  test(`a post to ${intent} that comes back has the box that leaves the reason out as it was sent`, async () => {
    const { server, token } = await publish();
    const form = async () => formOf(await answerPage(server, token, 1), intent);
    // A reason can be left out once it was taken.
    if (intent === "save") await decide(server, token, [1], "agree");
    const box = intent === "rest" ? "withoutReasons" : "withoutReason";
    for (const typed of [undefined, "on"]) {
      const filled = { ...wrong, ...(typed && { [box]: typed }) };
      const returned = await postForm(server.url, await form(), intent, filled);
      assert.equal(returned.status, status);
      assert.equal(formOf(returned.bytes.toString(), intent).fields[box], typed);
    }
  });
}

test("the reasons of the rest stay left out while a used comment is added, and only for that learner", async () => {
  const { server, token } = await publish();
  const html = await answerPage(server, token, 1);
  const used = { withoutReasons: "on", use: "Well done." };
  const { headers } = await postForm(server.url, formOf(html, "rest"), undefined, used);
  const form = formOf(await (await fetch(server.url + headers.location!)).text(), "rest");
  assert.equal(form.fields.withoutReasons, "on");
  const next = await postForm(server.url, form, "rest", { comment: "" });
  assert.equal(next.status, 303);
  assert.doesNotMatch(next.headers.location!, /without/);
});

/** A decided class with one difference between two markers. */
const classWithDifference = setUpOnce(async () => {
  const { server, reference, token } = await publish();
  await decide(server, token, [1], "rest");
  await decide(server, token, [2], "agree");
  await decide(server, token, [3], "rest");
  const marker = ["--marker", "P. Naidoo", "--second", "--tolerance", "1"];
  const args = ["marking", "open", reference, ...marker];
  const { out } = await runCommand(server.folder, args, { RUBRICON_PUBLIC_URL: server.url });
  const second = new URL(out.trim()).searchParams.get("link")!;
  await decide(server, second, [1, "1"], "save", { marks: "4" });
  await decide(server, second, [1, "2 b"], "save", { marks: "3" });
  const desk = async (view: string) =>
    (await sendRequest(server.url, `/marking?link=${token}${view}`)).bytes.toString();
  return { server, reference, token, desk };
});

test("the desk and the commands show what two markers differ on", async () => {
  const { server, reference, token, desk } = await classWithDifference();
  const counted = /1 difference between two markers/;
  assert.match(textOf(await desk("&view=finish")), counted);
  assert.match(await desk(""), /<ins>6\?<\/ins>/);
  const answer = textOf(await answerPage(server, token, 1));
  assert.match(answer, /by you.*A second marker, P\. Naidoo, gave 4\./);
  const { folder } = server;
  assert.match((await runCommand(folder, ["marking", "progress", reference])).out, counted);
  assert.match((await runResults(server, ["publish", reference])).err, counted);
  const form = formOf(await answerPage(server, token, 1), "save");
  assert.equal((await postForm(server.url, form, "save")).status, 303);
  assert.doesNotMatch(
    textOf(await desk("&view=finish")),
    counted,
    "the same mark again settles it",
  );
});

test("slips have neither the model’s doubts nor the difference between two markers", async () => {
  for (const { server, token } of [await publish(), await classWithDifference()]) {
    assert.match(await read(server, token), /with a mark to look at first/);
    assert.doesNotMatch(await read(server, token, "&slips=1"), /with a mark to look at first/);
  }
});

test("a person who signs accepts the number of differences between two markers", async () => {
  const { server, token, desk } = await classWithDifference();
  const form = formOf(await read(server, token), "sign");
  const filled = { name: "T. Example", "nought-2": "2 b" };
  const unseen = await postForm(server.url, form, "sign", filled);
  assert.equal(unseen.status, 422);
  const html = unseen.bytes.toString();
  assert.match(textOf(html), /The class is not signed: 1 difference between two markers\./);
  assert.match(
    html,
    /name="nought-2" checked="" value="2 b".*value="T\. Example"/s,
    "what was typed stays",
  );
  for (const differences of ["on", "0", ""]) {
    const other = await postForm(server.url, form, "sign", { ...filled, differences });
    assert.equal(other.status, 422, `the tick is for 1, not “${differences}”`);
  }
  const tick = { ...filled, differences: "1" };
  assert.equal((await postForm(server.url, form, "sign", tick)).status, 303);
  const signed = textOf(await desk("&view=finish"));
  assert.match(signed, /Signed by T\. Example/);
  const slips = await sendRequest(server.url, `/?results=${token}&slips=1`);
  for (const text of [signed, textOf(await read(server, token)), textOf(slips.bytes.toString())]) {
    assert.doesNotMatch(
      text,
      /look at first|markers differ|between two markers/,
      "an accepted difference is not named",
    );
  }
});

test("decisions of an educator do not count as posts of their address", async (t) => {
  const { server: published, token } = await publish();
  const server = await startServer(t, {
    folder: copiedFolder(t, published),
    env: { RUBRICON_POSTS_PER_10_MINUTES: "1" },
  });
  const save = formOf(await answerPage(server, token, 1), "save");
  for (const _ of [1, 2]) {
    assert.equal((await postForm(server.url, save, "save", { marks: "7" })).status, 303);
  }
});

test("a person who saves in two tabs sees both marks and chooses", async () => {
  const { server, token } = await publish();
  const page = () => answerPage(server, token, 1);
  const tab = formOf(await page(), "save", "1");
  const otherTab = formOf(await page(), "save", "1");
  assert.equal((await postForm(server.url, tab, "save", { marks: "7" })).status, 303);
  assert.equal(
    (await postForm(server.url, tab, "save", { marks: "7" })).status,
    303,
    "a repeated post is accepted",
  );
  const conflict = await postForm(server.url, otherTab, "save", { marks: "4", comment: "Mine" });
  assert.equal(conflict.status, 409);
  const html = conflict.bytes.toString();
  assert.match(textOf(html), /Decided by you: 7\. Save to put yours in its place/);
  const offered = formOf(html, "save", "1");
  assert.deepEqual([offered.fields.marks, offered.fields.comment], ["4", "Mine"]);
  assert.equal(
    (await postForm(server.url, offered, "save")).status,
    303,
    "the mark that was chosen is accepted",
  );
  assert.match(await page(), /<ins>4<\/ins>/);
  assert.deepEqual(await server.query("SELECT from_marks, to_marks FROM decisions ORDER BY id"), [
    { from_marks: 6, to_marks: 7 },
    { from_marks: 7, to_marks: 4 },
  ]);
});

test("agreeing with a proposal that has changed offers the mark agreed with", async () => {
  const { server, reference, token } = await publish();
  const agree = formOf(await answerPage(server, token, 1), "agree");
  const next = structuredClone(proposals);
  next.submissions[0]!.questionMarks[0]!.marksAwarded = 5;
  await succeeded(runResults(server, ["import", reference], next));
  const conflict = await postForm(server.url, agree, "agree");
  assert.equal(conflict.status, 409);
  const html = conflict.bytes.toString();
  assert.match(textOf(html), /The proposal is now 5\. Save to put yours in its place/);
  const offered = formOf(html, "save", "1");
  assert.equal(offered.fields.marks, "6");
  assert.equal((await postForm(server.url, offered, "save")).status, 303);
  assert.match(await read(server, token, "&learner=1"), /<ins>6<\/ins>/);
});

/** Published proposals, with a function that agrees with the first and fills in the form. */
async function publishedToAgree() {
  const { server, token } = await publish();
  const agree = async (filled: Record<string, string>) => {
    const form = formOf(await answerPage(server, token, 1), "agree");
    return await postForm(server.url, form, "agree", filled);
  };
  return { server, token, agree };
}

const comment = "Line 3 is right.";

test("agreeing with a proposal beside another mark stores neither", async () => {
  const { server, token, agree } = await publishedToAgree();
  for (const [marks, notAnswered] of [["5"], ["six"], ["", "on"]] as const) {
    const rejected = await agree({ comment, marks, ...(notAnswered && { notAnswered }) });
    assert.equal(rejected.status, 422, marks || "not answered");
    const html = rejected.bytes.toString();
    assert.match(textOf(html), /Your mark is not the 6 that is proposed\. Save yours, or clear it/);
    for (const page of [html, await answerPage(server, token, 1)]) {
      const { fields } = formOf(page, "save", "1");
      const kept = [fields.comment, fields.marks, fields.notAnswered];
      assert.deepEqual(kept, [comment, marks, notAnswered]);
    }
  }
  assert.deepEqual(await server.query("SELECT count(*) AS n FROM decisions"), [{ n: 0 }]);
});

test("agreeing with a proposal takes the comment that is typed", async () => {
  const { server, agree } = await publishedToAgree();
  assert.equal((await agree({ comment, marks: "6,0" })).status, 303);
  const decided = await server.query("SELECT how, to_marks, comment FROM decisions");
  assert.deepEqual(decided, [{ how: "agreed", to_marks: 6, comment }]);
});

// What imports keep, reject and discard is tested in tests/store.contract.test.ts.
test("the command to import says how many decisions stay, conflict or are discarded", async () => {
  const { server, reference, token } = await publish();
  await decide(server, token, [1], "save", { marks: "9" });
  const next = structuredClone(proposals);
  for (const mark of next.submissions.flatMap((one) => one.questionMarks)) mark.marksAwarded = 5;
  const put = (...options: string[]) => runResults(server, ["import", reference, ...options], next);
  assert.match((await put()).err, /links stay open\.\n1 decided mark stayed\./);
  next.submissions[0]!.studentName = "Learner 2";
  const rejected = await put();
  assert.equal(rejected.code, 1);
  assert.match(rejected.err, /Learner 1 \(one\.txt\): the import calls the learner Learner 2\./);
  assert.match(rejected.err, /--discard-decisions/);
  const forced = await put("--discard-decisions");
  assert.match(forced.err, /1 decided mark discarded; results history has them/);
  const { out } = await runResults(server, ["history", reference]);
  assert.match(out, /imported 1 proposal of 1 learner; 1 decision discarded\n$/);
});

test("an educator who has not signed is reminded once, days before the link ends", async (t) => {
  const { server, reference } = await publish();
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString();
  await server.change(
    `UPDATE result_links SET created_at = '${inDays(-26)}', expires_at = '${inDays(4)}'`,
  );
  await server.change("UPDATE outbox SET status = 'sent' WHERE kind = 'results'");
  const folder = copiedFolder(t, server);
  const queryCopy = <Row>(sql: string) => query<Row>(path.join(folder, "data/rubricon.db"), sql);
  const cleanedUpAt = () => JSON.stringify(queryCopy("SELECT last_cleanup_at FROM clock"));
  for (const _ of [1, 2]) {
    const before = cleanedUpAt();
    const restarted = await startServer(t, { folder, env: team });
    await until(() => cleanedUpAt() !== before);
    // Waits for the end of the cleanup.
    await restarted.stop();
  }
  const emails = "SELECT subject, body, recipient FROM outbox WHERE kind = 'reminder'";
  const [email, ...others] = queryCopy<Record<string, string>>(emails);
  assert.deepEqual(others, []);
  assert.match(email!.subject!, new RegExp(`your link to ${reference} ends soon$`));
  assert.equal(email!.recipient, "thandi@school.example");
  assert.doesNotMatch(email!.body!, /results=|Learner/, "neither link nor learners");
});

const agreementIn = async (server: Server, ...reference: string[]) =>
  JSON.parse((await runResults(server, ["agreement", ...reference, "--json"])).out);

/** A class of which three proposals are decided one by one, and the two of the last learner in one press. */
const decideInTwoWays = setUpOnce(async () => {
  const published = await publish();
  const { server, token } = published;
  await decide(server, token, [1], "save", { marks: "5" });
  await decide(server, token, [1, "2 b"], "agree");
  await decide(server, token, [2], "agree");
  await decide(server, token, [3], "rest");
  return published;
});

// tests/agreement.test.ts has the figures.
test("results agreement counts the proposals of a class and of each question by how they were decided", async () => {
  const { server, reference } = await decideInTwoWays();
  const report = await agreementIn(server, reference);
  assert.deepEqual([report.shown.n, report.withTheRest.n], [3, 2]);
  assert.deepEqual(column(report.questions, "questionNumber"), ["1", "2 b"]);
  assert.deepEqual([report.questions[0].shown.n, report.questions[1].shown.n], [2, 1]);
});

test("results agreement prints counts with their shares, and kappa, for both ways of deciding", async () => {
  const { server, reference } = await decideInTwoWays();
  const printed = await runResults(server, ["agreement", reference]);
  assert.match(
    printed.out,
    /decided one by one {4}n 3 {2}exact 2 \(67%\) \[\d+ \(\d+%\)\].* kappa 0\.00, .* \[0\.00\]/,
  );
  assert.match(printed.out, /agreed with the rest {2}n 2 {2}exact 2 \(100%\)/);
  assert.doesNotMatch(printed.out, /[-+]0\.00/);
});

test("results agreement without a reference reports on all classes", async () => {
  const { server } = await decideInTwoWays();
  const other = await uploadSubmissions(server, names);
  await succeeded(runResults(server, ["import", other], proposals));
  await succeeded(runResults(server, ["publish", other, "--yes"]));
  // The first class has the learners 1 to 3.
  await decide(server, await sentToken(server), [4], "agree");
  const { reference, shown } = await agreementIn(server);
  assert.deepEqual([reference, shown.n], [null, 4]);
});

test("the link to results opens the desk of an imported class until it is revoked", async () => {
  const { server, reference, token } = await publish();
  const open = () => sendRequest(server.url, `/marking?link=${token}`);
  const desk = textOf((await open()).bytes.toString());
  assert.match(desk, /0 of 6 decided\. You decide as Thandi Example/);
  await succeeded(runResults(server, ["revoke", reference]));
  assert.equal((await open()).status, 404);
});

test("agreeing with the rest of a learner, if it is what is proposed, leads to the next learner", async () => {
  const { server, token } = await publish();
  const form = formOf(await answerPage(server, token, 1), "rest");
  const other = { rest: form.fields.rest!.replace("2.5", "9") };
  assert.notEqual(other.rest, form.fields.rest);
  assert.equal((await postForm(server.url, form, "rest", other)).status, 409);
  const agreed = await postForm(server.url, form, "rest");
  assert.match(agreed.headers.location!, /learner=2&question=1&saved=/);
  const { bytes } = await sendRequest(server.url, `/marking?link=${token}&view=finish`);
  assert.match(textOf(bytes.toString()), /Question 1: 2 answers.*Question 2 b: 2 answers/s);
});

test("the command that reopens marks does not say that an email is sent where it waits", async () => {
  const { server, reference } = await signClass();
  const { err } = await runResults(server, ["reopen", reference]);
  const waiting = "SELECT status FROM outbox WHERE kind = 'reopened'";
  assert.deepEqual(await server.query(waiting), [{ status: "pending" }]);
  assert.match(err, /The email to the educator about it is in the outbox\./);
});
