/** Sheets as the programs of schools write them, with learners who do not exist. */
import { strToU8, unzipSync, Zip, ZipDeflate, zipSync } from "fflate";

/** The learners of every sheet, in its order; the last one is not in the class of the tests. */
const inSheets = [
  { number: "0024001", surname: "Adams", first: "Nomsa Grace" },
  { number: "0024002", surname: "van der Merwe", first: "Zoë" },
  { number: "0024003", surname: "O'Brien", first: "Liam" },
  { number: "0024004", surname: "Naidoo", first: "Priya" },
  { number: "0024005", surname: "Nkosi", first: "Thabo" },
];

const blackboardRows = inSheets.map(({ number, surname, first }) =>
  [surname, first, `s${number}`, number, "2026-11-20", "Yes", "12.50", ""].map(
    (cell) => `"${cell}"`,
  ),
);

/** A sheet of Blackboard: tabs, quotes and UTF-16, under the ending .xls. */
export const blackboard = Buffer.from(
  `\uFEFF${[
    [
      "Last Name",
      "First Name",
      "Username",
      "Student ID",
      "Last Access",
      "Availability",
      "Test 0 [Total Pts: 20 Score] |664616",
      "Plants [Total Pts: 50 Score] |664617",
    ].map((cell) => `"${cell}"`),
    ...blackboardRows,
  ]
    .map((row) => row.join("\t"))
    .join("\n")}\n`,
  "utf16le",
);

/** A sheet of ITS: semicolons, Windows-1252 and decimal commas; empty cells at the end of a row are left out. */
export const its = Buffer.from(
  [
    "HOËRSKOOL VOORBEELD;;;;",
    "Student number;Surname;Initials;Sem mark;PLANTS;Rem",
    ...inSheets.map(({ number, surname, first }, index) =>
      [number, surname, first[0], "61,5", ...(index === 1 ? ["", "x"] : [])].join(";"),
    ),
    "",
  ].join("\r\n"),
  "latin1",
);

/** A sheet of Moodle: commas, UTF-8 with a byte order mark, and quotes around some cells. */
export const moodle = Buffer.from(
  `\uFEFF"First name","Last name","ID number","Email address","Assignment: Plants (Real)","Course total (Real)"\n${inSheets
    .map(({ number, surname, first }) => `${first},"${surname}",${number},,-,"1,234.50"`)
    .join("\n")}`,
);

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relations = "http://schemas.openxmlformats.org/package/2006/relationships";
const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

interface WorkbookParts {
  /** The XML of each sheet, by its name. */
  sheets: Record<string, string>;
  strings?: string;
  /** The XML that follows the list of sheets. */
  rest?: string;
}

/** Three styles of cells: plain; unlocked with a border and two decimals; bold on yellow. */
const styles = `${head}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Arial"/></font><font><b/><sz val="11"/><name val="Arial"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFFFFF00"/></patternFill></fill></fills><borders count="2"><border/><border><left style="thin"/><right style="thin"/><top style="thin"/><bottom style="thin"/></border></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="2" fontId="0" fillId="0" borderId="1" applyNumberFormat="1" applyBorder="1" applyProtection="1"><protection locked="0"/></xf><xf fontId="1" fillId="2" borderId="1" applyFont="1" applyFill="1" applyBorder="1"/></cellXfs></styleSheet>`;

function workbookParts({ sheets, strings, rest = "" }: WorkbookParts): Record<string, Uint8Array> {
  const names = Object.keys(sheets);
  const sheetTags = names.map(
    (name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  const links = names.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  const overrides = names.map(
    (_, index) =>
      `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${type}.worksheet+xml"/>`,
  );
  const parts: Record<string, string> = {
    "[Content_Types].xml": `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${strings ? `<Override PartName="/xl/sharedStrings.xml" ContentType="${type}.sharedStrings+xml"/>` : ""}${overrides.join("")}</Types>`,
    "_rels/.rels": `${head}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheetTags.join("")}</sheets>${rest}</workbook>`,
    "xl/_rels/workbook.xml.rels": `${head}<Relationships xmlns="${relations}">${links.join("")}<Relationship Id="rId98" Type="${office}/styles" Target="/xl/styles.xml"/>${strings ? `<Relationship Id="rId99" Type="${office}/sharedStrings" Target="sharedStrings.xml"/>` : ""}</Relationships>`,
    "xl/styles.xml": styles,
    ...(strings && { "xl/sharedStrings.xml": strings }),
    ...Object.fromEntries(
      Object.values(sheets).map((xml, index) => [`xl/worksheets/sheet${index + 1}.xml`, xml]),
    ),
  };
  return Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]));
}

export const workbook = (parts: WorkbookParts, more: Record<string, Uint8Array> = {}): Buffer =>
  Buffer.from(zipSync({ ...workbookParts(parts), ...more }));

/** Writes a workbook with sizes behind the data, as programs do that write while they calculate. */
function streamedWorkbook(parts: WorkbookParts): Buffer {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  for (const [name, bytes] of Object.entries(workbookParts(parts))) {
    const file = new ZipDeflate(name);
    zip.add(file);
    file.push(bytes, true);
  }
  zip.end();
  return Buffer.concat(chunks);
}

const worksheet = (content: string) =>
  `${head}<worksheet xmlns="${main}" xmlns:r="${office}">${content}</worksheet>`;

/** Texts in a table of their own, as Excel writes them. */
class SharedTexts {
  readonly #texts: string[] = [];

  cell(place: string, text: string, style = ""): string {
    const known = this.#texts.indexOf(text);
    const index = known === -1 ? this.#texts.push(text) - 1 : known;
    return `<c r="${place}"${style} t="s"><v>${index}</v></c>`;
  }

  get xml(): string {
    const items = this.#texts.map((text) => {
      const escaped = text.replaceAll("'", "&apos;").replaceAll("ë", "&#xEB;");
      const [first, ...rest] = escaped.split(" ");
      return rest.length > 0
        ? `<si><r><t xml:space="preserve">${first} </t></r><r><rPr><b/></rPr><t>${rest.join(" ")}</t></r></si>`
        : `<si><t>${escaped}</t></si>`;
    });
    return `${head}<sst xmlns="${main}" uniqueCount="${this.#texts.length}">${items.join("")}</sst>`;
  }
}

/**
 * A sheet of SA-SAMS: protected, with a merged title, formulas beside and below the marks, styles, widths, a rule for
 * what may be typed, and a second sheet.
 */
export function sasams(): Buffer {
  const texts = new SharedTexts();
  const rows = inSheets.map(({ number, surname, first }, index) => {
    const row = index + 4;
    const marks = index === 1 ? "" : `<c r="E${row}" s="1"/>`;
    return `<row r="${row}" spans="1:7"><c r="A${row}"><v>${index + 1}</v></c>${texts.cell(`B${row}`, number)}${texts.cell(`C${row}`, surname)}${texts.cell(`D${row}`, first)}${marks}<c r="F${row}"><f>IF(E${row}="","",E${row}*2)</f><v>0</v></c>${texts.cell(`G${row}`, "note", ' s="2"')}</row>`;
  });
  const title = `<row r="1">${texts.cell("A1", "Mark sheet &amp; term 4", ' s="2"')}<c r="B1" s="2"/></row>`;
  const heads = ["Nr", "Accession number", "Surname", "Name", "Plants", "%", "Remark"];
  const headings = heads.map((text, index) => texts.cell(`${"ABCDEFG"[index]}3`, text, ' s="2"'));
  const sheet = worksheet(
    `<dimension ref="A1:G10"/><cols><col min="3" max="4" width="24.5" customWidth="1"/><col min="5" max="5" width="9" style="1" customWidth="1"/></cols><sheetData>${title}<row r="3" ht="30" customHeight="1">${headings.join("")}</row>${rows.join("")}<row r="10">${texts.cell("D10", "Average")}<c r="E10" s="1"><f>AVERAGE(E4:E8)</f><v>0</v></c></row></sheetData><sheetProtection sheet="1" objects="1" scenarios="1"/><mergeCells count="1"><mergeCell ref="A1:G1"/></mergeCells><dataValidations count="1"><dataValidation type="decimal" allowBlank="1" sqref="E4:E8"><formula1>0</formula1><formula2>50</formula2></dataValidation></dataValidations>`,
  );
  const summary = worksheet(
    `<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Class</t></is></c><c r="B1"><f>'Term 4'!E10</f><v>0</v></c></row></sheetData>`,
  );
  return workbook({
    sheets: { "Term 4": sheet, Summary: summary },
    strings: texts.xml,
    rest: "<definedNames><definedName name=\"marks\">'Term 4'!$E$4:$E$8</definedName></definedNames>",
  });
}

/**
 * A workbook without places of cells, with texts inside the cells, a prefix for every tag, and sizes behind the data.
 */
export function plainWorkbook(): Buffer {
  const cell = (text: string) => `<x:c t="inlineStr"><x:is><x:t>${text}</x:t></x:is></x:c>`;
  const rows = [
    ["Learner No", "Full Name", "Class", "Plants"].map(cell),
    ...inSheets.map(({ number, surname, first }) => [
      `<x:c><x:v>${Number(number)}</x:v></x:c>`,
      cell(`${surname}, ${first}`),
      cell("9B"),
    ]),
  ];
  const sheet = `${head}<x:worksheet xmlns:x="${main}"><x:sheetData>${rows.map((cells) => `<x:row>${cells.join("")}</x:row>`).join("")}</x:sheetData></x:worksheet>`;
  return streamedWorkbook({ sheets: { Class: sheet } });
}

/** A workbook of one sheet with this XML as its data. */
export const sheetOf = (data: string) =>
  workbook({ sheets: { One: `<worksheet><sheetData>${data}</sheetData></worksheet>` } });

/** Workbooks with so many elements, or attributes of so many characters: damaged ones, ones without rows, and one of which only the list of sheets is long. */
export function floods(count: number) {
  const cells = [`<c r="${"1".repeat(count)}x"/>`, "<c>".repeat(count)];
  const damaged = cells.map((some) => sheetOf(`<row>${some}</row>`));
  const names = ["row ", "a".repeat(60), `c ${"b".repeat(60)}=`];
  const formula = '<row r="1"><c r="A1"/><c r="B1"><f>1+1</f><v>2</v></c></row>';
  const parts = unzipSync(sheetOf(formula));
  const xml = Buffer.from(parts["xl/workbook.xml"]!).toString();
  const open = Buffer.from(xml.replace("</sheets>", "<x/>".repeat(count)));
  return {
    damaged: [...damaged, sheetOf("<row>".repeat(count))],
    readable: names.map((name) => sheetOf(`<${name}`.repeat(count))),
    unclosed: Buffer.from(zipSync({ ...parts, "xl/workbook.xml": open })),
  };
}
