import assert from "node:assert/strict";
import { test } from "node:test";
import { validateResultsFile } from "../app/results/results-file.ts";
import { sample } from "./support/sample.ts";

test("questions may sum to any total from 1 to 1,000, in quarters", () => {
  const file = (...totals: number[]) => ({
    title: "Test 1",
    questions: totals.map((totalMarks, index) => ({
      questionNumber: `${index + 1}`,
      description: "Terms",
      totalMarks,
    })),
    submissions: [
      {
        fileName: "a.txt",
        studentName: "Learner 01",
        questionMarks: totals.map((total, index) => ({
          questionNumber: `${index + 1}`,
          marksAwarded: total - 0.25,
        })),
      },
    ],
  });
  const gradeFor = (...totals: number[]) => {
    const { results, errors } = validateResultsFile(file(...totals), ["a.txt"]);
    return errors ?? results.submissions[0]!.grade;
  };
  assert.equal(gradeFor(35), 99);
  assert.equal(gradeFor(30, 30), 99);
  assert.equal(gradeFor(0.5, 0.5), 50);
  assert.equal(gradeFor(1000), 100);
  for (const [totals, error] of [
    [[0.5], "questions: the marks must sum to 1 to 1000, but sum to 0.5"],
    [[600, 400.25], "questions: the marks must sum to 1 to 1000, but sum to 1000.25"],
    [[0.2, 0.8], /^questions\[0\].totalMarks: /],
  ] as const) {
    const [first] = gradeFor(...totals) as string[];
    if (typeof error === "string") assert.equal(first, error);
    else assert.match(first!, error);
  }
});

test("a feedback has lines and tabs, but no other control characters and nothing invisible", () => {
  const read = (feedback: string) =>
    validateResultsFile(
      {
        title: "Test 1",
        questions: [{ questionNumber: "1", description: "Terms", totalMarks: 5 }],
        submissions: [
          {
            ...{ fileName: "a.txt", studentName: "Learner 01", feedback },
            questionMarks: [{ questionNumber: "1", marksAwarded: 4, feedback }],
          },
        ],
      },
      ["a.txt"],
    );
  const { results } = read("One.\r\n\tTwo\u200b.\nThree.");
  assert.equal(results!.submissions[0]!.feedback, "One.\r\n\tTwo.\nThree.");
  assert.equal(results!.submissions[0]!.questionMarks[0]!.feedback, "One.\r\n\tTwo.\nThree.");
  for (const control of ["\0", "\u000b", "\u001b[31m", "\u009b", "\u2028"]) {
    const reason = "must have no control characters but tabs and line breaks";
    assert.deepEqual(
      read(`One.${control}Two.`).errors,
      [`submissions[0].feedback: ${reason}`, `submissions[0].questionMarks[0].feedback: ${reason}`],
      JSON.stringify(control),
    );
  }
});

test("a results file altered at any one point is accepted or rejected with a reason", () => {
  const odd = [
    undefined,
    null,
    0,
    -1,
    0.25,
    51,
    1e308,
    "",
    " ",
    "x".repeat(6000),
    "1",
    [],
    {},
    [null],
    true,
  ];
  let rejected = 0;
  let accepted = 0;
  const file = { ...sample, submissions: sample.submissions.slice(0, 8) };
  const names = file.submissions.map(({ fileName }: { fileName: string }) => fileName);
  for (const at of pathsIn(file)) {
    for (const value of odd) {
      const altered = structuredClone(file);
      put(altered, at, value);
      const { results: read, errors } = validateResultsFile(altered, names);
      if (errors) {
        rejected += 1;
        assert.ok(errors.length > 0 && errors.every((error) => /^\S.*: \S/.test(error)), `${at}`);
        continue;
      }
      accepted += 1;
      assert.deepEqual(read.submissions.map(({ fileName }) => fileName).sort(), names);
      for (const { questionMarks, grade } of read.submissions) {
        const isMarked = questionMarks.every(({ marksAwarded }) => marksAwarded !== null);
        assert.equal(grade !== null, isMarked);
        assert.ok(grade === null || (Number.isInteger(grade) && grade >= 0 && grade <= 100));
        const total = questionMarks.reduce((sum, { totalMarks }) => sum + totalMarks, 0);
        assert.ok(total >= 1 && total <= 1000);
        for (const { marksAwarded, totalMarks } of questionMarks)
          assert.ok((marksAwarded ?? 0) <= totalMarks);
      }
    }
  }
  assert.ok(rejected > 1000 && accepted > 100, `${rejected} rejected, ${accepted} accepted`);
});

/** The paths of all values inside a value. */
function pathsIn(value: unknown, at: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [at];
  const inside = Array.isArray(value)
    ? value.flatMap((one, index) => pathsIn(one, [...at, index]))
    : Object.entries(value).flatMap(([key, one]) => pathsIn(one, [...at, key]));
  return at.length > 0 ? [at, ...inside] : inside;
}

function put(target: unknown, at: (string | number)[], value: unknown): void {
  let inner = target as Record<string | number, unknown>;
  for (const key of at.slice(0, -1)) inner = inner[key] as typeof inner;
  inner[at.at(-1)!] = value;
}
