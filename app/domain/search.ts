/** Search for words in articles: a typed word finds the words that begin with it, in any case. */

/** What a search reads of an article, as `searchableWords` returns it. */
export interface Searchable {
  title: string;
  /** Excerpt and category. */
  summary: string;
  text: string;
}

/** A hit in the title counts more than one in the summary, which counts more than one in the text. */
const weights = [
  ["title", 100],
  ["summary", 10],
  ["text", 1],
] as const;

/** In characters. Longer queries are cut: each word of a query takes time in every article. */
export const maxQueryLength = 100;

/** Characters before and after the hit in a passage. */
const passageReach = 70;

/** The text in lower case, of the same length. “İ” is the one character whose lower case is longer. */
const lowerCaseOf = (text: string): string => text.replaceAll("İ", "i").toLowerCase();

const wordPattern = /[\p{L}\p{N}]+/gu;

/** Returns the words of a text in lower case, each preceded by a space. */
export function searchableWords(text: string): string {
  const words = lowerCaseOf(text.normalize("NFC")).match(wordPattern) ?? [];
  return words.map((word) => ` ${word}`).join("");
}

const pluralEndings = [/ies$/, /(?<=ch|sh|ss|x|z)es$/, /(?<![isu])s$/];

/** Removes a plural ending if three characters are left: without "ies", "ties" would find every word with "t". */
const withoutPlural = (word: string): string =>
  pluralEndings
    .map((ending) => word.replace(ending, ""))
    .find((stem) => stem !== word && stem.length >= 3) ?? word;

/** Returns the beginnings of the words that a query finds, each once: "rubrics" finds "rubric" too. */
const beginningsOf = (query: string): string[] => [
  ...new Set(searchableWords(query).split(" ").filter(Boolean).map(withoutPlural)),
];

const partOfWord = /[\p{L}\p{N}]/u;

/** Returns the position of the first word, from `from` on, that begins with `beginning`; -1 without such a word. */
function positionOf(beginning: string, text: string, from = 0): number {
  let at = text.indexOf(beginning, from);
  while (at > 0 && partOfWord.test(text[at - 1]!)) at = text.indexOf(beginning, at + 1);
  return at;
}

/** Returns how well an article answers a query: 0 if it lacks a word of the query, 1 for a query without words. */
export function relevanceOf(searchable: Searchable, query: string): number {
  const words = beginningsOf(query);
  if (words.length === 0) return 1;
  const scores: number[] = words.map(
    (word) => weights.find(([part]) => positionOf(word, searchable[part]) !== -1)?.[1] ?? 0,
  );
  if (scores.includes(0)) return 0;
  const { text } = searchable;
  const occurrences = words.reduce((sum, word) => sum + text.split(` ${word}`).length - 1, 0);
  return scores.reduce((sum, score) => sum + score, 0) + Math.min(occurrences, 99) / 100;
}

/** Returns the first hit of a query in a text in lower case, from `from` on; undefined if there is none. */
function firstHit(text: string, beginnings: string[], from = 0) {
  return beginnings
    .map((beginning) => ({ at: positionOf(beginning, text, from), length: beginning.length }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at)[0];
}

/** Splits a text at the beginnings of words that a query finds. */
export function hitsIn(text: string, query: string): { text: string; isHit: boolean }[] {
  const beginnings = beginningsOf(query);
  const lowerCase = lowerCaseOf(text);
  const parts: { text: string; isHit: boolean }[] = [];
  let end = 0;
  for (let hit = firstHit(lowerCase, beginnings); hit; hit = firstHit(lowerCase, beginnings, end)) {
    parts.push({ text: text.slice(end, hit.at), isHit: false });
    end = hit.at + hit.length;
    parts.push({ text: text.slice(hit.at, end), isHit: true });
  }
  return [...parts, { text: text.slice(end), isHit: false }].filter(({ text }) => text !== "");
}

/** Returns the words of a text around its first hit, between ellipses; undefined if it has none. */
export function passageOf(text: string, query: string): string | undefined {
  const hit = firstHit(lowerCaseOf(text), beginningsOf(query));
  if (!hit) return undefined;
  const from = text.lastIndexOf(" ", Math.max(0, hit.at - passageReach));
  const to = text.indexOf(" ", hit.at + passageReach);
  return `… ${text.slice(from + 1, to === -1 ? undefined : to)} …`;
}
