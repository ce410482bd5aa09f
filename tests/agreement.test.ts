import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { QuestionMark, Results } from "../app/domain/result.ts";
import {
  agreementOf,
  classAgreement,
  groupedProposals,
  kappaOf,
} from "../app/results/agreement.ts";
import { columns } from "./support/columns.ts";

/** Decisions from a table: how often each decided mark (column) followed each proposed one (row). */
const fromTable = (...table: number[][]) =>
  table.flatMap((row, proposed) =>
    row.flatMap((count, decided) =>
      Array.from({ length: count }, () => ({ question: "1", proposed, decided })),
    ),
  );

/** Decisions on one question, each of another learner. */
const ofQuestion = (question: string, ...marks: [proposed: number, decided: number][]) =>
  marks.map(([proposed, decided], learner) => ({ learner, question, proposed, decided }));

const near = (actual: number | null, expected: number) =>
  assert.ok(actual !== null && Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

suite("Agreement", () => {
  // 85 mammograms in four classes by two radiologists (Boyd and others 1982), the example of Stata's
  // manual for kap, which prints 0.6714 with quadratic weights.
  test("equals a published example of weighted kappa", () => {
    const decisions = fromTable([21, 12, 0, 0], [4, 17, 1, 0], [3, 9, 15, 2], [0, 0, 0, 1]);
    assert.equal(kappaOf(decisions)?.toFixed(4), "0.6714");
  });

  test("equals values worked out by hand", () => {
    const { n, exact, withinOne, meanDifference, kappa, ownMean } = agreementOf(
      ofQuestion("1", [1, 1], [2, 3], [3, 3], [4, 2.5]),
    );
    assert.deepEqual({ n, exact, withinOne }, { n: 4, exact: 2, withinOne: 3 });
    // The mean is 2.375, in steps of a half 2.5.
    assert.deepEqual([ownMean.exact, ownMean.withinOne], [1, 3]);
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

  test("is null without decisions or different marks", () => {
    const none = { exact: 0, withinOne: 0, meanDifference: null, kappa: null };
    assert.deepEqual(agreementOf([]), { n: 0, ...none, interval: null, ownMean: none });
    const { kappa, interval } = agreementOf(ofQuestion("1", [2, 2], [2, 2]));
    assert.deepEqual({ kappa, interval }, { kappa: null, interval: null });
  });

  test("has an interval that leaves out a fortieth of the resamples of learners at each end", () => {
    // One resample in 27 has the third learner alone, whose kappa is -1, and one the first, whose kappa is 1.
    const proposals = [
      [1, 0, 0],
      [1, 4, 4],
      [2, 0, 1],
      [2, 4, 2],
      [3, 0, 4],
      [3, 4, 0],
    ].map(([learner, proposed, decided]) => ({
      ...{ learner: learner!, question: "1" },
      ...{ proposed: proposed!, decided: decided! },
    }));
    assert.deepEqual(agreementOf(proposals).interval, [-1, 1]);
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

  test("is 0 if each proposal is the mean of its question, as knowing which question has more marks is worth nothing", () => {
    const means = [
      ...ofQuestion("1", [2, 1], [2, 3], [2, 2]),
      ...ofQuestion("2", [8, 7], [8, 9], [8, 8]),
    ];
    const { kappa, exact, ownMean } = agreementOf(means);
    near(kappa, 0);
    assert.deepEqual([exact, ownMean.exact, ownMean.kappa], [2, 2, kappa]);
    // If all were decisions on one question, the same proposals would look like agreement.
    assert.ok(kappaOf(means.map((pair) => ({ ...pair, question: "all" })))! > 0.5);
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
  const resultsWith = (...questionMarks: QuestionMark[]): Results => ({
    title: "T",
    averageGrade: null,
    totalSubmissions: 1,
    submissions: [{ studentName: "A", fileName: "a", grade: null, feedback: "", questionMarks }],
  });

  test("leaves out learners who get no grade, as the progress does", () => {
    const results = resultsWith(mark);
    results.submissions[0]!.noGrade = "unreadable";
    assert.deepEqual(classAgreement(results), []);
  });

  test("has a line for each group of a class, then of each question", () => {
    const { second: _, ...alone } = { ...mark, questionNumber: "2" };
    assert.deepEqual(
      columns(classAgreement(resultsWith(mark, alone)), "questionNumber", "group", "n"),
      [
        [null, "shown", 2],
        [null, "second", 1],
        ["1", "shown", 1],
        ["1", "second", 1],
        ["2", "shown", 1],
      ],
    );
  });

  test("groups proposals for second marks by themselves, and tells the questions of two classes apart", () => {
    const { proposedMarks: _, decision: __, ...open } = mark;
    const { shown, second: seconds } = groupedProposals([resultsWith(mark), resultsWith(open)]);
    assert.deepEqual(columns(shown, "proposed", "decided"), [[3, 3]]);
    assert.deepEqual(columns(seconds, "proposed", "decided"), Array(2).fill([3, 1]));
    assert.equal(
      new Set(seconds.map(({ question }) => question)).size,
      2,
      "question 1 of two classes is two questions",
    );
  });
});
