/** Search for words in articles: what is found begins with what was typed, in any case. */

/** What a search reads of an article, each part from `searchableWords`. */
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

/** Characters before and after the hit in a passage. */
const passageReach = 70;

const wordPattern = /[\p{L}\p{N}]+/gu;

/** Returns the words of a text in lower case, each preceded by a space. */
export function searchableWords(text: string): string {
  const words = text.normalize("NFC").toLowerCase().match(wordPattern) ?? [];
  return words.map((word) => ` ${word}`).join("");
}

const wordsOf = (query: string) => searchableWords(query).split(/(?= )/);

/** Returns how well an article answers a query: 0 if a word of the query is found nowhere in it. */
export function relevanceOf(searchable: Searchable, query: string): number {
  const words = wordsOf(query);
  const scores: number[] = words.map(
    (word) => weights.find(([part]) => searchable[part].includes(word))?.[1] ?? 0,
  );
  if (scores.includes(0)) return 0;
  const occurrences = words.reduce((sum, word) => sum + searchable.text.split(word).length - 1, 0);
  return scores.reduce((sum, score) => sum + score, 0) + Math.min(occurrences, 99) / 100;
}

/** Splits a text at the beginnings of words that a query finds. */
export function hitsIn(text: string, query: string): { text: string; isHit: boolean }[] {
  const typed = wordsOf(query)
    .map((word) => word.trim())
    .filter(Boolean);
  const parts: { text: string; isHit: boolean }[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    const hit = typed.find((beginning) => word.toLowerCase().startsWith(beginning));
    if (!hit) continue;
    parts.push({ text: text.slice(end, index), isHit: false });
    end = index + hit.length;
    parts.push({ text: text.slice(index, end), isHit: true });
  }
  return [...parts, { text: text.slice(end), isHit: false }].filter(({ text }) => text !== "");
}

/** Returns the words of a text around its first hit; undefined if it has none. */
export function passageOf(text: string, query: string): string | undefined {
  const parts = hitsIn(text, query);
  const first = parts.findIndex(({ isHit }) => isHit);
  if (first === -1) return undefined;
  const at = first === 0 ? 0 : parts[0]!.text.length;
  const from = text.lastIndexOf(" ", Math.max(0, at - passageReach));
  const to = text.indexOf(" ", at + passageReach);
  return `… ${text.slice(from + 1, to === -1 ? undefined : to)} …`;
}
