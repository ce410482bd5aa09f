/** Search for words in articles: what is found begins with what was typed, in any case. */

/** Returns the words of a text in lower case, each preceded by a space, for `matchesQuery`. */
export function searchableWords(text: string): string {
  const words =
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => ` ${word}`).join("");
}

/** @param searchable from `searchableWords` */
export const matchesQuery = (searchable: string, query: string): boolean =>
  searchableWords(query)
    .split(/(?= )/)
    .every((word) => searchable.includes(word));
