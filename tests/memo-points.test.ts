/** The points of a memo, as people type them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoInLine, pointWarnings, readMemo, readPoints } from "../app/results/read-points.ts";
import { marksBesidesTicks } from "../app/results/ticks.ts";
import { assertLinear } from "./support/assert-linear.ts";

const pointsIn = (memo: string, totalMarks = 3) => {
  const { points, error } = readPoints(memo, totalMarks);
  assert.equal(error, undefined, memo);
  return points!.map(({ text, worth }) => `${text} = ${worth}`);
};

function assertRead(memos: [memo: string, points: string[]][]) {
  for (const [memo, points] of memos) assert.deepEqual(pointsIn(memo), points, memo);
}

test("the points of a memo are separated by semicolons or new lines, each with a worth at its end", () => {
  const three = ["thick leaves = 1", "deep roots = 1", "spines = 1"];
  for (const memo of [
    "thick leaves (1); deep roots (1); spines (1)",
    "thick leaves (1);deep roots(1) ; spines (1);",
    "thick leaves (1)\ndeep roots (1)\r\nspines (1)\n",
    "thick leaves; deep roots (1); spines",
    "thick leaves [1]; deep roots (1 mark); spines (1 punt).",
    "thick leaves (1m); deep roots (1 pt), ; spines ((1))",
    "thick leaves （1）; deep roots (١); spines (۱ mark)",
  ]) {
    assert.deepEqual(pointsIn(memo), three, memo);
  }
  assert.deepEqual(pointsIn("a (2 marks); b (½); c (1½); d (0,5)", 6), [
    "a = 2",
    "b = 0.5",
    "c = 1.5",
    "d = 0.5",
  ]);
  assert.deepEqual(pointsIn("a (1 ½); b (1 1/2); c (3/4); d (.5 x) (0.25)", 6), [
    "a = 1.5",
    "b = 1.5",
    "c = 0.75",
    "d (.5 x) = 0.25",
  ]);
});

test("a memo has at most 100 points, which may sum to more than the question", () => {
  const points = (length: number) => Array.from({ length }, () => "a (1)").join("; ");
  assert.equal(pointsIn(points(100), 3).length, 100);
  assert.equal(
    readPoints(points(101), 3).error,
    "A memo has at most 100 points; this one has 101.",
  );
});

test("brackets and quotation marks keep a semicolon and other brackets within a point", () => {
  assertRead([
    [
      "leaves (thick (or waxy); small) (1); roots (deep) (2)",
      ["leaves (thick (or waxy); small) = 1", "roots (deep) = 2"],
    ],
    ['"green stem; no leaves" (2); “a; b” (1)', ['"green stem; no leaves" = 2', "“a; b” = 1"]],
    ["boils (100 °C); freezes (1)", ["boils (100 °C) = 1", "freezes = 1"]],
  ]);
});

test("a sign of inches or a stray bracket encloses nothing", () => {
  assertRead([
    ['pipe of 5" (1); a) clay (1)', ['pipe of 5" = 1', "a) clay = 1"]],
    ['pipe of 5" (1); 6" (1); a "b; c" (1)', ['pipe of 5" = 1', '6" = 1', 'a "b; c" = 1']],
  ]);
});

test("memos as they are typed and pasted elsewhere are read as they are meant", () => {
  const two = ["leaves = 1", "roots = 1"];
  assertRead([
    ["• leaves (1)\n• roots (1)\n•\n", two],
    ["- leaves (1)\r\n– roots (1)", two],
    ["\tleaves\t(1)\n\n\troots\t(1 mark)\t", two],
    ["leaves（１）；roots（１）", two],
    ["leaves (1 P); roots (1,);;; ;", two],
    ["leaves\u00a0(1\u00a0mark);\u00a0roots (01)", two],
    ["أوراق (١)؛ جذور (٢٫٥)", ["أوراق = 1", "جذور = 2.5"]],
    ["1. thick (1)\n2) deep (1)", ["1. thick = 1", "2) deep = 1"]],
    ["(a) thick (1); (b) deep (.5)", ["(a) thick = 1", "(b) deep = 0.5"]],
    ["dik blare – ’n waslaag (1); ê ë ô (½)", ["dik blare – ’n waslaag = 1", "ê ë ô = 0.5"]],
    ["amaqabunga “aqinile; amakhulu” (1)", ["amaqabunga “aqinile; amakhulu” = 1"]],
    ["“leaves (1); roots (1)", ["“leaves = 1", "roots = 1"]],
    ['"leaves (1); roots (1)', ['"leaves = 1', "roots = 1"]],
    ["„leaves“ (1); roots (1)", ["„leaves“ = 1", "roots = 1"]],
    ["x ∈ (0; 1] (1); (2; 3) (1)", ["x ∈ (0; 1] = 1", "(2; 3) = 1"]],
    ["f(2) (1); -2 (1); [H+] (1)", ["f(2) = 1", "-2 = 1", "[H+] = 1"]],
    ["the war (1914–1918) (1); in (1976) (1)", ["the war (1914–1918) = 1", "in (1976) = 1"]],
    ["leaves (1); leaves (1)", ["leaves = 1", "leaves = 1"]],
  ]);
});

test("a memo without a worth at the end of a part stays text", () => {
  for (const memo of [
    "",
    "thick leaves; deep roots; small stomata",
    "(1) thick leaves; (2) deep roots",
    "Any two: leaves; roots",
    "leaves; roots; any two",
    "a sad plant :-( ; leaves",
    "the uprising (1976)",
    "the war (1914–1918)",
    "leaves ✓; roots ✓✓",
    "leaves 1; roots - 2 marks",
    "leaves M1; roots A1",
    "(2; 3)",
    "2 + 2 (=) 4; leaves (or)",
    "iron(II) chloride; see (b)",
  ]) {
    assert.deepEqual(pointsIn(memo), [], memo);
  }
});

test("what is no worth is rejected with a sentence that says what to type", () => {
  const rejected: [memo: string, sentence: RegExp][] = [
    ["leaves (1); roots (1); spines (1) (any two)", /\(any two\) is not a worth. Leave it out/],
    ["leaves (1); roots (1); any two", /“any two” is no point. Leave it out/],
    ["Any two: leaves (1); roots (1)", /“Any two: leaves \(1\)” is no point/],
    ["Any two: leaves, roots (2)", /is no point/],
    [
      "leaves (0,3); roots (1)",
      /\(0,3\) is not a worth. Type it as marks in quarters, such as \(1\)/,
    ],
    ["leaves (1/3)", /\(1\/3\) is not a worth/],
    ["leaves (⅓)", /is not a worth/],
    ["leaves (0); roots (1)", /\(0\) is not a worth/],
    ["leaves (-1); roots (1)", /\(-1\) is not a worth/],
    ["leaves, roots (1 each)", /\(1 each\) is not a worth/],
    ["leaves (2 × 1); roots", /is not a worth/],
    ["leaves (one)", /is not a worth/],
    [
      "the uprising (1976); the march (1)",
      /1976 is more than the 3 of the question.*\(1976\) \(1\)/,
    ],
    ["(1); roots (1)", /A point has no text. Type it before \(1\)/],
    ["leaves (1); roots (1); [2]", /before \(2\).*If \(2\) is that of the whole question, leave/],
    ["leaves (thick; roots (1)", /is not closed. Type “\)”/],
    ["leaves ((1); roots (1)", /“leaves \(\(1\); roots \(1\)” is not closed/],
    ["leaves 1); roots (1)", /“leaves 1\)”: 1\) is not in brackets. Type the worth as in/],
    ["leaves ✓✓; roots (1)", /“leaves ✓✓”: ✓✓ is not in brackets/],
    ["leaves (✓); roots (✓✓)", /“leaves \(✓\)”: \(✓\) is not a worth. Type it as marks/],
    ["leaves (1)(1)", /“leaves \(1\)\(1\)” ends in two worths. Type one/],
    ["leaves (1); roots (1) [2]", /“roots \(1\) \[2\]” ends in two worths/],
    ["leaves (4)", /“leaves \(4\)”: 4 is more than the 3 of the question/],
    ["leaves (1.3); roots", /“leaves \(1.3\)”: \(1.3\) is not a worth/],
    ["leaves (M1); roots (A1)", /\(M1\) is not a worth/],
    ["leaves (1); roots (1); Total: (2)", /“Total: \(2\)” is no point/],
    ["Enige twee: blare (1); wortels (1)", /“Enige twee: blare \(1\)” is no point/],
    ["blare; wortels (enige twee)", /\(enige twee\) is not a worth. Leave it out/],
    ["leaves; roots; spines (3)", /“spines \(3\)” alone has a worth.*such as leaves \(1\)/],
  ];
  for (const [memo, sentence] of rejected) {
    assert.match(readPoints(memo, 3).error ?? `accepted: ${memo}`, sentence, memo);
  }
});

test("points that sum to less than the question, look like two or are alike are warned about", () => {
  const warningsOf = (memo: string, total: number) =>
    pointWarnings(readPoints(memo, total).points!, total);
  assert.deepEqual(warningsOf("leaves; roots", 2), []);
  assert.deepEqual(warningsOf("leaves (1); roots (1)", 2), []);
  assert.deepEqual(warningsOf("leaves (1); roots (1); spines (1)", 2), []);
  assert.deepEqual(warningsOf("leaves (1); roots (½)", 2), [
    "The points sum to 1.5, less than the 2 of the question.",
  ]);
  assert.match(
    warningsOf("it moves (1), to where less is (1)", 1)[0]!,
    /is one point with a worth/,
  );
  assert.deepEqual(warningsOf("leaves (1); roots (1); leaves (1); leaves (1)", 3), [
    "“leaves” is more than one point.",
  ]);
});

test("a memo of several lines is one line with the same points", () => {
  for (const [memo, line] of [
    [
      "thick leaves (1);\n deep roots\r\n\nspines (½)\n",
      "thick leaves (1); deep roots; spines (½)",
    ],
    ["roots (deep;\r\n wide \n\nand long) (2)\nwax", "roots (deep; wide and long) (2); wax"],
    ['“thick\nleaves” (1)\n"deep\nroots" (2)', '“thick leaves” (1); "deep roots" (2)'],
    ["leaves (thick\nroots", "leaves (thick; roots"],
  ] as const) {
    assert.equal(memoInLine(memo), line);
    assert.deepEqual(readPoints(line, 3), readPoints(memo, 3), memo);
  }
  for (const typed of [
    'pipe of 5" (1)\n6" (1); green (1)',
    '"green stem\nno leaves" (2); thick (1)',
  ]) {
    const memo = readMemo(typed, 3);
    assert.ok("memo" in memo, typed);
    const again = readPoints(memo.memo, 3).points!.map((point) => ({ id: 0, ...point }));
    assert.deepEqual(memo.memoPoints, again, typed);
  }
});

test("a memo of spaces after an open bracket is read in time linear in its length", () => {
  assertLinear(
    // A pattern that takes runs of spaces apart would need hours for as many as a memo may have.
    (size) => `leaves (1${" ".repeat(size / 10)}roots`,
    (memo) => {
      // One reading takes too little time to be measured.
      for (let times = 0; times < 100; times += 1)
        assert.equal(readPoints(memo, 3).points!.length, 0);
    },
  );
});

test("typed marks that are the sum of the ticks come back empty, whatever their decimal separator", () => {
  const ticked = { points: "3 1:1 2:0.5 3:1", "tick-1": "on", "tick-2": "on" };
  for (const [marks, back] of [
    ["1.5", ""],
    ["1,5", ""],
    ["2,5", "2,5"],
    ["", ""],
    ["1.5 marks", "1.5 marks"],
  ] as const) {
    assert.equal(marksBesidesTicks({ ...ticked, marks }), back, marks);
  }
});

test("a memo of ticks or of nested brackets is read in time linear in its length", () => {
  for (const memoOf of [
    (size: number) => `${"√".repeat(size)}x`,
    (size: number) => `a ${"(".repeat(size)}b${")".repeat(size)}`,
  ]) {
    assertLinear(memoOf, (memo) => assert.deepEqual(pointsIn(memo), []));
  }
});
