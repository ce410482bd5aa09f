/**
 * A table for spreadsheets, as in RFC 4180: a header, CRLF at the end of each line, quotes where they are
 * needed. It begins with a byte order mark, by which Excel knows UTF-8. A text that a spreadsheet would run
 * as a formula gets an apostrophe in front; whoever needs the exact text takes JSON.
 */
export function csv<Row extends object>(columns: (keyof Row & string)[], rows: Row[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return `\uFEFF${lines.map((cells) => `${cells.map(cell).join(",")}\r\n`).join("")}`;
}

function cell(value: unknown): string {
  const text = harmless(value === null || value === undefined ? "" : String(value));
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets skip blanks in front of a formula, and some take full-width signs for the plain ones. */
const harmless = (text: string) =>
  /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
