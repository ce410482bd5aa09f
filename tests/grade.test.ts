import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bandOf,
  formatAverage,
  gradeOf,
  levelOf,
  medianOf,
  shownMarks,
} from "../app/results/grade.ts";

test("a band begins at its lowest grade", () => {
  const shown = [100, 90, 89, 80, 79, 70, 69, 0].map((grade) => bandOf(grade).label);
  const labels = ["90 and above", "80 and above", "70 and above", "below 70"];
  assert.deepEqual(
    shown,
    labels.flatMap((label) => [label, label]),
  );
});

test("an average is shown with one decimal, and never rounded into a higher band", () => {
  for (const [average, shown, band] of [
    [89.9, "89.9", "80 and above"],
    [89.96, "89.9", "80 and above"],
    [89.94, "89.9", "80 and above"],
    [89.999, "89.9", "80 and above"],
    [90, "90", "90 and above"],
    [75.75, "75.8", "70 and above"],
    [69.95, "69.9", "below 70"],
  ] as const) {
    assert.deepEqual([formatAverage(average), bandOf(average).label], [shown, band], `${average}`);
  }
});

test("marks at the edges of bands and levels are rounded in one way", () => {
  for (const [awarded, total, grade, shown, band, level] of [
    [49, 60, 82, 41, "80 and above", 7],
    [53.75, 60, 90, 45, "90 and above", 7],
    [53.5, 60, 89, 44.5, "80 and above", 7],
    [44.75, 50, 90, 44.75, "90 and above", 7],
    [44.5, 50, 89, 44.5, "80 and above", 7],
    [79.5, 100, 80, 40, "80 and above", 7],
    [79.25, 100, 79, 39.5, "70 and above", 6],
    [24.25, 35, 69, 34.5, "below 70", 5],
    [24.5, 35, 70, 35, "70 and above", 6],
    [295, 1000, 30, 15, "below 70", 2],
    [294.75, 1000, 29, 14.5, "below 70", 1],
    [1, 1, 100, 50, "90 and above", 7],
    [0, 1, 0, 0, "below 70", 1],
  ] as const) {
    const marks = { awarded, total };
    assert.deepEqual(
      [gradeOf(marks), shownMarks(marks), bandOf(grade).label, levelOf(grade).level],
      [grade, shown, band, level],
      `${awarded}/${total}`,
    );
  }
});

test("the grade of marks of any total is that of a division in whole numbers", () => {
  // Whole numbers are exact where the grade ends in a half.
  for (let total = 4; total <= 4000; total += 1) {
    for (const quarters of [1, 3, Math.floor(total / 2), total - 1, total]) {
      const exact = Math.floor((quarters * 200 + total) / (2 * total));
      const marks = { awarded: quarters / 4, total: total / 4 };
      assert.equal(gradeOf(marks), exact, `${marks.awarded}/${marks.total}`);
    }
  }
});

test("the median is the grade in the middle, or between the middle two", () => {
  assert.deepEqual([[7], [1, 2], [3, 1, 2], [4, 1, 2, 90]].map(medianOf), [7, 1.5, 2, 3]);
});
