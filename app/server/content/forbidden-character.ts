/** Characters that XML forbids, even escaped: feeds and Office files with them would be malformed. */
const forbidden = /(?![\t\n\r\u007F-\u009F])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u;

/** Returns an error that names the first character of a text that XML forbids; undefined if there is none. */
export function forbiddenCharacterIn(text: string): string | undefined {
  const code = forbidden.exec(text)?.[0].codePointAt(0);
  if (code === undefined) return undefined;
  return `has the character U+${code.toString(16).toUpperCase().padStart(4, "0")}, which feeds cannot contain; delete it`;
}
