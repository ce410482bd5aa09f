/** Characters that XML forbids, even escaped: feeds and Office files with them would be malformed. */
const forbidden = /(?![\t\n\r\u007F-\u009F])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u;

/** Returns an error about a text's first character that XML forbids; undefined if the text has no such character. */
export function forbiddenCharacterIn(text: string): string | undefined {
  const code = forbidden.exec(text)?.[0].codePointAt(0);
  if (code === undefined) return undefined;
  return `has the character U+${code.toString(16).toUpperCase().padStart(4, "0")}, which feeds cannot contain; delete it`;
}
