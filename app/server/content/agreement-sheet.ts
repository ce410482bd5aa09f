import * as z from "zod/mini";
import { columnName } from "../../domain/column-name.ts";
import { type Cell, type Sheet, spreadsheet } from "../office/spreadsheet.ts";
import { text } from "./yaml.ts";

const sheetSchema = z.strictObject({
  name: text.check(
    z.regex(/^[^[\]:*?/\\]{1,31}$/, "must be at most 31 characters, without : * ? / \\ [ ]"),
  ),
  // Rows for scripts.
  scripts: z.int("must be a whole number"),
  outOf: z.number("must be a number"),
  markers: z.array(text),
  // Names of two markers each; the first is the one to compare with.
  comparisons: z.array(z.tuple([text, text], "must name two markers")),
  marks: z.array(z.array(z.number("must be a number"))),
});
type SheetSource = z.infer<typeof sheetSchema>;

export const agreementSchema = z.strictObject({
  title: text,
  label: text,
  article: text,
  figures: z.array(
    z.strictObject({
      name: text,
      label: text,
      format: z.enum(["whole", "percent", "decimal", "signed"]),
      formula: text,
    }),
  ),
  notes: z.array(text),
  sheets: z.array(
    sheetSchema.check(
      z.refine(({ markers, comparisons }) => comparisons.flat().every((m) => markers.includes(m)), {
        error: "comparisons name a marker that is not in markers",
      }),
    ),
  ),
});
type AgreementSource = z.infer<typeof agreementSchema>;

/** Returns the .xlsx file. */
export const agreementFile = (source: AgreementSource) =>
  spreadsheet(
    source.title,
    source.sheets.map((sheet) => sheetOf(sheet, source)),
  );

/**
 * Addresses of a sheet: column A has the scripts' numbers, then come markers, differences, an empty
 * column, labels and figures.
 */
function layoutOf({ scripts, markers, comparisons }: SheetSource, figures: number) {
  const lastRow = scripts + 1;
  const labels = markers.length + comparisons.length + 2;
  const outOfRow = figures + 3;
  return {
    lastRow,
    outOfRow,
    markerColumn: (marker: string) => columnName(1 + markers.indexOf(marker)),
    differenceColumn: (index: number) => columnName(1 + markers.length + index),
    labelColumn: columnName(labels),
    figureColumn: (index: number) => columnName(labels + 1 + index),
    rangeOf: (column: string) => `${column}2:${column}${lastRow}`,
    outOfCell: `$${columnName(labels + 1)}$${outOfRow}`,
  };
}
type Layout = ReturnType<typeof layoutOf>;
type Cells = Map<string, Cell>;

function sheetOf(sheet: SheetSource, { figures, notes }: AgreementSource): Sheet {
  const { name, markers, comparisons } = sheet;
  const layout = layoutOf(sheet, figures.length);
  const cells = scriptCells(sheet, layout);
  for (const index of comparisons.keys()) {
    addComparison(cells, { sheet, figures, layout, index });
  }
  addLabels(cells, { sheet, figures, notes, layout });
  const widths = [8, ...markers.map(() => 11), ...comparisons.map(() => 13), 3, 36];
  return {
    name,
    cells,
    widths: [...widths, ...comparisons.map(() => 14)],
    input: { range: `B2:${columnName(markers.length)}${layout.lastRow}`, max: layout.outOfCell },
  };
}

function scriptCells({ markers, marks }: SheetSource, layout: Layout): Cells {
  const cells: Cells = new Map([["A1", { text: "Script", look: "heading" }]]);
  for (const marker of markers) {
    cells.set(`${layout.markerColumn(marker)}1`, { text: marker, look: "heading" });
  }
  for (let row = 2; row <= layout.lastRow; row += 1) {
    cells.set(`A${row}`, { value: row - 1, look: "plain" });
    for (const [index, marker] of markers.entries()) {
      const value = marks[row - 2]?.[index];
      cells.set(layout.markerColumn(marker) + row, { value, look: "input" });
    }
  }
  return cells;
}

interface Comparison {
  sheet: SheetSource;
  figures: AgreementSource["figures"];
  layout: Layout;
  index: number;
}

function addComparison(cells: Cells, { sheet, figures, layout, index }: Comparison): void {
  const [first, second] = sheet.comparisons[index]!;
  const [a, b] = [layout.markerColumn(first), layout.markerColumn(second)];
  const column = layout.differenceColumn(index);
  cells.set(`${column}1`, { text: `${second} minus ${first}`, look: "heading" });
  for (let row = 2; row <= layout.lastRow; row += 1) {
    const formula = `IF(COUNT(${a}${row},${b}${row})=2,${b}${row}-${a}${row},"")`;
    cells.set(column + row, { formula, look: "plain" });
  }
  const target = layout.figureColumn(index);
  cells.set(`${target}1`, { text: `${second} against ${first}`, look: "heading" });
  const difference = layout.rangeOf(column);
  const names: Record<string, string> = {
    first: layout.rangeOf(a),
    second: layout.rangeOf(b),
    difference,
    outOf: layout.outOfCell,
    ...Object.fromEntries(figures.map(({ name }, row) => [name, `${target}${row + 2}`])),
  };
  for (const [row, { formula, format }] of figures.entries()) {
    const filled = formula.replace(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole);
    cells.set(`${target}${row + 2}`, {
      formula: `IF(COUNT(${difference})=0,"",${filled})`,
      look: format,
    });
  }
}

interface Labels {
  sheet: SheetSource;
  figures: AgreementSource["figures"];
  notes: string[];
  layout: Layout;
}

function addLabels(cells: Cells, { sheet, figures, notes, layout }: Labels): void {
  const { labelColumn, outOfRow, outOfCell } = layout;
  cells.set(`${labelColumn}1`, { text: "Figures", look: "heading" });
  for (const [row, { label }] of figures.entries()) {
    cells.set(`${labelColumn}${row + 2}`, { text: label, look: "plain" });
  }
  cells.set(`${labelColumn}${outOfRow}`, { text: "Marks of the question", look: "plain" });
  cells.set(outOfCell.replaceAll("$", ""), { value: sheet.outOf, look: "input" });
  for (const [row, note] of notes.entries()) {
    cells.set(`${labelColumn}${outOfRow + 2 + row}`, { text: note, look: "plain" });
  }
}
