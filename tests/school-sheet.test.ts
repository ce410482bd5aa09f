/** Marks filled into sheets that schools keep. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { byFlags, findColumns, matchRows } from "../app/results/mark-column.ts";
import { fillSheet } from "../app/server/class-work/fill-sheet.ts";
import { SheetError } from "../app/server/results/school-sheet.ts";
import { textSheets } from "../app/server/results/text-sheet.ts";
import { workbookSheets } from "../app/server/results/workbook.ts";
import { once } from "../app/server/system/once.ts";
import { column } from "./support/columns.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { declaringSize, zip } from "./support/documents.ts";
import { partsOf } from "./support/office-parts.ts";
import { succeeded } from "./support/output-of.ts";
import { resultsFor, runResults, uploadSubmissions } from "./support/results.ts";
import {
  blackboard,
  floods,
  its,
  moodle,
  plainWorkbook,
  sasams,
  sheetOf,
  workbook,
} from "./support/school-sheets.ts";
import { runCommand, type Server, sharedServer } from "./support/server.ts";

runCommandsHere();

const files = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"];
/** The sheets have the fourth under another number, and the last one not at all. */
const list =
  "Number,Name,File\n24001,Nomsa Adams,a\n0024002,Zoe van der Merwe,b\n24003,L O'Brien,c\nx-4,Naidoo Priya,d\n24009,Sipho Zulu,e\n";

/** A class with marks and a class list; the third learner is absent. */
async function markedClass(): Promise<{ server: Server; reference: string }> {
  const server = await sharedServer();
  const reference = await uploadSubmissions(server, files);
  const results = { ...resultsFor(files), title: "Plants" };
  results.submissions[1]!.questionMarks[1]!.marksAwarded = 17.25;
  await succeeded(runResults(server, ["import", reference], results));
  writeFileSync(path.join(server.folder, "class.csv"), list);
  await succeeded(runCommand(server.folder, ["class", "list", reference, "class.csv"]));
  await server.change("UPDATE submissions SET no_grade = 'absent' WHERE file_name = 'c.txt'");
  return { server, reference };
}

/** The class of the tests that change no mark. */
const sharedClass = once(() => markedClass());

/** Writes a sheet beside the server and fills it. */
async function fill(
  [name, bytes]: [name: string, bytes: Buffer],
  options = "",
  marked = sharedClass(),
) {
  const { server, reference } = await marked;
  const file = path.join(server.folder, name);
  writeFileSync(file, bytes);
  const args = ["fill", reference, name, ...options.split(" ").filter(Boolean)];
  const { code, out, err } = await runResults(server, args);
  assert.deepEqual(readFileSync(file), bytes, "the school’s sheet is as it was");
  const copy = out.startsWith("{") ? JSON.parse(out).file : out.trim();
  const filled = code === 0 ? readFileSync(path.join(server.folder, copy)) : undefined;
  return { code, out, err, bytes: filled };
}

test("one column of a Blackboard sheet is filled, nothing else changed, and rows left out are named", async () => {
  const filled = await succeeded(
    fill(["gc_fullgc.xls", blackboard], "--with-proposals --absent AB"),
  );
  assert.equal(filled.out, "gc_fullgc - filled - unsigned.xls\n");
  const values = ["42.5", "37.25", "AB", "42.5", ""];
  const cells = blackboard.toString("utf16le").split("\n");
  const expected = cells.map((line, row) =>
    row > 0 && line ? line.replace(/""$/, `"${values[row - 1]}"`) : line,
  );
  assert.equal(filled.bytes!.toString("utf16le"), expected.join("\n"));
  assert.match(
    filled.err,
    /^4 of 5 learners filled into “Plants \[Total Pts: 50 Score\] \|664617”\.$/m,
  );
  assert.match(filled.err, /^Not filled: Sipho Zulu is not in the sheet\.$/m);
  assert.match(filled.err, /^Found by name, under another number: Naidoo Priya in row 5\.$/m);
  assert.match(filled.err, /^Row 6 belongs to no learner here: s0024005 0024005 Nkosi Thabo\.$/m);
  assert.match(filled.err, /The marks are not signed/);
});

test("one column of an ITS sheet is filled, nothing else changed, and learners left out are named", async () => {
  const filled = await fill(["its.csv", its], "--with-proposals --out done.csv");
  assert.equal(filled.out, "done.csv\n");
  const lines = its.toString("latin1").split("\r\n");
  lines[2] += ";42,5";
  lines[3] = lines[3]!.replace(";61,5;;x", ";61,5;37,25;x");
  assert.equal(filled.bytes!.toString("latin1"), lines.join("\r\n"));
  assert.match(filled.err, /^Not filled: L O'Brien is absent\.$/m);
  assert.match(filled.err, /^Not filled: Naidoo Priya is not in the sheet\.$/m);
});

test("a mark has the decimal sign of its column, or else the one that goes with the separator", () => {
  for (const [line, value] of [
    ["1.1;Class;Test\nAdams;9.1;\nBen;9.1;7,5", "12,5"],
    ["1.1;Class;Test\nAdams;9.1;\nBen;9.1;", "12,5"],
    ["1.1;Class;1.1\nAdams;9,1;\nBen;9,1;7.5", "12.5"],
    ['Name,Total,Test\nAdams,"1,250",', "12.5"],
    ["Name\tTotal\tTest\nAdams\t7,5\t", "12,5"],
  ] as const) {
    const sheet = textSheets(Buffer.from(line));
    const [fitting] = sheet.filter(({ rows }) => rows[0]!.length === 3);
    assert.ok(fitting!.fill(2, new Map([[1, 12.5]])).includes(value), line);
  }
});

test("one column of a Moodle sheet is filled with percentages", async () => {
  const percentages = await succeeded(
    fill(["moodle.csv", moodle], "--with-proposals --percentage --json"),
  );
  const { filled } = JSON.parse(percentages.out);
  assert.deepEqual(filled[0], { learner: "Nomsa Adams", row: 2, value: 85, before: "-" });
  const [head, ...rest] = moodle.toString().split("\n");
  const changed = rest.map((line, row) =>
    line.replace(",-,", `,${["85", "75", "-", "85", "-"][row]},`),
  );
  assert.equal(percentages.bytes!.toString(), [head, ...changed].join("\n"));
});

const sheetIn = (parts: Map<string, string>) => parts.get("xl/worksheets/sheet1.xml")!;

test("one column of a SA-SAMS workbook is filled, and nothing changed but the results of formulas", async () => {
  const original = sasams();
  const filled = await succeeded(fill(["Term 4.xlsx", original], "--with-proposals --absent -1"));
  const [before, after] = [await partsOf(original), await partsOf(filled.bytes!)];
  const marks = (row: number, value: number) => `<c r="E${row}" s="1"><v>${value}</v></c>`;
  const filledIn = (xml: string) =>
    xml
      .replace('<c r="E4" s="1"/>', marks(4, 42.5))
      .replace('<c r="F5">', `${marks(5, 37.25)}<c r="F5">`)
      .replace('<c r="E6" s="1"/>', marks(6, -1))
      .replace('<c r="E7" s="1"/>', marks(7, 42.5));
  const calculation = '$&<calcPr fullCalcOnLoad="1"/>';
  for (const [name, xml] of before) {
    const changed = name === "xl/worksheets/sheet1.xml" ? filledIn(xml) : xml;
    const expected = changed
      .replaceAll("</f><v>0</v>", "</f>")
      .replace("</definedNames>", calculation);
    assert.equal(after.get(name), expected, name);
  }
  assert.deepEqual([...after.keys()], [...before.keys()]);
});

test("a workbook without styles and with prefixed names is filled", async () => {
  const plain = await succeeded(
    fill(["class.xlsx", plainWorkbook()], "--with-proposals --absent absent"),
  );
  const xml = sheetIn(await partsOf(plain.bytes!));
  assert.match(
    xml,
    /Adams, Nomsa Grace<\/x:t><\/x:is><\/x:c><x:c t="inlineStr"><x:is><x:t>9B<\/x:t><\/x:is><\/x:c><x:c r="D2"><x:v>42.5<\/x:v><\/x:c><\/x:row>/,
  );
  assert.match(xml, /<x:c r="D4" t="inlineStr"><x:is><x:t>absent<\/x:t><\/x:is><\/x:c>/);
  assert.doesNotMatch(xml, /D6/);
});

test("a cell for percentages gets a percentage as its hundredth, and no mark", async () => {
  const parts = Object.fromEntries(await partsOf(sasams()));
  const styles = parts["xl/styles.xml"]!;
  const custom = '<numFmts><numFmt numFmtId="164" formatCode="0.0%"/></numFmts><fonts';
  const literal = custom.replace("0.0%", "0.0&quot; %&quot;");
  const withFormat = (id: number, formats = "<fonts") =>
    zip({
      ...parts,
      "xl/styles.xml": styles
        .replace("<fonts", formats)
        .replace('numFmtId="2"', `numFmtId="${id}"`),
    });
  for (const [name, sheet, values] of [
    ["built-in.xlsx", withFormat(9), ["0.85", "0.75"]],
    ["custom.xlsx", withFormat(164, custom), ["0.85", "0.75"]],
    ["literal.xlsx", withFormat(164, literal), ["85", "75"]],
  ] as const) {
    const filled = await succeeded(fill([name, sheet], "--with-proposals --percentage"));
    const xml = sheetIn(await partsOf(filled.bytes!));
    const cells = [...xml.matchAll(/<c r="E[45]" s="1"><v>([^<]*)/g)];
    assert.deepEqual(column(cells, 1), values, name);
  }
  const { code, err } = await fill(["%.xlsx", withFormat(9)], "--with-proposals");
  assert.equal(code, 1);
  assert.match(err, /\(Nomsa Adams has a cell for percentages there: ask for percentages\)/);
});

test("a sheet is filled wherever the workbook has it", async () => {
  const parts = await partsOf(sheetOf('<row r="1"><c r="A1"/></row>'));
  const moved = [...parts].map(([name, xml]) => [
    name.replace("worksheets/sheet1", "one"),
    xml.replaceAll("worksheets/sheet1", "one"),
  ]);
  const [sheet] = workbookSheets(zip(Object.fromEntries(moved)));
  const filled = await partsOf(sheet!.fill(0, new Map([[0, 7]])));
  assert.match(filled.get("xl/one.xml")!, /<c r="A1"><v>7<\/v><\/c>/);
});

test("proposals are filled in only if they are asked for", async () => {
  const marked = markedClass();
  const { server, reference } = await marked;
  for (const [learner, question, mark] of [
    ["Nomsa Adams", "1.1", "20"],
    ["Nomsa Adams", "1.2", "21"],
    ["Naidoo Priya", "1.1", "20"],
  ] as const) {
    await succeeded(runResults(server, ["mark", reference, learner, question, mark]));
  }
  const { err, bytes } = await succeeded(fill(["decided.csv", moodle], "", marked));
  const [head, first, ...rest] = moodle.toString().split("\n");
  assert.equal(bytes!.toString(), [head, first!.replace(",-,", ",41,"), ...rest].join("\n"));
  assert.match(err, /^1 of 5 learners filled/m);
  for (const [name, count] of [
    ["Zoe van der Merwe", "2 marks"],
    ["Naidoo Priya", "1 mark"],
  ]) {
    const line = `Not filled: ${name} has ${count} in pencil, which --with-proposals fills in.`;
    assert.ok(err.split("\n").includes(line), line);
  }
});

test("the reason why a command fills nothing is in its message and its exit code", async () => {
  const otherLearners = Buffer.from("Surname,Plants\nMokoena,\n");
  const notAWord = /--absent takes a number or a word/;
  for (const [bytes, options, code, reason] of [
    [Buffer.alloc(0), "", 1, /t\.csv is empty\. Nothing was written/],
    [otherLearners, "", 1, /None of the 5 learners has a row and marks that are decided/],
    [otherLearners, "--absent =1+1", 2, notAWord],
    [otherLearners, "--absent -A1", 2, notAWord],
    [moodle, "--with-proposals --out t.csv", 1, /t\.csv already exists; nothing was overwritten/],
  ] as const) {
    const ended = await fill(["t.csv", bytes], options);
    assert.match(ended.err, reason);
    assert.deepEqual({ code: ended.code, out: ended.out }, { code, out: "" }, String(reason));
  }
});

const assertRejected = (bytes: Buffer, reason: RegExp, sheetName?: string) =>
  assert.throws(
    () =>
      fillSheet(bytes, { learners: [], wishes: { title: "Plants" }, sheetName, howTo: byFlags }),
    (error: Error) => error instanceof SheetError && reason.test(error.message),
  );

test("a sheet that cannot be filled is rejected with the reason", () => {
  const csv = (text: string) => Buffer.from(text);
  assertRejected(csv("a,b\n1,2\n"), /^has no heading such as “Student number”/);
  assertRejected(
    csv("Surname,Test\nAdams,\n"),
    /^has no columns called “Plants”.*“Surname”, “Test”/,
  );
  assertRejected(csv("Surname,Plants,Plants\nAdams,,\n"), /^has 2 columns called “Plants”/);
  assertRejected(workbook({ sheets: {} }), /^has no sheet that is shown$/);
  assertRejected(sasams(), /^has no sheet “X”, but “Term 4”, “Summary”/, "X");
  assertRejected(Buffer.from("d0cf11e0a1b11ae1", "hex"), /^has a password or is an old XLS file/);
  assertRejected(sasams().subarray(0, 2000), /^is damaged$/);
  assertRejected(Buffer.from("ffd8ffe000104a46", "hex"), /^is neither text nor an XLSX workbook$/);
  assertRejected(csv("%PDF-1.7\nSurname,Plants\n"), /^is neither text nor an XLSX workbook$/);
});

test("a hostile workbook is rejected with the reason", () => {
  const good = sasams();
  const flipped = Buffer.from(good);
  flipped[good.indexOf("xl/worksheets/sheet1.xml") + 60]! ^= 255;
  assertRejected(flipped, /^is damaged$/);
  assertRejected(zip({ "word/document.xml": "" }), /but no XLSX workbook$/);

  const rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>Surname</t></is></c></row>';
  assertRejected(declaringSize(65 * 1_048_576, sheetOf(rows)), /^unpacks to more than 64 MB$/);
  const entities = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>';
  assertRejected(sheetOf(`${entities}${rows}`), /^has XML that spreadsheet programs do not write/);
  assertRejected(sheetOf(`<row>${rows}</row>`), /^is damaged$/);
  assertRejected(sheetOf(rows.replaceAll("1", "20001")), /^has more than 20000 rows$/);
  assertRejected(sheetOf(rows.replaceAll("A1", "ZZZZZ1")), /^is damaged$/);
});

test("workbooks of many elements are read, or rejected as damaged", async () => {
  const { damaged, readable, unclosed } = floods(10_000);
  for (const bytes of damaged) assertRejected(bytes, /^is damaged$/);
  for (const bytes of readable) assert.deepEqual(workbookSheets(bytes)[0]!.rows, []);
  const filled = workbookSheets(unclosed)[0]!.fill(0, new Map([[0, 5]]));
  assert.match(sheetIn(await partsOf(filled)), /<c r="A1"><v>5<\/v><\/c>/);
});

const matched = (
  sheet: string[][],
  learners: { number?: string; isPlace?: boolean; name: string }[],
) => {
  const { columns } = findColumns(sheet, { title: "Test" });
  const known = learners.map((one) => ({ isPlace: false, ...one }));
  const { matches } = matchRows(sheet, columns!, known);
  return matches.map(({ match }) => ("reason" in match ? match.reason : match.row));
};

test("the row of a learner is found by number, then by name, unless two match or contradict", () => {
  const sheet = [
    ["Student number", "Name", "Surname", "Test"],
    ["0012", "Ann", "Botha"],
    ["13", "Ben", "Cele"],
    ["14", "Ben", "Cele"],
    ["15", "Di", "Evans"],
  ];
  assert.deepEqual(
    matched(sheet, [
      { number: "12", name: "Botha A." },
      { number: "13", name: "13" },
    ]),
    [1, 2],
  );
  assert.deepEqual(matched(sheet, [{ number: "7", name: "Évans, DI" }]), [4]);
  assert.deepEqual(matched(sheet, [{ name: "Cele Ben" }]), ["has 2 rows: 3, 4"]);
  assert.deepEqual(matched(sheet, [{ number: "12", name: "Farah Gumede" }]), [
    "has the number of row 2, which is 0012 Ann Botha",
  ]);
  assert.deepEqual(
    matched(sheet, [
      { number: "15", name: "Di Evans" },
      { number: "16", name: "Evans Di" },
    ]),
    ["shares row 5 with Evans Di", "shares row 5 with Di Evans"],
  );
  // A number that is the learner's position in the list of files identifies no row.
  assert.deepEqual(matched(sheet, [{ number: "15", isPlace: true, name: "Ann Botha" }]), [1]);
  assert.deepEqual(matched(sheet, [{ number: "12", isPlace: true, name: "x12" }]), [
    "is not in the sheet",
  ]);
});

test("a heading without words, such as #, is no blank one", () => {
  const head = ["#", "", "Who", "Test 1", "", "%"];
  for (const [wishes, marks] of [
    [{}, 3],
    [{ column: "%" }, 5],
  ] as const) {
    const { columns } = findColumns([head], { title: "Test 1", learner: "#", ...wishes });
    assert.deepEqual([columns?.numbers, columns?.names, columns?.marks], [[0], [0], marks]);
  }
});

test("text that is no heading names a column of the sheet or the one after it, none beyond", () => {
  const sheet = [
    ["Surname", "Test"],
    ["Adams", "", "late"],
  ];
  const found = (column: string) => findColumns(sheet, { title: "Plants", column });
  assert.equal(found("D").columns?.marks, 3);
  assert.match(found("PAT").missing!.reason, /^has no columns called “PAT”; name one of these/);
  const sections = [["Surname", "Section C", "Total"]];
  const { missing } = findColumns(sections, { title: "Plants", column: "C" });
  assert.match(missing!.reason, /^has 2 columns called “C”; name one/);
});
