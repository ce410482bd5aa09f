/** The points of memos and the ticks that name them; see store.contract.test.ts. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { GivenPoint } from "../app/domain/decision.ts";
import type { NewPaper } from "../app/domain/desk.ts";
import type { SeenPoints } from "../app/domain/memo-point.ts";
import type { QuestionMark } from "../app/domain/result.ts";
import { seenOf } from "../app/results/apply-decision.ts";
import type { ImportOptions } from "../app/results/import-over.ts";
import { readQuestionLines } from "../app/results/question-lines.ts";
import { validateResultsFile } from "../app/results/results-file.ts";
import { pointsKey, sumOfTicks } from "../app/results/ticks.ts";
import { decisionOn, emptyDraft, preparedDesk } from "./store.contract.desk.ts";
import { column, columns } from "./support/columns.ts";
import { contact, hour, later, noon } from "./support/store-requests.ts";

const leaves = "thick leaves (1); deep roots (1); spines (1); wax (1); small stomata (1)";

/** A desk whose first question has the points of a memo, with functions that change and tick them. */
async function deskWithPoints(t: TestContext, memo = leaves) {
  const opened = await preparedDesk(t, []);
  const { store, desk, ids, answer } = opened;
  /** Types the memo of question 1, and agrees to its effects. Returns what came of it, with the effects. */
  const type = async (
    typed: string,
    more: Partial<SeenPoints> = {},
    { isAgreed = true, total = 4 } = {},
  ) => {
    const lines = `1 | ${total} | Adaptations | ${typed}\n2 | 10 | Add | Carry.`;
    const paper = { title: "Plants", questions: readQuestionLines(lines).questions! };
    const post = async (said: Partial<NewPaper> = {}) => {
      const seenVersion = (await desk()).paperVersion;
      return store.setPaper("all", { ...paper, seenVersion, ...said }, noon);
    };
    let outcome = await post();
    if (outcome.outcome !== "affects" || !isAgreed) return outcome;
    const says = { version: "", choices: {}, changesDecided: false, ...more };
    if (more.choices) outcome = await post({ points: says });
    assert.ok(outcome.outcome === "affects");
    const { effects, version: confirmedVersion } = outcome;
    const { version } = outcome.points!;
    return { ...(await post({ points: { ...says, version }, confirmedVersion })), effects };
  };
  assert.equal((await type(memo)).outcome, "stored");
  const points = async () => (await answer(ids[0]!)).question.memoPoints!;
  const pointIds = async () => column(await points(), "id") as number[];
  /** Decides question 1 by ticks, whose sum counts if no marks are given. */
  const tick = async (
    learnerId: number,
    ticked: number[],
    { marks, token = "all" }: { marks?: number; token?: string } = {},
  ) => {
    const { mark, question } = await answer(learnerId, token);
    const given = (question.memoPoints ?? []).map(({ id, worth }) => ({
      id,
      worth,
      isTicked: ticked.includes(id),
    }));
    const seen = { ...seenOf(mark), points: pointsKey(4, question.memoPoints ?? []) };
    const decided = { marks: marks ?? sumOfTicks(given, 4), points: given };
    const decision = { ...decisionOn(mark, learnerId, decided), seen };
    return store.decideAnswer(token, decision, later(hour));
  };
  return { ...opened, type, points, pointIds, tick };
}

/** The points of a row of `decisions`. */
const storedPoints = ({ points }: Record<string, unknown>): GivenPoint[] =>
  JSON.parse(String(points));

/** The ids of the points that are ticked in a row of `decisions`. */
const tickedIn = (row: Record<string, unknown>) =>
  storedPoints(row).flatMap(({ id, isTicked }) => (isTicked ? [id] : []));

test("the points of a memo stay text until a person has seen them", async (t) => {
  const { desk, type, points: stored } = await deskWithPoints(t, "thick leaves; deep roots");
  const first = await type(leaves, {}, { isAgreed: false });
  assert.ok(first.outcome === "affects");
  const { effects, points } = first;
  assert.deepEqual(effects, []);
  assert.deepEqual(
    points!.plans.map(({ questionNumber, points: all }) => [questionNumber, all.length]),
    [["1", 5]],
  );
  assert.equal((await desk()).questions[0]!.memoPoints, undefined, "nothing was stored yet");
  assert.equal((await type(leaves)).outcome, "stored");
  assert.deepEqual(
    (await stored()).map(({ text, worth }) => `${text} (${worth})`),
    leaves.split("; "),
  );
});

test("a question may have the name of a property of every object as its number", async (t) => {
  const { store, desk } = await preparedDesk(t, []);
  const lines = "constructor | 4 | Adaptations | wax (1)\n__proto__ | 4 | Add | Carry (1); sum (1)";
  const { questions } = readQuestionLines(lines);
  const paper = {
    title: "Plants",
    questions: questions!,
    seenVersion: (await desk()).paperVersion,
  };
  const asked = await store.setPaper("all", paper, noon);
  assert.ok(asked.outcome === "affects");
  const points = { version: asked.points!.version, choices: {}, changesDecided: false };
  assert.equal((await store.setPaper("all", { ...paper, points }, noon)).outcome, "stored");
  const stored = (await desk()).questions.map(({ memoPoints }) => column(memoPoints!, "text"));
  assert.deepEqual(stored, [["wax"], ["Carry", "sum"]]);
});

test("a memo that is typed again keeps its points", async (t) => {
  const { type, points } = await deskWithPoints(t);
  const before = await points();
  assert.equal((await type(leaves)).outcome, "stored");
  assert.deepEqual(await points(), before);
});

test("ticks add up to a mark of at most what the question is out of", async (t) => {
  const { ids, markOf, tick, pointIds } = await deskWithPoints(t);
  assert.equal((await tick(ids[0]!, await pointIds())).outcome, "stored");
  assert.equal((await markOf(0, "1")).marksAwarded, 4);
});

test("ticks are stored once, and again if others add up to the same mark", async (t) => {
  const { ids, tick, pointIds, query } = await deskWithPoints(t);
  const all = await pointIds();
  const four = all.slice(1);
  for (const ticked of [all, all, four]) {
    assert.equal((await tick(ids[0]!, ticked)).outcome, "stored");
  }
  const decisions = await query("SELECT to_marks, points FROM decisions ORDER BY id");
  assert.deepEqual(column(decisions, "to_marks"), [4, 4]);
  assert.deepEqual(decisions.map(tickedIn), [all, four]);
});

test("ticks are stored beside a typed mark", async (t) => {
  const { ids, markOf, tick, pointIds } = await deskWithPoints(t);
  const [thick, deep] = (await pointIds()) as [number, number];
  assert.equal((await tick(ids[1]!, [thick, deep], { marks: 1 })).outcome, "stored");
  const { marksAwarded, points: stored } = await markOf(1, "1");
  const ticked = stored!.filter(({ isTicked }) => isTicked);
  assert.deepEqual([marksAwarded, column(ticked, "id")], [1, [thick, deep]]);
});

test("ticks are stored with a second mark", async (t) => {
  const { store, ids, tick, pointIds, link, assessmentId } = await deskWithPoints(t);
  const three = (await pointIds()).slice(0, 3);
  await link({ token: "second", marker: "S. Naidoo", tolerance: 0 });
  assert.equal((await tick(ids[0]!, three, { token: "second" })).outcome, "stored");
  const [anna] = (await store.findImportedResults(assessmentId))!.submissions;
  const { marks, points: stored } = anna!.questionMarks[0]!.second!;
  const ticked = stored!.filter(({ isTicked }) => isTicked);
  assert.deepEqual([marks, column(ticked, "id")], [3, three]);
});

test("ticks are kept in a draft", async (t) => {
  const { store, ids, pointIds, desk } = await deskWithPoints(t);
  const [thick, , , wax] = await pointIds();
  const key = { learnerId: ids[2]!, questionNumber: "1" };
  const draft = { ...emptyDraft, ...key, ticks: `${thick} ${wax}` };
  await store.saveMarkDraft("all", draft, noon);
  assert.deepEqual((await desk()).drafts, [draft]);
});

test("a tick is rejected if its point has changed, unlike a typed mark", async (t) => {
  const { store, ids, type, answer, points } = await deskWithPoints(t);
  const { mark } = await answer(ids[0]!);
  const before = await points();
  const seen = { ...seenOf(mark), points: pointsKey(4, before) };
  assert.equal((await type(leaves.replace("spines (1)", "spines (2)"))).outcome, "stored");
  const given = (isTicked: boolean) => before.map(({ id, worth }) => ({ id, worth, isTicked }));
  const post = (marks: number, isTicked: boolean) => {
    const decision = decisionOn(mark, ids[0]!, { marks, points: given(isTicked) });
    return store.decideAnswer("all", { ...decision, seen }, noon);
  };
  assert.deepEqual(await post(4, true), { outcome: "other points" });
  const typed = await post(0, false);
  assert.ok(typed.outcome === "stored");
  assert.equal(
    typed.mark.points,
    undefined,
    "a typed mark has no points that its form did not show",
  );
});

/** A desk whose learners have every point ticked, with a function that asserts that these ticks have stayed. */
async function deskWithAllTicked(t: TestContext) {
  const opened = await deskWithPoints(t);
  const { ids, pointIds, tick, query } = opened;
  const ticked = (await pointIds()) as [number, number, number, number, number];
  for (const id of ids) await tick(id, ticked);
  const ticks = async () =>
    (await query("SELECT points FROM decisions ORDER BY id")).map(storedPoints);
  const stored = await ticks();
  assert.equal(stored.length, ids.length);
  const assertSameTicks = async () => assert.deepEqual(await ticks(), stored);
  return { ...opened, ticked, assertSameTicks };
}

test("ticks stay with their points when points are inserted or change places", async (t) => {
  const { type, pointIds, ticked, assertSameTicks } = await deskWithAllTicked(t);
  await type(`hair (½); ${leaves}`);
  const [hair] = await pointIds();
  assert.deepEqual(await pointIds(), [hair, ...ticked]);
  await type("spines (1); wax (1); thick leaves (1); deep roots (1); small stomata (1); hair (½)");
  const [thick, deep, spines, wax, small] = ticked;
  assert.deepEqual(await pointIds(), [spines, wax, thick, deep, small, hair]);
  await assertSameTicks();
});

test("ticks stay with a point that was reworded once a person has said which it is", async (t) => {
  const { type, points, pointIds, ticked, assertSameTicks } = await deskWithAllTicked(t);
  const [thick, deep, spines, wax] = ticked;
  const reworded = "Thick leaves (1); waxy leaves (1); deep roots (1); spines (1)";
  const asked = await type(reworded, {}, { isAgreed: false });
  assert.ok(asked.outcome === "affects");
  const [plan] = asked.points!.plans;
  assert.equal(asked.points!.isClear, false);
  const unclear = plan!.points.map((one) => one.isUnclear ?? false);
  assert.deepEqual(unclear, [false, true, false, false]);
  assert.deepEqual(column(plan!.candidates, "text"), ["wax", "small stomata"]);
  assert.deepEqual(await pointIds(), ticked, "nothing was stored yet");
  const said = await type(reworded, { choices: { "0-1": wax } });
  assert.equal(said.outcome, "stored");
  assert.deepEqual(await points(), [
    { id: thick, text: "Thick leaves", worth: 1 },
    { id: wax, text: "waxy leaves", worth: 1 },
    { id: deep, text: "deep roots", worth: 1 },
    { id: spines, text: "spines", worth: 1 },
  ]);
  await assertSameTicks();
});

test("a point with ticks that is left out is withdrawn until it is typed again", async (t) => {
  const { type, ticked, pointIds, assertSameTicks, query } = await deskWithAllTicked(t);
  assert.equal((await type(leaves.replace("; small stomata (1)", ""))).outcome, "stored");
  assert.deepEqual(await pointIds(), ticked.slice(0, 4));
  const withdrawn = await query("SELECT id FROM memo_points WHERE withdrawn_at IS NOT NULL");
  assert.deepEqual(withdrawn, [{ id: ticked[4] }]);
  await assertSameTicks();
  await type(leaves);
  assert.deepEqual(await pointIds(), ticked);
  await assertSameTicks();
});

test("a point without ticks that is left out is deleted", async (t) => {
  const { type, query } = await deskWithAllTicked(t);
  const hair = () => query("SELECT 1 FROM memo_points WHERE text = 'hair'");
  await type(`${leaves}; hair (½)`);
  assert.equal((await hair()).length, 1);
  assert.equal((await type(`${leaves}; dew (1)`)).outcome, "stored");
  assert.deepEqual(await hair(), []);
});

/** A desk with points and a function that imports a memo of question 1, and further questions. */
async function deskToImport(t: TestContext) {
  const opened = await deskWithPoints(t);
  const { store, assessmentId } = opened;
  const importMemo = async (memo: string, options: ImportOptions = {}, more: object[] = []) => {
    const second = { questionNumber: "2", description: "Add", totalMarks: 10, memo: "" };
    const question = { questionNumber: "1", description: "Adaptations", totalMarks: 4, memo };
    const { errors, imported } = validateResultsFile(
      {
        questions: [question, second, ...more],
        submissions: [{ fileName: "anna.pdf", questionMarks: [] }],
      },
      await store.findImportTarget(assessmentId),
    );
    assert.equal(errors, undefined);
    return await store.importResults(assessmentId, imported!, later(hour), options);
  };
  const [thick, deep, spines] = (await opened.pointIds()) as [number, number, number];
  return { ...opened, importMemo, thick, deep, spines };
}

test("an import changes points that no decided mark names", async (t) => {
  const { importMemo, points, query, thick, deep, spines } = await deskToImport(t);
  const fresh = await importMemo("deep roots (1)\nthick leaves (2)");
  assert.ok(fresh.outcome === "imported");
  assert.deepEqual(columns(fresh.memos, "questionNumber", "memo"), [
    ["1", "deep roots (1); thick leaves (2)"],
  ]);
  assert.deepEqual(await points(), [
    { id: deep, text: "deep roots", worth: 1 },
    { id: thick, text: "thick leaves", worth: 2 },
  ]);
  assert.deepEqual(await query(`SELECT id FROM memo_points WHERE id = ${spines}`), []);
});

test("an import that would change points of decided marks is rejected", async (t) => {
  const { importMemo, ids, tick, query, desk, deep } = await deskToImport(t);
  await importMemo("deep roots (1); thick leaves (2)");
  await tick(ids[0]!, [deep]);
  const { questions } = await desk();
  const rejected: [memo: string, sentence: string][] = [
    [
      "deep roots (1); waxy leaves (2)",
      "Question 1: “thick leaves” is not in the new memo, and decided marks say who had it.",
    ],
    [
      "deep roots (2); thick leaves (2)",
      "Question 1: “deep roots” is worth 2 in place of 1, and decided marks say who had it.",
    ],
  ];
  for (const [memo, sentence] of rejected) {
    for (const discardsDecisions of [false, true]) {
      assert.deepEqual(await importMemo(memo, { discardsDecisions }), {
        outcome: "other points",
        conflicts: [sentence],
      });
    }
  }
  assert.deepEqual((await desk()).questions, questions);
  assert.equal(
    (await query("SELECT id FROM imports")).length,
    1,
    "only the import that was stored",
  );
});

test("an import adds points and questions beside the points of decided marks", async (t) => {
  const { importMemo, ids, points, tick, desk, thick, deep } = await deskToImport(t);
  await importMemo("deep roots (1); thick leaves (2)");
  await tick(ids[0]!, [deep]);
  const more = { questionNumber: "3", description: "Explain", totalMarks: 2, memo: "heat (2)" };
  const added = await importMemo("spines (½); Deep roots (1); thick leaves (2)", {}, [more]);
  assert.equal(added.outcome, "imported");
  const [half, ...rest] = await points();
  assert.partialDeepStrictEqual(half, { text: "spines", worth: 0.5 });
  assert.deepEqual(rest, [
    { id: deep, text: "Deep roots", worth: 1 },
    { id: thick, text: "thick leaves", worth: 2 },
  ]);
  assert.deepEqual(
    (await desk()).questions.map(({ memo, memoPoints }) => [memo, memoPoints?.length]),
    [
      ["spines (½); Deep roots (1); thick leaves (2)", 3],
      ["Carry.", undefined],
      ["heat (2)", 1],
    ],
  );
});

test("an import that replaces keeps a memo where its own is empty, and deletes the points of questions that it lacks", async (t) => {
  const { importMemo, points, query } = await deskToImport(t);
  const before = await points();
  const more = { questionNumber: "3", description: "Explain", totalMarks: 2, memo: "heat (2)" };
  await importMemo("", {}, [more]);
  const ofThird = () => query("SELECT text FROM memo_points WHERE question_number = '3'");
  assert.deepEqual(await ofThird(), [{ text: "heat" }]);
  assert.equal((await importMemo("", { replaces: true })).outcome, "imported");
  assert.deepEqual(await points(), before);
  assert.deepEqual(await ofThird(), []);
});

/** The decisions of a desk: the mark before each, and its own. */
const historyIn = async ({ query }: Pick<Awaited<ReturnType<typeof deskWithPoints>>, "query">) =>
  columns(
    await query("SELECT from_marks, to_marks FROM decisions ORDER BY id"),
    "from_marks",
    "to_marks",
  );

const halfWorth = leaves.replace("thick leaves (1)", "thick leaves (½)");

test("a changed worth changes second marks that are the sum of their ticks, without resolving a difference", async (t) => {
  const opened = await deskWithPoints(t);
  const { ids, type, pointIds, tick, link, store, assessmentId } = opened;
  await link({ token: "second", marker: "S. Naidoo", tolerance: 0 });
  const [thick, deep] = (await pointIds()) as [number, number];
  await tick(ids[0]!, [thick, deep]);
  await tick(ids[0]!, [thick], { token: "second" });
  await tick(ids[1]!, [thick], { token: "second", marks: 3 });
  const { effects } = (await type(halfWorth, { changesDecided: true })) as { effects: string[] };
  assert.equal(
    effects[1],
    "Question 1: 1 mark of a second marker would change too, as the sum of such points.",
  );
  const [one, two] = (await store.findImportedResults(assessmentId))!.submissions.map(
    ({ questionMarks: [mark] }) => mark!,
  );
  const { marks, isResolved } = one!.second!;
  assert.deepEqual([one!.marksAwarded, marks, isResolved], [1.5, 0.5, undefined]);
  assert.equal(two!.second!.marks, 3, "a typed mark stays");
  const changes = (await historyIn(opened)).slice(3);
  assert.deepEqual(changes, [
    [1, 0.5],
    [2, 1.5],
  ]);
});

/** A desk on which Anna's mark is the sum of two ticks, and Ben's was typed beside one by another marker. */
async function deskWithSumAndTyped(t: TestContext) {
  const opened = await deskWithPoints(t);
  const { ids, pointIds, tick, link, markOf } = opened;
  await link({ token: "other", marker: "S. Botha" });
  const [thick, deep] = (await pointIds()) as [number, number];
  await tick(ids[0]!, [thick, deep]);
  await tick(ids[1]!, [thick], { marks: 3, token: "other" });
  const marks = async () => column([await markOf(0, "1"), await markOf(1, "1")], "marksAwarded");
  return { ...opened, marks };
}

test("a changed worth changes no decided mark unless the person agrees", async (t) => {
  const { type, points, marks } = await deskWithSumAndTyped(t);
  const { effects } = (await type(leaves.replace("thick leaves (1)", "thick leaves (2)"))) as {
    effects: string[];
  };
  assert.equal((await points())[0]!.worth, 2);
  assert.deepEqual(effects, [
    "Question 1: points that change are ticked in 2 decided marks, 1 by N. Dlamini, 1 by S. Botha. 1 of them would change, as the sum of their ticks; the others stay as they are.",
    "Question 1: 1 answer not decided yet.",
  ]);
  assert.deepEqual(await marks(), [2, 3]);
});

test("a changed worth changes decided marks that are the sum of their ticks", async (t) => {
  const opened = await deskWithSumAndTyped(t);
  const { type, marks, markOf } = opened;
  await type(halfWorth, { changesDecided: true });
  assert.deepEqual(await marks(), [1.5, 3]);
  assert.equal((await markOf(0, "1")).decision!.by, "N. Dlamini");
  assert.deepEqual(await historyIn(opened), [
    [null, 2],
    [null, 3],
    [2, 1.5],
  ]);
});

test("changed worths add up to a new total, which alone changes no mark", async (t) => {
  const { ids, type, pointIds, tick, markOf } = await deskWithPoints(t);
  const all = await pointIds();
  await tick(ids[0]!, all.slice(0, 2));
  await tick(ids[1]!, all);
  for (const [memo, total, marks] of [
    [`${leaves}; hair (½)`, 5, [2, 4]],
    [leaves.replace(/(leaves|roots) \(1\)/g, "$1 (3)"), 7, [6, 4]],
  ] as const) {
    await type(memo, { changesDecided: true }, { total });
    const stored = [await markOf(0, "1"), await markOf(1, "1")];
    assert.deepEqual(column(stored, "marksAwarded"), marks, memo);
  }
});

test("a point that goes changes decided marks that are the sum of their ticks", async (t) => {
  const { type, marks } = await deskWithSumAndTyped(t);
  await type("deep roots (1); spines (1)", { changesDecided: true });
  assert.deepEqual(await marks(), [1, 3]);
});

/** A desk with the ticks of two learners, and with points that were withdrawn after the ticks. */
async function deskWithTicks(t: TestContext) {
  const opened = await deskWithPoints(t);
  const { ids, type, pointIds, tick } = opened;
  const [thick, deep] = (await pointIds()) as [number, number];
  await tick(ids[0]!, [thick, deep]);
  await tick(ids[1]!, [thick]);
  await type("thick leaves (1); spines (1)");
  return { ...opened, thick, deep };
}

test("points and ticks are exported with their request", async (t) => {
  const { store, thick, deep } = await deskWithTicks(t);
  const found = (await store.findSubject(contact.email)).ids;
  const exported = async (table: "decisions" | "memo_points") =>
    (await store.readRows(table, found[table]!)).sort((a, b) => Number(a.id) - Number(b.id));
  assert.deepEqual((await exported("decisions")).map(tickedIn), [[thick, deep], [thick]]);
  assert.deepEqual(
    (await exported("memo_points")).map((row) => [row.text, row.withdrawn_at !== null]),
    [
      ["thick leaves", false],
      ["deep roots", true],
      ["spines", false],
      ["wax", true],
      ["small stomata", true],
    ],
  );
});

test("ticks are erased with their learner, points are not", async (t) => {
  const { store, ids, query, reference, assessmentId, thick } = await deskWithTicks(t);
  const learner = (await store.findLearner({ assessmentId, reference }, "1"))!;
  assert.deepEqual(
    [learner.ids.decisions?.length, learner.ids.memo_points],
    [1, undefined],
    "a memo is about no learner",
  );
  await store.eraseLearner({ assessmentId, reference }, ids[0]!, noon);
  assert.equal((await query("SELECT id FROM decisions")).length, 1);
  assert.equal((await query("SELECT id FROM memo_points")).length, 5);
  const results = (await store.findImportedResults(assessmentId))!;
  const [left] = results.submissions[0]!.questionMarks;
  assert.deepEqual(
    left!.points?.map(({ id, isTicked }) => isTicked && id),
    [thick, false, false, false, false],
    "those of the learner who is left",
  );
});

test("a second mark that a lead's change of the memo changes stays the second marker's", async (t) => {
  const { ids, type, pointIds, tick, link, store, assessmentId, query } = await deskWithPoints(t);
  await link({ token: "second", marker: "S. Naidoo", tolerance: 0 });
  const [thick] = (await pointIds()) as [number];
  await tick(ids[0]!, [thick], { token: "second" });
  await type(halfWorth, { changesDecided: true });
  const { submissions } = (await store.findImportedResults(assessmentId))!;
  const { second } = submissions[0]!.questionMarks[0]!;
  assert.deepEqual([second!.marks, second!.by], [0.5, "S. Naidoo"]);
  const stored =
    "SELECT decided_by, marking_link_id FROM decisions WHERE how = 'second' ORDER BY id";
  const [before, after] = await query(stored);
  assert.deepEqual(after, before, "history and figures count it as theirs");
});

test("a second marker whose form is older than a change of the memo does not replace the changed mark", async (t) => {
  const { ids, type, pointIds, tick, link, answer, store } = await deskWithPoints(t);
  await link({ token: "second", marker: "S. Naidoo", tolerance: 0 });
  const [thick] = (await pointIds()) as [number];
  await tick(ids[0]!, [thick], { token: "second" });
  const give3 = (shown: QuestionMark) =>
    store.decideAnswer("second", decisionOn(shown, ids[0]!, { marks: 3 }), noon);
  const { mark: before } = await answer(ids[0]!, "second");
  await type(halfWorth, { changesDecided: true });
  const rejected = await give3(before);
  assert.ok(rejected.outcome === "conflict");
  assert.equal(rejected.mark.marksAwarded, 0.5);
  assert.equal((await give3(rejected.mark)).outcome, "stored");
});
