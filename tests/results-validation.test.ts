import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImportedQuestion } from "../app/domain/publication.ts";
import { resultsOf } from "../app/results/import-over.ts";
import { validateResultsFile } from "../app/results/results-file.ts";
import { column } from "./support/columns.ts";
import { resultsFor } from "./support/results.ts";
import { sample } from "./support/sample.ts";

/** Validates the first import of a class with these files. */
function validate(json: unknown, names: string[]) {
  const target = { title: "", learners: names.map((fileName) => ({ fileName })), questions: [] };
  const { errors, imported, cleaned } = validateResultsFile(json, target);
  return errors ? { errors } : { results: resultsOf(imported, 1), imported, cleaned };
}

/** Validates questions of these totals. */
const validateTotals = (...totals: number[]) =>
  validate(
    {
      title: "Test 1",
      questions: totals.map((totalMarks, index) => ({
        questionNumber: `${index + 1}`,
        description: "Terms",
        totalMarks,
      })),
      submissions: [{ fileName: "a.txt", questionMarks: [] }],
    },
    ["a.txt"],
  );

test("questions may sum to any total from 1 to 1,000, in quarters", () => {
  const firstError = (...totals: number[]) => validateTotals(...totals).errors?.[0];
  for (const totals of [[0.5, 0.5], [1], [35], [30, 30], [0.25, 999.75], [1000]])
    assert.equal(firstError(...totals), undefined, `${totals}`);
  for (const [totals, error] of [
    [[0.5], /^questions: the marks must sum to 1 to 1000, but sum to 0\.5$/],
    [[600, 400.25], /^questions: the marks must sum to 1 to 1000, but sum to 1000\.25$/],
    [[0.3, 0.7], /^questions\[0\]\.totalMarks: must be in whole, half or quarter marks$/],
  ] as const) {
    assert.match(firstError(...totals)!, error);
  }
});

test("an import leaves a paper that the desk can store", () => {
  const choice = { group: 1, best: 1 };
  const essays = ["1", "2"].map((questionNumber) => ({
    ...{ questionNumber, description: "Essay", totalMarks: 5, choice },
  }));
  const errorsOf = (questions: object[], replaces = false) =>
    validateResultsFile(
      { questions, submissions: [{ fileName: "a.txt", questionMarks: [] }] },
      { title: "Test 1", learners: [{ fileName: "a.txt" }], questions: essays },
      { replaces },
    ).errors;
  const more = Array.from({ length: 99 }, (_, index) => ({
    ...{ questionNumber: `${index + 3}`, description: "Terms", totalMarks: 1 },
  }));
  const tooMany = "questions: A paper has at most 100 questions.";
  assert.deepEqual(errorsOf(more), [tooMany]);
  assert.equal(errorsOf(more, true), undefined, "these replace the others");
  const sameMarks = "questions: The questions of a choice must be out of the same marks.";
  assert.deepEqual(errorsOf([{ questionNumber: "2", totalMarks: 4 }]), [sameMarks]);
  const alone = "questions: Name at least two questions to choose from.";
  assert.deepEqual(errorsOf([{ questionNumber: "2" }], true), [alone]);
});

test("of a choice only the best questions count in the sum of the class's marks", () => {
  const questions = Array.from({ length: 12 }, (_, index) => ({
    questionNumber: `${index + 1}`,
    description: "Essay",
    totalMarks: 100,
    choice: { group: 1, best: 5 },
  }));
  const errorsOf = (totalMarks: number) =>
    validateResultsFile(
      {
        questions: [{ questionNumber: "13", description: "Terms", totalMarks }],
        submissions: [{ fileName: "a.txt", questionMarks: [] }],
      },
      { title: "Test 1", learners: [{ fileName: "a.txt" }], questions },
    ).errors;
  assert.equal(errorsOf(500), undefined);
  assert.deepEqual(errorsOf(501), ["questions: the marks must sum to 1 to 1000, but sum to 1001"]);
});

test("the file name of several learners needs a number beside it, or a submission of each in order", () => {
  const learners = ["1", "2"].map((learnerNumber) => ({
    learnerId: Number(learnerNumber),
    learnerNumber,
    fileName: "scan.pdf",
  }));
  const questions = [{ questionNumber: "1", description: "Terms", totalMarks: 5 }];
  const idsOf = (...numbers: string[]) => {
    const submissions = numbers.map((learnerNumber) => ({
      fileName: "scan.pdf",
      learnerNumber,
      questionMarks: [],
    }));
    const read = validateResultsFile({ submissions }, { title: "Test 1", learners, questions });
    return read.errors ?? column(read.imported.submissions, "learnerId");
  };
  assert.deepEqual(idsOf("", ""), [1, 2]);
  assert.deepEqual(idsOf("2", "1"), [2, 1]);
  assert.deepEqual(idsOf("2"), [2]);
  assert.deepEqual(idsOf(""), [
    'submissions[0].fileName: "scan.pdf" is of 2 learners: give numbers, or all of them in order',
  ]);
});

/** Validates a learner whose comment and whose first reason are this text. */
function readFeedback(feedback: string) {
  const file = resultsFor(["a.txt"]);
  const [learner] = file.submissions;
  for (const part of [learner!, learner!.questionMarks[0]!]) Object.assign(part, { feedback });
  return validate(file, ["a.txt"]);
}

test("invisible characters are removed from texts and named", () => {
  for (const [control, names] of [
    ["\u200b", "U+200B"],
    ["\0", "U+0000"],
    ["\u000b\u000b", "U+000B"],
    ["\u001b", "U+001B"],
    ["\u009b\u2028", "U+009B, U+2028"],
    ["\u202e", "U+202E"],
  ] as const) {
    const { results, cleaned } = readFeedback(`One.${control}Two.`);
    const [learner] = results!.submissions;
    assert.equal(learner!.feedback, "One.Two.", names);
    assert.equal(learner!.questionMarks[0]!.feedback, "One.Two.", names);
    assert.deepEqual(cleaned, [
      `submissions[0].feedback: removed ${names}`,
      `submissions[0].questionMarks[0].feedback: removed ${names}`,
    ]);
  }
});

test("accents, joiners and line ends of a text stay", () => {
  const plain = "  “é”  e\u0301 ½ 𝒙² \u0646\u200c\u0627 👩‍🏫 x\r\n\ty\n ";
  const { results, cleaned } = readFeedback(plain);
  assert.deepEqual([results!.submissions[0]!.feedback, cleaned], [plain, []]);
});

test("a text with a character that stands for unreadable ones is rejected", () => {
  assert.match(readFeedback("a\ufffd").errors![0]!, /cannot be read/);
});

/** Reads a memo of a question: its text and points, or the errors. @param questions those stored already */
function readMemo(memo: unknown, questions: ImportedQuestion[] = []) {
  const { errors, imported } = validateResultsFile(
    {
      title: "Test 1",
      questions: [{ questionNumber: "1", description: "Names three", totalMarks: 3, memo }],
      submissions: [{ fileName: "a.txt", questionMarks: [] }],
    },
    { title: "", learners: [{ fileName: "a.txt" }], questions },
  );
  if (errors) return errors;
  const [{ memo: text, memoPoints }] = imported.questions as [ImportedQuestion];
  return [text, memoPoints?.map(({ id, text, worth }) => `${id} ${text} ${worth}`)];
}

test("a memo is read with its points, and as text if it has none", () => {
  const line = "thick leaves (1); deep roots (½)";
  const points = ["0 thick leaves 1", "0 deep roots 0.5"];
  for (const memo of [
    line,
    "thick leaves (1)\ndeep roots (½)\n",
    "thick leaves (1);\r\n deep roots (½)",
  ])
    assert.deepEqual(readMemo(memo), [line, points], memo);
  assert.deepEqual(readMemo("thick leaves; roots"), ["thick leaves; roots", undefined]);
  assert.deepEqual(readMemo("\u202ethick\u0007 leaves (1)"), [
    "thick leaves (1)",
    ["0 thick leaves 1"],
  ]);
  for (const nothing of ["", " \n", undefined])
    assert.deepEqual(readMemo(nothing), [undefined, undefined]);
});

const anyTwo = "any two: leaves (1); roots (1)";

test("a memo whose points cannot be read is rejected with the reason", () => {
  assert.match(readMemo(anyTwo)[0] as string, /^questions\[0\]\.memo: .*is no point/);
  assert.match(readMemo(["leaves"])[0] as string, /^questions\[0\]\.memo: must be text/);
  assert.match(readMemo("x".repeat(5001))[0] as string, /^questions\[0\]\.memo: must have at most/);
  assert.match(readMemo("a (1);".repeat(800))[0] as string, /at most 100 points; this one has 800/);
});

test("a memo that is stored already is not read again unless its marks change", () => {
  const stored = { questionNumber: "1", description: "Names three", memo: anyTwo };
  assert.deepEqual(readMemo(anyTwo, [{ ...stored, totalMarks: 3 }]), [undefined, undefined]);
  assert.match(readMemo(anyTwo, [{ ...stored, totalMarks: 4 }])[0] as string, /is no point/);
});

test("a results file altered at any one point has possible marks or is rejected with a reason", () => {
  const odd = [
    undefined,
    null,
    true,
    [],
    {},
    [null],
    0,
    -1,
    0.25,
    0.3,
    51,
    1e308,
    "",
    " ",
    "1",
    "x".repeat(6000),
  ];
  let rejected = 0;
  let accepted = 0;
  const file = { ...sample, submissions: sample.submissions.slice(0, 3) };
  const names = file.submissions.map(({ fileName }: { fileName: string }) => fileName);
  for (const at of pathsIn(file)) {
    for (const value of odd) {
      const label = `${at.join(".")}: ${JSON.stringify(value)?.slice(0, 20)}`;
      const altered = structuredClone(file);
      put(altered, at, value);
      const { imported, errors } = validate(altered, names);
      if (errors) {
        rejected += 1;
        assert.ok(errors.length > 0 && errors.every((error) => /^\S.*: \S/.test(error)), label);
        continue;
      }
      accepted += 1;
      const { questions, submissions } = imported!;
      const totals = new Map(questions.map((one) => [one.questionNumber, one.totalMarks]));
      for (const mark of submissions.flatMap(({ questionMarks }) => questionMarks)) {
        const marks = mark.marksAwarded ?? 0;
        const total = totals.get(mark.questionNumber)!;
        assert.ok(marks >= 0 && marks <= total && marks % 0.25 === 0, label);
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
