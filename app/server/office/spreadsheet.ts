import { escapeXml } from "../../domain/xml.ts";
import { officeFile, relationships } from "./office-file.ts";

const namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/** Looks of a cell; the position is its number in cellXfs. */
const looks = ["plain", "heading", "input", "percent", "whole", "decimal", "signed"] as const;
export type Look = (typeof looks)[number];

export type Cell =
  | { text: string; look: Look }
  | { value: number | undefined; look: Look }
  /** Without the equals sign. */
  | { formula: string; look: Look };

export interface Sheet {
  name: string;
  /** By address, such as "B2". */
  cells: ReadonlyMap<string, Cell>;
  /** Widths of the columns, in characters. */
  widths: number[];
  /** A range whose cells take a number from 0 to the one in the cell `max`. */
  input: { range: string; max: string };
}

/** Returns an .xlsx file. Programs calculate its formulas when they open it. */
export function spreadsheet(title: string, sheets: Sheet[]): Buffer {
  const kind = "spreadsheetml";
  const workbook = `<workbook xmlns="${namespace}" xmlns:r="${relationships}"><sheets>${sheets
    .map(
      ({ name }, index) =>
        `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
    )
    .join("")}</sheets><calcPr calcId="191029" fullCalcOnLoad="1"/></workbook>`;
  return officeFile(title, { name: "xl/workbook.xml", type: `${kind}.sheet.main`, xml: workbook }, [
    ...sheets.map((sheet, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      type: `${kind}.worksheet`,
      xml: worksheet(sheet),
    })),
    { name: "xl/styles.xml", type: `${kind}.styles`, xml: styles },
  ]);
}

function worksheet({ cells, widths, input }: Sheet): string {
  const rows = new Map<number, string[]>();
  const numberOf = (name: string) =>
    [...name].reduce((sum, c) => sum * 26 + c.charCodeAt(0) - 64, 0);
  const sorted = [...cells]
    .map(([address, cell]) => ({
      address,
      cell,
      row: Number(/\d+$/.exec(address)![0]),
      column: numberOf(/^[A-Z]+/.exec(address)![0]),
    }))
    .sort((a, b) => a.row - b.row || a.column - b.column);
  for (const { address, cell, row } of sorted) {
    rows.set(row, [...(rows.get(row) ?? []), cellXml(address, cell)]);
  }
  const list = [...rows].map(([row, xml]) => `<row r="${row}">${xml.join("")}</row>`).join("");
  const columns = widths
    .map(
      (width, index) =>
        `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
    )
    .join("");
  return `<worksheet xmlns="${namespace}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns}</cols><sheetData>${list}</sheetData><dataValidations count="1"><dataValidation type="decimal" allowBlank="1" showErrorMessage="1" errorTitle="Mark" error="A mark is a number from 0 to the marks of the question." sqref="${input.range}"><formula1>0</formula1><formula2>${input.max}</formula2></dataValidation></dataValidations><pageSetup paperSize="9" orientation="landscape"/></worksheet>`;
}

function cellXml(address: string, cell: Cell): string {
  const open = `<c r="${address}" s="${looks.indexOf(cell.look)}"`;
  if ("text" in cell) {
    return `${open} t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell.text)}</t></is></c>`;
  }
  if ("formula" in cell) return `${open}><f>${escapeXml(storedFormula(cell.formula))}</f></c>`;
  return cell.value === undefined ? `${open}/>` : `${open}><v>${cell.value}</v></c>`;
}

/** Excel stores functions of 2010 and later with a prefix that it does not show. */
const storedFormula = (formula: string) => formula.replace(/\bVAR\.P\(/g, "_xlfn.VAR.P(");

/** Number formats 9, 1 and 2 are built in: 0%, 0 and 0.00. */
const styles = `<styleSheet xmlns="${namespace}"><numFmts count="1"><numFmt numFmtId="164" formatCode="+0.00;\u22120.00;0.00"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE4E9F2"/></patternFill></fill><fill><patternFill patternType="solid"><fgColor rgb="FFFFF8DC"/></patternFill></fill></fills><borders count="2"><border/><border><left style="thin"/><right style="thin"/><top style="thin"/><bottom style="thin"/></border></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${looks.length}"><xf/><xf fontId="1" fillId="2" applyFont="1" applyFill="1" applyAlignment="1"><alignment wrapText="1" vertical="top"/></xf><xf fillId="3" borderId="1" applyFill="1" applyBorder="1"/><xf numFmtId="9" applyNumberFormat="1"/><xf numFmtId="1" applyNumberFormat="1"/><xf numFmtId="2" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`;
