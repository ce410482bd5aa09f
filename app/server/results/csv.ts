/**
 * Tables for spreadsheets (RFC 4180): a header, CRLF, quotes where needed, and a byte order mark by
 * which Excel recognises UTF-8. A formula gets an apostrophe, whether the spreadsheet splits by
 * comma, semicolon or tab; the JSON export has the exact text.
 */

/** The first line, after the byte order mark. @param isQuoted as for `csvLine` */
export const csvHeader = (columns: unknown[], isQuoted = false): string =>
  `\uFEFF${csvLine(columns, isQuoted)}`;

/** @param isQuoted whether all cells get quotes, even those that need none */
export const csvLine = (cells: unknown[], isQuoted = false): string =>
  `${cells.map((value) => cell(value, isQuoted)).join(",")}\r\n`;

function cell(value: unknown, isQuoted: boolean): string {
  const text = withoutFormulas(value === null || value === undefined ? "" : String(value));
  return isQuoted || /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Where a spreadsheet may split a text into cells: a program that splits by `;` or tab ignores our quotes. */
const partEnd = /(?<=[;\t\r\n\v\f\u0085\u2028\u2029])/;

/**
 * What spreadsheets skip before the sign of a formula, which some accept in full width. A text such as `'=1` counts as
 * a formula, so that it has two apostrophes: `readCsv` removes the first.
 */
const formula = /^["\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*(?=(?:'+\s*)?[=+\-@＝＋－＠])/u;

/**
 * Puts an apostrophe before every formula, also within the text, and before a tab or line break at its start. Some
 * programs end a text at NUL, so NUL becomes the sign for a character that cannot be shown.
 */
const withoutFormulas = (text: string) =>
  text
    .replaceAll("\0", "\uFFFD")
    .split(partEnd)
    .map((part) => part.replace(formula, "$&'"))
    .join("")
    .replace(/^(?='*[\t\r\n])/, "'");
