/**
 * The apostrophe that exports put before what could be a formula: at the start of a cell, or after a semicolon, tab or
 * line end, where a program could split the cell. Our own exports also put one before a tab or line end at the start of
 * a cell. The pattern finds the apostrophe first and looks back from there: to look for spaces and quotes first would
 * take seconds in a cell of many line ends.
 */
const apostrophe = /'(?<=(?:^|[;\t\r\n])[\s"]*')(?='*\s*[=+\-@＝＋－＠])|^'(?='*[\t\r\n])/gu;

/** A cell, and where it is written in the text, quotes included. */
export interface CsvCell {
  text: string;
  start: number;
  end: number;
}

/** The cells of a CSV file as spreadsheet programs write it, without the apostrophes that guard against formulas. */
export const readCsv = (text: string): string[][] =>
  csvCells(text).map((row) => row.map((cell) => cell.text.replace(apostrophe, "")));

/**
 * Reads cells with any line end. Without `separator`, the first comma, semicolon or tab outside quotes separates cells.
 * A line end at the end of the text makes a last row of one empty cell.
 */
export function csvCells(text: string, separator?: string): CsvCell[][] {
  const rows: CsvCell[][] = [[]];
  let start = text.startsWith("\uFEFF") ? 1 : 0;
  let cell = "";
  let isQuoted = false;
  for (let index = start; index < text.length; index += 1) {
    const sign = text[index]!;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[index + 1] !== '"') isQuoted = false;
      else {
        cell += '"';
        index += 1;
      }
      continue;
    }
    if (sign === '"' && cell === "") {
      isQuoted = true;
      continue;
    }
    if (separator === undefined && /[,;\t]/.test(sign)) separator = sign;
    if (sign === separator || sign === "\n" || sign === "\r") {
      rows.at(-1)!.push({ text: cell, start, end: index });
      cell = "";
      if (sign === "\r" && text[index + 1] === "\n") index += 1;
      if (sign !== separator) rows.push([]);
      start = index + 1;
    } else cell += sign;
  }
  rows.at(-1)!.push({ text: cell, start, end: text.length });
  return rows;
}
