/** The way of paper: a class is printed, scanned at three resolutions, tilted and turned, and cut on both engines. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { readScan, renderPdf } from "../../app/desk/render-file.ts";
import { columns } from "../support/columns.ts";
import { hostilePdfs } from "../support/hostile-pdfs.ts";
import { succeeded } from "../support/output-of.ts";
import { codePage, type Leaf, type Lying, readAnswer, scanOf } from "../support/paper.ts";
import { classOnPaper } from "../support/paper-class.ts";
import { pdfOfPages } from "../support/pdf-bytes.ts";
import { newDatabase, queryPostgres } from "../support/postgres.ts";
import { uploadSubmissions } from "../support/results.ts";
import { newFolder, runCommand, startServer } from "../support/server.ts";

const learners = 10;
const pagesPerScript = 3;
/** Learner 4 was absent, the sheet of 6 is missing, that of 8 is there twice, and 99 is not in the class. */
const absent = 4;
const missing = 6;
const twice = 8;

const numbers = Array.from({ length: learners }, (_, index) => String(index + 1));
const turns = [0, 90, 180, 270] as const;

/** The leaves of a learner lie alike, each tilted a little in its own way. */
const lyingOf = (learner: number, page: number): Lying => ({
  turned: turns[learner % turns.length]!,
  tilted: ((learner * 7 + page * 3) % 9) - 4,
});

function stackOf(): Leaf[] {
  const stack: Leaf[] = [["early", { tilted: 1 }]];
  for (const number of numbers.map(Number)) {
    const leaves = Array.from({ length: pagesPerScript }, (_, page): Leaf => {
      const isBlank = number === 2 && page === 1;
      return [isBlank ? "_" : `${number}.${page + 1}`, lyingOf(number, page)];
    });
    if (number !== missing) stack.push([`#${number}`, lyingOf(number, 5)]);
    if (number !== absent) stack.push(...leaves);
    if (number === twice) stack.push([`#${twice}`, lyingOf(1, 1)], ["extra", lyingOf(1, 2)]);
  }
  return [...stack, "#99", "99.1"];
}

/** What every page must become: its answer, upright, in a script; or a problem page. */
const wanted = {
  scripts: numbers
    .map(Number)
    .filter((number) => number !== absent && number !== missing)
    .flatMap((number) =>
      Array.from({ length: pagesPerScript }, (_, page) =>
        number === 2 && page === 1
          ? `${number}.pdf: blank`
          : `${number}.pdf: ${number}.${page + 1} upright`,
      ),
    ),
  problems: ["early", "6.1", "6.2", "6.3", "extra", "no answer", "99.1"],
};

/** Reads each stored page of a scan: the name of its file, and its answer, if it has one. */
async function readStoredPages(query: (sql: string) => Promise<object[]>) {
  const pages = (await query(
    "SELECT name, page_images.bytes FROM page_images JOIN uploaded_files ON uploaded_files.id = file_id WHERE field = 'scannedPages' ORDER BY file_id, page",
  )) as { name: string; bytes: Buffer }[];
  const read: { name: string; answer: Awaited<ReturnType<typeof readAnswer>> }[] = [];
  for (const { name, bytes } of pages)
    read.push({ name, answer: await readAnswer(Buffer.from(bytes)) });
  return read;
}

/** Asserts what each page of a scanned stack becomes on a server with these settings. Returns the bytes of the scan. */
async function cutOn(t: TestContext, env: Record<string, string>, dpi: number) {
  const folder = newFolder(t);
  const server = await startServer(t, { folder, env });
  const reference = await uploadSubmissions(server, ["class.txt"], { renders: true });
  const run = (...args: string[]) =>
    succeeded(runCommand(folder, args, { ...env, RUBRICON_PUBLIC_URL: server.url }));
  const rows = (all: string[]) => ["Number,Name", ...all.map((one) => `${one},Name ${one}`)];
  writeFileSync(path.join(folder, "list.csv"), rows(numbers).join("\n"));
  writeFileSync(path.join(folder, "printed.csv"), rows([...numbers, "99"]).join("\n"));
  await run("class", "list", reference, "list.csv", "--add", "--only");
  await run("class", "sheets", "printed.csv", "--out", "sheets.pdf");
  const sheets = readFileSync(path.join(folder, "sheets.pdf"));
  const scan = await scanOf(stackOf(), { sheets, numbers: [...numbers, "99"], dpi });
  writeFileSync(path.join(folder, "scan.pdf"), scan);
  const split = await run("class", "split", reference, "scan.pdf", "--json");
  assert.match(split.err, /No cover sheet was found for: 6\./);
  const report = JSON.parse(split.out);
  const { missing: notFound, double, unknown, withoutPages, blank } = report;
  assert.deepEqual(
    { notFound, double, unknown, withoutPages },
    { notFound: ["6"], double: ["8"], unknown: ["99"], withoutPages: ["4"] },
  );
  assert.equal(blank.length, 1, "the blank page is listed");
  const url = env.RUBRICON_DATABASE_URL;
  const query = (sql: string) => (url ? queryPostgres(url, sql) : server.query(sql));
  const found = { scripts: [] as string[], problems: [] as string[] };
  for (const { name, answer } of await readStoredPages(query)) {
    if (name.startsWith("scan page")) found.problems.push(answer?.name ?? "no answer");
    else if (!answer) found.scripts.push(`${name}: blank`);
    else
      found.scripts.push(
        `${name}: ${answer.name} ${answer.turned === 0 ? "upright" : answer.turned}`,
      );
  }
  assert.deepEqual(found, wanted);
  const count = async () => (await query("SELECT id FROM uploaded_files")).length;
  const before = await count();
  await run("class", "split", reference, "scan.pdf");
  assert.equal(await count(), before, "the same scan is stored once");
  return scan.length;
}

for (const dpi of [100, 150, 200]) {
  test(`a class scanned at ${dpi} dpi: every page is right or listed`, async (t) => {
    const bytes = await cutOn(t, {}, dpi);
    t.diagnostic(`${(bytes / 1_048_576).toFixed(1)} MB`);
  });
}

test("a class scanned at 150 dpi on PostgreSQL: every page is right or listed", async (t) => {
  await cutOn(t, { RUBRICON_DATABASE_URL: await newDatabase(t) }, 150);
});

test("class split rejects a scan that cannot be cut, and --pages out of its range, with the reason", async (t) => {
  const { server, reference, run, inFolder, scan } = await classOnPaper(await startServer(t));
  await scan("plain.pdf", ["a", "b", "c"]);
  writeFileSync(inFolder("text.pdf"), "no PDF");
  const rejected: [args: string[], code: number, says: RegExp][] = [
    [["plain.pdf"], 1, /plain\.pdf has no cover sheet that can be read; nothing was stored/],
    [["text.pdf"], 1, /text\.pdf: is damaged\. Nothing was stored\./],
    [["none.pdf"], 1, /none\.pdf cannot be read: it does not exist/],
    [["plain.pdf", "--pages", "1000"], 2, /It must be a whole number from 1 to 999\./],
  ];
  for (const [args, code, says] of rejected) {
    const { code: actual, err } = await run("class", "split", reference, ...args);
    assert.match(err, says);
    assert.equal(actual, code, err);
  }
  assert.deepEqual(await server.query("SELECT 1 FROM scans"), []);
});

test("--pages cuts a scan without cover sheets, and says which pages are left over", async (t) => {
  const { reference, run, scan } = await classOnPaper(await startServer(t));
  await scan("plain.pdf", ["a", "b", "c"]);
  const cut = await succeeded(run("class", "split", reference, "plain.pdf", "--pages", "2"));
  assert.equal(cut.out, "new  plain pages 1 to 2  2 pages\n");
  assert.match(cut.err, /plain\.pdf page 3 is left over/);
  await scan("short.pdf", ["a"]);
  const single = await run("class", "split", reference, "short.pdf", "--pages", "1");
  assert.equal(single.out, "new  short page 1  1 page\n");
});

test("a hostile or damaged scan fails with its reason", async () => {
  const reasons = {
    flateInFlate: "needs more memory than one script may use (page 1).",
    nestedForms: "needs more memory than one script may use (page 1).",
    manyPages: "has 50,000 pages, and at most 2,000 are shown.",
    circularTree: "is damaged (page 1).",
    halfFile: "is damaged.",
    encrypted: "is protected by a password; ask for it without.",
  };
  for (const [name, failed] of Object.entries(reasons)) {
    const bytes = hostilePdfs[name as keyof typeof reasons]();
    assert.deepEqual(await readScan(bytes), { failed }, name);
  }
});

test("a code is a cover sheet's only if a learner can have its number", async () => {
  const sheets = ["1", "2024/3", "", "1\u001b[31m", "\u202e1", "1".repeat(21)];
  const codes = [
    ...sheets.map((number) => `cover-sheet:${encodeURIComponent(number)}`),
    "cover-sheet:%",
    "https://site.example/1",
  ];
  const { pages } = await readScan(pdfOfPages(await Promise.all(codes.map(codePage))));
  const [one, two, ...others] = pages!.map(({ sheetNumber }) => sheetNumber);
  assert.deepEqual([one, two], ["1", "2024/3"]);
  assert.deepEqual(new Set(others), new Set([null]));
});

/** A filled arch over a line from this point, twice the radius long. */
const blot = (x: number, y: number, radius: number) =>
  `${x} ${y} m ${x} ${y + 2 * radius} ${x + 2 * radius} ${y + 2 * radius} ${x + 2 * radius} ${y} c ${x} ${y} l f`;

/** Words of small loops, as thin as a ballpoint pen writes. */
const writing = (x: number, y: number) =>
  Array.from({ length: 30 }, (_, stroke) => {
    const left = x + stroke * 5 + Math.floor(stroke / 5) * 9;
    return `0.6 w ${left} ${y} m ${left} ${y + 10} ${left + 5} ${y + 10} ${left + 5} ${y} c S`;
  }).join(" ");

/** What lies on a clean sheet, in points from the lower left corner. */
const unwritten = {
  nothing: "",
  tick: "1.5 w 60 280 m 66 271 l 95 312 l S",
  cross: "1.5 w 54 268 m 80 294 l S 80 268 m 54 294 l S",
  holes: [81, 308, 534, 761].map((y) => blot(25, y, 8.5)).join(" "),
  staple: "1.4 w 30 800 m 58 778 l S 0.7 G 3 w 31 797 m 60 775 l S",
  dirt: Array.from({ length: 400 }, (_, speck) =>
    blot((speck * 149) % 595, (speck * 373) % 842, 0.3 + (speck % 5) / 6),
  ).join(" "),
};
const written = {
  middle: writing(90, 420),
  "beside the upper code": writing(230, 720),
  "beside the lower code": writing(70, 110),
  "under the name": writing(90, 535),
};

for (const dpi of [100, 200]) {
  test(`writing on a cover sheet is told from ticks, holes, staples and dirt at ${dpi} dpi`, async () => {
    const names = ["Zanele One", "Thandiwe Nkosazana van der Merwe"];
    const numbers = ["2026001", "2"];
    const parts = numbers.map((number, index) => ({ sheet: { number, name: names[index]! } }));
    const sheets = (await renderPdf(parts))!;
    const all = Object.entries({ ...unwritten, ...written });
    const leaves = numbers.flatMap((number) =>
      all.map(([what, drawn], index): [what: string, leaf: Leaf] => [
        `${what}, ${number}`,
        [`#${number}`, { tilted: (index % 3) * 3 - 3, turned: turns[index % 4]! }, drawn],
      ]),
    );
    const stack = leaves.map(([, leaf]) => leaf);
    const { pages } = await readScan(await scanOf(stack, { sheets, numbers, dpi }));
    const found = leaves.filter((_, index) => pages![index]!.isWrittenOn).map(([what]) => what);
    assert.deepEqual(
      found,
      numbers.flatMap((number) => Object.keys(written).map((what) => `${what}, ${number}`)),
    );
  });
}

/** The code of learner 4's cover sheet, as a copy shows it on another page. */
const copiedSheet = async () => `1 0 0 1 -150 -190 cm ${(await codePage("cover-sheet:4")).content}`;

test("cover sheets are not printed for a request that does not exist", async (t) => {
  const { run, inFolder } = await classOnPaper(await startServer(t));
  const args = ["list.csv", "--out", "x.pdf", "--for", "ABCD-EFGH-JKMN"];
  const { code, err } = await run("class", "sheets", ...args);
  assert.equal(code, 1, err);
  assert.match(err, /There is no request ABCD-EFGH-JKMN/);
  assert.ok(!existsSync(inFolder("x.pdf")));
});

test("among cover sheets with the number of a class, one without it is another class's", async (t) => {
  const { reference, run, inFolder } = await classOnPaper(await startServer(t));
  await succeeded(run("class", "sheets", "list.csv", "--out", "own.pdf", "--for", reference));
  const sheets = readFileSync(inFolder("own.pdf"));
  const numbers = ["1", "2", "2024/3", "4"];
  const copied = await copiedSheet();
  const stack: Leaf[] = ["#1", "1a", ["1b", {}, copied], "#2", "2a", "#2024/3", "3a"];
  writeFileSync(inFolder("own-scan.pdf"), await scanOf(stack, { sheets, numbers, dpi: 150 }));
  const { problems, scripts, missing } = JSON.parse(
    (await run("class", "split", reference, "own-scan.pdf", "--json")).out,
  );
  assert.deepEqual(columns(problems, "page", "reason"), [
    [3, "is under a cover sheet of another class"],
  ]);
  assert.deepEqual([scripts.length, missing], [3, ["4"]]);
  const { pages } = await readScan(readFileSync(inFolder("own-scan.pdf")));
  assert.match(pages![0]!.classNumber!, /^[\da-f]{8}$/);
});

test("among cover sheets without the number of a class, one more may have writing on it", async (t) => {
  const { reference, run, scan } = await classOnPaper(await startServer(t));
  await scan("plain-scan.pdf", ["#4", "4a", ["4b", {}, await copiedSheet()]]);
  const plain = await run("class", "split", reference, "plain-scan.pdf", "--json");
  assert.deepEqual(columns(JSON.parse(plain.out).problems, "page", "reason"), [
    [3, "is the cover sheet of learner 4, and may have writing on it"],
  ]);
});
