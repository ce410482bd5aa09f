/** Whose the pages of a scan are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cutScans, type ScannedLearner } from "../app/desk/cut-scans.ts";
import type { ScannedPage } from "../app/domain/scan.ts";
import { assertLinear } from "./support/assert-linear.ts";

const learners = (...working: string[]): ScannedLearner[] =>
  ["1", "2", "3", "4"].map((number, index) => ({
    id: index + 10,
    number,
    name: `Learner ${number}`,
    hasWork: working.includes(number),
  }));

const ownClass = "0000000a";

/**
 * A scan from words: "#2" is the cover sheet of learner 2, "#2!" one that is written on, "#2@90" one that is turned by 90
 * degrees, "a#2" one with the class's number and "b#2" one with another's, "_" is blank, and others are written on.
 */
function scan(words: string, name = "scan.pdf") {
  const pages = words.split(" ").map((word, index): ScannedPage => {
    const [, sheetClass, sheetNumber, turn = "0", written] =
      /^([ab]?)#(\w+)(?:@(\d+))?(!?)$/.exec(word) ?? [];
    return {
      page: index + 1,
      sheetNumber: sheetNumber ?? null,
      isBlank: word === "_",
      ...(sheetNumber && {
        classNumber: sheetClass ? `0000000${sheetClass}` : null,
        isWrittenOn: written === "!",
      }),
      turn: Number(turn) as ScannedPage["turn"],
    };
  });
  return { name, pages };
}

/**
 * The scripts and problems of one scan, such as "1: 2 3" for pages 2 and 3 of learner 1, and "4 is left over". Asserts that
 * no page is lost or there twice. `pages` is the stated number of pages of a script, `working` are learners who had work
 * before.
 */
function cut(words: string, { pages, working = [] }: { pages?: number; working?: string[] } = {}) {
  const only = scan(words);
  const { scripts, problems, missing, withoutSheets, ofAnotherClass, ...lists } = cutScans(
    [only],
    learners(...working),
    pages,
    ownClass,
  );
  const sheets = only.pages
    .filter(({ sheetNumber, isWrittenOn }) => sheetNumber !== null && !isWrittenOn)
    .map(({ page }) => page);
  const kept = [...scripts.flatMap((one) => one.pages), ...problems.map(({ page }) => page)];
  const all = new Set([...sheets, ...kept.map(({ page }) => page)]);
  if (withoutSheets.length === 0) assert.equal(all.size, only.pages.length, "a page is lost");
  assert.equal(new Set(kept.map(({ page }) => page)).size, kept.length, "a page is there twice");
  return {
    ...lists,
    scripts: scripts.map(
      ({ learner, pages: own }) =>
        `${learner?.number ?? "new"}: ${own.map(({ page }) => page).join(" ")}`,
    ),
    problems: problems.map(({ page, reason }) => `${page.page} ${reason}`),
    missing: missing.map(({ number }) => number),
    isWithoutSheets: withoutSheets.length > 0,
    isOfAnotherClass: ofAnotherClass.length > 0,
  };
}

test("a script begins at each cover sheet", () => {
  const { scripts, problems, missing } = cut("#1 a b #3 c d #2 e f #4 g h");
  assert.deepEqual(scripts, ["1: 2 3", "3: 5 6", "2: 8 9", "4: 11 12"]);
  assert.deepEqual([problems, missing], [[], []]);
});

test("the pages of a script are turned as its cover sheet is", () => {
  const turned = cutScans([scan("#1@180 a #2@90 b #3 c")], learners(), undefined, ownClass).scripts;
  assert.deepEqual(
    turned.map(({ pages }) => pages.map(({ turn }) => turn)),
    [[180], [90], [0]],
  );
});

test("pages that belong to no learner are problem pages with a reason", () => {
  const found = cut("x #1 a #9 b #2 c #1 d #3 e #4 f", { working: ["3"] });
  assert.deepEqual(found.scripts, ["1: 3", "2: 7", "4: 13"]);
  assert.deepEqual(found.problems, [
    "1 is before the first cover sheet",
    "4 is under a cover sheet with the number 9, which no learner has",
    "5 is under a cover sheet with the number 9, which no learner has",
    "9 is under a second cover sheet of learner 1",
    "11 is of learner 3, who had work before",
  ]);
  assert.deepEqual([found.double, found.unknown, found.missing], [["1", "3"], ["9"], []]);
});

test("where a sheet is missing, pages beyond the usual number are problem pages", () => {
  const found = cut("#1 a b #2 c d e f #4 g h");
  assert.deepEqual(found.scripts, ["1: 2 3", "2: 5 6", "4: 10 11"]);
  assert.match(found.problems.join("\n"), /^7 is beyond the 2 pages that most .*\n8 is beyond/);
  assert.deepEqual([found.missing, found.longer], [["3"], []]);
  const present = cut("#1 a b #2 c d e f #4 g h", { working: ["3"] });
  assert.deepEqual([present.missing, present.problems], [[], []], "learner 3 had work before");
});

test("a script may be longer than others where no sheet is missing", () => {
  const all = cut("#1 a b #2 c d e f #3 i j #4 g h");
  assert.equal(all.scripts[1], "2: 5 6 7 8");
  assert.deepEqual([all.problems, all.longer], [[], []]);
});

test("where a sheet is missing and most scripts have no usual number of pages, longer ones are listed", () => {
  const different = cut("#1 a #2 c d #4 g h i");
  assert.deepEqual([different.problems, different.missing], [[], ["3"]]);
  assert.deepEqual(different.longer, ["4"]);
  const half = cut("#1 a #2 c d");
  assert.deepEqual([half.problems, half.longer], [[], ["2"]]);
});

test("pages beyond a stated number are problem pages", () => {
  const { problems } = cut("#1 a b #2 c d e #3 f g #4 i", { pages: 2 });
  assert.deepEqual(problems, ["7 is beyond the 2 pages of a script"]);
});

test("a sheet that was fed twice in a row counts once", () => {
  const { scripts, double, missing } = cut("#1 #1 a #2 b #3 c #4 d");
  assert.equal(scripts[0], "1: 3");
  assert.deepEqual([double, missing], [[], []]);
  assert.deepEqual(cut("#1 a #1 b").problems, ["4 is under a second cover sheet of learner 1"]);
});

test("a learner whose sheet has no written pages may be absent", () => {
  const { withoutPages, missing, problems } = cut("#1 a #2 #3 _ #4 b");
  assert.deepEqual([withoutPages, missing], [["2", "3"], []]);
  assert.match(problems.join(), /^5 is blank, and nothing else is under .* learner 3$/);
  const present = cut("#1 #2 #3 c #4 d #1 a", { working: ["2"] });
  assert.deepEqual(present.withoutPages, [], "one has a script, the other had work before");
});

test("the blank back of a sheet comes last, other blank pages stay in their place", () => {
  const { scripts, problems } = cut("#1 _ a _ b #2 c _ #3 d e #4 f g");
  assert.deepEqual(scripts.slice(0, 2), ["1: 3 4 5 2", "2: 7 8"]);
  assert.deepEqual(problems, []);
});

test("the blank back of a sheet does not count among the usual number of pages", () => {
  const { scripts, problems } = cut("#1 _ a b #2 _ c d _ x y #3 e f");
  assert.deepEqual(scripts, ["1: 3 4 2", "2: 7 8 6", "3: 13 14"]);
  assert.match(problems.join("\n"), /^9 is beyond the 2 pages .*\n10 is beyond.*\n11 is beyond/);
});

test("a scan whose second half is written sheets is cut in time linear in its pages", () => {
  const scanOf = (size: number) =>
    scan([...Array(size).fill("x"), ...Array(size).fill("a#1!")].join(" "));
  assertLinear(scanOf, (large) => {
    const { problems } = cutScans([large], learners(), undefined, ownClass);
    assert.equal(problems.length, large.pages.length);
  });
});

test("a scan without sheets is cut only by a stated number of pages", () => {
  const uncut = cut("a b c d");
  assert.deepEqual([uncut.isWithoutSheets, uncut.isOfAnotherClass], [true, false]);
  assert.deepEqual(uncut.scripts, []);
  const { scripts, problems, isWithoutSheets } = cut("a b c d e", { pages: 2 });
  assert.equal(isWithoutSheets, false);
  assert.deepEqual(scripts, ["new: 1 2", "new: 3 4"]);
  assert.deepEqual(problems, ["5 is left over: the scan is no multiple of 2 pages"]);
});

test("a learner in two scans has the pages of the first one", () => {
  const [first, second] = [scan("#1 a #2 b #9", "1.pdf"), scan("c #1 d #3 e #4 f", "2.pdf")];
  const { scripts, problems } = cutScans([first, second], learners(), undefined, ownClass);
  assert.deepEqual(
    scripts.map((one) => `${one.scan.name}: ${one.learner?.number}`),
    ["1.pdf: 1", "1.pdf: 2", "2.pdf: 3", "2.pdf: 4"],
  );
  assert.deepEqual(
    problems.map((one) => `${one.scan.name}, page ${one.page.page}`),
    ["1.pdf, page 5", "2.pdf, page 1", "2.pdf, page 3"],
  );
});

test("a script begins at a sheet that is written on, which is a problem page", () => {
  const found = cut("#1 a #2! b #9! c #3 #3! d #4 e");
  assert.deepEqual(found.scripts, ["1: 2", "2: 4", "3: 9", "4: 11"]);
  assert.deepEqual(found.problems, [
    "3 is the cover sheet of learner 2, and may have writing on it",
    "5 is under a cover sheet with the number 9, which no learner has",
    "6 is under a cover sheet with the number 9, which no learner has",
    "8 is the cover sheet of learner 3, and may have writing on it",
  ]);
});

test("sheets of another class, or without a number among those with one, begin no script", () => {
  const found = cut("a#1 a b#2 b b#3 a#3 c #4 d");
  assert.deepEqual(found.scripts, ["1: 2", "3: 7"]);
  assert.deepEqual(
    found.problems,
    [3, 4, 5, 8, 9].map((page) => `${page} is under a cover sheet of another class`),
  );
  assert.deepEqual(found.missing, ["2", "4"]);
  assert.equal(found.isOfAnotherClass, false, "two sheets are this class's");
});

test("a scan whose sheets are all of another class is of another class", () => {
  assert.ok(cut("b#1 a b#2 b").isOfAnotherClass);
});

test("sheets with a number, printed again, may be among sheets without numbers", () => {
  const { scripts, problems, isOfAnotherClass } = cut("#1 a #2 b a#3 c #4 d");
  assert.deepEqual([scripts.length, problems, isOfAnotherClass], [4, [], false]);
  assert.equal(
    cut("#1 a #2 b a#3 c a#4 d").scripts.length,
    4,
    "or as many as those without a number",
  );
});
