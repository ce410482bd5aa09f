/** The sheets of an XLSX file. Filling changes the XML of the filled cells, and removes stored results of formulas. */
import { isUtf8 } from "node:buffer";
import path from "node:path";
import { unzipSync, zipSync } from "fflate";
import { columnIndex, columnName } from "../../domain/column-name.ts";
import { decodeXml, escapeXml } from "../../domain/xml.ts";
import type { SheetRow } from "../../results/mark-column.ts";
import { type SchoolSheet, SheetError, sheetLimits, tooManyRows } from "./school-sheet.ts";

const maxStrings = 1_000_000;
/** The columns that a sheet of XLSX may have. */
const maxColumns = 16_384;
const tooLarge = new SheetError(`unpacks to more than ${sheetLimits.unpackedBytes / 1_048_576} MB`);

/** The unpacked files of a workbook, by their paths. */
type Parts = Record<string, Uint8Array>;

interface Part {
  name: string;
  xml: string;
}

/** Returns the visible sheets. */
export function workbookSheets(bytes: Buffer): SchoolSheet[] {
  const parts = unpacked(bytes);
  const workbook = relatedPart(parts, "", (type) => type.endsWith("/officeDocument"));
  if (!workbook) throw new SheetError("is a zip file, but no XLSX workbook");
  return [...tagsOf(workbook.xml, "sheet")]
    .filter(({ attributes }) => (attributes.get("state") ?? "visible") === "visible")
    .map(({ attributes }) => {
      const id = [...attributes].find(([name]) => name.endsWith(":id"))?.[1];
      return openSheet(parts, { workbook, id, name: decodeXml(attributes.get("name") ?? "") });
    });
}

function openSheet(
  parts: Parts,
  { workbook, id, name }: { workbook: Part; id: string | undefined; name: string },
): SchoolSheet {
  const part = relatedPart(parts, workbook.name, (_, relationId) => relationId === id);
  if (!part) throw new SheetError(`lacks its sheet ${name}`);
  const strings = relatedPart(parts, workbook.name, (type) => type.endsWith("/sharedStrings"));
  const { xml } = part;
  const elements = rowsIn(xml);
  const rows = textsOf(elements, strings ? sharedStrings(strings.xml) : []);
  const merged = Array.from(
    tagsOf(xml, "mergeCell"),
    ({ attributes }): MergedRange => (attributes.get("ref") ?? "").split(":").map(positionOf),
  );
  return {
    name,
    rows,
    blocked: (row, column) => {
      const cell = cellAt(elements.get(row)!, column);
      if (cell && hasFormula(cell.content)) return "has a formula there";
      return merged.some((range) => isCovered(range, row, column))
        ? "has a merged cell there"
        : undefined;
    },
    percentages: (column) => {
      const formats = relatedPart(parts, workbook.name, (type) => type.endsWith("/styles"));
      const styles = percentageStyles(formats?.xml ?? "");
      const columnStyle = styleOf(xml, column);
      return (row) => {
        const element = elements.get(row)!;
        const style = styleIn(element, cellAt(element, column), columnStyle);
        return styles.has(Number(style ?? 0));
      };
    },
    fill: (column, values) => {
      const filled = Buffer.from(filledXml(xml, { elements, column, values }));
      const changed: Parts = { ...parts, [part.name]: filled };
      const isSheet = (one: string) => one === part.name || /worksheets\/[^/]+$/.test(one);
      for (const sheetName of Object.keys(parts).filter(isSheet)) {
        const sheetXml = readXml(changed, sheetName);
        const uncalculated = withoutResults(sheetXml);
        if (uncalculated === sheetXml) continue;
        changed[sheetName] = Buffer.from(uncalculated);
        changed[workbook.name] = Buffer.from(recalculated(workbook.xml));
      }
      return Buffer.from(zipSync(changed));
    },
  };
}

function unpacked(bytes: Buffer): Parts {
  let size = 0;
  try {
    return unzipSync(bytes, {
      filter: ({ originalSize }) => {
        size += originalSize;
        if (size > sheetLimits.unpackedBytes) throw tooLarge;
        return true;
      },
    });
  } catch (error) {
    throw error === tooLarge ? error : new SheetError("is damaged");
  }
}

/** Reads a part by its relation to another part; undefined if there is no such relation or part. */
function relatedPart(
  parts: Parts,
  from: string,
  matches: (type: string, id: string | undefined) => boolean,
): Part | undefined {
  const { dir, base } = path.posix.parse(from);
  const relations = path.posix.join(dir, "_rels", `${base}.rels`);
  if (!parts[relations]) return undefined;
  const found = [...tagsOf(readXml(parts, relations), "Relationship")].find(({ attributes }) =>
    matches(attributes.get("Type") ?? "", attributes.get("Id")),
  );
  const target = decodeXml(found?.attributes.get("Target") ?? "");
  const name = path.posix.join("/", target.startsWith("/") ? "" : dir, target).slice(1);
  return parts[name] && { name, xml: readXml(parts, name) };
}

function readXml(parts: Parts, name: string): string {
  const bytes = parts[name]!;
  if (!isUtf8(bytes)) throw new SheetError("is not in UTF-8");
  const xml = Buffer.from(bytes).toString();
  // A document type could define entities, and comments could hide tags, so both are rejected.
  if (xml.includes("<!")) {
    throw new SheetError("has XML that spreadsheet programs do not write: save it again with one");
  }
  return xml;
}

interface Tag {
  start: number;
  /** The index after the tag. */
  end: number;
  isEmpty: boolean;
  /** The prefix of the name with its colon; may be empty. */
  prefix: string;
  attributes: Map<string, string>;
}

/** The start tags of a name in a part of the XML. */
function* tagsOf(xml: string, name: string, from = 0, to = xml.length): Generator<Tag> {
  // The limits on lengths keep hostile XML from taking more than linear time.
  const tags = /<(\w{1,50}:)?(\w{1,50})\b([^<>]*)>/g;
  tags.lastIndex = from;
  for (let found = tags.exec(xml); found && found.index < to; found = tags.exec(xml)) {
    const [text, prefix = "", own, rest] = found;
    if (own !== name) continue;
    const attributes = new Map(
      [...rest!.matchAll(/\b([\w:]{1,50})\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
        ([, key, quoted, single]) => [key!, (quoted ?? single)!] as const,
      ),
    );
    const { index: start } = found;
    yield { start, end: start + text.length, isEmpty: rest!.endsWith("/"), prefix, attributes };
  }
}

interface Element extends Tag {
  content: string;
  contentStart: number;
  contentEnd: number;
}

/** Yields the elements with a name. @throws SheetError if an element is not closed, or contains another of its name */
function* elementsOf(xml: string, name: string, from = 0, to = xml.length): Generator<Element> {
  for (const tag of tagsOf(xml, name, from, to)) {
    const close = `</${tag.prefix}${name}>`;
    const contentEnd = tag.isEmpty ? tag.end : xml.indexOf(close, tag.end);
    if (contentEnd === -1 || contentEnd > to) throw new SheetError("is damaged");
    const [inner] = tagsOf(xml, name, tag.end, contentEnd);
    if (inner) throw new SheetError("is damaged");
    const content = xml.slice(tag.end, contentEnd);
    const end = tag.isEmpty ? tag.end : contentEnd + close.length;
    yield { ...tag, end, content, contentStart: tag.end, contentEnd };
  }
}

/** Rows that have cells, by index. */
function rowsIn(xml: string): Map<number, Element> {
  const rows = new Map<number, Element>();
  const [data] = elementsOf(xml, "sheetData");
  if (!data) return rows;
  let row = -1;
  for (const element of elementsOf(xml, "row", data.contentStart, data.contentEnd)) {
    const given = element.attributes.get("r");
    row = given === undefined ? row + 1 : Number(given) - 1;
    if (element.content !== "") rows.set(row, element);
  }
  return rows;
}

interface Cell extends Element {
  column: number;
}

/** The cells of a row, whose `start` and `end` count from the beginning of the row's content. */
function cellsIn({ content }: Element): Cell[] {
  let column = -1;
  return Array.from(elementsOf(content, "c"), (element) => {
    const cellName = element.attributes.get("r");
    column = cellName === undefined ? column + 1 : positionOf(cellName).column;
    if (!(column >= 0 && column < maxColumns)) throw new SheetError("is damaged");
    return { ...element, column };
  });
}

const cellAt = (row: Element, column: number): Cell | undefined =>
  cellsIn(row).find((cell) => cell.column === column);

/** The texts of each row, up to the last row that has any. */
function textsOf(elements: Map<number, Element>, strings: string[]): SheetRow[] {
  const rows: SheetRow[] = [];
  for (const [index, row] of elements) {
    const texts: string[] = [];
    for (const { column, content, attributes } of cellsIn(row)) {
      if (content !== "") texts[column] = cellText(content, attributes.get("t"), strings);
    }
    if (texts.length === 0) continue;
    if (!(index < sheetLimits.rows)) throw tooManyRows();
    rows[index] = texts;
  }
  return Array.from(rows, (texts = []) => texts);
}

function cellText(content: string, type: string | undefined, strings: string[]): string {
  if (type === "inlineStr") return joinedTexts(content, "t");
  const value = joinedTexts(content, "v");
  if (type === "s") return strings[Number(value)] ?? "";
  // A number such as 20240001 may be written as 2.0240001E7.
  return type === undefined || type === "n" ? value && String(Number(value)) : value;
}

const joinedTexts = (xml: string, name: string) =>
  decodeXml(Array.from(elementsOf(xml, name), ({ content }) => content).join(""));

function sharedStrings(xml: string): string[] {
  const strings: string[] = [];
  for (const { content } of elementsOf(xml, "si")) {
    if (strings.length === maxStrings) throw new SheetError(`has more than ${maxStrings} texts`);
    // Leave out the pronunciation of Japanese, which follows the text itself.
    const phonetic = content.search(/<(\w{1,50}:)?rPh\b/);
    strings.push(joinedTexts(phonetic === -1 ? content : content.slice(0, phonetic), "t"));
  }
  return strings;
}

const hasFormula = (xml: string) => /<(\w{1,50}:)?f[\s/>]/.test(xml);

/** The position of a cell with a name such as "B12", from 0. */
function positionOf(name: string): { row: number; column: number } {
  const [column = ""] = /^\D*/.exec(name) ?? [];
  return { row: Number(name.slice(column.length)) - 1, column: columnIndex(column) };
}

type MergedRange = ReturnType<typeof positionOf>[];

/** Whether a merged range hides a cell: it hides all its cells but the first. */
function isCovered([first, last = first]: MergedRange, row: number, column: number): boolean {
  if (row < first!.row || row > last!.row) return false;
  if (column < first!.column || column > last!.column) return false;
  return row !== first!.row || column !== first!.column;
}

interface Fill {
  elements: Map<number, Element>;
  column: number;
  /** The new values, by the index of their row. */
  values: ReadonlyMap<number, number | string>;
}

/** Returns the XML of a sheet with new values in a column. */
function filledXml(xml: string, { elements, column, values }: Fill): string {
  const columnStyle = styleOf(xml, column);
  let out = "";
  let from = 0;
  for (const [row, value] of [...values].sort(([one], [other]) => one - other)) {
    // The learner of a row was found by the text of a cell, so the row has at least one cell.
    const element = elements.get(row)!;
    const cells = cellsIn(element);
    const cell = cells.find((one) => one.column === column);
    const style = styleIn(element, cell, columnStyle);
    const { start, end } = rangeOf(element, cells, column);
    const cellName = `${columnName(column)}${row + 1}`;
    out += xml.slice(from, start) + cellXml(value, { prefix: cells[0]!.prefix, cellName, style });
    from = end;
  }
  return out + xml.slice(from);
}

/** The style of new cells in a column, for rows without a style of their own. */
function styleOf(xml: string, column: number): string | undefined {
  const coversColumn = ({ attributes }: Tag) =>
    Number(attributes.get("min")) <= column + 1 && Number(attributes.get("max")) > column;
  return [...tagsOf(xml, "col")].find(coversColumn)?.attributes.get("style");
}

/** The style of a row's cell in a column, or of a new cell if the row has none there. */
const styleIn = (row: Element, cell: Cell | undefined, columnStyle: string | undefined) =>
  cell ? cell.attributes.get("s") : (rowStyleOf(row) ?? columnStyle);

/** The styles that show a number as a percentage: by a built-in format, or by a % in a format outside literal text. */
function percentageStyles(xml: string): Set<number> {
  const codes = new Map(
    Array.from(tagsOf(xml, "numFmt"), ({ attributes }) => [
      attributes.get("numFmtId"),
      decodeXml(attributes.get("formatCode") ?? "").replace(/"[^"]*"|[\\_*]./g, ""),
    ]),
  );
  const isPercentage = (id = "") => id === "9" || id === "10" || codes.get(id)?.includes("%");
  const [cellXfs] = elementsOf(xml, "cellXfs");
  const xfs = cellXfs ? [...tagsOf(xml, "xf", cellXfs.contentStart, cellXfs.contentEnd)] : [];
  return new Set(
    xfs.flatMap(({ attributes }, style) => (isPercentage(attributes.get("numFmtId")) ? style : [])),
  );
}

const rowStyleOf = ({ attributes }: Element) =>
  attributes.get("customFormat") === "1" ? attributes.get("s") : undefined;

/** The range of a row's cell in the XML; if the row has no such cell, an empty range at the place for a new cell. */
function rangeOf({ content, contentStart }: Element, cells: Cell[], column: number) {
  const cell = cells.find((one) => one.column === column);
  const next = cells.find((one) => one.column > column);
  const start = contentStart + ((cell ?? next)?.start ?? content.length);
  return { start, end: cell ? contentStart + cell.end : start };
}

function cellXml(
  value: number | string,
  { prefix: p, cellName, style }: { prefix: string; cellName: string; style: string | undefined },
) {
  const start = `<${p}c r="${cellName}"${style === undefined ? "" : ` s="${style}"`}`;
  return typeof value === "number"
    ? `${start}><${p}v>${value}</${p}v></${p}c>`
    : `${start} t="inlineStr"><${p}is><${p}t>${escapeXml(value)}</${p}t></${p}is></${p}c>`;
}

/**
 * Removes the stored results of formulas, because LibreOffice and previews would show the results of the old marks.
 * Results of formulas over other workbooks stay: without those workbooks no result can be calculated.
 */
const withoutResults = (xml: string) =>
  xml.replace(calculatedFormula, (whole, formula: string, text = "") =>
    /\[\d+\]/.test(text) ? whole : formula,
  );

/** A formula's element and its stored result; captures the element, and the formula's text. */
const calculatedFormula =
  /(<(?:\w{1,50}:)?f\b[^<>]*(?:\/>|>([^<]*)<\/(?:\w{1,50}:)?f>))<(?:\w{1,50}:)?v>[^<]*<\/(?:\w{1,50}:)?v>/g;

/** Asks the program that opens the workbook to calculate it anew. */
function recalculated(xml: string): string {
  const [calc] = tagsOf(xml, "calcPr");
  if (calc) {
    const tag = xml.slice(calc.start, calc.end).replace(/\sfullCalcOnLoad=("[^"]*"|'[^']*')/, "");
    const whole = tag.replace(/\/?>$/, (close) => ` fullCalcOnLoad="1"${close}`);
    return xml.slice(0, calc.start) + whole + xml.slice(calc.end);
  }
  // The format prescribes that calcPr follows the last of these elements.
  return xml.replace(
    /^(.*<\/(\w{1,50}:)?(?:sheets|functionGroups|externalReferences|definedNames)>)/s,
    (before, _, prefix = "") => `${before}<${prefix}calcPr fullCalcOnLoad="1"/>`,
  );
}
