/** A sheet in a file of text: CSV, or separated by tabs. Cells that are not filled stay byte for byte. */
import { isUtf8 } from "node:buffer";
import { type CsvCell, csvCells } from "../../results/read-csv.ts";
import { type SchoolSheet, SheetError, sheetLimits, tooManyRows } from "./school-sheet.ts";

/** Returns the text split by each possible separator. Only the right one gives columns. */
export function textSheets(bytes: Buffer): SchoolSheet[] {
  const encoding = encodingOf(bytes);
  const text = bytes.toString(encoding);
  if (text.includes("\0") || text.startsWith("%PDF-")) {
    throw new SheetError("is neither text nor an XLSX workbook");
  }
  return ["\t", ";", ","].map((separator) => {
    const cells = csvCells(text, separator);
    if (cells.length > sheetLimits.rows) throw tooManyRows();
    return {
      rows: cells.map((row) => row.map((cell) => cell.text)),
      blocked: () => undefined,
      percentages: () => () => false,
      fill: (column, values) => {
        const rows = cells.slice(Math.min(...values.keys()));
        const decimal = decimalOf(rows, { column, separator });
        const written = new Map(
          [...values].map(([row, value]) => [row, String(value).replace(".", decimal)]),
        );
        return Buffer.from(filled(text, cells, { separator, column, written }), encoding);
      },
    };
  });
}

/** Old programs write Windows-1252, whose bytes survive as Latin 1. */
function encodingOf(bytes: Buffer): BufferEncoding {
  if (bytes.toString("hex", 0, 2) === "fffe") return "utf16le";
  return isUtf8(bytes) ? "utf8" : "latin1";
}

/**
 * Returns the decimal sign of a column. If no cell shows it, semicolons imply a decimal comma, and commas a point. Tabs
 * imply neither, so other columns are read only with tabs. These may mislead: 9.1 may be a class, and 1,250 has no
 * decimals.
 */
function decimalOf(
  rows: CsvCell[][],
  { column, separator }: { column: number; separator: string },
): "." | "," {
  const inColumn = rows.flatMap((row) => row[column] ?? []);
  const others = separator === "\t" ? rows.flat() : [];
  const number = [...inColumn, ...others].find(({ text }) => /^\s*\d+[.,]\d+\s*$/.test(text));
  if (number) return number.text.includes(",") ? "," : ".";
  return separator === ";" ? "," : ".";
}

interface Change {
  separator: string;
  column: number;
  /** The text of each filled cell, by row: a number or a word, without a quotation mark. */
  written: ReadonlyMap<number, string>;
}

function filled(text: string, cells: CsvCell[][], { separator, column, written }: Change): string {
  const isQuoted = ({ start }: CsvCell) => text[start] === '"';
  let from = 0;
  let out = "";
  for (const [row, value] of [...written].sort(([one], [other]) => one - other)) {
    const cell = cells[row]![column];
    const last = cells[row]!.at(-1)!;
    const mustQuote = value.includes(separator) || isQuoted(cell ?? last);
    const quoted = mustQuote ? `"${value}"` : value;
    // Some programs leave out the empty cells at the end of a row, so those before the filled cell are added.
    const missing = separator.repeat(Math.max(0, column - cells[row]!.length + 1));
    out += text.slice(from, cell?.start ?? last.end) + missing + quoted;
    from = cell?.end ?? last.end;
  }
  return out + text.slice(from);
}
