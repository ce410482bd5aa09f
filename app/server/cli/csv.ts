/**
 * A table for spreadsheets (RFC 4180): a header, CRLF, quotes where needed, and a byte order mark
 * by which Excel recognises UTF-8. A text that a spreadsheet would run as a formula gets a leading
 * apostrophe; the JSON export has the exact text.
 */
export function csv<Row extends object>(columns: (keyof Row & string)[], rows: Row[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return `\uFEFF${lines.map((cells) => `${cells.map(cell).join(",")}\r\n`).join("")}`;
}

function cell(value: unknown): string {
  const text = withoutFormula(value === null || value === undefined ? "" : String(value));
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets skip blanks before a formula, and some accept full-width signs. */
const withoutFormula = (text: string) =>
  /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
