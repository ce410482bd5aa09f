/** What the lead of a class sees and does about its markers; see store.contract.test.ts. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { NewMarkingLink } from "../app/domain/desk.ts";
import { progressOf } from "../app/results/decision-progress.ts";
import {
  decisionOn,
  emptyDraft,
  emptyScan,
  preparedDesk,
  setNoGrade,
  stageProblems,
} from "./store.contract.desk.ts";
import { columns } from "./support/columns.ts";
import {
  contact,
  email,
  hour,
  importOf,
  later,
  noon,
  publication,
  submitDemo,
} from "./support/store-requests.ts";

/** A desk of three learners and two questions, with the links of a first and a second marker. */
async function markedDesk(t: TestContext) {
  const desk = await preparedDesk(t);
  const { store, ids, link, assessmentId, answer } = desk;
  await link({ token: "second", marker: "S. Naidoo", tolerance: 1 });
  const decide = async (token: string, learner: number, questionNumber: string, marks: number) => {
    const learnerId = ids[learner]!;
    const { mark } = await answer(learnerId, token, questionNumber);
    const decision = decisionOn(mark, learnerId, { marks });
    assert.equal((await store.decideAnswer(token, decision, later(hour))).outcome, "stored");
  };
  const idOf = async (marker: string) =>
    (await store.listMarkingLinks(assessmentId, noon)).find((one) => one.marker === marker)!.id;
  const figuresOf = async (marker: string) =>
    (await store.findMarkerFigures(assessmentId)).get(await idOf(marker));
  return { ...desk, decide, idOf, figuresOf };
}

test("a marker's figures are of the last decision on each answer", async (t) => {
  const { decide, figuresOf } = await markedDesk(t);
  assert.equal(await figuresOf("N. Dlamini"), undefined);
  await decide("all", 0, "1", 2);
  await decide("all", 0, "1", 4);
  await decide("all", 0, "2", 8);
  const figures = { decided: 2, meanShare: 0.6, twice: null };
  assert.deepEqual(await figuresOf("N. Dlamini"), figures);
});

test("the figures of two markers compare what both have marked", async (t) => {
  const { decide, figuresOf } = await markedDesk(t);
  await decide("all", 0, "1", 4);
  await decide("second", 0, "1", 4);
  const undefinedKappa = { count: 1, same: 1, kappa: null };
  assert.deepEqual((await figuresOf("N. Dlamini"))!.twice, undefinedKappa);
  await decide("all", 1, "1", 6);
  await decide("second", 1, "1", 7);
  await decide("second", 2, "1", 1);
  // The squared differences are 0 and 1; by chance they would add up to (0 + 9 + 4 + 1) / 2.
  const twice = { count: 2, same: 1, kappa: 1 - 1 / 7 };
  assert.deepEqual(await figuresOf("N. Dlamini"), { decided: 2, meanShare: 0.5, twice });
  assert.deepEqual(await figuresOf("S. Naidoo"), { decided: 3, meanShare: 0.4, twice });
});

test("neither marks of learners without a grade nor discarded ones are in a marker's figures", async (t) => {
  const marked = await markedDesk(t);
  const { store, assessmentId, decide, figuresOf } = marked;
  for (const learner of [0, 1]) await decide("all", learner, "1", 4);
  assert.equal((await figuresOf("N. Dlamini"))!.decided, 2);
  await setNoGrade(marked, 1, "absent");
  assert.equal((await figuresOf("N. Dlamini"))!.decided, 1);
  const results = (await store.findImportedResults(assessmentId))!;
  for (const { questionMarks } of results.submissions) questionMarks[0]!.marksAwarded = 9;
  await store.importResults(assessmentId, importOf(results), noon, { discardsDecisions: true });
  assert.equal(await figuresOf("N. Dlamini"), undefined);
});

test("differences between two markers are signed only as the page showed them", async (t) => {
  const { store, assessmentId, reference, decide } = await markedDesk(t);
  for (const learner of [0, 1, 2]) {
    for (const question of ["1", "2"]) await decide("all", learner, question, 5);
  }
  await store.publishResults(assessmentId, publication(reference), noon);
  const figures = async () =>
    progressOf((await store.findResults("a-token", noon))!.submissions).figures;
  const sign = async (seen: string) => {
    const accepted = { confirmedNoughts: new Map(), acceptedDifferences: 1 };
    const signature = { by: "Thandi", figures: seen, ...accepted, email, sendsWebhook: false };
    return (await store.signResults("a-token", signature, later(2 * hour))).outcome;
  };
  await decide("second", 0, "1", 8);
  const seen = await figures();
  await decide("second", 0, "1", 6);
  await decide("second", 1, "1", 8);
  assert.equal(await sign(seen), "decided since", "one difference still, on another answer");
  await decide("second", 2, "1", 6);
  assert.equal(await sign(await figures()), "stored");
});

/** A desk with a link of T. Moyo's to two learners of whom one answer is left, and a function that hands it over. */
async function deskToHandOver(t: TestContext) {
  const marked = await markedDesk(t);
  const { store, assessmentId, ids, link, decide, idOf } = marked;
  const [anna, ben] = ids as [number, number, number];
  const more: Partial<NewMarkingLink> = { questions: ["1", "2"], learners: [anna, ben] };
  await link({ token: "part", marker: "T. Moyo", showsNames: true, ...more });
  await decide("part", 0, "1", 5);
  await decide("part", 0, "2", 5);
  await decide("part", 1, "2", 5);
  const linkId = await idOf("T. Moyo");
  const handOver = (token: string, classId = assessmentId, id = linkId) =>
    store.handOverMarking(classId, { linkId: id, token, marker: "Z. Dube" }, undefined, noon);
  return { ...marked, ben, handOver };
}

test("what is left of a marker goes to another under a new link", async (t) => {
  const { store, assessmentId, ben, desk, decide, idOf, handOver } = await deskToHandOver(t);
  assert.equal(await handOver("new"), "stored");
  assert.deepEqual(await store.findDesk("part", noon), { state: "closed" });
  const { link: opened } = await desk("new");
  assert.deepEqual(
    [opened.marker, opened.questions, opened.learners, opened.showsNames],
    ["Z. Dube", ["1"], [ben], true],
  );
  await decide("new", 1, "1", 5);
  assert.equal(await handOver("none", assessmentId, await idOf("Z. Dube")), "nothing left");
});

test("a link is handed over once, and only with its own request", async (t) => {
  const { store, handOver } = await deskToHandOver(t);
  const { assessmentId: foreign } = await submitDemo(store);
  assert.equal(await handOver("new", foreign), "closed", "another request’s link");
  const outcomes = await Promise.all([1, 2, 3].map(() => handOver("new")));
  assert.deepEqual(outcomes.sort(), ["open already", "open already", "stored"]);
  assert.equal(await handOver("newer"), "closed");
});

test("a link to the whole class, or of a second marker, is handed over as such", async (t) => {
  const { store, assessmentId, desk, idOf } = await markedDesk(t);
  for (const [marker, tolerance] of [
    ["N. Dlamini", null],
    ["S. Naidoo", 1],
  ] as const) {
    const to = { linkId: await idOf(marker), token: `of ${marker}`, marker: "Z. Dube" };
    assert.equal(await store.handOverMarking(assessmentId, to, undefined, noon), "stored");
    const { link } = await desk(`of ${marker}`);
    const part = [link.questions, link.learners, link.tolerance];
    assert.deepEqual(part, [null, null, tolerance], marker);
  }
});

test("a link to some learners is handed over whole before the class has questions", async (t) => {
  const { store, assessmentId, ids, link, desk } = await preparedDesk(t, []);
  const part = { questions: ["1"], learners: [ids[1]!] };
  await link({ token: "part", ...part });
  const linkId = (await store.listMarkingLinks(assessmentId, noon))[1]!.id;
  const to = { linkId, token: "new", marker: "Z. Dube" };
  assert.equal(await store.handOverMarking(assessmentId, to, undefined, noon), "stored");
  assert.partialDeepStrictEqual((await desk("new")).link, part);
});

test("a link is handed over by email also to a person who has one to the same work", async (t) => {
  const { store, query, assessmentId, reference, link, desk, idOf } = await markedDesk(t);
  await link({ token: "more", marker: "A. Botha" });
  const recipient = "z@school.example";
  const sent = { email: { ...email, recipient }, link: "https://x", reference, isOnHold: false };
  for (const from of ["N. Dlamini", "A. Botha"]) {
    const to = { linkId: await idOf(from), token: `of ${from}`, marker: "Z. Dube" };
    assert.equal(await store.handOverMarking(assessmentId, to, sent, noon), "stored");
    assert.equal((await desk(`of ${from}`)).link.marker, "Z. Dube");
  }
  const emails = await query("SELECT recipient FROM outbox WHERE kind = 'marking'");
  assert.deepEqual(emails, [{ recipient }, { recipient }]);
});

/** A desk with functions that ask the lead about Anna's answer to question 1, and read what was asked there. */
async function deskWithLead(t: TestContext) {
  const desk = await markedDesk(t);
  const { store, ids, assessmentId } = desk;
  const about = { learnerId: ids[0]!, questionNumber: "1" };
  const ask = (text: string, token = "all", key = about) =>
    store.askLead(token, { ...key, text }, noon);
  const seen = async (token = "all") => (await desk.answer(about.learnerId, token)).asked;
  const list = (isReplied: boolean) => store.listLeadQuestions(assessmentId, { isReplied, max: 5 });
  return { ...desk, about, ask, seen, list };
}

test("a marker asks the lead about an answer once", async (t) => {
  const { about, ask, seen, list } = await deskWithLead(t);
  for (const _ of [1, 2]) assert.deepEqual(await ask("Half a mark?"), { outcome: "stored" });
  assert.deepEqual(await ask("Or none?"), { outcome: "asked before" });
  assert.deepEqual(await seen(), { ...about, text: "Half a mark?", reply: null });
  assert.equal(await seen("second"), null, "another marker’s");
  const asker = { marker: "N. Dlamini", learner: "anna", learnerNumber: "1", questionNumber: "1" };
  const askedAt = noon.toISOString();
  assert.deepEqual(await list(false), [
    { id: 1, ...asker, text: "Half a mark?", reply: null, askedAt },
  ]);
});

test("a marking link has at most 100 questions to the lead without a reply", async (t) => {
  const { store, query, ids, assessmentId, ask } = await deskWithLead(t);
  for (let number = 101; number <= 200; number += 1) {
    await query(`INSERT INTO lead_questions (marking_link_id, submission_id, question_number, text, created_at)
      VALUES (1, ${ids[0]}, '${number}', 'Half a mark?', '${noon.toISOString()}')`);
  }
  assert.deepEqual(await ask("One more?"), { outcome: "too many questions", max: 100 });
  await store.replyToQuestion(assessmentId, { questionId: 1, text: "Yes." }, noon);
  assert.deepEqual(await ask("One more?"), { outcome: "stored" });
});

test("the lead is asked only under a marking link that opens the answer", async (t) => {
  const { store, assessmentId, reference, ids, link, about, ask, list } = await deskWithLead(t);
  await store.publishResults(assessmentId, publication(reference), noon);
  await link({ token: "ben", marker: "T. Moyo", learners: [ids[1]!] });
  for (const [token, key, outcome] of [
    ["a-token", about, "educator’s link"],
    ["ben", about, "no learner"],
    ["all", { ...about, questionNumber: "9" }, "no question"],
    ["none", about, "no link"],
  ] as const) {
    assert.deepEqual(await ask("Half a mark?", token, key), { outcome }, token);
  }
  assert.deepEqual(await list(false), []);
});

test("a question to the lead is open work, also once its answer is decided", async (t) => {
  const { store, assessmentId, decide, ask } = await deskWithLead(t);
  await ask("Half a mark?");
  await decide("all", 0, "1", 5);
  const work = await store.findOpenWork(assessmentId);
  assert.deepEqual(work.items.at(-1), {
    kind: "question to the lead",
    marker: "N. Dlamini",
    learner: "anna",
    questionNumber: "1",
  });
});

test("the lead replies once, beside the answer and on the desk", async (t) => {
  const { store, assessmentId, about, ask, seen, list, desk } = await deskWithLead(t);
  await ask("Half a mark?");
  const { assessmentId: foreign } = await submitDemo(store);
  const reply = (text: string, classId = assessmentId) =>
    store.replyToQuestion(classId, { questionId: 1, text }, later(hour));
  const no = { outcome: "no question" };
  assert.deepEqual(await reply("Yes.", foreign), no, "another request’s question");
  assert.deepEqual(await reply("Yes."), { outcome: "stored", isRead: true });
  assert.deepEqual(await reply("Yes."), { outcome: "repeated", isRead: true });
  assert.deepEqual(await reply("No."), { outcome: "replied before" });
  assert.deepEqual([await list(false), (await list(true)).length], [[], 1]);
  assert.deepEqual(await seen(), { ...about, text: "Half a mark?", reply: "Yes." });
  assert.deepEqual((await desk()).asked, [await seen()]);
});

/** A desk on which N. Dlamini has asked about Anna's answer, and S. Naidoo about Ben's. */
async function deskWithQuestions(t: TestContext) {
  const asked = await deskWithLead(t);
  await asked.ask("Half a mark?");
  await asked.ask("And here?", "second", { learnerId: asked.ids[1]!, questionNumber: "1" });
  return asked;
}

test("a question to the lead is found with its request, its learner and its marker", async (t) => {
  const { store, reference, assessmentId } = await deskWithQuestions(t);
  const questionsOf = async (subject: string) =>
    (await store.findSubject(subject)).ids.lead_questions;
  assert.deepEqual(await questionsOf(contact.email), [1, 2]);
  assert.deepEqual(await questionsOf("S. Naidoo"), [2]);
  const learner = (await store.findLearner({ assessmentId, reference }, "1"))!;
  assert.deepEqual(learner.ids.lead_questions, [1]);
});

test("questions to the lead and drafts on a learner who is joined to another go to that one", async (t) => {
  const { store, assessmentId, ids, ask, list, answer } = await deskWithQuestions(t);
  const [anna, ben, cleo] = ids as [number, number, number];
  await store.replyToQuestion(assessmentId, { questionId: 1, text: "Yes." }, noon);
  await ask("Whose is this?", "all", { learnerId: cleo, questionNumber: "1" });
  for (const [learnerId, marks] of [
    [ben, "3"],
    [cleo, "4"],
  ] as const) {
    await store.saveMarkDraft(
      "all",
      { ...emptyDraft, learnerId, questionNumber: "2", marks },
      noon,
    );
    const join = { change: "join", learnerId: anna, otherId: learnerId } as const;
    assert.equal((await store.changeLearners("all", join, noon)).outcome, "stored");
  }
  assert.deepEqual(columns(await list(false), "learner", "marker", "text"), [
    ["anna", "N. Dlamini", "Half a mark? Whose is this?"],
    ["anna", "S. Naidoo", "And here?"],
  ]);
  assert.equal((await answer(anna, "all", "2")).draft!.marks, "3");
});

test("a question to the lead is erased with its learner or its marker", async (t) => {
  const { store, query, reference, assessmentId, ids } = await deskWithQuestions(t);
  await store.eraseLearner({ assessmentId, reference }, ids[0]!, noon);
  const left = () => query("SELECT text FROM lead_questions");
  assert.deepEqual(await left(), [{ text: "And here?" }]);
  const auditId = await store.openAudit("subject erased", noon);
  await store.eraseMarker("S. Naidoo", auditId, noon);
  assert.deepEqual(await left(), []);
});

test("the history names the lead who set questions or gave problem pages, and no marker", async (t) => {
  const { store, query, assessmentId, ids, link, desk } = await preparedDesk(t, []);
  await link({ token: "lead", marker: "L. Lead (lead)", showsNames: true });
  await link({ token: "names", showsNames: true });
  const scan = { ...emptyScan, problems: await stageProblems(store, "is blank") };
  await store.storeScan(assessmentId, scan, noon);
  const pages = (await store.findProblemPages("lead", noon)).map(({ id }) => id);
  for (const [index, token] of ["lead", "names"].entries()) {
    const give = { change: "give" as const, ids: [pages[index]!], learnerId: ids[0]! };
    await store.changeProblemPages(token, give, noon);
    const seenVersion = (await desk(token)).paperVersion;
    const questions = [{ questionNumber: `${index}`, totalMarks: 2, description: "", memo: "" }];
    await store.setPaper(token, { title: "Plants", questions, seenVersion }, noon);
  }
  assert.deepEqual(
    await query(`SELECT action, done_by FROM audit LEFT JOIN team_actions ON audit_id = audit.id
      WHERE action IN ('questions set', 'problem pages given') ORDER BY audit.id`),
    [
      { action: "problem pages given", done_by: "L. Lead" },
      { action: "questions set", done_by: "L. Lead" },
      { action: "problem pages given", done_by: null },
      { action: "questions set", done_by: null },
    ],
  );
});

test("the name of a lead is erased in the history, at the desk and in emails", async (t) => {
  const { store, query, reference, assessmentId, link, tablesWith } = await preparedDesk(t, []);
  await link({ token: "lead", marker: "L. Lead (lead)" });
  await store.openAudit("marking opened", noon, reference, "L. Lead");
  await store.openAudit("marking closed", noon, reference, "O. Other");
  const notice = { ...email, body: "Withdrawn.\n\nBy:             L. Lead\nTime: now\n" };
  await store.revokeResults(assessmentId, noon);
  await store.publishResults(assessmentId, publication(reference), noon);
  await store.revokeResults(assessmentId, noon, { email: notice, reference });
  const tables = ["team_actions", "marking_links", "outbox"];
  assert.deepEqual(await tablesWith(/l\. lead/i, tables), tables);
  const auditId = await store.openAudit("subject erased", noon);
  await store.eraseMarker("L. Lead", auditId, noon);
  assert.deepEqual(await tablesWith(/l\. lead/i, tables), []);
  assert.deepEqual(await query("SELECT done_by FROM team_actions"), [{ done_by: "O. Other" }]);
  assert.deepEqual((await store.findSubject("L. Lead")).ids, {});
});

test("a lead and a marker are found by name whatever its capitals, also beyond ASCII", async (t) => {
  const { store, reference, link } = await preparedDesk(t, []);
  await link({ token: "lead", marker: "É. Lead (lead)" });
  await link({ token: "marker", marker: "É. LEAD" });
  await store.openAudit("marking opened", noon, reference, "É. Lead");
  for (const name of ["É. Lead", "é. lead "]) {
    const { ids } = await store.findSubject(name);
    assert.deepEqual([ids.team_actions, ids.marking_links], [[1], [2, 3]], name);
  }
});

test("an erased lead leaves the emails about another whose name ends with that name", async (t) => {
  const { store, query, reference, assessmentId } = await preparedDesk(t, []);
  await store.openAudit("marking opened", noon, reference, "L. Lead");
  const body = "Withdrawn.\n\nBy:             O. L. Lead\nTime: now\n";
  await store.publishResults(assessmentId, publication(reference), noon);
  await store.revokeResults(assessmentId, noon, { email: { ...email, body }, reference });
  const auditId = await store.openAudit("subject erased", noon);
  await store.eraseMarker("L. Lead", auditId, noon);
  assert.deepEqual(await query("SELECT body FROM outbox WHERE kind = 'team action'"), [{ body }]);
});

test("a file with names is reported and recorded once an hour, for each kind and person", async (t) => {
  const { store, query, assessmentId, reference } = await markedDesk(t);
  const record = (by: string, action: "names exported" | "sheet filled", at = noon) =>
    store.recordTeamExport(assessmentId, { reference, action, by, email }, at);
  const reports = async () =>
    (await query("SELECT id FROM outbox WHERE kind = 'team action'")).length;
  await Promise.all([1, 2, 3].map(() => record("L. Lead", "names exported")));
  assert.equal(await reports(), 1);
  await record("L. Lead", "sheet filled");
  await record("N. Dlamini", "names exported");
  assert.equal(await reports(), 3);
  await record("L. Lead", "names exported", later(hour - 1));
  assert.equal(await reports(), 3);
  await record("L. Lead", "names exported", later(hour));
  assert.equal(await reports(), 4);
  const entries = await query("SELECT id FROM audit WHERE action = 'names exported'");
  assert.equal(entries.length, 3);
});
