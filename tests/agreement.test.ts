import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { agreementOf, type DecidedProposal, kappaOf } from "../app/results/agreement.ts";

/** Decisions from a table: how often each decided mark (column) followed each proposed one (row). */
const fromTable = (table: number[][]) =>
  table.flatMap((row, proposed) =>
    row.flatMap((count, decided) => Array.from({ length: count }, () => ({ proposed, decided }))),
  );

const decidedProposals = (
  marks: [learner: number, questionNumber: string, proposed: number, decided: number][],
): DecidedProposal[] =>
  marks.map(([learner, questionNumber, proposed, decided]) => ({
    learner,
    questionNumber,
    proposed,
    decided,
  }));

const near = (actual: number | null, expected: number) =>
  assert.ok(actual !== null && Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

suite("Agreement", () => {
  // 85 mammograms in four classes by two radiologists (Boyd and others 1982), the example of Stata's
  // manual for kap, which prints 0.6714 with quadratic weights.
  test("equals a published example of weighted kappa", () => {
    const table = [
      [21, 12, 0, 0],
      [4, 17, 1, 0],
      [3, 9, 15, 2],
      [0, 0, 0, 1],
    ];
    assert.equal(kappaOf(fromTable(table))?.toFixed(4), "0.6714");
  });

  test("equals values worked out by hand", () => {
    const { n, exact, withinOne, meanDifference, kappa } = agreementOf(
      decidedProposals([
        [1, "1", 1, 1],
        [2, "1", 2, 3],
        [3, "1", 3, 3],
        [4, "1", 4, 2.5],
      ]),
    );
    assert.deepEqual({ n, exact, withinOne }, { n: 4, exact: 2, withinOne: 3 });
    // (0 + 1 + 0 - 1.5) / 4
    near(meanDifference, -0.125);
    // Observed: (0 + 1 + 0 + 2.25) / 4 = 0.8125. Expected: variances 1.25 and 0.671875 and the squared
    // difference of the means, 0.015625, together 1.9375.
    near(kappa, 1 - 0.8125 / 1.9375);
  });

  test("is one where all agree, and below nought where decisions run against the proposals", () => {
    near(
      kappaOf(
        fromTable([
          [2, 0],
          [0, 3],
        ]),
      ),
      1,
    );
    near(
      kappaOf(
        fromTable([
          [0, 2],
          [2, 0],
        ]),
      ),
      -1,
    );
  });

  test("is undefined where every mark is the same, and without decisions", () => {
    const none = {
      n: 0,
      exact: 0,
      withinOne: 0,
      meanDifference: null,
      kappa: null,
      interval: null,
    };
    assert.deepEqual(agreementOf([]), none);
    const { kappa, interval } = agreementOf(
      decidedProposals([
        [1, "1", 2, 2],
        [2, "1", 2, 2],
      ]),
    );
    assert.deepEqual({ kappa, interval }, { kappa: null, interval: null });
  });

  test("has an interval around kappa that is the same each time", () => {
    const class30 = decidedProposals(
      Array.from({ length: 30 }, (_, learner) => [
        learner,
        "1",
        learner % 7,
        (learner % 7) + (learner % 5 === 0 ? 1 : 0),
      ]),
    );
    const { kappa, interval } = agreementOf(class30);
    assert.ok(interval![0] < kappa! && kappa! < interval![1]);
    assert.ok(interval![1] <= 1);
    assert.deepEqual(agreementOf(class30).interval, interval);
  });

  test("has no interval of one learner, whose marks depend on each other", () => {
    const { kappa, interval } = agreementOf(
      decidedProposals([
        [1, "1", 2, 3],
        [1, "2", 5, 5],
      ]),
    );
    assert.notEqual(kappa, null);
    assert.equal(interval, null);
  });
});
