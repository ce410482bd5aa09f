/** Filled sheets as LibreOffice opens them, and one that is too large. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { textSheets } from "../../app/server/results/text-sheet.ts";
import { workbookSheets } from "../../app/server/results/workbook.ts";
import {
  blackboard,
  floods,
  its,
  moodle,
  plainWorkbook,
  sasams,
  workbook,
} from "../support/school-sheets.ts";

const skip = spawnSync("soffice", ["--version"]).error ? "needs LibreOffice Calc" : false;
const folder = mkdtempSync(path.join(tmpdir(), "school-sheet-"));
after(() => rmSync(folder, { recursive: true }));

/**
 * Converts a file. Returns the texts of the files it becomes, one for each sheet of a CSV.
 * @param to the new format
 * @param from the filter that reads the file; default: LibreOffice chooses it
 */
function converted(name: string, bytes: Buffer, to: string, from?: string): Buffer[] {
  writeFileSync(path.join(folder, name), bytes);
  const out = path.join(folder, "out");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const filter = from ? [`--infilter=${from}`] : [];
  const args = [profile, "--headless", ...filter, "--convert-to", to, "--outdir", out, name];
  execFileSync("soffice", args, { cwd: folder, stdio: "pipe", timeout: 120_000 });
  return readdirSync(out).map((file) => readFileSync(path.join(out, file)));
}

/** The export to CSV with all cells in quotes and a file for each sheet. */
const csv = "csv:Text - txt - csv (StarCalc):9,34,76,1,,0,true,true,false,false,false,-1";

const cellsOf = (text: Buffer) =>
  text
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));

/** The columns in which two sheets differ. */
function differingColumns(before: Buffer, after: Buffer): number[] {
  const [old, now] = [cellsOf(before), cellsOf(after)];
  assert.equal(now.length, old.length);
  const columns = now.flatMap((row, at) =>
    row.flatMap((cell, column) => (cell === (old[at]![column] ?? '""') ? [] : [column])),
  );
  return [...new Set(columns)];
}

const values = new Map<number, number | string>([
  [3, 37.25],
  [4, "AB"],
]);
/** The filter that reads a text. Both numbers are LibreOffice's. */
const readAsText = (separator: number, encoding: number) => `CSV:${separator},34,${encoding},1`;
/** The indexes of the separators in what `textSheets` returns. */
const [tab, semicolon, comma] = [0, 1, 2];

for (const [name, bytes, filter, separator, column] of [
  ["blackboard.csv", blackboard, readAsText(9, 65_535), tab, 7],
  ["its.csv", its, readAsText(59, 1), semicolon, 4],
  ["moodle.csv", moodle, readAsText(44, 76), comma, 4],
] as const) {
  test(`${name} opens with one column changed`, { skip }, () => {
    const filled = textSheets(bytes)[separator]!.fill(column, values);
    const open = (file: Buffer) => converted(name, file, csv, filter);
    const [[before], [after]] = [open(bytes), open(filled)];
    assert.deepEqual(differingColumns(before!, after!), [column]);
    assert.match(after!.toString(), /37[.,]25[\s\S]*"AB"/);
  });
}

const byLibreOffice = () => converted("source.xlsx", sasams(), "xlsx")[0]!;
// The columns that differ, by sheet in the order of names: the filled one, and formulas, whose results change. The
// formulas themselves are compared below.
for (const [name, make, columns] of [
  ["plain.xlsx", plainWorkbook, [[3]]],
  ["sasams.xlsx", sasams, [[1], [4, 5]]],
  ["libreoffice.xlsx", byLibreOffice, [[1], [4, 5]]],
] as const) {
  test(`${name} opens with nothing changed but one column and results of formulas`, {
    skip,
  }, () => {
    const bytes = make();
    const filled = workbookSheets(bytes)[0]!.fill(columns.at(-1)![0]!, values);
    const [before, ...otherBefore] = converted(name, bytes, csv);
    const [after, ...otherAfter] = converted(name, filled, csv);
    const sheets = [before!, ...otherBefore].map((one, at) =>
      differingColumns(one, [after!, ...otherAfter][at]!),
    );
    assert.deepEqual(sheets, columns);
    assert.match([after, ...otherAfter].join(), /37\.25[\s\S]*"AB"/);

    const looks = (file: Buffer) =>
      converted(name, file, "fods")[0]!
        .toString()
        .match(
          /table:protected="true"|number-columns-spanned="\d+"|style:column-width="[^"]+"|style:row-height="[^"]+"|table:condition="[^"]+"|table:formula="[^"]+"|fo:background-color="[^"]+"/g,
        );
    assert.deepEqual(looks(filled), looks(bytes));
  });
}

test("formulas over the filled column are calculated when the workbook is opened", { skip }, () => {
  for (const [name, bytes] of Object.entries({ sasams: sasams(), libreOffice: byLibreOffice() })) {
    const filled = workbookSheets(bytes)[0]!.fill(4, values);
    const sheets = converted("calculated.xlsx", filled, csv).join();
    // The percentage of the learner, the average of the class, and the same on the other sheet.
    for (const calculated of [/37\.25\t74\.5/, /"Average"\t37\.25/, /"Class"\t37\.25/])
      assert.match(sheets, calculated, name);
  }
});

test("a workbook with more than a million texts is rejected", () => {
  const sheets = { One: "<worksheet><sheetData/></worksheet>" };
  const strings = `<sst>${"<si/>".repeat(1_000_001)}</sst>`;
  const bytes = workbook({ sheets, strings });
  assert.throws(() => workbookSheets(bytes), { message: "has more than 1000000 texts" });
});

test("reading a workbook takes time linear in its length", () => {
  const secondsFor = (count: number) => {
    const { damaged, readable, unclosed } = floods(count);
    const before = process.cpuUsage();
    for (const bytes of damaged) {
      assert.throws(() => workbookSheets(bytes), { message: "is damaged" });
    }
    for (const bytes of readable) assert.deepEqual(workbookSheets(bytes)[0]!.rows, []);
    workbookSheets(unclosed)[0]!.fill(0, new Map([[0, 5]]));
    return process.cpuUsage(before).user / 1e6;
  };
  // The minimum of several runs, because compilation and garbage collection count as CPU time too.
  const minSecondsFor = (count: number) =>
    Math.min(...Array.from({ length: 3 }, () => secondsFor(count)));
  secondsFor(10_000);
  const ratio = minSecondsFor(100_000) / minSecondsFor(10_000);
  assert.ok(ratio < 30, `ten times as much takes ${ratio} times the CPU`);
});
