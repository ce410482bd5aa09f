/** Imports of proposals, and what a decision takes of them. On both engines, as store.contract.test.ts. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { nothingElse } from "../app/domain/decision.ts";
import { feedbackForLearner, reasonForLearner, seenOf } from "../app/results/apply-decision.ts";
import type { ImportOptions } from "../app/results/import-over.ts";
import { validateResultsFile } from "../app/results/results-file.ts";
import { preparedDesk, shareCopy, takeList } from "./store.contract.desk.ts";
import { column, columns } from "./support/columns.ts";
import { hour, later, noon, publication } from "./support/store-requests.ts";

type Typed = { mark?: number; why?: string; unsure?: boolean };

/** A class of three with two questions, and a way to import sheets. */
async function classWithPaper(t: TestContext) {
  const opened = await preparedDesk(t);
  const { store, assessmentId } = opened;
  const importSheet = async (json: unknown, options: ImportOptions = {}, keys = new Map()) => {
    const target = await store.findImportTarget(assessmentId);
    const { errors, imported } = validateResultsFile(json, target, { keys });
    if (errors) return { outcome: "errors" as const, errors };
    return await store.importResults(assessmentId, imported, later(hour), options);
  };
  /** One learner's cells, by question. */
  const row = (fileName: string, cells: Record<string, Typed>, more: object = {}) => ({
    fileName,
    ...more,
    questionMarks: Object.entries(cells).map(([questionNumber, { mark, why, unsure }]) => ({
      questionNumber,
      marksAwarded: mark ?? null,
      feedback: why ?? "",
      ...(unsure && { unsure }),
    })),
  });
  const learners = async () => (await store.findImportedResults(assessmentId))!.submissions;
  const cells = async (index = 0) =>
    (await learners())[index]!.questionMarks.map(({ marksAwarded, feedback, unsure }) =>
      [marksAwarded ?? "", feedback, unsure && "?"].filter(Boolean).join(" "),
    );
  /** Asserts what the first learners of the class have. */
  const assertCells = async (...expected: string[][]) => {
    for (const [index, own] of expected.entries()) assert.deepEqual(await cells(index), own);
  };
  return { ...opened, importSheet, row, learners, cells, assertCells };
}

/** A class into which a sheet of three proposals was imported. */
async function classWithProposals(t: TestContext) {
  const opened = await classWithPaper(t);
  const { importSheet, row } = opened;
  const anna = { 1: { mark: 5, why: "Five." }, 2: { mark: 4, why: "Four.", unsure: true } };
  const ben = { 1: { mark: 1, why: "One." } };
  const first = await importSheet({ submissions: [row("anna.pdf", anna), row("ben.pdf", ben)] });
  assert.equal(first.outcome === "imported" && first.proposals, 3);
  return opened;
}

test("an import changes only the cells that it fills", async (t) => {
  const { importSheet, row, assertCells, query } = await classWithProposals(t);
  const assertSame = () => assertCells(["5 Five.", "4 Four. ?"], ["1 One.", ""], ["", ""]);
  await assertSame();
  const empty = await importSheet({ submissions: [row("anna.pdf", { 1: {}, 2: {} })] });
  assert.equal(empty.outcome === "imported" && empty.proposals, 0);
  await assertSame();
  assert.deepEqual(await query("SELECT 1 FROM replaced_results"), [], "nothing was replaced");
});

test("an imported mark keeps the reason of the same mark, and clears that of another", async (t) => {
  const { importSheet, row, cells } = await classWithProposals(t);
  await importSheet({ submissions: [row("anna.pdf", { 1: { mark: 5 }, 2: { why: "Another." } })] });
  assert.deepEqual(await cells(), ["5 Five.", "4 Another. ?"]);
  await importSheet({ submissions: [row("anna.pdf", { 1: { mark: 6 } })] });
  assert.deepEqual(await cells(), ["6", "4 Another. ?"]);
});

test("an import that replaces clears the empty cells of its learners, and archives only their marks", async (t) => {
  const { importSheet, row, assertCells, query } = await classWithProposals(t);
  await importSheet({ submissions: [row("anna.pdf", { 2: {} })] }, { replaces: true });
  await assertCells(["5 Five.", ""], ["1 One.", ""]);
  const [archived, ...others] = await query<{ results: string }>(
    "SELECT results FROM replaced_results",
  );
  assert.deepEqual(others, []);
  assert.deepEqual(column(JSON.parse(archived!.results).submissions, "fileName"), ["anna.pdf"]);
});

/** A class with a list of Anna, who has two files, and Cleo. */
async function listedClass(t: TestContext) {
  const opened = await classWithPaper(t);
  await takeList(opened, [
    { number: "901", name: "Anna A", file: "anna.pdf + ben.pdf" },
    { number: "903", name: "Cleo C", file: "cleo.pdf" },
  ]);
  return opened;
}

test("the learner of a row is found by number, file or key, also in an older sheet", async (t) => {
  const { importSheet, row, assertCells, learners, ids } = await listedClass(t);
  const names = async () => (await learners()).map(({ studentName }) => studentName);
  assert.deepEqual(await names(), ["Anna A", "Cleo C"]);
  const older = row("ben.pdf", { 1: { mark: 2 } }, { studentName: "ben" });
  assert.equal((await importSheet({ submissions: [older] })).outcome, "imported");
  await assertCells(["2", ""], ["", ""]);
  assert.deepEqual(await names(), ["Anna A", "Cleo C"]);
  await importSheet({ submissions: [{ ...row("", { 1: { mark: 3 } }), learnerNumber: "903" }] });
  await assertCells(["2", ""], ["3", ""]);
  const key = { key: "k1", questionMarks: [{ questionNumber: "2", marksAwarded: 1 }] };
  await importSheet({ submissions: [key] }, {}, new Map([["k1", ids[2]]]));
  await assertCells(["2", ""], ["3", "1"]);
});

test("a number in an import is that of a class list, not the place of a learner", async (t) => {
  const { importSheet, row, learners } = await classWithPaper(t);
  assert.equal((await learners())[0]!.learnerNumber, "1");
  const rejected = await importSheet({ submissions: [row("", {}, { learnerNumber: "1" })] });
  assert.ok(rejected.outcome === "errors");
  assert.match(rejected.errors[0]!, /learnerNumber: "1" is of no learner/);
});

test("a row without a learner, or with another row's, is an error", async (t) => {
  const { importSheet, row } = await listedClass(t);
  const key = { key: "k1", questionMarks: [] };
  const both = [row("anna.pdf", {}), row("ben.pdf", {})];
  const wrong = [
    [{ submissions: both }, /submissions\[1\].fileName: "ben.pdf" is of a learner who has a row/],
    [{ submissions: [row("dora.pdf", {})] }, /"dora.pdf" is of no learner of the class/],
    [{ submissions: [key] }, /submissions\[0\].key: "k1" is of no learner/],
    [
      { submissions: [row("cleo.pdf", {}, { learnerNumber: "901" })] },
      /fileName: "cleo.pdf" and "901" are of two learners/,
    ],
    [{ submissions: [{ questionMarks: [] }] }, /fileName: must not be empty/],
  ] as const;
  for (const [json, message] of wrong) {
    const rejected = await importSheet(json);
    assert.match(rejected.outcome === "errors" ? rejected.errors.join("\n") : "", message);
  }
});

test("an import adds questions and sets the title, and the next one keeps both", async (t) => {
  const { importSheet, row, assertCells, desk } = await classWithPaper(t);
  const question = { questionNumber: "3", description: "Divide", totalMarks: 4 };
  const submissions = [row("anna.pdf", { 3: { mark: 4 } })];
  const assertPaper = async () => {
    const { title, questions } = await desk();
    assert.equal(title, "Term 2");
    assert.deepEqual(columns(questions, "questionNumber", "memo"), [
      ["1", "Carry."],
      ["2", "Carry."],
      ["3", ""],
    ]);
  };
  await importSheet({ title: "Term 2", questions: [question], submissions });
  await assertPaper();
  await assertCells(["", "", "4"], ["", "", ""]);
  await importSheet({ submissions: [row("anna.pdf", { 1: { mark: 1 } })] });
  await assertPaper();
  await assertCells(["1", "", "4"]);
});

test("an import whose preview is stale is not stored, even if it changes no mark", async (t) => {
  const { importSheet, row, learners, desk, setQuestions } = await classWithPaper(t);
  const saying = (feedback: string) => ({
    submissions: [row("anna.pdf", { 1: { mark: 4 } }, { feedback })],
  });
  const show = async (sheet: object) => {
    const shown = await importSheet(sheet, { seenVersion: "" });
    assert.ok(shown.outcome === "imported");
    return { seenVersion: shown.version };
  };
  const seen = await show(saying("Old."));
  await importSheet(saying("New."));
  await importSheet(saying("Old."), seen);
  assert.equal((await learners())[0]!.feedback, "New.");
  const marking = (mark: number) => ({ submissions: [row("anna.pdf", { 1: { mark } })] });
  const seenOfFive = await show(marking(5));
  await importSheet(marking(6));
  await importSheet(marking(5), seenOfFive);
  assert.equal((await learners())[0]!.questionMarks[0]!.marksAwarded, 6, "of equal size");
  const question = { questionNumber: "1", totalMarks: 10, description: "Add", memo: "Imported." };
  const withMemo = { questions: [question], ...marking(5) };
  const seenOfMemo = await show(withMemo);
  const paper = (await desk()).questions.map((one) => ({ ...one, memo: "Typed since." }));
  await setQuestions(paper);
  await importSheet(withMemo, seenOfMemo);
  assert.equal((await desk()).questions[0]!.memo, "Typed since.");
});

test("an import is in the history with who proposed it", async (t) => {
  const { importSheet, row, store, assessmentId } = await classWithPaper(t);
  await importSheet({ proposedBy: "model-7b", submissions: [row("anna.pdf", { 1: { mark: 4 } })] });
  assert.deepEqual(await store.listMarksEvents(assessmentId), [
    {
      event: "imported",
      at: later(hour).toISOString(),
      proposedBy: "model-7b",
      proposals: 1,
      learners: 1,
      discardedDecisions: 0,
    },
  ]);
});

test("the name of a person who proposed is found and erased in imports, not in the marks that they replaced", async (t) => {
  const { importSheet, row, store, query, assessmentId } = await classWithPaper(t);
  for (const [proposedBy, mark] of [
    ["É. Lead ", 4],
    ["Model X", 3],
    ["é. lead", 2],
  ] as const) {
    await importSheet({ proposedBy, submissions: [row("anna.pdf", { 1: { mark } })] });
  }
  // PostgreSQL lists a changed row last.
  await query("UPDATE imports SET proposals = proposals WHERE id = 1");
  const { ids, named } = await store.findSubject("É. LEAD");
  assert.deepEqual([ids, named.imports], [{ imports: [1, 3] }, 2]);
  await store.eraseMarker("É. LEAD", await store.openAudit("subject erased", noon), noon);
  const left = await query("SELECT proposed_by FROM imports ORDER BY id");
  assert.deepEqual(column(left, "proposed_by"), ["", "Model X", ""]);
  assert.deepEqual((await store.findSubject("É. LEAD")).ids, {});
  assert.equal((await store.listMarksEvents(assessmentId)).length, 3);
});

/** A class with proposals that have reasons, and functions that decide on them and return the reasons that a learner reads. */
async function classWithReasons(t: TestContext) {
  const opened = await classWithPaper(t);
  const { store, ids, importSheet, row, learners } = opened;
  const why = { 1: { mark: 5, why: "Because." }, 2: { mark: 4, why: "Why." } };
  const all = ["anna.pdf", "ben.pdf", "cleo.pdf"];
  await importSheet({ submissions: all.map((name) => row(name, why, { feedback: "Well done." })) });
  const reads = async (index: number) =>
    (await learners())[index]!.questionMarks.map(reasonForLearner);
  const decide = async (index: number, question: number, given: object) => {
    const mark = (await learners())[index]!.questionMarks[question]!;
    const decision = { learnerId: ids[index]!, seen: seenOf(mark), order: "question" as const };
    const decided = { ...decision, given: { ...nothingElse, marks: mark.marksAwarded, ...given } };
    assert.equal((await store.decideAnswer("all", decided, noon)).outcome, "stored");
  };
  return { ...opened, why, reads, decide };
}

test("learners read the reason of a proposal that a person has agreed with, unless it was left", async (t) => {
  const { query, reads, decide } = await classWithReasons(t);
  assert.deepEqual(await reads(0), ["", ""], "no person has decided on them");
  await decide(0, 0, { reason: "taken" });
  await decide(0, 1, { reason: "left" });
  assert.deepEqual(await reads(0), ["Because.", ""]);
  await decide(1, 0, { marks: 5 });
  await decide(1, 1, { marks: 3, comment: "Mine." });
  assert.deepEqual(await reads(1), ["", ""], "marks that were typed take no reason");
  assert.deepEqual(await query("SELECT to_marks, reason, comment FROM decisions ORDER BY id"), [
    { to_marks: 5, reason: "Because.", comment: null },
    { to_marks: 4, reason: null, comment: null },
    { to_marks: 5, reason: null, comment: null },
    { to_marks: 3, reason: null, comment: "Mine." },
  ]);
});

test("a reading copy has the texts that learners read, the educator's link all", async (t) => {
  const opened = await classWithReasons(t);
  const { store, assessmentId, reference, decide } = opened;
  await decide(0, 0, { reason: "taken" });
  await decide(0, 1, { reason: "left" });
  await store.publishResults(assessmentId, publication(reference), noon);
  await shareCopy(opened);
  for (const [token, ...texts] of [
    ["copy", "", "Because.", "", "", "", ""],
    ["a-token", "Well done.", "Because.", "Why.", "Well done.", "Because.", "Why."],
  ] as const) {
    const [anna, ben] = (await store.findResults(token, noon))!.submissions;
    const found = [anna!, ben!].flatMap((one) => [one, ...one.questionMarks]);
    assert.deepEqual(column(found, "feedback"), texts, token);
  }
});

test("a reason that was taken stays with a mark that is typed again, until it is left", async (t) => {
  const { store, ids, link, reads, decide } = await classWithReasons(t);
  await decide(0, 0, { reason: "taken" });
  await decide(0, 0, {});
  assert.deepEqual(await reads(0), ["Because.", ""]);
  await link({ token: "second", tolerance: 0 });
  const seen = { questionNumber: "1", decisionId: 0, marks: 5, importId: 1 };
  const given = { ...nothingElse, marks: 3 };
  const second = { learnerId: ids[0]!, seen, given, order: "question" as const };
  assert.equal((await store.decideAnswer("second", second, noon)).outcome, "stored");
  await decide(0, 0, {});
  assert.deepEqual(await reads(0), ["Because.", ""], "a decision on the difference");
  await decide(0, 0, { reason: "left" });
  assert.deepEqual(await reads(0), ["", ""]);
});

test("learners read the feedback on their work once the marks are signed", async (t) => {
  const { learners } = await classWithReasons(t);
  const [anna] = await learners();
  assert.equal(feedbackForLearner(anna!, false), "");
  assert.equal(feedbackForLearner(anna!, true), "Well done.");
});

test("learners still read the reasons of marks from before imports had ids", async (t) => {
  const { importSheet, row, ids, query, why, reads } = await classWithReasons(t);
  const [stored] = await query<{ question_marks: string }>(
    `SELECT question_marks FROM submissions WHERE id = ${ids[2]}`,
  );
  const old = stored!.question_marks.replace(/,\s*"importId":\s*\d+/g, "");
  await query(`UPDATE submissions SET question_marks = '${old}' WHERE id = ${ids[2]} RETURNING id`);
  assert.deepEqual(await reads(2), ["Because.", "Why."]);
  await importSheet({ submissions: [row("cleo.pdf", why)] });
  assert.deepEqual(await reads(2), ["Because.", "Why."]);
  await importSheet({ submissions: [row("cleo.pdf", { 1: { mark: 1, why: "New." } })] });
  assert.deepEqual(await reads(2), ["", "Why."]);
});

test("marks that another program has stored as null are none", async (t) => {
  const { learners, query, assessmentId, store } = await classWithReasons(t);
  for (const stored of ["NULL", "'null'"]) {
    await query(`UPDATE submissions SET question_marks = ${stored} RETURNING id`);
    assert.deepEqual(column(await learners(), "questionMarks"), [[], [], []], stored);
    assert.equal((await store.findImportTarget(assessmentId)).learners.length, 3);
  }
});

test("after a new proposal has arrived, a typed mark is stored and Agree is rejected", async (t) => {
  const { importSheet, row, learners, store, ids, link } = await classWithPaper(t);
  await importSheet({ submissions: [row("anna.pdf", { 1: { mark: 5, why: "A." } })] });
  const before = (await learners())[0]!.questionMarks.map(seenOf);
  await importSheet({
    submissions: [row("anna.pdf", { 1: { mark: 5, why: "B." }, 2: { mark: 4 } })],
  });
  const decision = (index: number, given: object) => ({
    learnerId: ids[0]!,
    seen: before[index]!,
    order: "question" as const,
    given: { ...nothingElse, marks: 3, ...given },
  });
  const agreed = await store.decideAnswer("all", decision(0, { marks: 5, reason: "taken" }), noon);
  assert.equal(agreed.outcome === "conflict" && agreed.mark.feedback, "B.");
  const typed = await store.decideAnswer("all", decision(1, {}), noon);
  assert.equal(typed.outcome === "stored" && typed.mark.decision!.how, "blind");
  await link({ token: "second", tolerance: 0 });
  const answer = await store.decideAnswer("second", decision(1, {}), noon);
  assert.equal(answer.outcome, "stored", "a second marker's too");
});
