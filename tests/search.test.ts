import assert from "node:assert/strict";
import { test } from "node:test";
import { hitsIn, passageOf, relevanceOf, searchableWords } from "../app/domain/search.ts";

const article = (title: string, summary = "", text = "") => ({
  title: searchableWords(title),
  summary: searchableWords(summary),
  text: searchableWords(text),
});

const marked = (text: string, query: string) =>
  hitsIn(text, query)
    .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
    .join("");

test("a hit in the title counts more than one in the summary, that more than many in the text", () => {
  const inTitle = relevanceOf(article("Memos that two markers read alike"), "memo");
  const inSummary = relevanceOf(article("Marking", "What a memo must say"), "memo");
  const often = relevanceOf(article("Marking", "", "memo ".repeat(2_000)), "memo");
  const once = relevanceOf(article("Marking", "", "A memo."), "memo");
  const scores = `${inTitle} > ${inSummary} > ${often} > ${once} > 0`;
  assert.ok(inTitle > inSummary && inSummary > often && often > once && once > 0, scores);
});

test("every word of a query must be found, each as the beginning of a word", () => {
  const found = article("Fairness", "Who marks?", "The scanner was off during load-shedding.");
  for (const query of ["", "fair", "SCANNER load-shed", "mark fairness"])
    assert.ok(relevanceOf(found, query) > 0, query);
  for (const query of ["airness", "fair unknown", "scanner house"])
    assert.equal(relevanceOf(found, query), 0, query);
});

test("a word that is typed twice counts once", () => {
  const found = article("Memos", "", "A memo.");
  assert.equal(relevanceOf(found, "memo memos MEMO"), relevanceOf(found, "memo"));
});

test("hits are marked at the beginnings of words", () => {
  assert.equal(marked("Memos, memo and unmemorable", "MEMO"), "[Memo]s, [memo] and unmemorable");
  assert.equal(marked("Überprüfung “über”", "über"), "[Über]prüfung “[über]”");
  assert.equal(marked("No query", ""), "No query");
  assert.equal(marked("a<b>", "b"), "a<[b]>");
  assert.equal(marked("İstanbul has markers", "mark istanbul"), "[İstanbul] has [mark]ers");
});

test("a passage begins and ends at words, around the first hit", () => {
  const text = `${"before it ".repeat(40)}the memo and ${"after it ".repeat(40)}`;
  const passage = passageOf(text, "memo")!;
  assert.match(passage, /^… (before|it) .*the memo and after it .*(after|it) …$/);
  assert.ok(passage.length < 180, `${passage.length} characters`);
  assert.equal(passageOf("memo first", "memo"), "… memo first …");
  assert.equal(passageOf("nothing of it", "memo"), undefined);
});

test("a plural in the query finds the singular, best in the title", () => {
  const pairs =
    "rubrics rubric, memos memo, boundaries boundary, classes class, dishes dish, waltzes waltz";
  for (const pair of pairs.split(", ")) {
    const [plural = "", singular = ""] = pair.split(" ");
    const inTitle = relevanceOf(article(`A ${singular}`), plural);
    const inText = relevanceOf(article("Marking", "", `one ${singular} `.repeat(200)), plural);
    assert.ok(inTitle > inText && inText > 0, `${plural}: ${inTitle} > ${inText} > 0`);
    assert.equal(relevanceOf(article(`A ${singular}`), singular), inTitle, singular);
  }
});

test("the singular that a plural in the query finds is marked", () => {
  for (const word of ["class", "status", "this", "is"])
    assert.equal(marked(`${word} think`, word), `[${word}] think`);
  assert.equal(marked("Rubric and rubrics", "rubrics"), "[Rubric] and [rubric]s");
  assert.equal(marked("A tie and ties in time", "ties"), "A [tie] and [tie]s in time");
  assert.match(passageOf("on rubric and memo", "rubrics")!, /rubric and memo/);
});
