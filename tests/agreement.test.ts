import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { QuestionMark, Results } from "../app/domain/result.ts";
import {
  agreementOf,
  classAgreement,
  type DecidedProposal,
  groupedProposals,
  kappaOf,
} from "../app/results/agreement.ts";
import { columns } from "./support/columns.ts";
import { sample } from "./support/sample.ts";

/** Decisions from a table: how often each decided mark (column) followed each proposed one (row). */
const fromTable = (...table: number[][]) =>
  table.flatMap((row, proposed) =>
    row.flatMap((count, decided) =>
      Array.from({ length: count }, () => ({ question: "1", proposed, decided })),
    ),
  );

const decidedProposals = (
  marks: [learner: number, question: string, proposed: number, decided: number][],
): DecidedProposal[] =>
  marks.map(([learner, question, proposed, decided]) => ({ learner, question, proposed, decided }));

/** Decisions on one question, each of another learner. */
const ofQuestion = (question: string, ...marks: [proposed: number, decided: number][]) =>
  marks.map(([proposed, decided], learner) => ({ learner, question, proposed, decided }));

const near = (actual: number | null, expected: number) =>
  assert.ok(actual !== null && Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

/** The marks of the sample as decided, with proposals that miss some of them. */
const sampleClass = (): DecidedProposal[] =>
  sample.submissions.flatMap(
    ({ questionMarks }: { questionMarks: Required<QuestionMark>[] }, learner: number) =>
      questionMarks.map(({ questionNumber, marksAwarded }, index) => ({
        learner,
        question: questionNumber,
        decided: marksAwarded!,
        proposed: Math.max(0, marksAwarded! - ((learner + index) % 4 === 0 ? 2 : 0)),
      })),
  );

/** 24 learners; questions of 6, 9 and 3 marks. */
const threeTotals = (): DecidedProposal[] =>
  Array.from({ length: 24 }, (_, learner) =>
    [6, 9, 3].map((total, index) => ({
      learner,
      question: `${index}`,
      decided: total - (learner % 3),
      proposed: total - ((learner * 7) % 4),
    })),
  ).flat();

const quarters = (): DecidedProposal[] =>
  Array.from({ length: 40 }, (_, place) => ({
    learner: place % 10,
    question: `${place % 4}`,
    decided: (place % 7) / 4,
    proposed: (place % 5) / 2,
  }));

/** The same figures by their definitions: every proposed mark beside every decided one of its question. */
function recomputed(pairs: DecidedProposal[]) {
  let observed = 0;
  let expected = 0;
  const means = new Map<string, number>();
  for (const question of new Set(pairs.map((pair) => pair.question))) {
    const own = pairs.filter((pair) => pair.question === question);
    let all = 0;
    for (const one of own) for (const other of own) all += (one.proposed - other.decided) ** 2;
    expected += all / own.length;
    for (const { proposed, decided } of own) observed += (proposed - decided) ** 2;
    const mean = own.reduce((sum, { decided }) => sum + decided, 0) / own.length;
    const fours = own.map(({ decided }) => decided * 4);
    const step = fours.every((four) => four % 4 === 0)
      ? 1
      : fours.every((four) => four % 2 === 0)
        ? 0.5
        : 0.25;
    means.set(question, Math.round(mean / step) * step);
  }
  const within = (marks: number, proposedOf: (pair: DecidedProposal) => number) =>
    pairs.filter((pair) => Math.abs(pair.decided - proposedOf(pair)) <= marks).length;
  const ownMean = (pair: DecidedProposal) => means.get(pair.question)!;
  return {
    kappa: 1 - observed / expected,
    means,
    exact: within(0, (pair) => pair.proposed),
    withinOne: within(1, (pair) => pair.proposed),
    meanExact: within(0, ownMean),
    meanWithinOne: within(1, ownMean),
  };
}

suite("Agreement", () => {
  // 85 mammograms in four classes by two radiologists (Boyd and others 1982), the example of Stata's
  // manual for kap, which prints 0.6714 with quadratic weights.
  test("equals a published example of weighted kappa", () => {
    const decided = fromTable([21, 12, 0, 0], [4, 17, 1, 0], [3, 9, 15, 2], [0, 0, 0, 1]);
    assert.equal(kappaOf(decided)?.toFixed(4), "0.6714");
  });

  test("equals values worked out by hand", () => {
    const { n, exact, withinOne, meanDifference, kappa } = agreementOf(
      ofQuestion("1", [1, 1], [2, 3], [3, 3], [4, 2.5]),
    );
    assert.deepEqual({ n, exact, withinOne }, { n: 4, exact: 2, withinOne: 3 });
    // (0 + 1 + 0 - 1.5) / 4
    near(meanDifference, -0.125);
    // Observed: (0 + 1 + 0 + 2.25) / 4 = 0.8125. Expected: variances 1.25 and 0.671875 and the squared
    // difference of the means, 0.015625, together 1.9375.
    near(kappa, 1 - 0.8125 / 1.9375);
  });

  test("is 1 where all agree and -1 where all decisions are opposite", () => {
    near(kappaOf(fromTable([2, 0], [0, 3])), 1);
    near(kappaOf(fromTable([0, 2], [2, 0])), -1);
  });

  test("is undefined without decisions or different marks", () => {
    const none = { exact: 0, withinOne: 0, meanDifference: null, kappa: null };
    assert.deepEqual(agreementOf([]), { n: 0, ...none, interval: null, ownMean: none });
    const { kappa, interval } = agreementOf(ofQuestion("1", [2, 2], [2, 2]));
    assert.deepEqual({ kappa, interval }, { kappa: null, interval: null });
  });

  test("has a repeatable interval around kappa", () => {
    const marks = Array.from({ length: 30 }, (_, learner): [number, number] => [
      learner % 7,
      (learner % 7) + (learner % 5 === 0 ? 1 : 0),
    ]);
    const class30 = ofQuestion("1", ...marks);
    const { kappa, interval } = agreementOf(class30);
    const [low, high] = interval!;
    assert.ok(low < kappa! && kappa! < high && high <= 1, `${kappa} in ${low} to ${high}`);
    assert.deepEqual(agreementOf(class30).interval, interval);
  });

  test("has an interval that leaves out a fortieth of the resamples of learners at each end", () => {
    // One resample in 27 has the third learner alone, whose kappa is -1, and one the first, whose kappa is 1.
    const { interval } = agreementOf(
      decidedProposals([
        [1, "1", 0, 0],
        [1, "1", 4, 4],
        [2, "1", 0, 1],
        [2, "1", 4, 2],
        [3, "1", 0, 4],
        [3, "1", 4, 0],
      ]),
    );
    assert.deepEqual(interval, [-1, 1]);
  });

  test("has no interval of one learner, or if many resamples have no kappa", () => {
    const ofOne = ofQuestion("1", [2, 3], [5, 5]).map((pair) => ({ ...pair, learner: 1 }));
    const { kappa, interval } = agreementOf(ofOne);
    assert.notEqual(kappa, null);
    assert.equal(interval, null);
    const two = agreementOf(ofQuestion("1", [2, 2], [3, 3]));
    assert.notEqual(two.kappa, null);
    assert.equal(two.interval, null, "half of the resamples have one decided mark");
  });

  test("knowing only which question has more marks is worth nothing", () => {
    for (const [of, pairs] of Object.entries({ sample: sampleClass(), totals: threeTotals() })) {
      const means = recomputed(pairs).means;
      const blindly = pairs.map((pair) => ({ ...pair, proposed: means.get(pair.question)! }));
      const { kappa, exact, ownMean } = agreementOf(blindly);
      near(kappa, 0);
      assert.equal(ownMean.exact, exact, of);
      near(ownMean.kappa, 0);
      // If all were decisions on one question, the same proposals would look like agreement.
      const pooled = kappaOf(blindly.map((pair) => ({ ...pair, question: "all" })))!;
      assert.ok(pooled > 0.5, `${of}: ${pooled}`);
    }
  });

  test("equals straight sums over three classes", () => {
    const classes = { sample: sampleClass(), totals: threeTotals(), quarters: quarters() };
    for (const [of, pairs] of Object.entries(classes)) {
      const own = recomputed(pairs);
      const { n, kappa, exact, withinOne, ownMean } = agreementOf(pairs);
      assert.equal(n, pairs.length, of);
      near(kappa, own.kappa);
      assert.deepEqual([exact, withinOne], [own.exact, own.withinOne], of);
      assert.deepEqual([ownMean.exact, ownMean.withinOne], [own.meanExact, own.meanWithinOne], of);
    }
  });

  test("counts a question with one decided mark only beside other questions", () => {
    const one = ofQuestion("1", [2, 3], [3, 3]);
    assert.equal(agreementOf(one).kappa, null);
    assert.equal(agreementOf(one).ownMean.kappa, null);
    const two = ofQuestion("2", [0, 0], [4, 4]);
    near(agreementOf([...one, ...two]).kappa, 1 - 1 / (1 + 16));
  });

  /** A proposal of 3 that two markers have decided. */
  const mark = {
    questionNumber: "1",
    description: "Add",
    totalMarks: 5,
    marksAwarded: 3,
    feedback: "",
    proposedMarks: 3,
    decision: { id: 1, how: "agreed", by: "A", role: "marker", at: "" } as const,
    second: { id: 2, by: "B", at: "", marks: 1, tolerance: 0 },
  };
  const of = (...questionMarks: QuestionMark[]): Results => ({
    title: "T",
    averageGrade: null,
    totalSubmissions: 1,
    submissions: [{ studentName: "A", fileName: "a", grade: null, feedback: "", questionMarks }],
  });

  test("has a line for each group of a class, then of each question", () => {
    const { second: _, ...alone } = { ...mark, questionNumber: "2" };
    assert.deepEqual(columns(classAgreement(of(mark, alone)), "questionNumber", "group", "n"), [
      [null, "shown", 2],
      [null, "second", 1],
      ["1", "shown", 1],
      ["1", "second", 1],
      ["2", "shown", 1],
    ]);
  });

  test("groups the proposals for second marks by themselves", () => {
    const { proposedMarks: _, decision: __, ...open } = mark;
    const { shown, second: seconds } = groupedProposals([of(mark), of(open)]);
    assert.deepEqual(columns(shown, "proposed", "decided"), [[3, 3]]);
    assert.deepEqual(columns(seconds, "proposed", "decided"), Array(2).fill([3, 1]));
    assert.equal(new Set(seconds.map(({ question }) => question)).size, 2, "of two classes");
  });
});
