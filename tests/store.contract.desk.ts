/** The operations of the marking desk; see store.contract.test.ts. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { getTableName, is, Table } from "drizzle-orm";
import type { ScriptsReady } from "../app/domain/class-jobs.ts";
import { type Given, type NewDecision, nothingElse } from "../app/domain/decision.ts";
import type { Desk, NewMarkingLink, PaperQuestion, ShownFile } from "../app/domain/desk.ts";
import type { NoGrade, QuestionMark, Results } from "../app/domain/result.ts";
import type { ProblemChange } from "../app/domain/scan.ts";
import {
  maxScanBytes,
  maxScanUploads,
  type ShownScanUpload,
  type SplitReport,
  scanPartBytes,
} from "../app/domain/scan-upload.ts";
import type { NewStamp, PageTurn } from "../app/domain/stamp.ts";
import type { WorkFileTarget } from "../app/domain/team.ts";
import { decidedProposals } from "../app/results/agreement.ts";
import { seenOf } from "../app/results/apply-decision.ts";
import type { ListedLearner } from "../app/results/class-list.ts";
import type { ClassListOptions } from "../app/results/class-plan.ts";
import { hasDifference } from "../app/results/class-report.ts";
import { sentenceOfClass, whoDecided } from "../app/results/who-decided.ts";
import type * as actionModule from "../app/routes/marking-action.ts";
import { archivedScripts } from "../app/server/class-work/learner-scripts.ts";
import type * as servicesModule from "../app/server/desk-services.ts";
import * as schema from "../db/schema.ts";
import type { Operations, Store } from "../db/store.ts";
import { column, columns } from "./support/columns.ts";
import { openAfter } from "./support/recorded-store.ts";
import { loadSource } from "./support/source.ts";
import {
  day,
  email,
  hour,
  importOf,
  later,
  minute,
  noon,
  publication,
  stage,
  submitDemo,
} from "./support/store-requests.ts";

const paper: PaperQuestion[] = ["1", "2"].map((questionNumber) => ({
  questionNumber,
  totalMarks: 10,
  description: "Add",
  memo: "Carry.",
}));

export const emptyDraft = {
  ...{ marks: "", comment: "", notAnswered: false, ticks: "", stampText: "", askText: "" },
  withoutReason: false,
};

/** Stages pages that are cut from a scan. Returns the file's id. */
export async function stagePages(store: Operations, name: string): Promise<number> {
  const bytes = Buffer.from("%PDF-");
  const file = { field: "scannedPages", name, mediaType: "application/pdf", bytes };
  return (await store.stageFile(file, 1_000_000, noon)).id;
}

/** Stages the first two pages of a scan as its problem pages. */
export async function stageProblems(store: Operations, reason: string) {
  const problems = [];
  for (const page of [1, 2]) {
    problems.push({ page, reason, fileId: await stagePages(store, `scan page ${page}.pdf`) });
  }
  return problems;
}

const emptyReport: SplitReport = {
  ...{ scripts: [], problems: [], missing: [], longer: [], double: [] },
  ...{ unknown: [], withoutPages: [], blank: [], splitBefore: [] },
};

export const emptyScan = { name: "scan.pdf", sha256: "a".repeat(64), scripts: [], problems: [] };

const wholeLink: NewMarkingLink = {
  ...{ token: "all", marker: "N. Dlamini", expiresAt: later(14 * day) },
  ...{ questions: null, learners: null, showsNames: false, tolerance: null },
};

/** Stores a request of three files, and prepares its desk, with its questions and a link that opens all of it. */
async function prepareRequest(store: Operations, questions: PaperQuestion[]) {
  const submissionFiles = [];
  for (const name of ["anna.pdf", "ben.pdf", "cleo.pdf"]) {
    const bytes = Buffer.from(name);
    const file = { field: "submissionFiles", name, mediaType: "application/pdf", bytes };
    submissionFiles.push(await store.stageFile(file, 1_000_000, noon));
  }
  const files = { submissionFiles, questionsFile: [await stage(store, "questionsFile")] };
  const { reference, assessmentId } = await submitDemo(store, files);
  const { learners } = await store.prepareDesk(assessmentId);
  const ids = learners.map(({ id }) => id);
  await store.addMarkingLink(assessmentId, wholeLink, undefined, noon);
  if (questions.length > 0) {
    const { paperVersion: seenVersion } = (await store.findDesk("all", noon)) as Desk;
    const paper = { title: "Sums", questions, seenVersion };
    assert.deepEqual(await store.setPaper("all", paper, noon), { outcome: "stored" });
  }
  return { reference, assessmentId, ids, fileIds: submissionFiles.map(({ id }) => id) };
}

/** A request of three files whose desk is prepared, with its questions and a link that opens all of it. */
export async function preparedDesk(t: TestContext, questions = paper) {
  const name = `prepared desk ${JSON.stringify(questions)}`;
  const opened = await openAfter(t, name, (store) => prepareRequest(store, questions));
  const { store, result: request } = opened;
  const { reference, assessmentId, ids } = request;
  /** Adds a marking link, and queues the email with it if there is a recipient. */
  const link = (more: Partial<NewMarkingLink> = {}, recipient?: string) => {
    const added = { ...wholeLink, ...more };
    const address = `https://site.example/marking?link=${added.token}`;
    const mail = recipient
      ? { email: { ...email, recipient }, link: address, reference, isOnHold: false }
      : undefined;
    return store.addMarkingLink(assessmentId, added, mail, noon);
  };
  const desk = async (token = "all", at = noon) => {
    const found = await store.findDesk(token, at);
    assert.ok(!("state" in found));
    return found as Desk;
  };
  const setQuestions = async (
    questions: PaperQuestion[],
    more: { confirmedVersion?: string } = {},
  ) => {
    const seenVersion = (await desk()).paperVersion;
    const changed = { title: "Sums", questions, seenVersion, ...more };
    return store.setPaper("all", changed, noon);
  };
  const markOf = async (learner: number, questionNumber: string) =>
    (await desk()).learners
      .find(({ id }) => id === ids[learner])!
      .marks.find((mark) => mark.questionNumber === questionNumber)!;
  const decision = async (learner: number, questionNumber: string, marks: number | null) =>
    decisionOn(await markOf(learner, questionNumber), ids[learner]!, { marks });
  /** An answer as a link shows it. */
  const answer = async (learnerId: number, token = "all", questionNumber = "1") => {
    const key = { learnerId, questionNumber, order: "question" as const };
    const found = await store.findAnswer(token, key, noon);
    assert.ok("work" in found, `${token} opens question ${questionNumber}`);
    return found;
  };
  const decide = async (learner: number, question: string, marks: number | null, token = "all") =>
    store.decideAnswer(token, await decision(learner, question, marks), later(hour));
  /** Which of the tables have a row that matches. */
  const tablesWith = async (text: RegExp, tables: string[]) => {
    const rows = await Promise.all(tables.map((table) => opened.query(`SELECT * FROM ${table}`)));
    return tables.filter((_, index) => text.test(JSON.stringify(rows[index])));
  };
  return {
    ...opened,
    ...request,
    ...{ link, desk, setQuestions, markOf, decision, decide, answer, tablesWith },
  };
}

type PreparedDesk = Awaited<ReturnType<typeof preparedDesk>>;

/** Stores a class list as its preview shows it. Returns the plan of the preview. */
export async function takeList(
  { store, assessmentId }: PreparedDesk,
  listed: ListedLearner[],
  options: ClassListOptions = {},
) {
  const preview = await store.takeClassList(assessmentId, listed, options);
  assert.ok(preview.outcome === "preview", JSON.stringify(preview));
  const { plan, version: seenVersion } = preview;
  const stored = await store.takeClassList(assessmentId, listed, { ...options, seenVersion });
  assert.deepEqual(stored.outcome === "stored" && stored.plan, plan);
  return plan;
}

/** Adds a link to read the results, with the token "copy". */
export const shareCopy = ({ store, assessmentId }: Pick<PreparedDesk, "store" | "assessmentId">) =>
  store.shareResults(
    assessmentId,
    { token: "copy", sender: "T. Example", expiresAt: later(day) },
    noon,
  );

/** Stores each file of a class as not rendered, and ends the job of the class. */
async function endJob({ store, assessmentId }: PreparedDesk, at = noon): Promise<void> {
  const job = (await store.takeClassJob(assessmentId))!;
  const rendered = { kind: "original" as const, reason: "is damaged." };
  for (const { id: fileId } of await store.listUnrenderedFiles(assessmentId)) {
    await store.storeJobRendering(job, { fileId, rendered }, noon);
  }
  assert.equal(await store.endClassJob(job, at), true);
}

/** Stores each script of a class as rendered on three pages. */
async function renderThreePages({ store, fileIds }: PreparedDesk): Promise<void> {
  const page = { width: 11, height: 15, webp: Buffer.from("picture") };
  const pages = [1, 2, 3].map((number) => ({ ...page, page: number, text: `page ${number}` }));
  for (const fileId of fileIds) await store.storeRendering(fileId, { kind: "pages", pages }, noon);
}

/** Signs the marks of a class, decided or not. */
const sign = ({ query, assessmentId }: PreparedDesk) =>
  query(
    `INSERT INTO signatures (assessment_id, signed_by, created_at) VALUES (${assessmentId}, 'T. Example', '${noon.toISOString()}')`,
  );

/** Says, under the link "all", why a learner gets no grade; null: the learner gets one. */
export const setNoGrade = (
  { store, ids }: Pick<PreparedDesk, "store" | "ids">,
  learner: number,
  noGrade: NoGrade | null,
) => store.changeLearners("all", { change: "no grade", learnerId: ids[learner]!, noGrade }, noon);

/** The next answer, as it is dealt. */
const dealt = (learnerId: number, questionNumber: string) => ({
  ...{ outcome: "answer", learnerId, questionNumber },
});

/** A decision on a mark as it is shown. */
export const decisionOn = (mark: QuestionMark, learnerId: number, given: Partial<Given>) => ({
  learnerId,
  seen: seenOf(mark),
  given: { ...nothingElse, marks: null, ...given },
  order: "question" as const,
});

test("a marking link opens its part of its request until it expires", async (t) => {
  const { store, reference, link, desk } = await preparedDesk(t, []);
  await link({ token: "part", marker: "S. Naidoo", questions: ["1"], expiresAt: later(day) });
  const { link: opened } = await desk("part", later(day - 1));
  assert.partialDeepStrictEqual(opened, { reference, marker: "S. Naidoo", questions: ["1"] });
  assert.deepEqual(await store.findDesk("part", later(day)), { state: "expired" });
});

test("a person who opens a marking link does not get the marker's address", async (t) => {
  const { link, desk } = await preparedDesk(t, []);
  await link({ token: "sent" }, "naidoo@school.example");
  assert.doesNotMatch(JSON.stringify(await desk("sent")), /naidoo@school\.example/);
});

test("an unknown token opens no desk", async (t) => {
  const { store } = await preparedDesk(t, []);
  assert.equal(await store.findLinkKind("another", noon), undefined);
  assert.deepEqual(await store.findDesk("another", noon), { state: "unknown" });
});

test("an unsent email fails once its marking link has expired", async (t) => {
  const { store, reference, link } = await preparedDesk(t, []);
  await link({ token: "sent", expiresAt: later(day) }, "naidoo@school.example");
  assert.deepEqual(await store.failExpiredLinks(later(day - 1)), []);
  assert.deepEqual(await store.failExpiredLinks(later(day)), [reference]);
  assert.equal((await store.countEmails()).failed, 1);
});

test("the token of a marking link is stored only as a hash", async (t) => {
  const { query } = await preparedDesk(t, []);
  const [link] = await query<{ token_hash: string }>("SELECT * FROM marking_links");
  assert.match(link!.token_hash, /^[\da-f]{64}$/);
  assert.ok(!Object.values(link!).includes("all"), "the token itself is not stored");
});

test("the first opening of a marking link is recorded", async (t) => {
  const { store, query, reference, desk } = await preparedDesk(t, []);
  assert.equal((await desk()).link.openedAt, null);
  for (const at of [noon, later(1)]) await store.markLinkOpened("all", at);
  await store.markLinkOpened("another", noon);
  assert.equal((await desk()).link.openedAt, noon.toISOString());
  assert.deepEqual(await query("SELECT action, reference FROM audit"), [
    { action: "marking link opened", reference },
  ]);
});

test("the links of one marker, or all, are closed together with their unsent emails", async (t) => {
  const { store, query, assessmentId, link } = await preparedDesk(t, []);
  await link({ token: "sent", marker: "S. Naidoo" }, "naidoo@school.example");
  for (const _ of ["request", "marking"]) {
    await store.markSent((await store.takeDueEmail(noon))!, noon);
  }
  const otherWork = { questions: ["1.1"] };
  await link({ token: "unsent", marker: "S. Naidoo", ...otherWork }, "naidoo@school.example");
  await link({ token: "third" }, "dlamini@school.example");
  const close = (marker?: string) => store.closeMarkingLinks(assessmentId, marker, noon);
  const emails = async () =>
    column(await query("SELECT status FROM outbox WHERE kind = 'marking' ORDER BY id"), "status");
  assert.deepEqual(await close("S. Naidoo"), ["S. Naidoo", "S. Naidoo"]);
  assert.deepEqual(await emails(), ["sent", "pending"]);
  assert.deepEqual(await close(), ["N. Dlamini", "N. Dlamini"]);
  assert.deepEqual(await emails(), ["sent"]);
  assert.deepEqual(await close(), []);
  assert.deepEqual(await store.findDesk("all", noon), { state: "closed" });
  const listed = await store.listMarkingLinks(undefined, noon);
  assert.deepEqual(columns(listed, "marker", "state", "email"), [
    ["N. Dlamini", "closed", null],
    ["S. Naidoo", "closed", "naidoo@school.example"],
    ["S. Naidoo", "closed", "naidoo@school.example"],
    ["N. Dlamini", "closed", "dlamini@school.example"],
  ]);
  await link({ token: "fourth" });
  assert.deepEqual(await store.closeMarkingLinks(assessmentId, undefined, later(99 * day)), []);
});

/** A desk with a function that emails a link to question 1 to the same marker. Returns what came of it. */
async function emailingDesk(t: TestContext) {
  const opened = await preparedDesk(t, []);
  const email = async (token: string, questions = ["1"]) => {
    const wanted = { token, marker: "S. Naidoo", questions };
    return (await opened.link(wanted, "naidoo@school.example")).outcome;
  };
  return { ...opened, email };
}

test("a marker is emailed no second link to the same work while the first is open", async (t) => {
  const { store, assessmentId, email } = await emailingDesk(t);
  assert.equal(await email("first"), "stored");
  assert.equal(await email("second"), "open already");
  assert.equal(await email("other", ["2"]), "stored", "other work has a link of its own");
  await store.closeMarkingLinks(assessmentId, "S. Naidoo", noon);
  assert.equal(await email("third"), "stored");
});

test("a marker is emailed another link after one whose email failed or was discarded", async (t) => {
  const { store, query, email } = await emailingDesk(t);
  assert.equal(await email("first"), "stored");
  await query("UPDATE outbox SET status = 'failed', link = NULL WHERE kind = 'marking'");
  assert.equal(await email("second"), "stored");
  assert.equal(await email("third"), "open already");
  const [unsent] = await query<{ id: number }>(
    "SELECT max(id) AS id FROM outbox WHERE kind = 'marking'",
  );
  await store.discardEmails([unsent!.id], noon);
  assert.equal(await email("fourth"), "stored");
});

test("a new desk has a numbered learner for each file, also when it is prepared again", async (t) => {
  const { store, ids, fileIds, assessmentId, desk } = await preparedDesk(t, []);
  const { learners } = await desk();
  assert.deepEqual(
    learners.map(({ number, files, marks }) => [number, column(files, "fileId"), marks]),
    fileIds.map((fileId, index) => [String(index + 1), [fileId], []]),
  );
  const again = await store.prepareDesk(assessmentId);
  assert.deepEqual(column(again.learners, "id"), ids);
});

test("a desk without questions has the name of their file", async (t) => {
  const { title, questions } = await (await preparedDesk(t, [])).desk();
  assert.deepEqual({ title, questions }, { title: "questionsFile", questions: [] });
});

test("a desk shows the questions and learners that its link opens, with names if it shows names", async (t) => {
  const { ids, link, desk } = await preparedDesk(t);
  await link({ token: "part", questions: ["2"], learners: [ids[1]!], showsNames: true });
  const { questions, learners } = await desk("part");
  assert.deepEqual(questions, [paper[1]]);
  const { memo: _, ...shown } = paper[1]!;
  const mark = { ...shown, marksAwarded: null, feedback: "" };
  assert.deepEqual(
    learners.map(({ name, fileName, marks }) => ({ name, fileName, marks })),
    [{ name: "ben", fileName: "ben.pdf", marks: [mark] }],
  );
  const unnamed = columns((await desk("all")).learners, "name", "fileName");
  assert.deepEqual(unnamed, Array(3).fill([null, null]));
});

test("a decision that is posted twice is stored once", async (t) => {
  const { store, query, decision } = await preparedDesk(t);
  const first = await decision(0, "1", 6.25);
  const both = await Promise.all([1, 2].map(() => store.decideAnswer("all", first, noon)));
  assert.deepEqual(column(both, "outcome"), ["stored", "stored"]);
  const decisions = await query("SELECT * FROM decisions");
  assert.deepEqual(
    columns(decisions, "question_number", "to_marks", "how", "decided_by", "marking_link_id"),
    [["1", 6.25, "entered", "N. Dlamini", 1]],
  );
});

test("a decision is rejected if its link does not open the answer or its mark is too high", async (t) => {
  const { store, query, assessmentId, ids, link, decision, decide } = await preparedDesk(t);
  await link({ token: "two", marker: "S. Naidoo", questions: ["2"], learners: [ids[0]!] });
  assert.deepEqual(await decide(0, "1", 1, "two"), { outcome: "no question" });
  assert.deepEqual(await decide(1, "2", 1, "two"), { outcome: "no learner" });
  assert.deepEqual(await decide(1, "1", 10.25), { outcome: "too many", totalMarks: 10 });
  assert.deepEqual(await decide(1, "1", 1, "no"), { outcome: "no link" });
  const first = await decision(0, "1", 1);
  const nowhere = { ...first, seen: { ...first.seen, questionNumber: "9" } };
  assert.deepEqual(await store.decideAnswer("all", nowhere, noon), { outcome: "no question" });
  await store.closeMarkingLinks(assessmentId, "N. Dlamini", noon);
  assert.deepEqual(await store.decideAnswer("all", first, noon), { outcome: "no link" });
  assert.deepEqual(await query("SELECT 1 FROM decisions"), []);
});

test("decided marks count in the results, of which a question not answered is 0", async (t) => {
  const { store, assessmentId, markOf, decide } = await preparedDesk(t);
  await decide(0, "1", 6.25);
  await decide(0, "2", null);
  assert.equal((await markOf(0, "2")).notAnswered, true);
  const { averageGrade, submissions } = (await store.findImportedResults(assessmentId))!;
  assert.equal(averageGrade, 31);
  assert.deepEqual(column(submissions, "grade"), [31, null, null]);
});

test("a class is graded once a mark is decided", async (t) => {
  const { store, reference, decide } = await preparedDesk(t);
  const status = async () => (await store.findMarkingTarget(reference))!.status;
  assert.equal(await status(), "submitted");
  await decide(0, "1", 6.25);
  assert.equal(await status(), "graded");
});

test("a marking link is listed with its decisions", async (t) => {
  const { store, assessmentId, link, decide } = await preparedDesk(t);
  await link({ token: "two", marker: "S. Naidoo" });
  await decide(0, "1", 6.25);
  await decide(0, "2", null, "two");
  const [one, two] = await store.listMarkingLinks(assessmentId, noon);
  assert.deepEqual([one!.decisions, two!.decisions], [1, 1]);
  assert.equal(two!.lastDecisionAt, later(hour).toISOString());
});

test("markers are named to the educator, not to readers of a copy", async (t) => {
  const prepared = await preparedDesk(t);
  const { store, reference, assessmentId, decide } = prepared;
  await decide(0, "1", 6.25);
  await store.publishResults(assessmentId, publication(reference), noon);
  await shareCopy(prepared);
  for (const [token, by] of [
    ["a-token", "N. Dlamini"],
    ["copy", "a marker"],
  ] as const) {
    const { submissions } = (await store.findResults(token, noon))!;
    assert.equal(submissions[0]!.questionMarks[0]!.decision!.by, by, token);
  }
});

test("nothing changes on the desk while the marks are signed", async (t) => {
  const prepared = await preparedDesk(t);
  const { store, reference, assessmentId, ids, fileIds, desk, setQuestions, decision } = prepared;
  const last = await decision(0, "1", 4);
  await sign(prepared);
  const { learners } = await desk();
  assert.equal((await store.decideAnswer("all", last, noon)).outcome, "signed");
  assert.equal((await setNoGrade(prepared, 0, "absent")).outcome, "signed");
  assert.equal((await setQuestions([])).outcome, "signed");
  const noScript = { fileId: fileIds[0]!, learnerId: ids[0]!, to: "no script" as const };
  assert.equal(await store.setWorkFile(assessmentId, noScript), "signed");
  assert.equal((await store.storeScan(assessmentId, emptyScan, noon)).outcome, "signed");
  const erased = await store.eraseLearner({ assessmentId, reference }, ids[0]!, noon);
  assert.equal(erased.outcome, "signed");
  const after = await desk();
  assert.equal(after.signed!.by, "T. Example");
  assert.deepEqual([after.learners, after.questions], [learners, paper]);
});

/** A desk with a function that saves a draft of the first learner's answer to question 1. */
async function deskWithDraft(t: TestContext) {
  const prepared = await preparedDesk(t);
  const typed = { ...emptyDraft, marks: "2,5", comment: "Line 3", stampText: "Why?" };
  const draft = { learnerId: prepared.ids[0]!, questionNumber: "1", ...typed };
  const save = (more: Partial<typeof draft> = {}, token = "all") =>
    prepared.store.saveMarkDraft(token, { ...draft, ...more }, noon);
  return { ...prepared, draft, save };
}

test("what was typed is the link's draft until it is decided", async (t) => {
  const { link, desk, decide, draft, save } = await deskWithDraft(t);
  await link({ token: "two", questions: ["1"] });
  await save({ marks: "2," });
  assert.deepEqual(await save(), { outcome: "stored" });
  assert.deepEqual((await desk()).drafts, [draft]);
  assert.deepEqual((await desk("two")).drafts, []);
  assert.equal((await decide(0, "1", 10.25)).outcome, "too many");
  assert.deepEqual((await desk()).drafts, [draft], "no decision was stored");
  await decide(0, "1", 2.5);
  assert.deepEqual((await desk()).drafts, []);
});

test("a draft is rejected if its link does not open the answer", async (t) => {
  const { link, save } = await deskWithDraft(t);
  await link({ token: "two", questions: ["1"] });
  assert.deepEqual(await save({ questionNumber: "2" }, "two"), { outcome: "no question" });
});

test("a draft has at most 20,000 characters in a field, none of them a control character", async (t) => {
  const { desk, draft, save } = await deskWithDraft(t);
  await save({ comment: "Line\u0000 3", stampText: "Why\u0007?", marks: "x".repeat(30_000) });
  const stored = { comment: "Line  3", stampText: "Why ?", marks: "x".repeat(20_000) };
  assert.deepEqual((await desk()).drafts, [{ ...draft, ...stored }]);
});

test("an empty draft is deleted", async (t) => {
  const { desk, save } = await deskWithDraft(t);
  const empty = { marks: " ", comment: "", stampText: "" };
  for (const box of ["notAnswered", "withoutReason"] as const) {
    await save({ ...empty, [box]: true });
    assert.equal((await desk()).drafts[0]![box], true);
  }
  await save(empty);
  assert.deepEqual((await desk()).drafts, []);
});

test("what is typed as it was decided is no draft", async (t) => {
  const { desk, decide, save } = await deskWithDraft(t);
  await decide(0, "1", 2.5);
  await save();
  assert.equal((await desk()).drafts.length, 1);
  await save({ marks: "2.5", comment: "", stampText: "" });
  assert.deepEqual((await desk()).drafts, []);
});

/** A desk with a second marking link "two", and a function that asks for the next answer under a link. */
async function deskToDeal(t: TestContext) {
  const prepared = await preparedDesk(t);
  const { store, ids, link } = prepared;
  await link({ token: "two", marker: "S. Naidoo" });
  const next = async (token: string, more = {}, at = noon) => {
    const found = await store.takeNextAnswer(token, { order: "question", ...more }, at);
    return found.outcome === "answer"
      ? [ids.indexOf(found.learnerId), found.questionNumber]
      : found;
  };
  const key = (learner: number, questionNumber: string) => ({
    learnerId: ids[learner]!,
    questionNumber,
  });
  return { ...prepared, next, key };
}

test("an answer that one marker has opened is dealt to no other for five minutes", async (t) => {
  const { next } = await deskToDeal(t);
  assert.deepEqual(await next("all"), [0, "1"]);
  assert.deepEqual(await next("two"), [1, "1"]);
  assert.deepEqual(await next("two", {}, later(5 * minute - 1)), [1, "1"]);
  assert.deepEqual(await next("two", {}, later(5 * minute)), [0, "1"]);
});

test("a link shows which of its answers others have open", async (t) => {
  const { ids, link, desk, next } = await deskToDeal(t);
  await link({ token: "part", questions: ["2"] });
  await next("all");
  assert.deepEqual((await desk("two")).openElsewhere, [
    { learnerId: ids[0], questionNumber: "1", marker: "N. Dlamini" },
  ]);
  assert.deepEqual((await desk("part")).openElsewhere, [], "the link does not open that question");
  assert.deepEqual((await desk("all")).openElsewhere, [], "the link's own answer");
});

test("answers are dealt by question or by learner, after the last one shown", async (t) => {
  const { next, key } = await deskToDeal(t);
  assert.deepEqual(await next("all", { after: key(0, "1") }), [1, "1"]);
  assert.deepEqual(await next("all", { after: key(2, "1") }), [0, "2"], "the next question");
  assert.deepEqual(await next("all", { order: "learner", after: key(0, "1") }), [0, "2"]);
  assert.deepEqual(await next("all", { after: key(2, "2") }), [0, "1"], "from the beginning");
});

test("neither a decided answer nor one of a learner without a grade is dealt", async (t) => {
  const prepared = await deskToDeal(t);
  await prepared.decide(0, "1", 1);
  await setNoGrade(prepared, 1, "absent");
  assert.deepEqual(await prepared.next("all", {}, later(hour)), [2, "1"]);
});

test("once no other answer is left, those that are open elsewhere are counted", async (t) => {
  const { store, decide, next, key } = await deskToDeal(t);
  for (const learner of [0, 1]) {
    for (const question of ["1", "2"]) await decide(learner, question, 1);
  }
  await decide(2, "1", 1);
  assert.equal(await store.openAnswer("two", key(2, "2"), later(hour)), true);
  assert.deepEqual(await next("all", {}, later(hour)), { outcome: "none", openElsewhere: 1 });
  await decide(2, "2", 1);
  assert.deepEqual(await next("all", {}, later(hour)), { outcome: "none", openElsewhere: 0 });
});

test("an answer that is open under a link is dealt to others once that link is closed", async (t) => {
  const { store, assessmentId, next } = await deskToDeal(t);
  assert.deepEqual(await next("two"), [0, "1"]);
  await store.closeMarkingLinks(assessmentId, "S. Naidoo", noon);
  assert.deepEqual(await next("all"), [0, "1"]);
});

test("a link opens and deals only answers that it shows", async (t) => {
  const { store, query, ids, link, next, key } = await deskToDeal(t);
  await link({ token: "part", questions: ["2"], learners: [ids[1]!] });
  for (const other of [key(0, "2"), key(1, "1"), key(1, "9")]) {
    assert.equal(await store.openAnswer("part", other, noon), false, JSON.stringify(other));
    const ahead = { shown: other, last: other };
    assert.deepEqual(await next("part", { ahead }), [1, "2"], "none is recorded as shown");
  }
  const open = await query("SELECT submission_id, question_number FROM open_answers");
  assert.deepEqual(open, [{ submission_id: ids[1], question_number: "2" }]);
  assert.deepEqual(await next("no"), { outcome: "no link" });
});

/** A desk on which "all" shows the first answer to question 1, which "one" opens too, and has fetched the others ahead. */
async function deskFetchedAhead(t: TestContext) {
  const prepared = await deskToDeal(t);
  const { link, next, key } = prepared;
  await link({ token: "one", marker: "T. Moyo", questions: ["1"] });
  const ahead = (shown: number, last: number) => ({
    ahead: { shown: key(shown, "1"), last: key(last, "1") },
  });
  assert.deepEqual(await next("all"), [0, "1"]);
  assert.deepEqual(await next("all", ahead(0, 0)), [1, "1"]);
  assert.deepEqual(await next("all", ahead(0, 1)), [2, "1"]);
  return { ...prepared, ahead };
}

test("an answer that was only fetched ahead is not open elsewhere", async (t) => {
  const { ids, desk } = await deskFetchedAhead(t);
  assert.deepEqual(column((await desk("two")).openElsewhere, "learnerId"), [ids[0]]);
});

test("an answer that was only fetched ahead is dealt to others once nothing else is left", async (t) => {
  const { next } = await deskFetchedAhead(t);
  assert.deepEqual(await next("two"), [0, "2"], "others are left");
  assert.deepEqual(await next("one"), [2, "1"], "the one that was fetched last");
});

test("an answer that was fetched ahead is not fetched ahead by others", async (t) => {
  const { next, ahead } = await deskFetchedAhead(t);
  assert.deepEqual(await next("one", ahead(0, 0)), { outcome: "none", openElsewhere: 3 });
});

test("an answer that was fetched ahead is not dealt to others once it is shown", async (t) => {
  const { store, ids, decision, ahead } = await deskFetchedAhead(t);
  const nextAfter = async (learner: number, token: string, more = {}) => {
    const decided = { ...(await decision(learner, "1", 1)), ...more };
    const outcome = await store.decideAnswer(token, decided, noon);
    return outcome.outcome === "stored" && outcome.next;
  };
  assert.deepEqual(await nextAfter(0, "all", ahead(1, 2)), dealt(ids[0]!, "2"));
  assert.deepEqual(await nextAfter(2, "one"), { outcome: "none", openElsewhere: 1 });
});

test("an answer that was decided before a fetch ahead arrived is not recorded as open again", async (t) => {
  const { query, decide, next, key } = await deskToDeal(t);
  assert.deepEqual(await next("all"), [0, "1"]);
  await decide(0, "1", 1);
  const shown = key(0, "1");
  assert.deepEqual(await next("all", { ahead: { shown, last: shown } }), [1, "1"]);
  const open = await query("SELECT submission_id FROM open_answers");
  assert.deepEqual(column(open, "submission_id"), [key(1, "1").learnerId]);
});

/** A desk with two learners without work, a link "one" to question 1, and a function that says that one is absent. */
async function deskWithAbsent(t: TestContext) {
  const prepared = await preparedDesk(t);
  const { store, ids, link, desk } = prepared;
  await link({ token: "one", marker: "S. Naidoo", questions: ["1"] });
  for (const number of ["8", "9"]) {
    const add = { change: "add" as const, learner: { number, name: number } };
    const added = await store.changeLearners("all", add, noon);
    ids.push(added.outcome === "stored" ? added.learnerId : assert.fail(added.outcome));
  }
  const [zoe, yara] = ids.slice(3) as [number, number];
  const absent = (learnerId: number, token: string) =>
    store.changeLearners(token, { change: "absent", learnerId }, noon);
  /** For each of the two: who has reported the absence, or why there is no grade. */
  const reports = async () =>
    (await desk()).learners.slice(3).map(({ absenceReportedBy: by, noGrade }) => by ?? noGrade);
  return { ...prepared, zoe, yara, absent, reports };
}

test("a link to some questions reports an absence, on which a link to the whole class decides", async (t) => {
  const prepared = await deskWithAbsent(t);
  const { zoe, yara, absent, reports } = prepared;
  assert.deepEqual(await absent(zoe, "one"), { outcome: "stored", learnerId: zoe });
  assert.deepEqual(await reports(), ["S. Naidoo", undefined]);
  assert.deepEqual(await absent(zoe, "all"), { outcome: "stored", learnerId: zoe });
  assert.deepEqual(await reports(), ["absent", undefined]);
  await absent(yara, "one");
  assert.deepEqual(await reports(), ["absent", "S. Naidoo"]);
  await setNoGrade(prepared, 4, null);
  assert.deepEqual(await reports(), ["absent", undefined], "the report is rejected");
});

test("a link to all questions of some learners decides that one of them is absent", async (t) => {
  const { link, zoe, absent, reports } = await deskWithAbsent(t);
  await link({ token: "zoe", learners: [zoe] });
  assert.deepEqual(await absent(zoe, "zoe"), { outcome: "stored", learnerId: zoe });
  assert.deepEqual(await reports(), ["absent", undefined]);
});

test("a learner who is reported absent is not dealt", async (t) => {
  const { store, ids, zoe, yara, absent } = await deskWithAbsent(t);
  await absent(zoe, "one");
  const after = { learnerId: ids[2]!, questionNumber: "1" };
  const next = await store.takeNextAnswer("all", { order: "question", after }, noon);
  assert.deepEqual(next, dealt(yara, "1"));
});

test("a report of absence ends once a scan has the learner's work", async (t) => {
  const { store, assessmentId, zoe, absent, reports } = await deskWithAbsent(t);
  await absent(zoe, "one");
  assert.deepEqual(await reports(), ["S. Naidoo", undefined]);
  const script = { learnerId: zoe, fileId: await stagePages(store, "zoe.pdf") };
  const scan = { ...emptyScan, scripts: [script] };
  assert.deepEqual(await store.storeScan(assessmentId, scan, noon), { outcome: "stored" });
  assert.deepEqual(await reports(), [undefined, undefined]);
});

test("only a learner of the class without work and marks is absent", async (t) => {
  const { ids, decide, yara, absent } = await deskWithAbsent(t);
  await decide(4, "1", 1);
  for (const token of ["one", "all"]) {
    for (const [learnerId, outcome] of [
      [ids[0]!, "has work"],
      [yara, "has marks"],
      [999, "no learner"],
    ] as const) {
      assert.deepEqual(await absent(learnerId, token), { outcome }, token);
    }
  }
});

test("an answer has one second marker at a time", async (t) => {
  const { store, assessmentId, ids, link } = await preparedDesk(t, []);
  const [anna, ben, cleo] = ids as [number, number, number];
  const second = (token: string, more: Partial<NewMarkingLink>) =>
    link({ token, marker: "S. Naidoo", tolerance: 0, ...more });
  const stored = { outcome: "stored" };
  assert.deepEqual(await second("s1", { questions: ["1"] }), stored);
  assert.deepEqual(await second("s2", { questions: ["2"] }), stored);
  const other = { outcome: "second marker", by: "S. Naidoo" };
  assert.deepEqual(await second("s3", { marker: "T. Moyo" }), other);
  assert.deepEqual(await second("s4", { questions: ["2", "1"], learners: [anna] }), other);
  await store.closeMarkingLinks(assessmentId, "S. Naidoo", noon);
  assert.deepEqual(await second("s5", { learners: [anna, ben] }), stored);
  assert.deepEqual(await second("s6", { learners: [cleo] }), stored);
  assert.deepEqual(await link({ token: "first" }), stored, "the link is not a second marker's");
});

test("questions are set only from their newest version", async (t) => {
  const { store, desk } = await preparedDesk(t, []);
  const seenVersion = (await desk()).paperVersion;
  const post = (title: string) =>
    store.setPaper("all", { title, questions: paper, seenVersion }, noon);
  for (const _ of ["first", "repeated"]) {
    assert.deepEqual(await post("Sums"), { outcome: "stored" });
  }
  assert.deepEqual(await post("Other"), { outcome: "conflict" });
  assert.equal((await desk()).title, "Sums");
});

test("a link to some questions cannot set the questions", async (t) => {
  const { store, link, desk } = await preparedDesk(t);
  await link({ token: "two", questions: ["1"] });
  const other = { title: "Other", questions: paper, seenVersion: (await desk()).paperVersion };
  assert.deepEqual(await store.setPaper("two", other, noon), { outcome: "limited link" });
});

const changedPaper: PaperQuestion[] = [
  { ...paper[1]!, totalMarks: 5, memo: "Another." },
  { ...paper[0]!, questionNumber: "3" },
];

/** A desk on which Anna has 6 marks for both questions, and Ben 3 for the second, of three decisions. */
async function deskOfThreeDecisions(t: TestContext) {
  const prepared = await preparedDesk(t);
  const { decide } = prepared;
  await decide(0, "1", 6);
  await decide(0, "2", 6);
  await decide(1, "2", 3);
  return prepared;
}

/** What questions would change, and the version of that for a person to confirm. */
async function effectsOf({ setQuestions }: PreparedDesk, questions: PaperQuestion[]) {
  const outcome = await setQuestions(questions);
  assert.ok(outcome.outcome === "affects");
  return { effects: outcome.effects, confirmed: { confirmedVersion: outcome.version } };
}

test("new questions wait for a person to agree to what they do to decided marks", async (t) => {
  const prepared = await deskOfThreeDecisions(t);
  const { store, ids, setQuestions, markOf, link, decide, answer } = prepared;
  const effects = [
    "Question 1 goes, with 1 decided mark.",
    "Question 2 is out of 5 in place of 10: of 2 decided marks, 1 must be decided again.",
    "Question 3 is new: no learner has a grade until it is marked.",
  ];
  const seen = await effectsOf(prepared, changedPaper);
  assert.deepEqual(seen.effects, effects);
  const isAsked = async (questions = changedPaper, { confirmed } = seen) =>
    (await setQuestions(questions, confirmed)).outcome === "affects";
  assert.ok(await isAsked(changedPaper.slice(1)), "a line was deleted from the form since");
  await link({ token: "second", marker: "S. Naidoo", tolerance: 0 });
  const { mark } = await answer(ids[0]!, "second", "2");
  await store.decideAnswer("second", decisionOn(mark, ids[0]!, { marks: 4 }), noon);
  assert.ok(await isAsked(), "a second mark that stays");
  const seenWithSecond = await effectsOf(prepared, changedPaper);
  await decide(2, "2", 3);
  assert.ok(await isAsked(changedPaper, seenWithSecond), "a decision since");
  assert.equal((await markOf(0, "1")).marksAwarded, 6, "nothing was changed");
});

test("new questions wait for a person to agree to what they take from open links", async (t) => {
  const prepared = await preparedDesk(t);
  const { store, assessmentId, link, setQuestions } = prepared;
  await link({ token: "part", marker: "S. Naidoo", questions: ["1"] });
  await link({ token: "closed", marker: "A. Botha", questions: ["1"] });
  await store.closeMarkingLinks(assessmentId, "A. Botha", noon);
  const { effects, confirmed } = await effectsOf(prepared, changedPaper);
  assert.deepEqual(effects, ["The link of S. Naidoo loses question 1, and opens no new question."]);
  assert.deepEqual(await setQuestions(changedPaper, confirmed), { outcome: "stored" });
  assert.deepEqual(await setQuestions(changedPaper.slice(1)), { outcome: "stored" }, "said before");
});

test("of decided marks, new questions keep those that fit, and count the others as discarded", async (t) => {
  const prepared = await deskOfThreeDecisions(t);
  const { store, assessmentId, desk, setQuestions } = prepared;
  const { confirmed } = await effectsOf(prepared, changedPaper);
  assert.deepEqual(await setQuestions(changedPaper, confirmed), { outcome: "stored" });
  const marksOf = (await desk()).learners.map(({ marks }) =>
    columns(marks, "questionNumber", "totalMarks", "marksAwarded"),
  );
  const marks = (second: number | null) => [
    ["2", 5, second],
    ["3", 10, null],
  ];
  assert.deepEqual(marksOf, [marks(null), marks(3), marks(null)]);
  const events = await store.listMarksEvents(assessmentId);
  assert.deepEqual(
    events.filter(({ event }) => event === "replaced"),
    [{ event: "replaced", at: noon.toISOString(), discardedDecisions: 2 }],
  );
});

test("an import keeps what people have decided and set on the desk", async (t) => {
  const prepared = await preparedDesk(t, []);
  const { store, assessmentId, desk, setQuestions, decide } = prepared;
  // The better of both questions counts.
  const choice = { group: 1, best: 1 };
  await setQuestions(paper.map((question) => ({ ...question, choice })));
  await decide(0, "1", 4);
  await decide(0, "2", 9);
  await setNoGrade(prepared, 1, "absent");
  const outcome = await importProposals(prepared, 5);
  assert.equal(outcome.outcome === "imported" && outcome.decided, 2);
  const { submissions, averageGrade } = (await store.findImportedResults(assessmentId))!;
  assert.deepEqual(columns(submissions, "learnerNumber", "noGrade", "grade"), [
    ["1", undefined, 90],
    ["2", "absent", null],
    ["3", undefined, 50],
  ]);
  assert.equal(averageGrade, 70);
  assert.deepEqual((await desk()).questions[0], { ...paper[0], choice });
});

test("an absent learner who gets a grade again has that of the proposals", async (t) => {
  const prepared = await preparedDesk(t);
  await setNoGrade(prepared, 1, "absent");
  await importProposals(prepared, 5);
  await setNoGrade(prepared, 1, null);
  const { submissions } = (await prepared.store.findImportedResults(prepared.assessmentId))!;
  assert.deepEqual(column(submissions, "grade"), [50, 50, 50]);
});

/**
 * A learner's marks by S. Naidoo, whose link was sent by email, and by N. Dlamini; the first is archived by an import.
 * `erase` erases S. Naidoo.
 */
async function markedByTwo(t: TestContext) {
  const prepared = await preparedDesk(t);
  const { store, assessmentId, link, decide } = prepared;
  await link({ token: "sent", marker: "S. Naidoo" }, "naidoo@school.example");
  await decide(0, "1", 6, "sent");
  const results = (await store.findImportedResults(assessmentId))!;
  // A new proposal, without which nothing would be archived.
  results.submissions[0]!.questionMarks[1]!.marksAwarded = 4;
  const { outcome } = await store.importResults(assessmentId, importOf(results), noon);
  assert.equal(outcome, "imported");
  await decide(0, "2", 7, "all");
  const auditId = await store.openAudit("subject erased", noon);
  const erase = () => store.eraseMarker("naidoo@school.example", auditId, noon);
  return { ...prepared, erase };
}

test("a marker's rows are found by address or name", async (t) => {
  const { store } = await markedByTwo(t);
  const { references, ids } = await store.findSubject(" Naidoo@school.example");
  assert.deepEqual(references, [], "the request is another person's");
  assert.deepEqual(ids, { marking_links: [2], outbox: [2], decisions: [1], open_answers: [1] });
  assert.deepEqual((await store.findSubject("s. naidoo")).ids, ids);
  const [row] = await store.readRows("decisions", [1]);
  assert.equal(row!.decided_by, "S. Naidoo");
});

test("the marks of an erased marker stay, without the name", async (t) => {
  const { store, tablesWith, reference, assessmentId, decide, erase } = await markedByTwo(t);
  await decide(1, "1", 5);
  const who = whoDecided((await store.findImportedResults(assessmentId))!.submissions);
  const body = sentenceOfClass(who, { kind: "educator", educator: "T. Example" });
  assert.match(body, /2 by N\. Dlamini, 1 by S\. Naidoo; 3 answers have no mark yet/);
  const published = { ...publication(reference), email: { ...email, body } };
  await store.publishResults(assessmentId, published, noon);
  const tables = ["submissions", "replaced_results", "decisions", "marking_links", "outbox"];
  assert.deepEqual(await tablesWith(/naidoo/i, tables), tables);
  await erase();
  assert.deepEqual((await store.findSubject("S. Naidoo")).ids, {});
  const after = (await store.findImportedResults(assessmentId))!.submissions[0]!.questionMarks;
  assert.deepEqual(column(after, "marksAwarded"), [6, 7]);
  const deciders = after.map(({ decision }) => decision!.by);
  assert.deepEqual(deciders, ["a marker", "N. Dlamini"]);
  assert.deepEqual(await tablesWith(/naidoo/i, tables), []);
});

test("the link of an erased marker is closed once, and its email and drafts are deleted", async (t) => {
  const { store, query, ids, erase } = await markedByTwo(t);
  const draft = { ...emptyDraft, learnerId: ids[1]!, questionNumber: "1", marks: "4" };
  for (const token of ["sent", "all"]) await store.saveMarkDraft(token, draft, noon);
  const nothing = { requests: 0, files: 0, emails: 0, subscriptions: 0 };
  assert.deepEqual(await erase(), { ...nothing, emails: 1, markingLinks: 1 });
  assert.deepEqual(await erase(), nothing);
  const drafts = await query("SELECT marking_link_id FROM mark_drafts");
  assert.deepEqual(drafts, [{ marking_link_id: 1 }]);
  assert.deepEqual(await store.findDesk("sent", noon), { state: "closed" });
});

/** A desk with questions, and a function that changes its learners. */
async function deskToChange(t: TestContext) {
  const prepared = await preparedDesk(t);
  const change = (one: Parameters<Operations["changeLearners"]>[1], token = "all") =>
    prepared.store.changeLearners(token, one, noon);
  return { ...prepared, change };
}

test("a learner is added under a number that no other learner has", async (t) => {
  const { change } = await deskToChange(t);
  const add = async (number: string) =>
    (await change({ change: "add", learner: { number, name: "Dora" } })).outcome;
  assert.deepEqual(
    [await add("4"), await add("4"), await add("2")],
    ["stored", "number taken", "number taken"],
  );
});

test("the last pages of a file are given to a new learner before a mark is decided", async (t) => {
  const prepared = await deskToChange(t);
  const { store, assessmentId, ids, desk, decide, change } = prepared;
  await renderThreePages(prepared);
  const divide = async (page: number, number: string, learner = 0) => {
    const work = { learnerId: ids[learner]!, page };
    return (await change({ change: "divide", ...work, to: { number, name: "Eve" } })).outcome;
  };
  assert.deepEqual([await divide(1, "5"), await divide(4, "5")], ["no page", "no page"]);
  assert.equal(await divide(2, "3"), "number taken");
  await decide(1, "1", 4);
  assert.equal(await divide(2, "5", 1), "decided");
  assert.equal(await divide(2, "5"), "stored");
  assert.deepEqual(column((await store.findImportTarget(assessmentId)).learners, "fileName"), [
    "anna.pdf (page 1)",
    "ben.pdf",
    "cleo.pdf",
    "anna.pdf (pages 2 to the last)",
  ]);
  const eve = (await desk()).learners.find(({ number }) => number === "5")!;
  assert.deepEqual([eve.files.length, eve.marks.length], [1, 2]);
});

test("work is divided at a page as the desk counts it, over all parts of all files", async (t) => {
  const prepared = await deskToChange(t);
  const { store, assessmentId, ids, change } = prepared;
  const [anna, ben, cleo] = ids as [number, number, number];
  await renderThreePages(prepared);
  const divide = async (learnerId: number, page: number, number: string) => {
    const to = { number, name: "Eve" };
    const { outcome, ...divided } = await change({ change: "divide", learnerId, page, to });
    return "learnerId" in divided ? divided.learnerId : outcome;
  };
  const eve = (await divide(anna, 2, "5")) as number;
  await divide(eve, 2, "6");
  await change({ change: "join", learnerId: ben, otherId: cleo });
  await change({ change: "join", learnerId: ben, otherId: eve });
  assert.equal(await divide(ben, 7, "8"), "no page", "the first page of its part");
  await divide(ben, 5, "7");
  assert.deepEqual(column((await store.findImportTarget(assessmentId)).learners, "fileName"), [
    "anna.pdf (page 1)",
    "ben.pdf + cleo.pdf (page 1) + anna.pdf (page 2)",
    "anna.pdf (pages 3 to the last)",
    "cleo.pdf (pages 2 to the last)",
  ]);
});

test("a learner is given another's work unless that one has a decided mark", async (t) => {
  const { store, assessmentId, ids, decide, markOf, change } = await deskToChange(t);
  const [anna, ben, cleo] = ids as [number, number, number];
  const proposed = (await store.findImportedResults(assessmentId))!;
  proposed.submissions[2]!.questionMarks[0]!.marksAwarded = 7;
  await store.importResults(assessmentId, importOf(proposed), noon);
  const join = async (learnerId: number, otherId: number) =>
    (await change({ change: "join", learnerId, otherId })).outcome;
  assert.equal(await join(ben, cleo), "stored");
  assert.equal((await markOf(1, "1")).marksAwarded, 7, "a proposal where there was none");
  assert.equal(await join(ben, ben), "no learner");
  assert.deepEqual(column((await store.findImportTarget(assessmentId)).learners, "fileName"), [
    "anna.pdf",
    "ben.pdf + cleo.pdf",
  ]);
  await decide(0, "1", 3);
  assert.equal(await join(ben, anna), "decided");
  assert.equal(await join(anna, ben), "stored");
  assert.equal((await markOf(0, "1")).marksAwarded, 3, "what was decided stays");
});

test("a limited link changes only learners that it opens with all questions", async (t) => {
  const { ids, link, change } = await deskToChange(t);
  const [anna, ben] = ids as [number, number];
  await link({ token: "ben", learners: [ben] });
  await link({ token: "part", learners: [ben], questions: ["1"] });
  const unreadable = { change: "no grade" as const, noGrade: "unreadable" as const };
  assert.equal((await change({ ...unreadable, learnerId: ben }, "ben")).outcome, "stored");
  const add = { change: "add" as const, learner: { number: "4", name: "Dora" } };
  for (const [token, other] of [
    ["ben", { ...unreadable, learnerId: anna }],
    ["ben", add],
    ["part", { change: "absent", learnerId: anna }],
    ["part", { ...unreadable, learnerId: ben }],
  ] as const) {
    assert.deepEqual(await change(other, token), { outcome: "limited link" }, token);
  }
});

test("a learner of a desk without questions can be given a grade again", async (t) => {
  const prepared = await preparedDesk(t, []);
  for (const noGrade of ["unreadable", null] as const) {
    await setNoGrade(prepared, 2, noGrade);
    assert.equal((await prepared.desk()).learners[2]!.noGrade, noGrade ?? undefined);
  }
});

/** A row of a class list about a learner without work. */
const dora = { number: "7", name: "Dora", file: "" };

test("a class list gives numbers and names, also to learners without a file", async (t) => {
  const prepared = await preparedDesk(t, []);
  const ben = { number: "1", name: "Ben Botha", file: "ben.pdf" };
  await takeList(prepared, [ben, dora], { adds: true });
  const { learners } = await prepared.store.prepareDesk(prepared.assessmentId);
  assert.deepEqual(columns(learners, "number", "name"), [
    ["1", "Ben Botha"],
    ["2", "anna"],
    ["3", "cleo"],
    ["7", "Dora"],
  ]);
});

test("a learner who is not on a list keeps the number unless the list gives it to another", async (t) => {
  const prepared = await preparedDesk(t, []);
  await takeList(prepared, [{ number: "1", name: "Cleo", file: "cleo.pdf" }]);
  assert.deepEqual(await classOf(prepared), [
    "1, Cleo, cleo.pdf",
    "2, ben, ben.pdf",
    "3, anna, anna.pdf",
  ]);
});

test("a list that is the whole class removes others, unless a mark of theirs is decided", async (t) => {
  const prepared = await preparedDesk(t);
  const { store, assessmentId, decide } = prepared;
  await decide(2, "1", 4);
  const listed = [{ number: "2", name: "Ben", file: "" }];
  const plan = await takeList(prepared, listed, { removesOthers: true });
  assert.deepEqual(column(plan.removed, "fileName"), ["anna.pdf"]);
  assert.deepEqual(column(plan.unlisted, "fileName"), ["cleo.pdf"]);
  const found = await store.listClass(assessmentId);
  assert.deepEqual(columns(found, "number", "hasWork"), [
    ["2", true],
    ["3", true],
  ]);
});

test("a learner without work whose number changes is named after the new number", async (t) => {
  const prepared = await preparedDesk(t, []);
  await takeList(prepared, [dora], { adds: true });
  const changed = { ...dora, number: "8" };
  await takeList(prepared, [changed, { ...dora, name: "Eve" }], { adds: true });
  const added = (await classOf(prepared)).slice(3);
  assert.deepEqual(added, ["7, Eve, no file (7)", "8, Dora, no file (8)"]);
});

/** Numbers, names and files of the learners of a desk. */
const classOf = async ({ store, assessmentId }: PreparedDesk) =>
  (await store.prepareDesk(assessmentId)).learners.map(({ number, name, fileName }) =>
    [number, name, fileName].join(", "),
  );

test("a list is stored only as its preview was seen", async (t) => {
  const prepared = await preparedDesk(t, []);
  const { store, assessmentId } = prepared;
  const pair = [{ number: "31", name: "Anna", file: "anna.pdf + cleo.pdf" }];
  const preview = await store.takeClassList(assessmentId, pair, {});
  assert.ok(preview.outcome === "preview");
  await takeList(prepared, [{ number: "32", name: "Ben", file: "ben.pdf" }]);
  const before = await classOf(prepared);
  const late = { seenVersion: preview.version };
  assert.deepEqual(await store.takeClassList(assessmentId, pair, late), { outcome: "changed" });
  assert.deepEqual(await classOf(prepared), before);
});

test("a list joins the files of one row", async (t) => {
  const prepared = await preparedDesk(t, []);
  const { fileIds, desk } = prepared;
  const pair = [{ number: "31", name: "Anna", file: "anna.pdf + cleo.pdf" }];
  const plan = await takeList(prepared, pair, { removesOthers: true });
  assert.deepEqual(column(plan.learners[0]!.joined, "fileName"), ["cleo.pdf"]);
  assert.deepEqual(column(plan.removed, "fileName"), ["ben.pdf"]);
  assert.deepEqual(await classOf(prepared), ["31, Anna, anna.pdf + cleo.pdf"]);
  const files = (await desk()).learners.map((one) => column(one.files, "fileId"));
  assert.deepEqual(files, [[fileIds[0], fileIds[2]]]);
});

test("a list gives an unused file to a learner, whose marks stay", async (t) => {
  const prepared = await preparedDesk(t);
  const { fileIds, decide, markOf } = prepared;
  const row = { number: "31", name: "Anna", file: "anna.pdf + cleo.pdf" };
  await takeList(prepared, [row], { removesOthers: true });
  const { unused } = await takeList(prepared, [{ ...row, file: "" }]);
  assert.deepEqual(unused, [{ fileId: fileIds[1], name: "ben.pdf" }]);
  await decide(0, "1", 4);
  await takeList(prepared, [{ ...row, file: "ben.pdf" }]);
  assert.deepEqual(await classOf(prepared), ["31, Anna, anna.pdf + cleo.pdf + ben.pdf"]);
  assert.equal((await markOf(0, "1")).marksAwarded, 4);
});

test("a list does not join learners with decisions", async (t) => {
  const prepared = await preparedDesk(t);
  const { store, assessmentId, decide } = prepared;
  await decide(2, "1", 4);
  const pair = { number: "31", name: "Anna", file: "anna.pdf + cleo.pdf" };
  assert.deepEqual(await store.takeClassList(assessmentId, [pair]), {
    outcome: "rejected",
    errors: [
      "31 Anna has anna.pdf and cleo.pdf, which cannot be joined: marks of cleo.pdf are decided",
    ],
  });
});

test("a list changes numbers and names of a signed class, but not its work", async (t) => {
  const prepared = await preparedDesk(t);
  const { store, assessmentId } = prepared;
  await sign(prepared);
  const anna = { number: "31", name: "Anna", file: "anna.pdf" };
  for (const [row, options] of [
    [dora, { adds: true }],
    [{ ...anna, file: "anna.pdf + cleo.pdf" }, {}],
    [anna, { removesOthers: true }],
  ] as const) {
    const taken = await store.takeClassList(assessmentId, [row], options);
    assert.equal(taken.outcome, "signed", row.file || row.name);
  }
  await takeList(prepared, [anna]);
  assert.equal((await classOf(prepared)).at(-1), "31, Anna, anna.pdf");
});

test("learners are in the order of their numbers, or of names where a link shows them", async (t) => {
  const prepared = await preparedDesk(t);
  const { store, assessmentId, desk, link } = prepared;
  await takeList(prepared, [
    { number: "10", name: "Zola", file: "anna.pdf" },
    { number: "9", name: "Ben", file: "ben.pdf" },
    { number: "2", name: "Mia", file: "cleo.pdf" },
  ]);
  await link({ token: "names", showsNames: true });
  const found = await store.listClass(assessmentId);
  assert.deepEqual(columns(found, "number", "name"), [
    ["2", "Mia"],
    ["9", "Ben"],
    ["10", "Zola"],
  ]);
  for (const [token, numbers] of [
    ["all", ["2", "9", "10"]],
    ["names", ["9", "2", "10"]],
  ] as const) {
    const { learners } = await desk(token);
    assert.deepEqual(column(learners, "number"), numbers, token);
    const [first, second] = learners.map(({ id }) => id);
    const after = { learnerId: first!, questionNumber: "1" };
    const next = await store.takeNextAnswer(token, { order: "question", after }, later(hour));
    assert.deepEqual(next, dealt(second!, "1"), token);
  }
});

/**
 * A desk with Dora, who has no work, and a scan that is not stored yet: two problem pages, a script of Dora's and
 * one of an unknown learner. The link "names" shows names.
 */
async function preparedScan(t: TestContext) {
  const prepared = await preparedDesk(t, []);
  const { store, assessmentId, link } = prepared;
  await link({ token: "names", showsNames: true });
  await takeList(prepared, [dora], { adds: true });
  const withoutWork = (await store.listClass(assessmentId)).find(({ hasWork }) => !hasWork)!.id;
  const scan = {
    ...emptyScan,
    problems: await stageProblems(store, "is before the first cover sheet"),
    scripts: [
      { learnerId: withoutWork, fileId: await stagePages(store, "7.pdf") },
      { learnerId: null, fileId: await stagePages(store, "scan pages 3 to 4.pdf") },
    ],
  };
  const storedFiles = () =>
    prepared.query(
      "SELECT name FROM uploaded_files WHERE field = 'scannedPages' AND contact_request_id > 0",
    );
  return { ...prepared, dora: withoutWork, scan, storedFiles };
}

/** A stored scan with two problem pages, and a function that changes them under the link "names". */
async function storedScan(t: TestContext) {
  const prepared = await preparedScan(t);
  const { store, assessmentId } = prepared;
  await store.storeScan(assessmentId, prepared.scan, noon);
  const pages = () => store.findProblemPages("names", noon);
  const change = async (wanted: ProblemChange) =>
    (await store.changeProblemPages("names", wanted, noon)).outcome;
  const [first, second] = (await pages()).map(({ id }) => id) as [number, number];
  const give = { change: "give" as const, ids: [first, second], learnerId: prepared.dora };
  return { ...prepared, pages, change, first, second, give };
}

test("a scan with a script of a learner who has work is not stored", async (t) => {
  const { store, assessmentId, ids, scan, storedFiles } = await preparedScan(t);
  const taken = { ...scan, scripts: [{ ...scan.scripts[0]!, learnerId: ids[0]! }] };
  assert.deepEqual(await store.storeScan(assessmentId, taken, noon), { outcome: "changed" });
  assert.deepEqual(await storedFiles(), []);
});

test("a scan that is stored asks for a job of its class", async (t) => {
  const prepared = await preparedScan(t);
  const { store, assessmentId, scan } = prepared;
  await endJob(prepared);
  await store.storeScan(assessmentId, scan, noon);
  assert.ok(await store.takeClassJob(assessmentId));
});

test("a scan is stored once, and found by its checksum", async (t) => {
  const { store, assessmentId, reference, scan, storedFiles } = await preparedScan(t);
  const upload = await store.openScanUpload(assessmentId, { key: "key", names: ["a.pdf"] }, noon);
  const ends = { uploadId: upload!.id, report: emptyReport };
  const last = { ...scan, ends };
  assert.deepEqual(await store.storeScan(assessmentId, last, noon), { outcome: "stored" });
  const uploads = await store.listScanUploads(assessmentId);
  assert.deepEqual(uploads[0]!.state, { report: emptyReport }, "a kill cannot come between");
  assert.deepEqual(column(await store.listFileChanges(), "reference"), [reference]);
  assert.deepEqual(await store.storeScan(assessmentId, scan, noon), { outcome: "stored before" });
  assert.equal((await storedFiles()).length, 4);
  assert.deepEqual(await store.findScans(assessmentId, [scan.sha256, "b"]), [scan.sha256]);
});

test("a script of a scan is its learner's work, or that of a new learner", async (t) => {
  const { store, assessmentId, dora, scan } = await preparedScan(t);
  const [noWork] = (await store.findOpenWork(assessmentId)).items;
  assert.deepEqual(noWork, { kind: "no work", learnerId: dora, learner: "Dora" });
  await store.storeScan(assessmentId, scan, noon);
  assert.deepEqual(columns((await store.listClass(assessmentId)).slice(3), "number", "name"), [
    ["4", "scan pages 3 to 4"],
    ["7", "Dora"],
  ]);
  const open = await store.findOpenWork(assessmentId);
  assert.ok(open.items.every(({ kind }) => kind !== "no work"));
  assert.deepEqual(open.unnamed, ["scan pages 3 to 4"]);
});

test("a script of a scan leaves its learner absent, and open for the lead to decide", async (t) => {
  const { store, assessmentId, dora, scan } = await preparedScan(t);
  const absent = { change: "absent", learnerId: dora } as const;
  assert.equal((await store.changeLearners("names", absent, noon)).outcome, "stored");
  const ofDora = async () =>
    (await store.findOpenWork(assessmentId)).items.filter(
      (item) => "learnerId" in item && item.learnerId === dora,
    );
  assert.deepEqual(await ofDora(), []);
  await store.storeScan(assessmentId, scan, noon);
  assert.deepEqual(await ofDora(), [
    { kind: "absent with work", learnerId: dora, learner: "Dora" },
  ]);
  const graded = { change: "no grade", learnerId: dora, noGrade: null } as const;
  assert.equal((await store.changeLearners("names", graded, noon)).outcome, "stored");
  assert.deepEqual(await ofDora(), []);
});

test("the pages of a scan are not in the receipt of their request", async (t) => {
  const { store, reference, assessmentId, scan } = await preparedScan(t);
  const received = (await store.findReceived(["demo-upload"], reference))!;
  const before = await store.findReceipt(received, noon);
  assert.equal((await store.storeScan(assessmentId, scan, noon)).outcome, "stored");
  assert.deepEqual(await store.findReceipt(received, noon), before);
});

test("problem pages open under a link to the whole class with names", async (t) => {
  const { store, ids, link, pages, first } = await storedScan(t);
  await link({ token: "ben", showsNames: true, learners: [ids[1]!] });
  assert.deepEqual(columns(await pages(), "scan", "page"), [
    ["scan.pdf", 1],
    ["scan.pdf", 2],
  ]);
  const discard = { change: "discard" as const, ids: [first] };
  for (const token of ["all", "ben", "another"]) {
    assert.deepEqual(await store.findProblemPages(token, noon), [], token);
    const { outcome } = await store.changeProblemPages(token, discard, noon);
    assert.equal(outcome, token === "another" ? "no link" : "limited link", token);
  }
});

test("neither an unknown problem page nor a page for an unknown learner is given", async (t) => {
  const { pages, change, first, give } = await storedScan(t);
  assert.equal(await change({ ...give, ids: [first, 99] }), "no problem page");
  assert.equal(await change({ ...give, learnerId: 99 }), "no learner");
  assert.deepEqual(column(await pages(), "learnerId"), [null, null]);
});

test("problem pages that 20 posts at once give to two learners go to one of them", async (t) => {
  const { ids, dora, pages, change, give } = await storedScan(t);
  const given = Array.from({ length: 20 }, (_, n) => (n % 2 ? dora : ids[1]!));
  const atOnce = await Promise.all(given.map((learnerId) => change({ ...give, learnerId })));
  const [owner] = column(await pages(), "learnerId");
  assert.deepEqual(column(await pages(), "learnerId"), [owner, owner]);
  const outcomes = given.map((learnerId) => (learnerId === owner ? "stored" : "given"));
  assert.deepEqual(atOnce, outcomes);
});

test("a problem page that a learner has is neither given to another nor discarded until it is put back", async (t) => {
  const { ids, dora, change, first, second, give } = await storedScan(t);
  const discard = { change: "discard" as const, ids: [first] };
  for (const _ of ["given", "repeated"]) assert.equal(await change(give), "stored");
  assert.equal(await change({ ...give, learnerId: ids[1]! }), "given");
  assert.equal(await change(discard), "given");
  const putBack = { change: "put back" as const, ids: [first, second], learnerId: dora };
  for (const _ of ["put back", "repeated"]) assert.equal(await change(putBack), "stored");
  assert.equal(await change({ ...give, ids: [second], learnerId: ids[1]! }), "stored");
  assert.equal(await change(putBack), "given", "an old page puts back no page of another learner");
  assert.equal(await change(discard), "stored");
});

test("a given problem page belongs to its learner's file until it is put back", async (t) => {
  const { query, dora, pages, change, first, give } = await storedScan(t);
  await change(give);
  const fileOf = () => query("SELECT file_name FROM submissions WHERE student_name = 'Dora'");
  assert.deepEqual(await fileOf(), [{ file_name: "7.pdf + scan page 1.pdf + scan page 2.pdf" }]);
  assert.equal(await change({ change: "put back", ids: [first], learnerId: dora }), "stored");
  assert.deepEqual(await fileOf(), [{ file_name: "7.pdf + scan page 2.pdf" }]);
  assert.deepEqual(column(await pages(), "learnerId"), [null, dora]);
});

test("a problem page is open work until it is given or discarded", async (t) => {
  const { store, assessmentId, change, first, second, give } = await storedScan(t);
  const open = async () => (await store.findOpenWork(assessmentId)).items;
  const page = (number: number) => ({ kind: "problem page", scan: "scan.pdf", page: number });
  assert.deepEqual(await open(), [page(1), page(2)]);
  await change({ change: "discard", ids: [first] });
  assert.deepEqual(await open(), [page(2)]);
  await change({ ...give, ids: [second] });
  assert.deepEqual(await open(), []);
});

test("a problem page stays turned and discarded", async (t) => {
  const { pages, change, first } = await storedScan(t);
  assert.equal(await change({ change: "turn", ids: [first], turn: 90 }), "stored");
  assert.equal(await change({ change: "discard", ids: [first] }), "stored");
  assert.deepEqual(columns(await pages(), "turn", "isDiscarded"), [
    [90, true],
    [0, false],
  ]);
});

/** Stores everything that can be stored about the first learner, Anna, and something about the others. */
async function storeWorkOfAll(prepared: PreparedDesk) {
  const { store, query, assessmentId, ids, fileIds, link, decide } = prepared;
  const [anna, , cleo] = ids as [number, number, number];
  const body = "Files:\n  anna.pdf (1 KB)\n  ben.pdf (1 KB)\n";
  await query(`UPDATE outbox SET body = '${body}' WHERE kind = 'request'`);
  await link({ token: "names", showsNames: true });
  await renderThreePages(prepared);
  // The last page of Cleo's file is Anna's, and a page of a scan.
  const divide = { change: "divide" as const, learnerId: cleo, page: 3 };
  await store.changeLearners("all", { ...divide, to: { learnerId: anna } }, noon);
  const scan = { ...emptyScan, problems: await stageProblems(store, "is blank") };
  await store.storeScan(assessmentId, scan, noon);
  const [given] = await store.findProblemPages("names", noon);
  const give = { change: "give" as const, ids: [given!.id], learnerId: anna };
  await store.changeProblemPages("names", give, noon);
  for (const learner of [0, 1]) await decide(learner, "1", learner === 0 ? 9 : 3);
  await decide(0, "1", 8);
  const draft = { ...emptyDraft, learnerId: anna, questionNumber: "2", comment: "anna’s draft" };
  await store.saveMarkDraft("all", draft, noon);
  const stamp = { paragraph: null, x: 0.5, y: 0.5, kind: "comment" as const, text: "anna’s stamp" };
  for (const [learnerId, fileId, number] of [
    [anna, fileIds[2]!, 3],
    [cleo, fileIds[2]!, 1],
    [anna, fileIds[0]!, 1],
  ] as const) {
    const text = learnerId === anna ? stamp.text : "stays";
    const place = { ...stamp, text, fileId, page: number };
    const placed = await store.placeStamp("all", { learnerId, questionNumber: "1" }, place, noon);
    assert.equal(placed.outcome, "stored");
  }
  const turned = { fileId: fileIds[2]!, page: 3, turn: 90 as const };
  await store.turnPage("all", { learnerId: anna, questionNumber: "1" }, turned, noon);
  await importTwice(prepared);
}

/** Imports proposals for all answers to question 2 twice, so that the second import archives those of the first. */
async function importTwice({ store, assessmentId }: PreparedDesk) {
  const proposed = (await store.findImportedResults(assessmentId))!;
  for (const marksAwarded of [4, 5]) {
    for (const { questionMarks } of proposed.submissions)
      questionMarks[1]!.marksAwarded = marksAwarded;
    const imported = await store.importResults(assessmentId, importOf(proposed), noon);
    assert.equal(imported.outcome, "imported");
  }
}

/** A desk with all that can be stored about its learners, and a function that erases Anna, the first of them. */
async function deskToErase(t: TestContext) {
  const prepared = await preparedDesk(t);
  const { store, reference, assessmentId, ids } = prepared;
  await storeWorkOfAll(prepared);
  const classWork = { assessmentId, reference };
  const erase = (learnerId = ids[0]!) => store.eraseLearner(classWork, learnerId, later(hour));
  return { ...prepared, classWork, erase };
}

test("a learner is found with all that is stored about them", async (t) => {
  const { store, ids, fileIds, classWork } = await deskToErase(t);
  assert.equal(await store.findLearner(classWork, "9"), undefined);
  const found = (await store.findLearner(classWork, "1"))!;
  assert.deepEqual([found.learnerId, found.rejection], [ids[0], undefined]);
  assert.deepEqual(column(found.files, "name"), ["anna.pdf", "scan page 1.pdf"]);
  assert.deepEqual(found.shared, [{ id: fileIds[2]!, name: "cleo.pdf", pages: [3] }]);
  const counts = Object.entries(found.ids).map(([table, rows]) => [table, rows.length]);
  assert.deepEqual(Object.fromEntries(counts), {
    decisions: 2,
    stamps: 2,
    page_images: 4,
    page_turns: 1,
    mark_drafts: 1,
    problem_pages: 1,
    submissions: 1,
    submission_files: 3,
    uploaded_files: 2,
    rendered_files: 1,
  });
  assert.deepEqual(columns(found.remains.problemPages, "scan", "page"), [["scan.pdf", 2]]);
});

/** The marks in a row of `replaced_results`. */
const archivedIn = ({ results }: Record<string, unknown>): Results => JSON.parse(String(results));

const tables = Object.values(schema).flatMap((one) => (is(one, Table) ? getTableName(one) : []));

test("nothing of an erased learner is left in the database", async (t) => {
  const { store, query, tablesWith, classWork, erase } = await deskToErase(t);
  const pages = () => query("SELECT page FROM page_images UNION ALL SELECT page FROM page_turns");
  assert.deepEqual((await tablesWith(/anna/i, tables)).sort(), [
    "assessment_submissions",
    "mark_drafts",
    "outbox",
    "replaced_results",
    "stamps",
    "submissions",
    "uploaded_files",
  ]);
  assert.equal((await pages()).length, 10, "nine pages, of which one is turned");
  assert.deepEqual(await erase(), { outcome: "erased", files: 2 });
  assert.equal(await store.findLearner(classWork, "1"), undefined);
  assert.deepEqual(await tablesWith(/anna/i, tables), []);
  assert.equal((await pages()).length, 5, "four pages were Anna's, with the one that was turned");
});

test("nothing of an erased request is left in the database but the audit and a hash", async (t) => {
  const { store, tablesWith, reference, assessmentId } = await deskToErase(t);
  await store.publishResults(assessmentId, publication(reference), noon);
  // Files of no request.
  await store.deleteStaleStagedFiles(0);
  await store.eraseRequest(reference, await store.openAudit("subject erased", noon));
  assert.deepEqual(await tablesWith(/{/, tables), ["audit", "deleted_requests"]);
});

test("the erasure of a learner waits until scans are cut, and is recorded", async (t) => {
  const { store, query, reference, assessmentId, classWork, erase } = await deskToErase(t);
  const upload = await store.openScanUpload(assessmentId, { key: "key", names: ["a.pdf"] }, noon);
  const rejection = { outcome: "uncut scans", scans: ["a.pdf"] };
  assert.deepEqual((await store.findLearner(classWork, "1"))!.rejection, rejection);
  assert.deepEqual(await erase(), rejection);
  await store.endScanUpload(upload!.id, { report: emptyReport });
  await erase();
  assert.deepEqual(
    await query("SELECT action, files, reference FROM audit WHERE action = 'learner erased'"),
    [{ action: "learner erased", files: 2, reference }],
  );
  const changes = column(await store.listFileChanges(), "reference");
  assert.deepEqual(changes, [reference, reference], "the scan and the erasure");
});

test("the reports of scans say “an erased learner” in place of the number and the name", async (t) => {
  const { store, query, assessmentId, erase } = await deskToErase(t);
  const upload = await store.openScanUpload(assessmentId, { key: "key", names: ["a.pdf"] }, noon);
  const reasonOf = (learner: string) => `is of ${learner}, who had work before`;
  await query(`UPDATE problem_pages SET reason = '${reasonOf("learner 1")}' RETURNING id`);
  const problemsOf = (learner: string, number: string) =>
    [
      reasonOf(learner),
      reasonOf("learner 12"),
      `is under a cover sheet with the number ${number}, which no learner has`,
      "is under a cover sheet with the number 12, which no learner has",
    ].map((reason, page) => ({ scan: "a.pdf", page, reason }));
  const cut = { scan: "a.pdf", pages: 2 };
  const ben = { number: "2", name: "Ben", ...cut };
  const namesake = { number: "3", name: "anna", ...cut };
  const earlier = { number: "21", name: "anna", ...cut };
  const erased = { number: null, name: "an erased learner", ...cut };
  const report = {
    problems: problemsOf("learner 1", "1"),
    scripts: [{ number: "1", name: "Anna", ...cut }, ben, namesake, earlier],
    longer: ["1", "2"],
    unknown: ["1", "12"],
    ...{ double: [], withoutPages: [], blank: [], missing: ["3"], splitBefore: [] },
  };
  await store.endScanUpload(upload!.id, { report });
  await erase();
  const [{ state }] = (await store.listScanUploads(assessmentId)) as [ShownScanUpload];
  const left = {
    problems: problemsOf("an erased learner", "of an erased learner"),
    scripts: [erased, ben, namesake, erased],
    longer: ["2"],
    unknown: ["12"],
  };
  assert.deepEqual(state, { report: { ...report, ...left } });
  const reason = reasonOf("an erased learner");
  assert.deepEqual(await query("SELECT DISTINCT reason FROM problem_pages"), [{ reason }]);
});

test("archived marks of an erased learner go, also from under another number and file", async (t) => {
  const prepared = await preparedDesk(t);
  const { store, query, reference, assessmentId, ids } = prepared;
  await importTwice(prepared);
  await takeList(prepared, [{ number: "31", name: "Anna", file: "anna.pdf + cleo.pdf" }]);
  await store.eraseLearner({ assessmentId, reference }, ids[0]!, noon);
  const archives = await query("SELECT results FROM replaced_results");
  assert.equal(archives.length, 1, "of what the second import replaced");
  const { submissions, totalSubmissions } = archivedIn(archives[0]!);
  assert.deepEqual(column(submissions, "learnerId"), ids.slice(1));
  assert.equal(totalSubmissions, 2);
});

test("a learner whose marks are in several archives but who left the class is counted once", async (t) => {
  const prepared = await preparedDesk(t);
  const { store, query, reference, assessmentId } = prepared;
  await importTwice(prepared);
  await importTwice(prepared);
  assert.equal((await query("SELECT id FROM replaced_results")).length, 3);
  await takeList(
    prepared,
    [
      { number: "2", name: "Ben", file: "" },
      { number: "3", name: "Cleo", file: "" },
    ],
    { removesOthers: true },
  );
  const found = await store.findLearner({ assessmentId, reference }, "2");
  assert.equal(found!.remains.archivedMarks, 1);
});

test("an erasure leaves the other learners as they are", async (t) => {
  const { store, query, assessmentId, ids, fileIds, erase } = await deskToErase(t);
  const [, benFile, cleoFile] = fileIds;
  const others = async () => ({
    learners: (await store.findImportedResults(assessmentId))!.submissions.slice(-2),
    decisions: await query(`SELECT * FROM decisions WHERE submission_id <> ${ids[0]} ORDER BY id`),
    email: String((await query("SELECT body FROM outbox"))[0]!.body).replace(
      "  anna.pdf (1 KB)\n",
      "",
    ),
    bytes: await query(
      `SELECT * FROM uploaded_file_bytes WHERE file_id IN (${benFile}, ${cleoFile}) ORDER BY file_id`,
    ),
    pictures: await query(
      `SELECT * FROM page_images WHERE file_id = ${benFile} OR file_id = ${cleoFile} AND page < 3 ORDER BY id`,
    ),
  });
  const before = await others();
  await erase();
  assert.deepEqual(await others(), before);
  assert.equal((await store.findImportedResults(assessmentId))!.totalSubmissions, 2);
  assert.deepEqual(await query("SELECT text FROM stamps"), [{ text: "stays" }]);
  assert.equal((await query("SELECT id FROM problem_pages")).length, 1);
});

test("an erased learner does not return to a desk that is prepared again", async (t) => {
  const { store, assessmentId, ids, erase } = await deskToErase(t);
  await erase();
  const { learners } = await store.prepareDesk(assessmentId);
  assert.deepEqual(column(learners, "id"), ids.slice(1));
});

test("neither an unknown learner nor the only one of a class is erased", async (t) => {
  const { store, assessmentId, ids, erase } = await deskToErase(t);
  const outcomes = [];
  for (const id of [99, ...ids]) outcomes.push((await erase(id)).outcome);
  assert.deepEqual(outcomes, ["no learner", "erased", "erased", "only learner"]);
  assert.deepEqual(column(await store.listClass(assessmentId), "id"), ids.slice(2));
});

test("class jobs are leased once each, the oldest first", async (t) => {
  const { store, assessmentId } = await preparedDesk(t, []);
  const other = await submitDemo(store);
  assert.equal(await store.hasFreeClassJob(), true, "the marking link asks for it");
  // The second class is asked for twice, and has one job.
  for (const _ of [1, 2]) assert.equal(await store.queueClassJob(other.assessmentId, noon), true);
  const oldest = (await store.takeClassJob())!;
  assert.equal(oldest.assessmentId, assessmentId);
  const waiting = { isLeased: false, isAnyLeased: true };
  assert.deepEqual(await store.findClassJob(other.assessmentId), waiting, "this class is next");
  await store.releaseClassJob(oldest);
  const both = await Promise.all([store.takeClassJob(), store.takeClassJob()]);
  const taken = new Set(both.map((job) => job?.assessmentId));
  assert.deepEqual(taken, new Set([assessmentId, other.assessmentId]));
  assert.equal(await store.takeClassJob(), undefined);
  assert.equal(await store.hasFreeClassJob(), false);
});

test("a reading copy asks for a job of its class", async (t) => {
  const prepared = await preparedDesk(t, []);
  await prepared.query("DELETE FROM class_jobs");
  await shareCopy(prepared);
  assert.ok(await prepared.store.takeClassJob(prepared.assessmentId));
});

const oldRendering = { kind: "original" as const, reason: "is old." };

/** Ends the leases of the class jobs, which the database's clock measures. */
const endLeases = ({ query }: Pick<PreparedDesk, "query">) =>
  query("UPDATE class_jobs SET leased_until = '2000-01-01T00:00:00.000Z'");

test("a class job ends once each file is rendered", async (t) => {
  const { store, assessmentId } = await preparedDesk(t, []);
  const job = (await store.takeClassJob(assessmentId))!;
  assert.equal(await store.renewClassJob(job), true);
  for (const { id: fileId } of await store.listUnrenderedFiles(assessmentId)) {
    assert.equal(await store.endClassJob(job, noon), false);
    assert.equal(
      await store.storeJobRendering(job, { fileId, rendered: oldRendering }, noon),
      true,
    );
  }
  assert.equal(await store.endClassJob(job, noon), true);
  assert.equal(await store.findClassJob(assessmentId), undefined);
  assert.equal(await store.queueClassJob(assessmentId, noon), false, "nothing is left");
});

test("the desk and published marks say how many scripts can be shown until all can", async (t) => {
  const prepared = await preparedDesk(t);
  const { store, reference, assessmentId, fileIds } = prepared;
  await store.publishResults(assessmentId, publication(reference), noon);
  const assertReady = async (scriptsReady: ScriptsReady | null) => {
    assert.deepEqual(await store.findScriptsReady(assessmentId), scriptsReady);
    assert.partialDeepStrictEqual(await store.findDeskHead("all", noon), { scriptsReady });
    const { link } = (await store.findResults("a-token", noon))!;
    assert.deepEqual(link!.scriptsReady, scriptsReady);
  };
  await assertReady({ ready: 0, total: 3 });
  await store.storeRendering(fileIds[0]!, oldRendering, noon);
  await assertReady({ ready: 1, total: 3 });
  await endJob(prepared);
  await assertReady(null);
});

test("a file that could not be rendered is listed with the reason that was stored first", async (t) => {
  const { store, assessmentId, fileIds } = await preparedDesk(t, []);
  const job = (await store.takeClassJob(assessmentId))!;
  for (const rendered of [oldRendering, { ...oldRendering, reason: "is new." }]) {
    await store.storeJobRendering(job, { fileId: fileIds[0]!, rendered }, noon);
  }
  const anna = (await store.listRenderings(assessmentId)).find(({ id }) => id === fileIds[0]);
  assert.deepEqual(anna, {
    id: fileIds[0],
    file: "anna.pdf",
    pages: 0,
    problems: ["anna.pdf: is old."],
  });
});

test("a server that has lost the lease of a class job to another changes nothing", async (t) => {
  const prepared = await preparedDesk(t, []);
  const { store, assessmentId, fileIds } = prepared;
  const lost = (await store.takeClassJob(assessmentId))!;
  await endLeases(prepared);
  const leased = (isLeased: boolean) => ({ isLeased, isAnyLeased: isLeased });
  assert.deepEqual(await store.findClassJob(assessmentId), leased(false));
  const taken = (await store.takeClassJob(assessmentId))!;
  assert.equal(taken.id, lost.id);
  assert.equal(await store.renewClassJob(lost), false);
  const file = { fileId: fileIds[0]!, rendered: oldRendering };
  assert.equal(await store.storeJobRendering(lost, file, noon), false);
  assert.deepEqual(await store.listRenderings(assessmentId), []);
  await store.releaseClassJob(lost);
  assert.deepEqual(await store.findClassJob(assessmentId), leased(true));
  for (const { id: fileId } of await store.listUnrenderedFiles(assessmentId)) {
    await store.storeJobRendering(taken, { fileId, rendered: oldRendering }, noon);
  }
  assert.equal(await store.endClassJob(lost, noon), false);
  assert.equal(await store.endClassJob(taken, noon), true);
});

test("the attempts at a class job are counted anew once a file is rendered or a scan is cut", async (t) => {
  const prepared = await preparedDesk(t, []);
  const { store, assessmentId, fileIds } = prepared;
  const attempt = async () => {
    await endLeases(prepared);
    return (await store.takeClassJob())!;
  };
  const attempts = [await attempt(), await attempt()];
  await store.storeJobRendering(
    attempts[1]!,
    { fileId: fileIds[0]!, rendered: oldRendering },
    noon,
  );
  attempts.push(await attempt(), await attempt());
  const upload = await store.openScanUpload(assessmentId, { key: "k", names: ["a.pdf"] }, noon);
  await store.endScanUpload(upload!.id, { failure: "a.pdf: is damaged." });
  attempts.push(await attempt());
  assert.deepEqual(column(attempts, "attempts"), [1, 2, 1, 2, 1]);
});

/** The class of a desk is rendered, and an upload of a scan that has one whole part and 5 bytes is open. */
async function openedScanUpload(t: TestContext) {
  const prepared = await preparedDesk(t, []);
  const { store, assessmentId } = prepared;
  await endJob(prepared);
  const size = scanPartBytes + 5;
  const upload = { key: "k", names: ["scan.pdf"] };
  const { id: uploadId } = (await store.openScanUpload(assessmentId, upload, noon))!;
  const part = (position: number, bytes: number) =>
    store.addScanPart({ uploadId, scan: 0, position, bytes: Buffer.alloc(bytes, position) });
  const queue = (sizes = [size]) =>
    store.queueScanUpload(uploadId, { sizes, scriptPages: 2 }, noon);
  const states = async () =>
    (await store.listScanUploads(assessmentId)).map(({ names, state }) => [names[0], state]);
  return { ...prepared, size, upload, uploadId, part, queue, states };
}

test("a scan upload takes parts of its scan, and can be discarded, until it is queued", async (t) => {
  const { store, assessmentId, upload, uploadId, part, queue } = await openedScanUpload(t);
  const arriving = { id: uploadId, isQueued: false };
  assert.deepEqual(await store.openScanUpload(assessmentId, upload, noon), arriving);
  assert.equal(await part(0, scanPartBytes + 1), false, "too large a part");
  assert.equal(await part(0, 0), false, "an empty part");
  assert.equal(await part(maxScanBytes / scanPartBytes, 5), false, "a part behind the end");
  for (const _ of ["first", "again"]) assert.equal(await part(0, scanPartBytes), true);
  assert.equal(await part(1, 5), true);
  const arrived = { ...arriving, parts: [0, 1] };
  assert.deepEqual(await store.findScanUpload(assessmentId, "k"), arrived);
  await queue();
  assert.equal(await part(1, 5), false, "a queued upload is whole");
  assert.equal(await store.discardScanUpload(assessmentId, "k"), false, "a queued upload stays");
});

test("a scan upload is queued once all its parts have arrived", async (t) => {
  const { store, assessmentId, size, part, queue, states } = await openedScanUpload(t);
  await part(1, 5);
  assert.equal(await queue(), "missing");
  assert.equal(await queue([5]), "missing", "the first part has not arrived");
  await part(0, scanPartBytes);
  for (const sizes of [[], [size, 0]]) {
    assert.equal(await queue(sizes), "missing", "sizes of another number of scans");
  }
  assert.deepEqual(await states(), [["scan.pdf", "arriving"]]);
  assert.equal(await store.nextScanUpload(assessmentId), undefined);
  assert.equal(await queue(), "queued");
  assert.equal(await queue(), "queued before");
  assert.deepEqual(await states(), [["scan.pdf", "waiting"]]);
});

test("a class job ends once its queued scan is cut, whose parts are then deleted", async (t) => {
  const { store, query, assessmentId, uploadId, part, queue, states } = await openedScanUpload(t);
  await part(0, scanPartBytes);
  await part(1, 5);
  await queue();
  const cutting = (await store.takeClassJob(assessmentId))!;
  assert.equal(await store.endClassJob(cutting, noon), false, "the scan waits");
  assert.deepEqual(await store.nextScanUpload(assessmentId), {
    id: uploadId,
    names: ["scan.pdf"],
    scriptPages: 2,
  });
  const read = (position: number) => store.readScanPart({ uploadId, scan: 0, position });
  assert.deepEqual(
    [(await read(0))!.length, (await read(1))!.length, await read(2)],
    [scanPartBytes, 5, undefined],
  );
  await store.endScanUpload(uploadId, { failure: "scan.pdf: is damaged." });
  assert.equal(await store.endClassJob(cutting, noon), true);
  assert.deepEqual(await states(), [["scan.pdf", { failure: "scan.pdf: is damaged." }]]);
  assert.deepEqual(await query("SELECT id FROM scan_parts"), []);
});

test("a scan upload that never arrives whole is deleted, one that waits to be cut is not", async (t) => {
  const { store, assessmentId, part, queue, states } = await openedScanUpload(t);
  await store.openScanUpload(assessmentId, { key: "stale", names: ["stale.pdf"] }, noon);
  await part(0, scanPartBytes);
  await part(1, 5);
  await queue();
  assert.equal(await store.deleteStaleScanUploads(later(0)), 0);
  assert.equal(await store.deleteStaleScanUploads(later(1)), 1);
  assert.deepEqual(await states(), [["scan.pdf", "waiting"]]);
});

test("a class has a limited number of scan uploads that are not cut", async (t) => {
  const { store, assessmentId, uploadId, upload } = await openedScanUpload(t);
  const open = (key: string) => store.openScanUpload(assessmentId, { ...upload, key }, noon);
  for (let index = 1; index < maxScanUploads; index += 1) assert.ok(await open(`${index}`));
  assert.equal(await open("another"), undefined, "too many");
  assert.ok(await open("1"), "an upload that is open");
  assert.equal(await store.discardScanUpload(assessmentId, "1"), true);
  assert.ok(await open("another"));
  assert.equal(await open("one more"), undefined);
  await store.endScanUpload(uploadId, { failure: "is damaged." });
  assert.ok(await open("one more"));
});

/** A desk with a decision, and functions that publish it and say whether the email about it is due at a time. */
async function deskToPublish(t: TestContext) {
  const prepared = await preparedDesk(t);
  const { store, assessmentId, reference, decide } = prepared;
  await decide(0, "1", 5);
  const publish = () => store.publishResults(assessmentId, publication(reference), noon);
  const due = async (at: Date) => {
    const pending = (await store.listEmails(false)).filter(({ kind }) => kind === "results");
    return pending.map(({ nextAttemptAt }) => nextAttemptAt <= at.toISOString());
  };
  return { ...prepared, publish, due };
}

test("the email about published marks waits a quarter of an hour for the class to be rendered", async (t) => {
  const { publish, due } = await deskToPublish(t);
  await publish();
  assert.deepEqual(await due(later(14 * minute)), [false]);
  assert.deepEqual(await due(later(15 * minute)), [true]);
});

test("the email about published marks is deleted if they are withdrawn before it is sent", async (t) => {
  const { store, assessmentId, publish, due } = await deskToPublish(t);
  await publish();
  assert.deepEqual(await due(noon), [false]);
  await store.revokeResults(assessmentId, noon);
  assert.deepEqual(await due(noon), []);
});

test("the email about published marks is due once each file is rendered or says why not", async (t) => {
  const prepared = await deskToPublish(t);
  const { publish, due } = prepared;
  await publish();
  assert.deepEqual(await due(later(minute)), [false]);
  await endJob(prepared, later(minute));
  assert.deepEqual(await due(later(minute)), [true]);
});

test("an email about published marks that is due stays so when the class is rendered", async (t) => {
  const prepared = await deskToPublish(t);
  await prepared.publish();
  await endJob(prepared, later(hour));
  assert.deepEqual(
    await prepared.due(later(15 * minute)),
    [true],
    "when it was due is not changed",
  );
});

test("the email about published marks is due at once if nothing is left to render", async (t) => {
  const prepared = await deskToPublish(t);
  await endJob(prepared);
  await prepared.publish();
  assert.deepEqual(await prepared.due(noon), [true]);
});

/** A desk whose first file is rendered as two pages, the second as paragraphs and the third not at all. */
async function renderedDesk(t: TestContext) {
  const prepared = await preparedDesk(t);
  const { store, assessmentId, fileIds, link, ids } = prepared;
  const unrendered = await store.listUnrenderedFiles(assessmentId);
  const page = { page: 1, width: 1100, height: 1500, webp: Buffer.from("anna 1") };
  const second = { ...page, page: 2, webp: Buffer.from("anna 2") };
  const pages = [page, { ...second, text: "Text", warning: "It may be empty." }];
  const [anna, ben, cleo] = fileIds as [number, number, number];
  for (const _ of [1, 2]) await store.storeRendering(anna, { kind: "pages", pages }, noon);
  await store.storeRendering(ben, { kind: "paragraphs", paragraphs: ["One.", "Two."] }, noon);
  await store.storeRendering(cleo, { kind: "original", reason: "is damaged." }, noon);
  const questionsFile = unrendered.find(({ name }) => name === "questionsFile.txt")!.id;
  const questionsPage = { ...page, webp: Buffer.from("questions 1") };
  await store.storeRendering(questionsFile, { kind: "pages", pages: [questionsPage] }, noon);
  await link({ token: "anna", learners: [ids[0]!], showsNames: true });
  await link({ token: "ben", learners: [ids[1]!] });
  const divided = { change: "divide" as const, page: 2, learnerId: ids[0]! };
  /** Gives the second page of the first file to a new learner. */
  const divide = () =>
    store.changeLearners("all", { ...divided, to: { number: "9", name: "Zoe" } }, noon);
  return { ...prepared, anna, questionsFile, divide };
}

test("an answer shows its learner's files as they were rendered", async (t) => {
  const { ids, anna, answer } = await renderedDesk(t);
  const [work] = (await answer(ids[0]!, "anna")).work;
  const size = { width: 1100, height: 1500, turn: 0 };
  assert.deepEqual(work, {
    fileId: anna,
    firstPage: 1,
    lastPage: null,
    name: "anna.pdf",
    stamps: [],
    rendered: {
      kind: "pages",
      pages: [
        { page: 1, ...size },
        { page: 2, ...size, text: "Text", warning: "It may be empty." },
      ],
    },
  });
  // The link "all" shows no names.
  const others = [(await answer(ids[1]!)).work[0]!, (await answer(ids[2]!)).work[0]!];
  assert.deepEqual(columns(others, "rendered", "name"), [
    [{ kind: "paragraphs", paragraphs: ["One.", "Two."] }, null],
    [{ kind: "original", reason: "is damaged." }, null],
  ]);
});

test("a link to one answer opens no other learner's and no other question's", async (t) => {
  const { store, ids, link, answer } = await preparedDesk(t);
  await link({ token: "part", questions: ["1"], learners: [ids[0]!] });
  assert.equal((await answer(ids[0]!, "part")).work.length, 1);
  for (const [learnerId, questionNumber] of [
    [ids[1]!, "1"],
    [ids[0]!, "2"],
  ] as const) {
    const other = { learnerId, questionNumber, order: "question" as const };
    assert.deepEqual(await store.findAnswer("part", other, noon), { state: "missing" });
  }
});

test("an answer is shown with the saved one before it only if its link opens both", async (t) => {
  const { store, ids, link } = await preparedDesk(t);
  await link({ token: "part", questions: ["1"], learners: ids.slice(0, 2) });
  const shown = { learnerId: ids[0]!, questionNumber: "1", order: "question" as const };
  const savedOf = async (learner: number, questionNumber: string) => {
    const saved = { learnerId: ids[learner]!, questionNumber };
    const found = await store.findAnswer("part", { ...shown, saved }, noon);
    return "work" in found && (found.saved?.learner.id ?? null);
  };
  const saved = [await savedOf(1, "1"), await savedOf(1, "2"), await savedOf(2, "1")];
  assert.deepEqual(saved, [ids[1], null, null]);
});

test("the files of the questions and the rubric are shown as they were rendered", async (t) => {
  const { store } = await renderedDesk(t);
  const paperFiles = await store.findPaperFiles("anna", noon);
  assert.deepEqual(column(paperFiles, "name"), ["questionsFile.txt", "rubricFile.txt"]);
  const kinds = paperFiles.map(({ rendered }) => rendered?.kind);
  assert.deepEqual(kinds, ["pages", undefined], "one is not rendered yet");
});

test("a page image opens under links that open its learner", async (t) => {
  const { store, anna, questionsFile, divide } = await renderedDesk(t);
  const picture = async (token: string, fileId: number, number = 1) =>
    String((await store.findPage(token, { fileId, page: number }, noon)) ?? "none");
  assert.equal(await picture("anna", anna, 2), "anna 2");
  assert.equal(String(await store.readPageImage(anna, 2)), "anna 2");
  assert.equal(await picture("anna", anna, 3), "none");
  assert.equal(await picture("anna", questionsFile), "questions 1");
  assert.equal(await picture("ben", anna), "none", "another learner's");
  assert.equal(await picture("no", anna), "none");
  await divide();
  assert.equal(await picture("anna", anna, 2), "none", "the page is another learner's now");
  assert.equal(await picture("anna", anna), "anna 1");
});

test("an original opens under links that open all its pages, which is recorded", async (t) => {
  const { store, query, anna, divide } = await renderedDesk(t);
  const open = async (token: string, isRead = true) =>
    (await store.openOriginal(token, { fileId: anna, isRead }, noon))?.name;
  assert.equal(await open("anna"), "anna.pdf");
  assert.equal(await open("all"), "learner 1.pdf");
  assert.equal(await open("ben"), undefined);
  await divide();
  assert.equal(await open("anna"), undefined, "the file has another learner's pages");
  assert.equal(await open("all"), "learner 1.pdf");
  assert.equal(await open("all", false), "learner 1.pdf");
  const audit = await query("SELECT action FROM audit WHERE reference IS NOT NULL ORDER BY id");
  const opened = "original opened";
  assert.deepEqual(column(audit, "action"), ["questions set", opened, opened, opened]);
});

test("an original with pages of an erased learner stays closed", async (t) => {
  const { store, assessmentId, reference, ids, anna, divide } = await renderedDesk(t);
  await divide();
  await store.eraseLearner({ assessmentId, reference }, ids[0]!, noon);
  assert.equal(await store.openOriginal("all", { fileId: anna, isRead: true }, noon), undefined);
  const page = await store.findPage("all", { fileId: anna, page: 2 }, noon);
  assert.equal(String(page), "anna 2", "another learner's");
});

test("scripts open under the link to results", async (t) => {
  const { store, reference, assessmentId, ids, divide } = await renderedDesk(t);
  await divide();
  const scripts = await store.listScripts(assessmentId);
  const names = [...scripts.values()].map((files) => column(files, "name"));
  assert.deepEqual(names, [["anna.pdf"], ["ben.pdf"], ["cleo.pdf"], ["anna.pdf"]]);
  const find = (learnerId?: number) => store.findScripts("a-token", learnerId, noon);
  assert.deepEqual(await find(), new Map(), "not published yet");
  await store.publishResults(assessmentId, publication(reference), noon);
  assert.deepEqual(await find(), scripts);
  assert.deepEqual(await find(ids[1]), new Map([[ids[1], scripts.get(ids[1]!)]]));
  assert.deepEqual(await find(0), new Map());
});

test("each learner gets their own script after another was removed", async (t) => {
  const { store, reference, assessmentId, ids } = await renderedDesk(t);
  const results = (await store.findImportedResults(assessmentId))!;
  await store.eraseLearner({ assessmentId, reference }, ids[0]!, noon);
  const scripts = await archivedScripts(store, assessmentId, results);
  await scripts[1]!.read();
  await scripts[2]!.read();
  const note = await scripts.at(-1)!.read();
  assert.match(String(note), /^cleo\.pdf is not in 3 cleo[^\n]*\n$/);
});

test("a script that cannot be written is named in the archive", async (t) => {
  const { store, assessmentId } = await renderedDesk(t);
  const results = (await store.findImportedResults(assessmentId))!;
  const scripts = await archivedScripts(store, assessmentId, results);
  const { execPath } = process;
  t.after(() => Object.assign(process, { execPath }));
  // The process that writes scripts cannot start.
  Object.assign(process, { execPath: "/nowhere" });
  assert.equal(await scripts[0]!.read(), undefined);
  assert.match(String(await scripts.at(-1)!.read()), /^1 anna.*\.pdf could not be written/m);
});

test("only pages of scripts open under the link to results", async (t) => {
  const { store, reference, assessmentId, anna, questionsFile } = await renderedDesk(t);
  await store.publishResults(assessmentId, publication(reference), noon);
  const picture = async (fileId: number, token = "a-token", number = 1) =>
    String((await store.findScriptPage(token, { fileId, page: number }, noon)) ?? "none");
  assert.equal(await picture(anna), "anna 1");
  assert.equal(await picture(anna, "a-token", 3), "none");
  assert.equal(await picture(questionsFile), "none", "no learner's work");
  assert.equal(await picture(anna, "all"), "none", "a marking link");
});

test("renderings are deleted if they are older than a time, and no link has been open since", async (t) => {
  const { store, query, reference, assessmentId, anna } = await renderedDesk(t);
  const deleted = (before: number) => store.deleteUnusedRenderings(later(before));
  assert.equal(await deleted(day), 0, "marking links are open");
  await store.closeMarkingLinks(assessmentId, undefined, later(hour));
  assert.equal(await deleted(minute), 0, "marking links were open since");
  await store.publishResults(assessmentId, publication(reference), later(hour));
  assert.equal(await deleted(day), 0, "the link to results is open");
  await store.revokeResults(assessmentId, later(2 * hour));
  assert.equal(await deleted(hour + minute), 0, "the link to results was open since");
  const rendered = { kind: "original" as const, reason: "is damaged." };
  await store.storeRendering(anna, rendered, later(2 * day));
  assert.equal(await deleted(day), 3, "one is newer");
  assert.equal(await deleted(2 * day), 1);
  assert.deepEqual(await query("SELECT 1 FROM page_images"), []);
});

test("renderings are deleted once all links have expired", async (t) => {
  const { store, reference, assessmentId } = await renderedDesk(t);
  await store.publishResults(assessmentId, publication(reference), noon);
  assert.equal(await store.deleteUnusedRenderings(later(30 * day - 1)), 0);
  assert.equal(await store.deleteUnusedRenderings(later(30 * day)), 4);
});

/**
 * Anna's answer, on two pages, and Ben's, on a paragraph. Of the stamps, `tick` and `comment` fit Anna's answer,
 * `beside` fits Ben's.
 */
async function preparedStamps(t: TestContext) {
  const prepared = await preparedDesk(t);
  const { store, ids, fileIds, answer: answerOf } = prepared;
  const image = { width: 1100, height: 1500, webp: Buffer.from("picture") };
  const pages = [1, 2].map((page) => ({ page, ...image }));
  await store.storeRendering(fileIds[0]!, { kind: "pages", pages }, noon);
  await store.storeRendering(fileIds[1]!, { kind: "paragraphs", paragraphs: ["One."] }, noon);
  const answer = { learnerId: ids[0]!, questionNumber: "1" };
  const onPage = { fileId: fileIds[0]!, page: 2, paragraph: null, x: 0.25, y: 0.5 };
  const tick: NewStamp = { ...onPage, kind: "tick", text: "" };
  const place = async (stamp: NewStamp, key = answer, token = "all") =>
    (await store.placeStamp(token, key, stamp, noon)).outcome;
  const ben = { ...answer, learnerId: ids[1]! };
  const comment = { ...tick, kind: "comment" as const, text: "See <line> 3.", x: null, y: null };
  const beside = { ...tick, fileId: fileIds[1]!, page: null, paragraph: 1, x: null, y: null };
  const stampsOf = async (learner = 0, token = "all") =>
    (await answerOf(ids[learner]!, token)).work[0]!.stamps;
  const divide = { change: "divide" as const, page: 2 };
  /** Gives Anna's second page to a new learner, Zoe. Returns Zoe's answer. */
  const givePage = async () => {
    const to = { number: "9", name: "Zoe" };
    const given = await store.changeLearners("all", { ...divide, ...answer, to }, noon);
    assert.ok(given.outcome === "stored");
    return { ...answer, learnerId: given.learnerId };
  };
  const stamps = { tick, comment, beside, place, stampsOf };
  return { ...prepared, answerOf, pages, answer, ben, ...stamps, givePage };
}

test("stamps are placed once, and only on a learner's own pages and paragraphs", async (t) => {
  const { answer, ben, tick, comment, beside, place, stampsOf } = await preparedStamps(t);
  for (const _ of [1, 2]) assert.equal(await place(tick), "stored");
  assert.equal(await place(comment, { ...answer, questionNumber: "2" }), "stored");
  assert.equal(await place(beside, ben), "stored");
  for (const nowhere of [
    { ...tick, page: 3 },
    { ...tick, page: null, paragraph: 1 },
    beside,
    { ...tick, fileId: 99 },
  ]) {
    assert.equal(await place(nowhere), "no place", JSON.stringify(nowhere));
  }
  assert.equal(await place({ ...beside, paragraph: 2 }, ben), "no place");
  assert.deepEqual(await stampsOf(), [
    { id: 1, ...tick, questionNumber: "1" },
    { id: 2, ...comment, questionNumber: "2" },
  ]);
  assert.deepEqual(column(await stampsOf(1), "paragraph"), [1]);
});

test("a link places and removes stamps only of the answers that it opens", async (t) => {
  const { store, query, ids, link, answer, ben, tick, comment, beside, place } =
    await preparedStamps(t);
  await place(tick);
  await place(comment, { ...answer, questionNumber: "2" });
  await place(beside, ben);
  await link({ token: "part", marker: "S. Naidoo", questions: ["1"], learners: [ids[0]!] });
  assert.equal(await place(tick, answer, "part"), "stored", "another marker's");
  assert.equal(await place(tick, { ...answer, questionNumber: "2" }, "part"), "no question");
  assert.equal(await place(tick, ben, "part"), "no learner");
  assert.equal(await place(tick, answer, "none"), "no link");
  const remove = async (id: number, token = "all") =>
    (await store.removeStamp(token, answer, id, noon)).outcome;
  assert.equal(await remove(2, "part"), "no question", "the stamp is another question's");
  assert.equal(await remove(3), "stored", "of another learner's page: nothing is removed");
  for (const _ of [1, 2]) assert.equal(await remove(2), "stored");
  assert.deepEqual(column(await query("SELECT id FROM stamps ORDER BY id"), "id"), [1, 3, 4]);
});

test("a second marker sees neither stamps nor comments of the first, and the first none of theirs", async (t) => {
  const { store, ids, link, answer, tick, comment, place, stampsOf, answerOf } =
    await preparedStamps(t);
  await link({ token: "second", marker: "S. Naidoo", tolerance: 0 });
  for (const [token, stamp] of [
    ["all", tick],
    ["second", comment],
  ] as const) {
    await place(stamp, answer, token);
    const { mark } = await answerOf(ids[0]!, token);
    const decision = decisionOn(mark, ids[0]!, { marks: 1, comment: `By ${token}` });
    assert.equal((await store.decideAnswer(token, decision, noon)).outcome, "stored");
  }
  for (const [token, kind] of [
    ["all", "tick"],
    ["second", "comment"],
  ] as const) {
    assert.deepEqual(column(await stampsOf(0, token), "kind"), [kind], token);
    assert.deepEqual((await answerOf(ids[1]!, token)).usedComments, [`By ${token}`]);
  }
});

test("a stamp on another learner's page of a divided file is not removed", async (t) => {
  const { store, query, answer, tick, place, givePage } = await preparedStamps(t);
  const zoe = await givePage();
  assert.equal(await place(tick, zoe), "stored");
  await store.removeStamp("all", answer, 1, noon);
  assert.equal((await query("SELECT id FROM stamps")).length, 1);
  await store.removeStamp("all", zoe, 1, noon);
  assert.deepEqual(await query("SELECT id FROM stamps"), []);
});

test("a marker's stamps are found by the marker's name", async (t) => {
  const { store, link, answer, tick, place } = await preparedStamps(t);
  await place(tick);
  await link({ token: "two", marker: "S. Naidoo" });
  await place(tick, answer, "two");
  assert.deepEqual((await store.findSubject("S. Naidoo")).ids, { marking_links: [2], stamps: [2] });
});

/** Anna's pages, with functions that turn the second of them, or all by it. */
async function pagesToTurn(t: TestContext) {
  const { store, ids, fileIds, answer, answerOf } = await preparedStamps(t);
  const turn = async (degrees: PageTurn, more: { page?: number; turnsAll?: boolean } = {}) =>
    store.turnPage("all", answer, { fileId: fileIds[0]!, page: 2, turn: degrees, ...more }, noon);
  const turned = async () => {
    const [{ rendered }] = (await answerOf(ids[0]!)).work as [ShownFile];
    return rendered?.kind === "pages" && rendered.pages.map((page) => page.turn);
  };
  return { turn, turned };
}

test("a page is turned to an angle", async (t) => {
  const { turn, turned } = await pagesToTurn(t);
  for (const degrees of [90, 90, 180, 0] as const) {
    assert.deepEqual(await turn(degrees), { outcome: "stored" });
    assert.deepEqual(await turned(), [0, degrees]);
  }
  assert.deepEqual(await turn(90, { page: 3 }), { outcome: "no place" });
});

test("all pages of a script are turned by as much as one of them", async (t) => {
  const { turn, turned } = await pagesToTurn(t);
  await turn(180);
  for (const _ of ["turned", "repeated"]) {
    assert.deepEqual(await turn(270, { turnsAll: true }), { outcome: "stored" });
    assert.deepEqual(await turned(), [90, 270]);
  }
  await turn(180, { turnsAll: true });
  assert.deepEqual(await turned(), [0, 180]);
});

test("stamps stay when their file is rendered again", async (t) => {
  const { store, fileIds, pages, tick, place, stampsOf } = await preparedStamps(t);
  await place(tick);
  await store.storeRendering(fileIds[0]!, { kind: "pages", pages }, later(hour));
  assert.equal((await stampsOf()).length, 1);
});

test("stamps go with their page to another learner", async (t) => {
  const { answer, answerOf, tick, comment, place, stampsOf, givePage } = await preparedStamps(t);
  await place(tick);
  await place(comment, { ...answer, questionNumber: "2" });
  const zoe = await givePage();
  assert.deepEqual(await stampsOf(), []);
  const { stamps } = (await answerOf(zoe.learnerId)).work[0]!;
  assert.deepEqual(column(stamps, "kind"), ["tick", "comment"]);
});

test("a learner has at most 500 stamps in a file, which may have more learners", async (t) => {
  const { store, query, answer, tick, place, givePage } = await preparedStamps(t);
  const zoe = await givePage();
  for (const questionNumber of ["1", "2"]) await place(tick, { ...zoe, questionNumber });
  // Each of the two stamps 249 times more.
  await query(
    `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 249)
     INSERT INTO stamps (file_id, page, x, kind, text, question_number, marking_link_id, created_at)
     SELECT file_id, page, number, kind, text, question_number, marking_link_id, created_at
     FROM stamps CROSS JOIN numbers`,
  );
  const oneMore = { ...tick, kind: "cross" as const };
  const last = await store.placeStamp("all", zoe, oneMore, noon);
  assert.deepEqual(last, { outcome: "too many stamps", max: 500 });
  assert.equal(await place({ ...oneMore, page: 1 }, answer), "stored");
  assert.equal((await query("SELECT id FROM stamps")).length, 501);
});

/** A desk with proposals of 5 marks, of which those for Ben are hidden. */
async function deskWithBlindLearner(t: TestContext) {
  const prepared = await preparedDesk(t);
  await importProposals(prepared, 5);
  const added = await prepared.link({ token: "blind", blindLearners: [prepared.ids[1]!] });
  assert.deepEqual(added, { outcome: "stored", hidden: 1 });
  return prepared;
}

test("the proposals for a blind learner are shown once they are decided", async (t) => {
  const { markOf, decide } = await deskWithBlindLearner(t);
  assert.equal((await markOf(0, "1")).marksAwarded, 5);
  const hidden = await markOf(1, "1");
  assert.deepEqual([hidden.marksAwarded, hidden.feedback], [null, ""]);
  await decide(1, "1", 7);
  const shown = await markOf(1, "1");
  assert.deepEqual([shown.marksAwarded, shown.proposedMarks, shown.decision!.how], [7, 5, "blind"]);
});

test("results do not say which learners are blind", async (t) => {
  const { store, assessmentId } = await deskWithBlindLearner(t);
  assert.doesNotMatch(JSON.stringify(await store.findImportedResults(assessmentId)), /blind/i);
});

test("blind learners of a class are drawn once", async (t) => {
  const { ids, link, markOf } = await deskWithBlindLearner(t);
  const again = await link({ token: "again", blindLearners: [ids[0]!, ids[2]!] });
  assert.deepEqual(again, { outcome: "stored", hidden: 1 });
  const shown = [await markOf(0, "1"), await markOf(1, "1"), await markOf(2, "1")];
  assert.deepEqual(column(shown, "marksAwarded"), [5, null, 5]);
});

test("a decision that claims to have seen a hidden proposal is a conflict, which does not show it", async (t) => {
  const { store, ids } = await deskWithBlindLearner(t);
  const forged: NewDecision & { order: "question" } = {
    learnerId: ids[1]!,
    seen: { questionNumber: "1", decisionId: 0, marks: 5, importId: 0 },
    given: { ...nothingElse, marks: 5, reason: "taken" },
    order: "question",
  };
  const conflict = await store.decideAnswer("all", forged, noon);
  assert.equal(conflict.outcome === "conflict" && conflict.mark.marksAwarded, null);
});

test("a link that is rejected hides no proposals", async (t) => {
  const { query, ids, link } = await preparedDesk(t);
  const blindLearners = [ids[0]!];
  await link({ token: "second", marker: "S. Naidoo", tolerance: 0 });
  const other = await link({ token: "other", tolerance: 1, blindLearners });
  assert.equal(other.outcome, "second marker");
  const again = await link({ token: "all", expiresAt: later(day), blindLearners });
  const expiresAt = later(14 * day).toISOString();
  assert.deepEqual(again, { outcome: "open already", expiresAt }, "the expiry of the first link");
  const blind = () => query<{ id: number }>("SELECT id FROM submissions WHERE is_blind");
  assert.deepEqual(await blind(), []);
  await link({ token: "blind", blindLearners });
  assert.deepEqual(await blind(), [{ id: ids[0]! }]);
});

test("agreement is measured by the first decision on a blind learner's answer", async (t) => {
  const { store, assessmentId, decide } = await deskWithBlindLearner(t);
  await decide(1, "1", 7);
  await decide(1, "1", 5);
  await decide(0, "1", 4);
  const proposals = decidedProposals([(await store.findImportedResults(assessmentId))!]);
  assert.deepEqual(columns(proposals, "proposed", "decided", "how"), [
    [5, 4, "changed"],
    [5, 7, "blind"],
  ]);
});

/** A desk with a second marker of question 1, who may differ by one mark. */
async function deskWithSecondMarker(t: TestContext) {
  const prepared = await preparedDesk(t);
  const { store, ids, link, desk } = prepared;
  await link({ token: "second", marker: "S. Naidoo", tolerance: 1 });
  const secondView = async (learner: number) =>
    (await desk("second")).learners[learner]!.marks.find((mark) => mark.questionNumber === "1")!;
  const second = async (learner: number, marks: number) => {
    const mark = await secondView(learner);
    return store.decideAnswer("second", decisionOn(mark, ids[learner]!, { marks }), noon);
  };
  return { ...prepared, secondView, second };
}

test("neither of two markers sees the other's mark before deciding", async (t) => {
  const { decide, markOf, second, secondView } = await deskWithSecondMarker(t);
  await decide(0, "1", 6);
  assert.equal((await secondView(0)).marksAwarded, null);
  await second(1, 7);
  const own = await secondView(1);
  assert.deepEqual([own.marksAwarded, own.decision!.by], [7, "S. Naidoo"]);
  const early = await markOf(1, "1");
  assert.deepEqual([early.marksAwarded, early.second], [null, undefined]);
  await decide(1, "1", 3);
  assert.equal((await markOf(1, "1")).second!.marks, 7);
});

test("a second marker marks each answer once", async (t) => {
  const { store, query, ids, decide, second } = await deskWithSecondMarker(t);
  const next = async () => {
    const found = await store.takeNextAnswer("second", { order: "question" }, noon);
    return found.outcome === "answer" && ids.indexOf(found.learnerId);
  };
  await decide(0, "1", 6);
  assert.equal(await next(), 0);
  for (const _ of ["first", "repeated"]) assert.equal((await second(0, 3)).outcome, "stored");
  assert.equal((await second(1, 7)).outcome, "stored", "before the first marker");
  assert.equal(await next(), 2);
  assert.equal((await query("SELECT 1 FROM decisions WHERE how = 'second'")).length, 2);
});

test("a second mark that is too high is rejected", async (t) => {
  const { query, second } = await deskWithSecondMarker(t);
  assert.deepEqual(await second(0, 10.25), { outcome: "too many", totalMarks: 10 });
  assert.deepEqual(await query("SELECT 1 FROM decisions"), []);
});

test("a second mark does not count", async (t) => {
  const prepared = await deskWithSecondMarker(t);
  const { store, assessmentId, decide, second } = prepared;
  await decide(0, "1", 6);
  await second(0, 3);
  await second(1, 7);
  await shareCopy(prepared);
  const copy = (await store.findResults("copy", noon))!.submissions[0]!.questionMarks[0]!;
  assert.deepEqual([copy.marksAwarded, copy.second], [6, undefined], "readers see what counts");
  const { submissions } = (await store.findImportedResults(assessmentId))!;
  const first = submissions.map(({ questionMarks }) => questionMarks[0]!.marksAwarded);
  assert.deepEqual(first, [6, null, null]);
});

test("a difference beyond the tolerance is open until the first marker decides again", async (t) => {
  const { markOf, decide, second } = await deskWithSecondMarker(t);
  await decide(0, "1", 6);
  await second(0, 3);
  const first = await markOf(0, "1");
  assert.deepEqual([first.marksAwarded, first.second!.marks, hasDifference(first)], [6, 3, true]);
  await second(1, 7);
  await decide(1, "1", 6);
  assert.equal(hasDifference(await markOf(1, "1")), false, "within the tolerance");
  await decide(0, "1", 6);
  assert.equal(hasDifference(await markOf(0, "1")), false, "the same mark again resolves it");
});

test("an import takes second marks away only if it discards decisions", async (t) => {
  const { store, assessmentId, query, second } = await deskWithSecondMarker(t);
  await second(0, 7);
  const results = async () => (await store.findImportedResults(assessmentId))!;
  const { questions, ...imported } = importOf(await results());
  const lowered = [{ ...questions[0]!, totalMarks: 5 }, questions[1]!];
  for (const [paper, what] of [
    [lowered, "loses"],
    [questions.slice(1), "goes, with"],
  ] as const) {
    const over = { ...imported, questions: [...paper] };
    assert.deepEqual(await store.importResults(assessmentId, over, noon, { replaces: true }), {
      outcome: "conflicts",
      conflicts: [`Question 1 ${what} 1 mark of a second marker.`],
    });
  }
  const over = { ...imported, questions: lowered };
  await store.importResults(assessmentId, over, noon, { discardsDecisions: true });
  assert.equal((await results()).submissions[0]!.questionMarks[0]!.second, undefined);
  assert.equal((await query("SELECT 1 FROM replaced_results")).length, 1);
});

test("a difference stays open when a page is sent that was opened before the second mark", async (t) => {
  const { store, decide, decision, markOf, second } = await deskWithSecondMarker(t);
  await decide(0, "1", 6);
  const again = await decision(0, "1", 6);
  await second(0, 3);
  for (const comment of ["", "Well done"]) {
    const sent = { ...again, given: { ...again.given, comment } };
    assert.equal((await store.decideAnswer("all", sent, noon)).outcome, "stored");
    assert.equal(hasDifference(await markOf(0, "1")), true, comment);
  }
  assert.equal((await markOf(0, "1")).comment, "Well done");
});

test("a second marker who is erased is named nowhere", async (t) => {
  const { store, tablesWith, second } = await deskWithSecondMarker(t);
  assert.equal((await second(0, 3)).outcome, "stored");
  const tables = ["submissions", "decisions", "marking_links"];
  assert.deepEqual(await tablesWith(/naidoo/i, tables), tables);
  const auditId = await store.openAudit("subject erased", noon);
  await store.eraseMarker("S. Naidoo", auditId, noon);
  assert.deepEqual(await tablesWith(/naidoo/i, tables), []);
});

/** Imports the same mark for each answer. */
async function importProposals({ store, assessmentId }: PreparedDesk, marksAwarded: number) {
  const proposed = (await store.findImportedResults(assessmentId))!;
  for (const mark of proposed.submissions.flatMap(({ questionMarks }) => questionMarks)) {
    Object.assign(mark, { marksAwarded, feedback: "Why." });
  }
  return store.importResults(assessmentId, importOf(proposed), noon);
}

/** A desk with proposals, hidden for Anna, and one decision, that is published: "a-token" is the educator's link. */
async function publishedDesk(t: TestContext) {
  const prepared = await preparedDesk(t);
  const { store, reference, assessmentId, ids, link, decide } = prepared;
  await importProposals(prepared, 5);
  await link({ token: "second", marker: "S. Naidoo", tolerance: 1, blindLearners: [ids[0]!] });
  await decide(0, "1", 8);
  await store.publishResults(assessmentId, publication(reference), noon);
  const [anna, ben, cleo] = ids as [number, number, number];
  const seen = (await prepared.answer(ben, "a-token")).learnerMarks.map(seenOf);
  const key = { learnerId: ben, questionNumber: "1", order: "learner" as const };
  /** Agrees with all proposals for Ben. */
  const agreeWithRest = (token: string) =>
    store.agreeWithRest(token, { ...key, seen, reason: "taken" }, noon);
  return { ...prepared, anna, ben, cleo, agreeWithRest };
}

test("an educator’s link opens the desk with names, hidden proposals, and who has decided", async (t) => {
  const { desk, answer, anna } = await publishedDesk(t);
  const { link, learners } = await desk("a-token");
  assert.deepEqual([link.isEducators, link.marker], [true, "Thandi Example"]);
  assert.equal(learners[0]!.name, "anna");
  const first = await answer(anna, "a-token", "2");
  assert.equal(first.mark.marksAwarded, 5, "the proposal that markers do not see");
  assert.equal(first.learnerMarks[0]!.decision!.by, "N. Dlamini");
});

test("an answer has the progress of the class and the answers before and after it", async (t) => {
  const { answer, anna, ben, cleo } = await publishedDesk(t);
  const { head, before, after } = await answer(anna, "a-token", "2");
  assert.deepEqual(head.progress, { decided: 1, total: 6 });
  assert.deepEqual(before, { learnerId: cleo, questionNumber: "1" });
  assert.deepEqual(after, { learnerId: ben, questionNumber: "2" });
});

test("an educator agrees with a proposal that markers do not see", async (t) => {
  const { store, answer, anna } = await publishedDesk(t);
  const { mark } = await answer(anna, "a-token", "2");
  const agreed = decisionOn(mark, anna, { marks: 5, reason: "taken" });
  assert.equal((await store.decideAnswer("a-token", agreed, noon)).outcome, "stored");
  assert.equal((await answer(anna, "a-token", "2")).mark.decision!.how, "agreed");
});

test("an educator’s draft follows the work, whatever was typed under an earlier link", async (t) => {
  const { store, reference, assessmentId, desk, anna, ben } = await publishedDesk(t);
  const draftOf = (learnerId: number, comment: string) => ({
    ...emptyDraft,
    ...{ learnerId, questionNumber: "2", comment },
  });
  await store.saveMarkDraft("a-token", draftOf(anna, "Earlier"), noon);
  await store.revokeResults(assessmentId, noon);
  await store.publishResults(assessmentId, publication(reference, "new"), noon);
  await store.saveMarkDraft("new", draftOf(ben, "Later"), noon);
  await store.changeLearners("all", { change: "join", learnerId: anna, otherId: ben }, noon);
  assert.deepEqual((await desk("new")).drafts, [draftOf(anna, "Later")]);
});

test("an educator’s link has drafts of its own until they are decided", async (t) => {
  const { store, answer, anna } = await publishedDesk(t);
  const typed = { ...emptyDraft, learnerId: anna, questionNumber: "2", comment: "Why?" };
  for (const _ of [1, 2]) await store.saveMarkDraft("a-token", typed, noon);
  const { mark, draft } = await answer(anna, "a-token", "2");
  assert.deepEqual(draft, typed);
  assert.equal((await answer(anna, "all", "2")).draft, undefined, "the draft is not the marker’s");
  await store.decideAnswer("a-token", decisionOn(mark, anna, { marks: 4 }), noon);
  assert.equal((await answer(anna, "a-token", "2")).draft, undefined);
});

test("an answer says that the educator has it open", async (t) => {
  const { store, answer, anna } = await publishedDesk(t);
  await store.openAnswer("a-token", { learnerId: anna, questionNumber: "2" }, noon);
  assert.deepEqual((await answer(anna, "all", "2")).elsewhere, ["Thandi Example"]);
  assert.deepEqual((await answer(anna, "a-token", "2")).elsewhere, [], "the educator’s own");
});

test("an educator’s stamp is stored under the educator’s link", async (t) => {
  const prepared = await publishedDesk(t);
  const { store, query, fileIds, anna } = prepared;
  await renderThreePages(prepared);
  const place = { fileId: fileIds[0]!, page: 1, paragraph: null, x: 0.5, y: 0.5 };
  const stamp: NewStamp = { ...place, kind: "tick", text: "" };
  const answer = { learnerId: anna, questionNumber: "2" };
  for (const _ of [1, 2]) await store.placeStamp("a-token", answer, stamp, noon);
  assert.deepEqual(await query("SELECT marking_link_id, result_link_id FROM stamps"), [
    { marking_link_id: null, result_link_id: 1 },
  ]);
});

test("an educator’s link decides one answer after another", async (t) => {
  const { store, answer, anna, ben } = await publishedDesk(t);
  const { mark } = await answer(anna, "a-token", "2");
  const first = await store.takeNextAnswer("a-token", { order: "learner" }, noon);
  assert.deepEqual(first, dealt(anna, "2"));
  const decision = { ...decisionOn(mark, anna, { marks: 4.5 }), order: "learner" as const };
  const decided = await store.decideAnswer("a-token", decision, noon);
  // The marker has Ben's answer to question 1 open.
  assert.deepEqual(decided.outcome === "stored" && decided.next, dealt(ben, "2"));
  assert.equal((await answer(anna, "a-token", "2")).mark.decision!.by, "Thandi Example");
});

test("an educator overrides a marker’s decision", async (t) => {
  const { store, answer, anna } = await publishedDesk(t);
  const { mark } = await answer(anna, "a-token");
  const override = decisionOn(mark, anna, { marks: 7 });
  assert.equal((await store.decideAnswer("a-token", override, noon)).outcome, "stored");
  const { marksAwarded, decision } = (await answer(anna, "a-token")).mark;
  assert.deepEqual([marksAwarded, decision!.by], [7, "Thandi Example"]);
});

test("an educator’s link agrees with the rest of a learner’s proposals", async (t) => {
  const { query, cleo, agreeWithRest } = await publishedDesk(t);
  assert.equal((await agreeWithRest("all")).outcome, "limited link", "a marker's");
  const agreed = await agreeWithRest("a-token");
  assert.deepEqual(agreed.outcome === "stored" && agreed.next, dealt(cleo, "1"));
  assert.deepEqual(
    await query("SELECT how, decided_by, result_link_id FROM decisions WHERE id > 1"),
    [1, 2].map(() => ({ how: "rest", decided_by: "Thandi Example", result_link_id: 1 })),
  );
});

test("an educator’s link changes neither learners, questions nor problem pages", async (t) => {
  const { store, desk, cleo } = await publishedDesk(t);
  const absent = { change: "no grade" as const, learnerId: cleo, noGrade: "absent" as const };
  const seenVersion = (await desk("a-token")).paperVersion;
  const outcomes = [
    await store.changeLearners("a-token", absent, noon),
    await store.setPaper("a-token", { title: "Other", questions: paper, seenVersion }, noon),
    await store.changeProblemPages("a-token", { change: "discard", ids: [1] }, noon),
  ];
  assert.deepEqual(outcomes, Array(3).fill({ outcome: "educator’s link" }));
});

test("an educator’s link opens the desk until the results are revoked", async (t) => {
  const { store, assessmentId, agreeWithRest } = await publishedDesk(t);
  await store.closeMarkingLinks(assessmentId, undefined, noon);
  assert.equal(await store.findLinkKind("a-token", noon), "decide");
  assert.equal(await store.findLinkKind("all", noon), undefined, "a marker's is closed");
  await store.revokeResults(assessmentId, noon);
  assert.deepEqual(await store.findDesk("a-token", noon), { state: "unknown" });
  assert.deepEqual(await agreeWithRest("a-token"), { outcome: "no link" });
});

test("a reading copy opens no desk", async (t) => {
  const prepared = await publishedDesk(t);
  await shareCopy(prepared);
  assert.deepEqual(await prepared.store.findDesk("copy", noon), { state: "reading copy" });
});

test("the stored states of answers follow the marks", async (t) => {
  const { query, setQuestions, decide, second } = await deskWithSecondMarker(t);
  const states = async () =>
    column(await query("SELECT answer_states FROM submissions ORDER BY id"), "answer_states");
  assert.deepEqual(await states(), ["--", "--", "--"]);
  await decide(0, "1", 2);
  await second(0, 4);
  await second(1, 4);
  await decide(2, "2", 4);
  // x: the marks of both markers differ; s: only the second has marked; d: decided.
  assert.deepEqual(await states(), ["x-", "s-", "-d"]);
  await decide(0, "1", 2);
  await setQuestions([paper[1]!, paper[0]!]);
  // b: both have marked, and the difference is resolved.
  assert.deepEqual(await states(), ["-b", "-s", "d-"]);
});

test("a save and the page of the next answer ask the store twice", async (t) => {
  const { store, ids, answer } = await preparedDesk(t);
  const calls: string[] = [];
  const counted = new Proxy(store, {
    get(target, name: keyof Operations) {
      calls.push(name);
      return target[name];
    },
  });
  const { deskServices } = await loadSource<typeof servicesModule>("/app/server/desk-services.ts");
  const { markingAction } = await loadSource<typeof actionModule>("/app/routes/marking-action.ts");
  const services = deskServices(
    { brand: { model: "" } as never },
    { store: counted as Store, now: () => noon, log: undefined as never },
  );
  const url = `https://site.example/marking?link=all&view=mark&learner=${ids[0]}&question=1`;
  const form = { intent: "save", question: "1", seen: "0", was: "", marks: "2", comment: "Why?" };
  const readTexts = async () => form;
  // The first opening of a link asks once more.
  await store.markLinkOpened("all", noon);
  const saved = (await markingAction(new URL(url), { desk: services, readTexts })) as Response;
  const next = new URL(saved.headers.get("Location")!, url).searchParams;
  assert.equal(next.get("learner"), String(ids[1]));
  const key = { learnerId: ids[1]!, questionNumber: "1", order: "question" as const };
  const shown = await services.openAnswer("all", {
    ...key,
    isRead: true,
    saved: { learnerId: ids[0]!, questionNumber: "1" },
  });
  assert.deepEqual(calls, ["decideAnswer", "findAnswer"]);
  assert.ok(shown && shown !== "missing");
  assert.deepEqual([shown.saved?.mark.marksAwarded, shown.usedComments], [2, ["Why?"]]);
  assert.deepEqual(shown, { ...(await answer(ids[1]!)), saved: shown.saved });
});

test("a link to one learner does not show the comments on other learners' answers", async (t) => {
  const { ids, link, decision, store, answer } = await preparedDesk(t);
  const commented = await decision(0, "1", 2);
  const given = { ...commented.given, comment: "Why?" };
  await store.decideAnswer("all", { ...commented, given }, noon);
  assert.deepEqual((await answer(ids[1]!)).usedComments, ["Why?"]);
  await link({ token: "ben", learners: [ids[1]!] });
  assert.deepEqual((await answer(ids[1]!, "ben")).usedComments, []);
});

/** A desk with functions that give its files to learners and say who has one. */
async function deskWithFiles(t: TestContext) {
  const prepared = await preparedDesk(t);
  const { store, query, assessmentId } = prepared;
  const ownerOf = async (fileId: number) =>
    (await store.listWorkFiles(assessmentId)).find((one) => one.fileId === fileId)?.learnerId ??
    null;
  const give = async (fileId: number, to: WorkFileTarget) =>
    store.setWorkFile(assessmentId, { fileId, learnerId: await ownerOf(fileId), to });
  const countLearners = async () => (await query("SELECT id FROM submissions")).length;
  return { ...prepared, give, ownerOf, countLearners };
}

test("a file that is no script is taken from its learner until it is given to one again", async (t) => {
  const { ids, fileIds, give, ownerOf, countLearners } = await deskWithFiles(t);
  const file = fileIds[0]!;
  assert.equal(await ownerOf(file), ids[0]);
  assert.equal(await give(file, ids[1]!), "no file", "a learner has it");
  for (const outcome of ["stored", "no file"]) assert.equal(await give(file, "no script"), outcome);
  assert.equal(await ownerOf(file), null);
  assert.equal(await countLearners(), 2, "the learner had only that file, and is gone");
  assert.equal(await give(file, ids[0]!), "no learner");
  for (const outcome of ["stored", "no file"])
    assert.equal(await give(file, "new learner"), outcome);
  assert.equal(await countLearners(), 3);
  assert.equal(await give(0, "new learner"), "no file");
});

test("a file of which a learner has two parts is listed once for the learner", async (t) => {
  const { store, assessmentId, ids, anna, divide } = await renderedDesk(t);
  const divided = await divide();
  assert.ok("learnerId" in divided, divided.outcome);
  const join = { change: "join" as const, learnerId: ids[0]!, otherId: divided.learnerId };
  assert.equal((await store.changeLearners("all", join, noon)).outcome, "stored");
  const listed = (await store.listWorkFiles(assessmentId)).filter(({ fileId }) => fileId === anna);
  assert.deepEqual(column(listed, "learnerId"), [ids[0]]);
});

test("a file that two learners share is taken from one of them", async (t) => {
  const { store, assessmentId, ids, anna, divide } = await renderedDesk(t);
  const divided = await divide();
  assert.ok("learnerId" in divided, divided.outcome);
  const { learnerId } = divided;
  const noScript = { fileId: anna, learnerId, to: "no script" as const };
  assert.equal(await store.setWorkFile(assessmentId, noScript), "stored");
  const listed = (await store.listWorkFiles(assessmentId)).filter(({ fileId }) => fileId === anna);
  assert.deepEqual(column(listed, "learnerId"), [ids[0]]);
});

test("a learner with a number from a class list stays without the file that is no script", async (t) => {
  const prepared = await deskWithFiles(t);
  await takeList(prepared, [{ number: "31", name: "Anna", file: "anna.pdf" }]);
  assert.equal(await prepared.give(prepared.fileIds[0]!, "no script"), "stored");
  assert.ok((await classOf(prepared)).includes("31, Anna, no file (31)"));
});

test("a learner with a decided mark neither gets a file nor loses one", async (t) => {
  const { ids, fileIds, decide, give } = await deskWithFiles(t);
  const [unused, decided] = fileIds as [number, number];
  await give(unused, "no script");
  await decide(1, "1", 2);
  assert.equal(await give(unused, ids[1]!), "decided");
  assert.equal(await give(decided, "no script"), "decided");
});

test("the last learner of a class keeps a file that is no script", async (t) => {
  const { ids, fileIds, give, ownerOf } = await deskWithFiles(t);
  const outcomes: string[] = [];
  for (const fileId of fileIds) outcomes.push(await give(fileId, "no script"));
  assert.deepEqual(outcomes, ["stored", "stored", "only learner"]);
  assert.equal(await ownerOf(fileIds[2]!), ids[2]);
});
