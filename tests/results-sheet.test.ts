import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { readCsv } from "../app/results/read-csv.ts";
import { readSheet, sheetOf } from "../app/results/results-sheet.ts";
import { readText } from "../app/server/cli/results-io.ts";
import { csvLine } from "../app/server/results/csv.ts";
import { assertLinear } from "./support/assert-linear.ts";
import { columns } from "./support/columns.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { succeeded } from "./support/output-of.ts";
import { uploadSubmissions } from "./support/results.ts";
import { executable, newFolder, runCommand, setUpOnce } from "./support/server.ts";

runCommandsHere();

/** Fills cells of a CSV text, by their names in a spreadsheet, and writes it as a spreadsheet does. */
function filled(text: string, cells: Record<string, string>, separator: string) {
  const rows = readCsv(text);
  for (const [name, value] of Object.entries(cells)) {
    rows[Number(name.slice(1)) - 1]![name.charCodeAt(0) - "A".charCodeAt(0)] = value;
  }
  return rows
    .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator))
    .join("\r\n");
}

/** Two submissions with their template, and a function that writes it to `file` with marks filled in. */
const classToFill = setUpOnce(async (server) => {
  const names = ["2023001.txt", "=SUM(1).txt"];
  const reference = await uploadSubmissions(server, names);
  const run = (...args: string[]) => runCommand(server.folder, ["results", ...args]);
  const template = await succeeded(run("template", reference, "--questions", "3"));
  const file = path.join(server.folder, "marks.csv");
  const textWith = (separator: string) =>
    `\uFEFF${filled(template.out, validCells, separator)}\r\n`;
  const write = () => writeFileSync(file, textWith(";"));
  return { server, reference, run, template, file, textWith, write };
});

/** As a spreadsheet with a comma in numbers writes it; the third question stays unused. */
const validCells = {
  ...{
    B1: "Test 1",
    D2: "1.1",
    F2: "1.2",
    H2: "",
    D3: "Terms",
    F3: "Essay",
    D4: "7,5",
    F4: "52.5",
  },
  ...{ D7: "7,25", E7: '=1+1 is "right"; so\nis this', F7: "40", D8: "0", F8: "52,5" },
};

test("the template of a request has a row for each file and no formula", async () => {
  const { template } = await classToFill();
  assert.ok(template.out.startsWith("\uFEFFTitle,"));
  assert.doesNotMatch(template.out, /(^|,)"?=/m, "no cell is a formula");
  const rows = readCsv(template.out);
  assert.deepEqual(
    rows.slice(0, 6).map(([label]) => label),
    ["Title", "Question", "Description", "Out of", "Memo", "File"],
  );
  assert.deepEqual(rows[6]!.slice(0, 2), ["2023001.txt", "2023001"]);
  assert.equal(rows[7]![0], "=SUM(1).txt");
});

test("the cells of a sheet are separated by commas, semicolons or tabs", async () => {
  const { textWith } = await classToFill();
  const [, , , outOf, , , first] = readCsv(textWith(";"));
  assert.deepEqual([outOf![3], first![4]], [validCells.D4, validCells.E7]);
  for (const separator of [",", "\t"]) {
    assert.deepEqual(readCsv(textWith(separator)), readCsv(textWith(";")));
  }
});

test("a template that was filled in with a spreadsheet is imported", async () => {
  const { reference, run, write } = await classToFill();
  write();
  const imported = await succeeded(run("import", reference, "marks.csv"));
  assert.match(imported.out, /submissions 2 {2}average 83\.5%/);
  const { submissions } = JSON.parse((await run("show", reference, "--json")).out);
  assert.equal(submissions[0].questionMarks[0].feedback, '=1+1 is "right"; so\nis this');
  assert.deepEqual(columns(submissions, "studentName", "grade"), [
    ["2023001", 79],
    ["=SUM(1)", 88],
  ]);
});

test("results show prints the class, each learner and each question", async () => {
  const { reference, run, write } = await classToFill();
  write();
  await succeeded(run("import", reference, "marks.csv"));
  const text = await run("show", reference);
  assert.match(
    text.out,
    /^Test 1\n.*\nAll 4 marks are proposals, in pencil: .*\n.*\n {1,2}79% {2}2023001\.txt/,
  );
  assert.match(text.out, / {1,2}48% {2}1\.1 {2}Terms\n/);
});

test("importing a template with the marks of a class changes none of them", async () => {
  const { server, reference, run, write } = await classToFill();
  write();
  await succeeded(run("import", reference, "marks.csv"));
  const shown = JSON.parse((await run("show", reference, "--json")).out);
  for (const format of ["csv", "json"]) {
    const template = await succeeded(run("template", reference, "--format", format));
    writeFileSync(path.join(server.folder, `again.${format}`), template.out);
    // Without --replace, what the template leaves out would stay.
    await succeeded(run("import", reference, `again.${format}`, "--replace"));
    assert.deepEqual(JSON.parse((await run("show", reference, "--json")).out), shown, format);
  }
});

test("marks are imported from standard input, with a byte order mark or without", async () => {
  const { server, reference, run, file, write } = await classToFill();
  write();
  await succeeded(run("import", reference, "marks.csv"));
  const json = (await succeeded(run("template", reference, "--format", "json"))).out;
  const csv = readFileSync(file, "utf8").replace("\uFEFF", "");
  const inputs = [json, csv].flatMap((text) => [text, `\uFEFF${text}`]);
  for (const [index, average] of ["84%", "85%", "86%", "86.5%"].entries()) {
    // Each import gives the first learner another mark.
    const input = inputs[index]!.replace(/\b40\b/, `${41 + index}`);
    const piped = execFileSync(executable, ["results", "import", reference, "-"], {
      cwd: server.folder,
      input,
      stdio: ["pipe", "pipe", "ignore"],
    });
    assert.ok(`${piped}`.includes(`submissions 2  average ${average}`), `${piped}`);
  }
});

test("a file is read by its first separator, also below a line of one cell", () => {
  assert.deepEqual(readCsv("Class 8A\nNumber;1,5"), [["Class 8A"], ["Number", "1,5"]]);
});

test("an exported cell is read as it was, also with an apostrophe before a sign or a line break", () => {
  for (const text of ["-3", "'-3'", "''=1", "' @a", "a; '+1\n'-1", "\tGood", "'\n-3", "'"]) {
    assert.equal(readCsv(csvLine(["1", text]))[0]![1], text);
  }
});

/** A class with the template of a sheet for two questions, and a function that imports a sheet. */
const classWithTemplate = setUpOnce(async (server) => {
  const reference = await uploadSubmissions(server, ["a.txt", "b.txt"]);
  const run = (...args: string[]) => runCommand(server.folder, ["results", ...args]);
  const template = (await run("template", reference, "--questions", "2")).out;
  const importSheet = (text: string | Buffer) => {
    writeFileSync(path.join(server.folder, "marks.csv"), text);
    return run("import", reference, "marks.csv");
  };
  return { reference, run, template, importSheet };
});

test("every fault of a sheet is reported with its row and column", async () => {
  const { reference, run, template, importSheet } = await classWithTemplate();
  const questions = { F2: "1", D3: "Terms", F3: "Essay", D4: "10", F4: "5" };
  const marks = { D7: "11", F7: "2", A8: "c.txt", D8: "ten", F8: "2.1" };
  const rejected = await importSheet(filled(template, { ...questions, ...marks }, ";"));
  assert.equal(rejected.code, 1);
  for (const fault of [
    "row 1, column B: must not be empty",
    'row 2, column F: "1" appears twice',
    "row 7, column D: 11 is more than the question’s 10",
    'row 8, column A: "c.txt" is of no learner of the class',
    "row 8, column D: must be a number",
    "row 8, column F: must be in whole, half or quarter marks",
  ]) {
    assert.ok(rejected.err.includes(fault), `${fault}\n---\n${rejected.err}`);
  }
  assert.match(rejected.err, /errors; nothing was changed\.\n$/);
  assert.match((await run("show", reference)).err, /has no marks yet\. Mark it on the desk/);
});

test("a question without a number is one fault, however many learners have marks for it", async () => {
  const { template, importSheet } = await classWithTemplate();
  const questions = { B1: "Test 1", D3: "Terms", D4: "10", F2: "", F3: "Essay", F4: "5" };
  const { err } = await importSheet(filled(template, { ...questions, F7: "2", F8: "3" }, ";"));
  assert.equal(err.match(/must not be empty/g)!.length, 1, err);
  assert.match(err, /^row 2, column F: must not be empty\n/);
});

test("a template that was not filled in needs a title and questions", async () => {
  const { template, importSheet } = await classWithTemplate();
  const empty = await importSheet(template);
  for (const cell of ["1, column B", "3, column D", "3, column F", "4, column D", "4, column F"]) {
    assert.ok(empty.err.includes(`row ${cell}: `), `${cell}\n---\n${empty.err}`);
  }
  assert.match(empty.err, /5 errors/, "a mark may be missing: then none is proposed");
});

test("a file that is no sheet is rejected with the reason", async () => {
  const { importSheet } = await classWithTemplate();
  for (const [text, why] of [
    ["a,b\n", /row 1, column A: this cell must be “Title”/],
    [`"${"x".repeat(100_000)}`, /row 1, column A: /],
    [`Title${",".repeat(100_000)}`, /row 2, column A: /],
    ['Title\nQuestion\nDescription\n"Out of"\nFile\n', /^row 4: /m],
  ] as const) {
    const odd = await importSheet(text);
    assert.match(odd.err, why);
    assert.equal(odd.code, 1, odd.err);
    assert.ok(odd.err.length < 2000, odd.err);
  }
});

test("a sheet that is no text is rejected with the reason", async (t) => {
  const file = path.join(newFolder(t), "marks.csv");
  const zip = Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(2000, 0xfe)]);
  for (const [bytes, why] of [
    [Buffer.from("\uFEFFTitle,", "utf16le"), /it is not UTF-8; .* “CSV UTF-8”/],
    [zip, /it is not UTF-8/],
    [Buffer.alloc(0), /it is empty/],
  ] as const) {
    writeFileSync(file, bytes);
    await assert.rejects(readText(file, "CSV"), why);
  }
});

/** A sheet of ten learners and ten questions with texts that a spreadsheet might misread, and what is read from it. */
function readBack() {
  const texts = ['"', ",", ";", "\t", "a\r\nb", " x ", "'", "7,5", "é", "AA"];
  const written = {
    title: 'Test; 1, "two"',
    questions: texts.map((description, index) => ({
      questionNumber: `${index + 1}`,
      description: `${description}!`,
      totalMarks: index + 0.25,
      memo: `${description}!`,
    })),
    submissions: texts.map((text, learner) => ({
      fileName: `${learner}${text}!.txt`,
      studentName: `L ${text}!`,
      feedback: `${text}!`,
      questionMarks: texts.map((_, index) => ({
        questionNumber: `${index + 1}`,
        marksAwarded: learner / 4,
        feedback: "",
        ...(learner === index && { unsure: true as const }),
      })),
    })),
  };
  const quoted = sheetOf(written)
    .map((row) => row.map((cell) => `"${String(cell ?? "").replaceAll('"', '""')}"`).join(","))
    .join("\n");
  return { written, read: readSheet(readCsv(quoted)) };
}

test("a sheet that is written is read the same, whatever its texts are", () => {
  const { written, read } = readBack();
  const trimmed = JSON.parse(JSON.stringify(written), (name, value) =>
    typeof value === "string" && name !== "feedback" ? value.trim() : value,
  );
  assert.deepEqual(read.json, trimmed);
});

test("the place of a mark or a reason in a sheet is its row and column", () => {
  const { placeOf } = readBack().read;
  assert.equal(placeOf!("submissions[9].questionMarks[9].feedback"), "row 16, column W");
  assert.equal(placeOf!("submissions[0].questionMarks[0].marksAwarded"), "row 7, column D");
});

test("sheets of quotes or of blank rows are read in time that grows no faster than their length", () => {
  assertLinear(
    (size) => `${'"'.repeat(20 * size)}\nx;y`,
    (sheet) => assert.equal(readCsv(sheet).length, 2),
  );
  const head = "Title;Test\nQuestion\nDescription\nOut of\nFile\n";
  const blank = { title: "Test", questions: [], submissions: [] };
  assertLinear(
    (size) => head + "\n".repeat(20 * size),
    (sheet) => assert.deepEqual(readSheet(readCsv(sheet)).json, blank),
  );
});
