/** What pages, emails, commands and files say of who decided, held against the history of decisions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { QuestionMark } from "../app/domain/result.ts";
import {
  nameOf,
  nextForEducator,
  type Reader,
  sentenceOfClass,
  sentenceOfLearner,
  whoDecided,
} from "../app/results/who-decided.ts";
import { resultsEmail, signedEmail } from "../app/server/email/compose.ts";
import { once } from "../app/server/system/once.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { openLink, paper, prepareClass, readDesk, withStore } from "./support/desk.ts";
import { formOf, formsIn, postForm, wordsOf } from "./support/html-forms.ts";
import { succeeded } from "./support/output-of.ts";
import { runResults, shareMarks, uploadSubmissions } from "./support/results.ts";
import { sendRequest } from "./support/send-request.ts";
import { emptyServer, runCommand, type Server, setUpOnce } from "./support/server.ts";

runCommandsHere();

type Role = "marker" | "educator" | "team";

const base = { questionNumber: "1", description: "", totalMarks: 10, feedback: "" };
const proposal: QuestionMark = { ...base, marksAwarded: 4 };
const unmarked: QuestionMark = { ...base, marksAwarded: null };
const decided = (by: string, role: Role, proposedMarks: number | null = null): QuestionMark => ({
  ...base,
  marksAwarded: 5,
  proposedMarks,
  decision: { id: 1, how: "entered", by, role, at: "2026-06-03T12:00:00.000Z" },
});
const times = (count: number, mark: QuestionMark) => Array.from({ length: count }, () => mark);
const classOf = (...questionMarks: QuestionMark[]) => [
  { studentName: "Anna", fileName: "anna.txt", grade: null, feedback: "", questionMarks },
];

const educator: Reader = { kind: "educator", educator: "T. Mokoena" };
const copy: Reader = { kind: "copy", educator: "T. Mokoena" };
const team: Reader = { kind: "team" };

const dlamini = decided("N. Dlamini", "marker");
const own = decided("T. Mokoena", "educator");

/** For each kind of class: the sentence, what comes next, and the slip. */
const kinds: [kind: string, marks: QuestionMark[], sentence: string, next: string, slip: string][] =
  [
    [
      "all in pencil",
      times(180, proposal),
      "All 180 marks are proposals, in pencil: no person has decided any.",
      "You decide what counts. Sign when all are decided.",
      "These marks are proposals: no person has decided them.",
    ],
    [
      "mixed",
      [...times(12, proposal), ...times(18, dlamini)],
      "12 marks are proposals, 18 were decided by N. Dlamini.",
      "You can change any of them. Sign when all are decided.",
      "18 of 30 marks are decided, in red; 12 are proposals, in pencil.",
    ],
    [
      "mixed, by a marker and the educator",
      [...times(12, proposal), ...times(10, dlamini), ...times(8, own)],
      "12 marks are proposals; 18 were decided, 10 by N. Dlamini, 8 by you.",
      "You can change any of them. Sign when all are decided.",
      "18 of 30 marks are decided, in red; 12 are proposals, in pencil.",
    ],
    [
      "decided by a marker",
      times(4, dlamini),
      "All 4 marks were decided by N. Dlamini.",
      "You can change any of them, then sign.",
      "",
    ],
    [
      "decided by both",
      [...times(9, own), ...times(171, dlamini)],
      "All 180 marks were decided, 171 by N. Dlamini, 9 by you.",
      "You can change any of them, then sign.",
      "",
    ],
    [
      "decided by the team’s command, and before decisions were stored",
      [decided("the team", "team"), { ...proposal, proposedMarks: 3 }],
      "All 2 marks were decided by the team.",
      "You can change any of them, then sign.",
      "",
    ],
    [
      "unfinished, by hand",
      [...times(1, own), ...times(3, unmarked)],
      "1 mark was decided by you, 3 answers have no mark yet.",
      "You can change any of them. Sign when all are decided.",
      "1 of 4 marks is decided, in red; 3 answers have no mark yet.",
    ],
    ["without a grade", [], "No learner of this class gets a grade.", "You can sign.", ""],
    [
      "proposed in part",
      [proposal, unmarked],
      "1 mark is a proposal, 1 answer has no mark yet, none is decided.",
      "You decide what counts. Sign when all are decided.",
      "1 is a proposal, in pencil; 1 answer has no mark yet.",
    ],
  ];

for (const [kind, marks, sentence, next, slip] of kinds) {
  test(`a class that is ${kind} is described to educator and learner`, () => {
    const who = whoDecided(classOf(...marks));
    assert.equal(sentenceOfClass(who, educator), sentence);
    assert.equal(nextForEducator(who), next);
    assert.equal(sentenceOfLearner(classOf(...marks)[0]!), slip);
  });
}

test("how a decision names its person depends on the link of the reader, not on the name", () => {
  const erased = "a marker whose name was erased";
  const lead = "L. Mbeki (lead)";
  const namesake = decided("T. Mokoena", "marker");
  for (const [{ decision }, toEducator, toTeam, onCopy] of [
    [dlamini, "N. Dlamini", "N. Dlamini (marker)", "a marker"],
    [own, "you", "T. Mokoena (educator)", "T. Mokoena"],
    [namesake, "a marker recorded as T. Mokoena", "T. Mokoena (marker)", "a marker"],
    [decided("a marker", "marker"), erased, erased, "a marker"],
    [decided("the team", "team"), "the team", "the team", "the team"],
    [decided(lead, "marker"), lead, lead, "a marker"],
  ] as const) {
    assert.equal(nameOf(decision!, educator), toEducator);
    assert.equal(nameOf(decision!, team), toTeam);
    assert.equal(nameOf(decision!, copy), onCopy);
  }
});

test("decisions of one name, and all of the educator, are counted together", () => {
  const who = whoDecided(classOf(dlamini, dlamini, own, decided("Mrs Mokoena", "educator")));
  assert.equal(
    sentenceOfClass(who, educator),
    "All 4 marks were decided, 2 by N. Dlamini, 2 by you.",
  );
});

const resultsEmailOf = (
  marks: QuestionMark[],
  open: Partial<Parameters<typeof resultsEmail>[0]> = {},
) =>
  resultsEmail({
    reference: "ABCD-EFGH-JKMN",
    recipient: "t@school.example",
    team: "team@team.example",
    productName: "Rubricon",
    submissions: classOf(...marks),
    sender: "T. Mokoena",
    reviewers: "a person on our team",
    expiresAt: new Date("2026-12-07T12:00:00Z"),
    isSigned: false,
    complete: 1,
    problemPages: 0,
    ...open,
  }).body;

test("the email calls no class complete while a scanned page belongs to no learner", () => {
  assert.match(resultsEmailOf([dlamini]), / The learner is complete\. /);
  const page = resultsEmailOf([dlamini], { complete: 1, problemPages: 1 });
  assert.match(page, / 1 scanned page belongs to no learner yet\. The final decision is yours\./);
  assert.ok(!page.includes("complete"));
  const both = resultsEmailOf([dlamini], { complete: 0, problemPages: 2 });
  assert.match(both, / The learner is not complete: .* 2 scanned pages belong to no learner yet\./);
});

test("the email asks for a signature only while the marks are not signed", () => {
  assert.match(
    resultsEmailOf([dlamini]),
    / can change any mark\. Then sign the marks on the page\./,
  );
  const signed = resultsEmailOf([dlamini], { isSigned: true });
  assert.match(
    signed,
    / The marks are signed: they can be changed once our team has reopened them\./,
  );
  assert.doesNotMatch(signed, /sign the marks|can change/);
});

test("the email says of a complete class how many learners have no grade", () => {
  const absent = { ...classOf(unmarked)[0]!, noGrade: "absent" as const };
  const submissions = [...classOf(dlamini), absent];
  assert.match(
    resultsEmailOf([], { submissions, complete: 2 }),
    / All 2 learners are complete; 1 has no grade: absent or unreadable\. /,
  );
});

test("the email says that what was proposed was checked or marked anew only if it was", () => {
  const agreed = decided("N. Dlamini", "marker", 5);
  const byTeam = decided("the team", "team", 4);
  const checked = /What was proposed was checked or marked anew by a person on our team\./;
  // Who marks blind has not seen what was proposed.
  const blind = { ...agreed, decision: { ...agreed.decision!, how: "blind" as const } };
  assert.match(resultsEmailOf([agreed, byTeam, blind]), checked);
  for (const [unchecked, mark] of Object.entries({
    proposal,
    own: decided("T. M", "educator", 5),
  })) {
    assert.doesNotMatch(resultsEmailOf([agreed, mark]), /checked/, unchecked);
  }
  assert.doesNotMatch(resultsEmailOf([dlamini]), /checked/, "nothing was proposed");
});

test("the email about a signature says who decided, and how far from what was proposed", () => {
  const emailOf = (...marks: QuestionMark[]) =>
    signedEmail({
      reference: "ABCD-EFGH-JKMN",
      by: "T. Mokoena",
      team: "team@team.example",
      productName: "Rubricon",
      submissions: classOf(...marks),
      at: new Date(),
    }).body;
  assert.match(
    emailOf(...times(2, dlamini), own),
    /Marks: +3\nDecided: +2 by N\. Dlamini \(marker\), 1 by T\. Mokoena \(educator\)\n\n/,
  );
  assert.match(emailOf(decided("N. Dlamini", "marker", 5)), /Proposals: +1, none changed\n/);
  assert.match(
    emailOf(decided("N. Dlamini", "marker", 4), own),
    /Proposals: +1, 1 changed, by \+1 mark in sum\n/,
  );
});

const mainOf = ({ bytes }: { bytes: Buffer }) =>
  wordsOf(/<main[^>]*>(.*)<\/main>/s.exec(bytes.toString())![1]!).replaceAll(" .", ".");

/** A class as the team and the educator have it in hand. */
interface Published {
  reference: string;
  token: string;
  /** The token of a reading copy. */
  copy: string;
  email: string;
}

async function publish(server: Server, reference: string): Promise<Published> {
  await succeeded(runResults(server, ["publish", reference]));
  const [row] = await server.query<{ link: string; body: string }>(
    `SELECT link, body FROM outbox WHERE kind = 'results' AND reference = '${reference}' ORDER BY id DESC`,
  );
  const token = new URL(row!.link).searchParams.get("results")!;
  return { reference, token, copy: await shareMarks(server, reference), email: row!.body };
}

/** What a page of results says. */
const read = async (server: Server, token: string, query = "") =>
  mainOf(await sendRequest(server.url, `/?results=${token}${query}`));

/** Everything that says who decided. */
async function sayings(server: Server, { reference, token, copy, email }: Published) {
  const html = (await sendRequest(server.url, `/?results=${token}`)).bytes.toString();
  const [learner] = /learner=\d+/.exec(html)!;
  const csv = await sendRequest(server.url, `/api/results/${token}/marks`);
  return {
    email,
    class: await read(server, token),
    learner: await read(server, token, `&${learner}`),
    slips: await read(server, token, "&slips=1"),
    copy: await read(server, copy),
    copyOfLearner: await read(server, copy, `&${learner}`),
    show: (await runResults(server, ["show", reference])).out,
    history: (await runResults(server, ["history", reference])).out,
    csv: csv.bytes.toString(),
  };
}

const ofProposals = /propos|pencil|\bmodel\b|checked by/i;

/** Decides answers on the desk as a person without script does, as often as there are marks. */
async function decide(server: Server, link: string, marks: (number | "agree")[]): Promise<void> {
  for (const one of marks) {
    const { html } = await readDesk(server, link, { view: "mark", order: "learner" });
    const intent = one === "agree" ? "agree" : "save";
    const fields: Record<string, string> = one === "agree" ? {} : { marks: String(one) };
    assert.equal((await postForm(server.url, formOf(html, intent), intent, fields)).status, 303);
  }
  // What is open to one person is not the next answer of another.
  await server.change("DELETE FROM open_answers");
}

/** Signs, and returns the email to the team. */
async function sign(server: Server, { reference, token }: Published): Promise<string> {
  const { bytes } = await sendRequest(server.url, `/?results=${token}`);
  const form = formsIn(bytes.toString()).find(({ html }) => html.includes("sign-name"))!;
  const signed = await postForm(server.url, form, "sign", { name: "T. Example" });
  assert.equal(signed.status, 303);
  const [row] = await server.query<{ body: string }>(
    `SELECT body FROM outbox WHERE kind = 'signed' AND reference = '${reference}'`,
  );
  return row!.body;
}

const names = ["anna.txt", "ben.txt"];

const importClass = setUpOnce(async (server) => {
  const reference = await uploadSubmissions(server, names);
  const sheet = {
    title: "Plants",
    questions: paper.map(({ memo: _, ...question }) => question),
    submissions: names.map((fileName) => ({
      fileName,
      studentName: fileName.replace(".txt", ""),
      questionMarks: paper.map(({ questionNumber }) => ({ questionNumber, marksAwarded: 2 })),
    })),
  };
  await succeeded(runResults(server, ["import", reference], sheet));
  return { server, reference };
});

async function linkTo(server: Server, reference: string, marker: string): Promise<string> {
  const assessmentId = await withStore(server, async (store) => {
    const target = (await store.findMarkingTarget(reference))!;
    await store.prepareDesk(target.assessmentId);
    return target.assessmentId;
  });
  return openLink(server, { assessmentId }, { marker, showsNames: true });
}

test("an imported class of which nothing is decided is in pencil", async () => {
  const { server, reference } = await importClass();
  const published = await publish(server, reference);
  const said = await sayings(server, published);
  for (const text of [said.email, said.class, said.copy]) {
    assert.match(text, /All 4 marks are proposals, in pencil: no person has decided any\./);
    assert.ok(!text.includes("checked"));
  }
  assert.match(said.class, /no person has decided any\. Decide these first/);
  assert.match(said.learner, /in pencil until every mark is decided/);
  assert.match(said.slips, /These marks are proposals: no person has decided them\./);
  assert.doesNotMatch(said.copy, /decided any\. You/);
  assert.match(said.show, /^All 4 marks are proposals, in pencil: no person has decided any\.$/m);
  assert.match(said.history, /^\S+ \S+ \S+ {2}imported 4 proposals of 2 learners\n$/);
  assert.match(said.csv, /,Decided by a person,Decided by,Signed\r?\n.*,,,unsigned\r?\n/);
});

/** A published class that its educator has decided. */
const classOfEducator = setUpOnce(async () => {
  const { server, reference } = await importClass();
  const published = await publish(server, reference);
  await decide(server, published.token, ["agree", "agree", "agree", 3]);
  return { server, published };
});

test("a class that the educator decided says so wherever it is shown", async () => {
  const { server, published } = await classOfEducator();
  const said = await sayings(server, published);
  for (const [what, pattern] of [
    ["class", /All 4 marks were decided by you\. You can change any of them, then sign\./],
    ["class", /decided by you\. Different from the proposal: 1, by \+1 mark in sum\./],
    // On the screen, and in its place on paper.
    ["learner", / 2 agreed, of \/ 3 by you by Thandi Example /],
    ["copy", /All 4 marks were decided by Thandi Example\./],
    ["copyOfLearner", /by Thandi Example/],
    ["show", /^All 4 marks were decided by Thandi Example \(educator\)\.$/m],
    ["history", /1\.1 {2}2 to 2 {2}agreed by Thandi Example \(educator\)$/m],
    ["csv", /,Thandi Example,unsigned\r?\n/],
  ] as const) {
    assert.match(said[what], pattern, what);
  }
});

test("a signed class that the educator decided says so without offering a change", async () => {
  const { server, published } = await classOfEducator();
  const offer = "You can change any of them";
  assert.ok((await read(server, published.token)).includes(offer));
  assert.match(
    await sign(server, published),
    /Decided: +4 by Thandi Example \(educator\)\nProposals: +4, 1 changed, by \+1 mark in sum\n/,
  );
  const final = await read(server, published.token);
  assert.match(final, /Signed by T\. Example on .*All 4 marks were decided by you\./s);
  assert.ok(!final.includes(offer));
});

/** What is said of a class that a marker has marked without proposals, once it is published and once it is signed. */
const saidOfHandMarked = once(async () => {
  const server = await emptyServer();
  const desk = await prepareClass(server, names);
  const marker = await openLink(server, desk, { marker: "N. Dlamini" });
  await decide(server, marker, [2, 3, 1, 4]);
  const published = await publish(server, desk.reference);
  return { ...(await sayings(server, published)), signed: await sign(server, published) };
});

test("of a class marked by hand nothing speaks of proposals", async () => {
  for (const [what, text] of Object.entries(await saidOfHandMarked())) {
    assert.doesNotMatch(text, ofProposals, what);
  }
});

test("a class marked by hand names its marker only to the educator and the team", async () => {
  const said = await saidOfHandMarked();
  const [all, dlamini] = ["All 4 marks were decided by", "N\\. Dlamini"];
  for (const [what, pattern] of [
    ["email", `${all} ${dlamini}\\. All 2 learners are complete\\. The final decision is yours\\.`],
    ["class", `${all} ${dlamini}\\. You can change any of them, then sign`],
    ["learner", `by ${dlamini}`],
    ["copy", `${all} a marker\\.`],
    ["show", `^${all} ${dlamini} \\(marker\\)\\.$`],
    ["history", `entered by ${dlamini} \\(marker\\)$`],
    ["csv", dlamini],
    ["signed", `Decided: +4 by ${dlamini} \\(marker\\)\n\n`],
  ] as const) {
    assert.match(said[what], new RegExp(pattern, "m"), what);
  }
  for (const text of [said.slips, said.copy, said.copyOfLearner]) {
    assert.ok(!text.includes("Dlamini"), text);
  }
});

/** A published class that two markers have decided, one of whom has the educator's name. */
const classOfNamesakes = setUpOnce(async () => {
  const { server, reference } = await importClass();
  await decide(server, await linkTo(server, reference, "Thandi Example"), ["agree", "agree", 1]);
  await decide(server, await linkTo(server, reference, "S. Naidoo"), ["agree"]);
  return { server, published: await publish(server, reference) };
});

test("a marker with the educator's name is still called a marker", async () => {
  const { server, published } = await classOfNamesakes();
  const said = await sayings(server, published);
  assert.match(said.email, /decided, 3 by a marker recorded as Thandi Example, 1 by S\. Naidoo\./);
  assert.match(
    said.email,
    /What was proposed was checked or marked anew by a person on our team\./,
  );
  assert.match(said.class, /3 by a marker recorded as Thandi Example, 1 by S\. Naidoo\./);
  assert.match(said.copy, /All 4 marks were decided by a marker\./);
  assert.match(said.show, /decided, 3 by Thandi Example \(marker\), 1 by S\. Naidoo \(marker\)\./);
});

test("the names of erased markers are left on no page and in no email of the class", async () => {
  const { server, published } = await classOfNamesakes();
  const { reference, token } = published;
  for (const marker of ["S. Naidoo", "Thandi Example"]) {
    await succeeded(runCommand(server.folder, ["subject", "erase", marker, "--yes"]));
  }
  const erased = "a marker whose name was erased";
  const page = await read(server, token);
  assert.ok(page.includes(`All 4 marks were decided by ${erased}.`), page);
  const show = (await runResults(server, ["show", reference])).out;
  assert.ok(show.includes(`decided by ${erased}.`), show);
  const [email, ...others] = await server.query<{ body: string }>(
    `SELECT body FROM outbox WHERE reference = '${reference}' AND kind <> 'request'`,
  );
  assert.deepEqual(others, []);
  assert.doesNotMatch(email!.body, /Naidoo|Thandi/);
  assert.ok(email!.body.includes(`3 by ${erased}, 1 by ${erased}.`), email!.body);
});
