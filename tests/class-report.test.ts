import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import { parse } from "yaml";
import { brandSchema } from "../app/domain/brand-file.ts";
import type { Results } from "../app/domain/result.ts";
import { lossOf, questionReports, sortedIndexes } from "../app/results/class-report.ts";
import { resultsOf } from "../app/results/import-over.ts";
import { pointReports, sentenceOfPoint } from "../app/results/point-report.ts";
import { validateResultsFile } from "../app/results/results-file.ts";
import { downloadOf } from "../app/server/results/marks-files.ts";
import { once } from "../app/server/system/once.ts";
import { column, columns } from "./support/columns.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { parseCsv } from "./support/csv.ts";
import { cellsOf, textOf } from "./support/html-forms.ts";
import { publishClass } from "./support/results.ts";
import { decidedSample, sampleText } from "./support/sample.ts";
import { sendRequest } from "./support/send-request.ts";
import { newFolder, sharedServer, startServer } from "./support/server.ts";

runCommandsHere();

interface MadeClass {
  title: string;
  questions: { questionNumber: string; description: string; totalMarks: number }[];
  submissions: {
    fileName: string;
    studentName: string;
    feedback: string;
    questionMarks: { questionNumber: string; marksAwarded: number }[];
  }[];
}

/** A class with these totals by question; marks are a share of them, in quarters. */
function madeClass(
  totals: number[],
  names: string[],
  shareOf: (learner: number, question: number) => number,
): MadeClass {
  return {
    title: "Grade 11 Mathematics: test 2",
    questions: totals.map((totalMarks, index) => ({
      questionNumber: `${index + 1}.1`,
      description: "Simplify, and give a reason",
      totalMarks,
    })),
    submissions: names.map((fileName, learner) => ({
      fileName,
      studentName: `Learner ${learner + 1}`,
      feedback: "Well begun, and half done.",
      questionMarks: totals.map((total, question) => ({
        questionNumber: `${question + 1}.1`,
        marksAwarded: Math.round(total * 4 * shareOf(learner, question)) / 4,
      })),
    })),
  };
}

/** The HTML of a page of the server of this file. */
async function pageAt(address: string): Promise<string> {
  const { url } = await sharedServer();
  return (await sendRequest(url, address.replace("#demo", ""))).bytes.toString();
}

/** A repeatable number from 0 to 1. */
const scattered = (learner: number, question: number) =>
  ((learner * 7919 + question * 104729 + 13) % 101) / 100;

/** Every figure of a class, counted from the JSON in whole quarters, without the program's code. */
function recount({ questions, submissions }: MadeClass) {
  const total = questions.reduce((sum, one) => sum + one.totalMarks * 4, 0);
  const round = (above: number, below: number) => Math.floor((2 * above + below) / (2 * below));
  const learners = submissions.map(({ studentName, questionMarks }) => {
    const quarters = questionMarks.reduce((sum, one) => sum + one.marksAwarded * 4, 0);
    const grade = round(quarters * 100, total);
    const level = [30, 40, 50, 60, 70, 80].filter((min) => grade >= min).length + 1;
    return { studentName, awarded: quarters / 4, grade, level };
  });
  const grades = learners.map(({ grade }) => grade).sort((one, other) => one - other);
  const middle = grades.length >> 1;
  const median =
    grades.length % 2 === 1 ? grades[middle]! : (grades[middle - 1]! + grades[middle]!) / 2;
  const bars = questions.map(({ questionNumber, totalMarks }) => {
    const marks = submissions.map(
      (one) =>
        one.questionMarks.find((mark) => mark.questionNumber === questionNumber)!.marksAwarded,
    );
    const quarters = marks.reduce((sum, mark) => sum + mark * 4, 0);
    return {
      questionNumber,
      percentage: round(quarters * 100, totalMarks * 4 * marks.length),
      share: quarters / totalMarks,
      full: marks.filter((mark) => mark === totalMarks).length,
      lessThanHalf: marks.filter((mark) => mark * 2 < totalMarks).length,
      none: marks.filter((mark) => mark === 0).length,
    };
  });
  const average = grades.reduce((sum, grade) => sum + grade, 0) / grades.length;
  return { total: total / 4, learners, median, bars, average };
}

for (const [who, size, totals, shareOf] of [
  ["a class out of 60", 8, [7.5, 12.5, 40], scattered],
  ["a class with half of all marks", 8, [60, 40], () => 0.5],
] as const) {
  test(`the figures of ${who} are those counted from the file`, async () => {
    const server = await sharedServer();
    let made: MadeClass | undefined;
    const link = await publishClass(server, size, (names) => {
      made = madeClass([...totals], names, shareOf);
      return made;
    });
    await compareFigures(link, made!);
  });
}

const oneDecimal = (average: number) => `${Math.round(average * 10) / 10}%`;

/** Compares the page and the CSV behind a link with the file that was published. */
async function compareFigures(link: string, made: MadeClass): Promise<void> {
  const { total, learners, median, bars, average } = recount(made);
  const html = await pageAt(link);

  const figures = [...html.matchAll(/<dd><b class="figures">(.*?)<\/b>/g)].map(([, one]) => one);
  assert.deepEqual(figures, [oneDecimal(average), `${median}%`, `${learners.length}`]);
  assert.equal(html.split("<circle").length - 1, learners.length, "a dot for each learner");

  const grid = /<table class="grid">.*?<\/table>/s.exec(html)![0];
  const rows = [...grid.matchAll(/<tr>(.*?)<\/tr>/gs)]
    .slice(1)
    .map(([, row]) =>
      cellsOf(
        row!.replaceAll(
          / (decided|in pencil|proposed|proposed, look here first|with a mark to look at first)<|\?</g,
          "<",
        ),
      ),
    );
  assert.equal(rows.length, learners.length);
  for (const [index, { studentName, awarded, grade, level }] of learners.entries()) {
    const row = rows.find(([name]) => name === studentName)!;
    const marks = made.submissions[index]!.questionMarks.map((one) => `${one.marksAwarded}`);
    const sum = total === 50 ? [] : [`${awarded}`];
    // Each mark is shown out of 50, and beside it the sum, if that is out of another total.
    const outOf50 = total === 50 ? awarded : grade / 2;
    assert.deepEqual(row, [studentName, `${outOf50}`, ...marks, ...sum, `${grade}%`, `${level}`]);
  }

  const items = [...html.matchAll(/<li class="flush( lowest)?"><span class="question">.*?<\/li>/g)];
  const shares = bars.map(({ share }) => share);
  const hasLowest = shares.some((share) => share !== shares[0]);
  for (const [index, { percentage, share, full, lessThanHalf, none }] of bars.entries()) {
    const [item, isLowest] = items[index]!;
    assert.ok(item.includes(`<b class="figures">${percentage}%</b>`), item);
    const counts = `Full marks: ${full}. Less than half: ${lessThanHalf}. None: ${none}.`;
    assert.ok(textOf(item).includes(counts), item);
    assert.equal(Boolean(isLowest), hasLowest && share === Math.min(...shares), item);
  }

  const marksUrl = /href="(\/api\/results\/[^"]*\/marks)"/.exec(html)![1]!;
  const csv = parseCsv(await pageAt(marksUrl));
  assert.deepEqual(
    csv.map((row) => [row.Learner, row[`Total (of ${total})`], row.Percentage, row.Level]),
    learners.map((one) => [one.studentName, `${one.awarded}`, `${one.grade}`, `${one.level}`]),
  );
}

const sample: MadeClass = decidedSample();

test("the figures of the sample are those counted from its file", async () => {
  await compareFigures("/?results=sample", sample);
});

test("the finding of the sample compares the questions with the most and the fewest marks", async () => {
  const html = await pageAt("/?results=sample");
  const { learners, bars } = recount(sample);
  const withHalf = (number: string) =>
    learners.length - bars.find((bar) => bar.questionNumber === number)!.lessThanHalf;
  const finding = /<p class="margin-note pencil plain">(.*?)<\/p>/.exec(html)![1]!;
  assert.equal(
    finding,
    `${withHalf("2.1")} of 30 have at least half of the marks for “Define diffusion, osmosis and active transport” (2.1), but only ${withHalf("2.3")} of 30 for “Explain with osmosis why the potato gained and lost mass” (2.3).`,
  );
});

test("on the page of the sample each mark that its educator has decided is in red", async () => {
  const html = await pageAt("/?results=sample");
  const decided: { marks: number }[] = JSON.parse(sampleText("decisions.json"));
  const red = [...html.matchAll(/<ins>([\d.]+)<\/ins>/g)].map(([, mark]) => Number(mark));
  assert.deepEqual(red, column(decided, "marks"));
});

test("the questions of the sample have the marks of its paper", () => {
  const paper = sampleText("questions.txt");
  for (const { questionNumber, totalMarks } of sample.questions) {
    const [, section] = paper.split(new RegExp(`^(?:QUESTION )?${questionNumber}\\b`, "m"));
    const own = section!.split(/^(?:QUESTION|\d\.\d) /m)[0]!;
    const parts = [...own.matchAll(/\((\d+)(?: marks)?\)/g)].map(([, marks]) => Number(marks));
    const sum = parts.reduce((all, marks) => all + marks, 0);
    assert.equal(sum, totalMarks, questionNumber);
  }
});

test("of a question of which no learner has half, the finding says none", async () => {
  const made = (names: string[]) => madeClass([20, 30], names, (_, question) => 1 - question);
  const page = await pageAt(await publishClass(await sharedServer(), 2, made));
  assert.match(page, /2 of 2 have at least half .* \(1\.1\), but none for “.*” \(2\.1\)\./);
});

test("the finding compares shares of the learners who have a mark", async () => {
  const best = [10, 10, 10, 10, 1, 1];
  const worst = [7, 7, 7, 3];
  const link = await publishClass(await sharedServer(), 6, (names) => ({
    title: "Shares",
    questions: ["1", "2"].map((questionNumber) => ({
      questionNumber,
      description: `Text ${questionNumber}`,
      totalMarks: 10,
    })),
    submissions: names.map((fileName, learner) => ({
      fileName,
      questionMarks: [best[learner], worst[learner]].flatMap((marksAwarded, index) =>
        marksAwarded === undefined ? [] : { questionNumber: `${index + 1}`, marksAwarded },
      ),
    })),
  }));
  assert.match(await pageAt(link), />3 of 4 have at least half of the marks for “Text 2” \(2\)\./);
});

test("the picture of a class on home is the sample", async () => {
  const [picture] = /<svg class="class-picture".*?<\/svg>/s.exec(await pageAt("/"))!;
  const { learners, bars, average } = recount(sample);
  assert.equal(picture.split("<circle").length - 1, learners.length, "a dot for each learner");
  const texts = [...picture.matchAll(/<text[^>]*>(.*?)<\/text>/gs)].map(([, text]) =>
    text!.replace(/<!-- -->/g, ""),
  );
  const lowest = Math.min(...bars.map(({ share }) => share));
  assert.deepEqual(texts, [
    `average ${oneDecimal(average)}`,
    ...bars.flatMap(({ questionNumber, percentage, share }) => [
      questionNumber,
      `${percentage}%`,
      ...(share === lowest ? ["teach again"] : []),
    ]),
  ]);
});

const marked = (name: string, grade: number, ...marks: [awarded: number, total: number][]) => ({
  studentName: name,
  fileName: `${name}.txt`,
  grade,
  feedback: "",
  questionMarks: marks.map(([marksAwarded, totalMarks], index) => ({
    questionNumber: `${index + 1}`,
    description: "",
    totalMarks,
    marksAwarded,
    feedback: "",
  })),
});

const threeMarked = [
  marked("Learner 10", 50, [1, 4], [3, 4]),
  marked("learner 2", 70, [2, 4], [4, 4]),
  marked("Learner 1", 50, [0, 4], [4, 4]),
];

test("learners are sorted by name, whose numbers count as numbers, or by mark", () => {
  assert.deepEqual(sortedIndexes(threeMarked, "name"), [2, 1, 0]);
  assert.deepEqual(sortedIndexes(threeMarked, "mark"), [1, 2, 0]);
  const sameGrade = [marked("A", 67, [33.25, 50]), marked("B", 67, [33.5, 50])];
  assert.deepEqual(sortedIndexes(sameGrade, "mark"), [1, 0]);
});

test("questions are compared by their exact shares of marks", () => {
  // 1/3 and 2/6 are the same share, so that neither is lower than the other.
  const even = [marked("A", 33, [1, 3], [2, 6])];
  assert.deepEqual(column(questionReports(even), "isLowest"), [false, false]);
  // Both are 67%.
  const close = [marked("A", 67, [33.25, 50], [33.5, 50])];
  assert.deepEqual(column(questionReports(close), "isLowest"), [true, false]);
});

test("the report of a question has its average, and how many learners had all, little or nothing", () => {
  const reports = columns(
    questionReports(threeMarked),
    ...(["averageMarks", "percentage", "full", "lessThanHalf", "none"] as const),
  );
  assert.deepEqual(reports, [
    [1, 25, 0, 2, 1],
    [11 / 3, 92, 2, 0, 0],
  ]);
});

test("a question of a choice that a learner left out counts in no figure of the class", () => {
  const choice = { group: 1, best: 1 };
  const results = [
    [0, 9],
    [6, 0],
  ].map((marks) => {
    const learner = marked("A", 60, ...marks.map((one): [number, number] => [one, 10]));
    for (const mark of learner.questionMarks) {
      const ticked = { id: 1, worth: 6, isTicked: mark.marksAwarded === 6 };
      Object.assign(
        mark,
        { choice, points: [ticked] },
        mark.marksAwarded === 0 && { notAnswered: true },
      );
    }
    return learner;
  });
  const figures = columns(questionReports(results), "percentage", "marked", "none");
  assert.deepEqual(figures, [
    [60, 1, 0],
    [90, 1, 0],
  ]);
  assert.equal(lossOf(results[0]!.questionMarks[0]!), 0);
  const points = { "1": [{ id: 1, text: "wax", worth: 6 }] };
  assert.equal(
    sentenceOfPoint(pointReports({ submissions: results, points }, "1")[0]!),
    "wax: 1 of 1 had it",
  );
});

test("a loss of marks has a step for each quarter of its question that is begun", () => {
  const losses = [4, 3.75, 3, 2, 1, 0.25, 0].map((awarded) => {
    return lossOf(marked("A", 0, [awarded, 4]).questionMarks[0]!);
  });
  assert.deepEqual(losses, [0, 1, 1, 2, 3, 4, 4]);
});

/** The compressed page of a published class of 300 learners, and its address. */
const largeClass = once(async () => {
  const server = await sharedServer();
  const link = await publishClass(server, 300, (names) => {
    const made = madeClass([8, 8, 6, 10, 8, 10], names, scattered);
    for (const [index, { questionMarks }] of made.submissions.entries()) {
      if (index % 5 === 0) Object.assign(questionMarks[index % 6]!, { unsure: true });
    }
    return made;
  });
  const address = link.replace("#demo", "");
  const packed = await sendRequest(server.url, address, { headers: { "Accept-Encoding": "br" } });
  return { server, address, packed: packed.bytes };
});

/** The token of an address such as `/?results=TOKEN#demo`. */
const tokenIn = (address: string) =>
  new URL(address, "http://site.example").searchParams.get("results")!;

test("the page of 300 learners is at most 20 kB compressed", async (t) => {
  const { packed } = await largeClass();
  t.diagnostic(`${packed.length} bytes`);
  assert.ok(packed.length <= 20_000, `${packed.length} bytes`);
});

test("the page of 300 learners links to each of them", async () => {
  const { address, packed } = await largeClass();
  const hrefs = brotliDecompressSync(packed)
    .toString()
    .matchAll(/href="([^"#]*)/g);
  const learners = [...hrefs].map(([, href]) => href!.replaceAll("&amp;", "&"));
  const links = [...new Set(learners.filter((href) => href.startsWith(`${address}&learner=`)))];
  const idOf = (href: string) => Number(new URLSearchParams(href).get("learner"));
  links.sort((one, other) => idOf(one) - idOf(other));
  assert.equal(links.length, 300);
  for (const learner of [1, 150, 300]) {
    const text = textOf(await pageAt(links[learner - 1]!));
    assert.match(text, new RegExp(`Learner ${learner}learner-${learner}\\.txt.*Well begun`));
  }
});

test("the page of a learner has the class average", async () => {
  const text = textOf(await pageAt("/?results=sample&learner=1"));
  const average = oneDecimal(recount(sample).average);
  assert.ok(text.includes(`class average ${average}`), text);
});

test("the page of results has its token only in links to the results and the desk", async () => {
  const { address, packed } = await largeClass();
  const token = tokenIn(address);
  const html = brotliDecompressSync(packed).toString();
  assert.ok(html.includes(token));
  const elsewhere = html.replaceAll(
    /(href|action|formAction)="\/(\?(index&amp;)?results=|marking\?link=|api\/results\/)[^"]*"/g,
    "",
  );
  assert.ok(!elsewhere.includes(token));
});

test("the page of 300 learners is sorted by mark or name without script", async () => {
  const { address } = await largeClass();
  const names = async (sort: string) => {
    const page = await pageAt(`${address}&sort=${sort}`);
    const [grid] = /<table class="grid">.*?<\/table>/s.exec(page)!;
    return [...grid.matchAll(/<th scope="row"><a[^>]*>(.*?)<\/a>.*?<td[^>]*>(\d+)%/g)];
  };
  const byMark = (await names("mark")).map(([, , grade]) => Number(grade));
  assert.equal(byMark.length, 300);
  assert.deepEqual(
    byMark,
    byMark.toSorted((one, other) => other - one),
  );
  assert.deepEqual(
    (await names("name")).map(([, name]) => name),
    Array.from({ length: 300 }, (_, index) => `Learner ${index + 1}`),
  );
});

const formula = '=HYPERLINK("http://other.example","x")';
const hostileTitle = 'Grade 9: "Água" / test';

/** Three published learners, one of whom is named like a formula, and the files of their marks. */
const hostileNames = once(async () => {
  const server = await sharedServer();
  const link = await publishClass(server, 3, (names) => {
    const made = madeClass([12, 48], names, scattered);
    made.submissions[1]!.studentName = formula;
    made.title = hostileTitle;
    return made;
  });
  const token = tokenIn(link);
  const fetchFile = (file: string, usedToken = token) =>
    sendRequest(server.url, `/api/results/${usedToken}/${file}`);
  const rows = async (file: string) => parseCsv((await fetchFile(file)).bytes.toString());
  return { link, token, fetchFile, rows };
});

const files = ["marks", "moodle", "brightspace", "canvas", "blackboard"];

test("the files of marks are downloads with a name, in no cache and no Referer", async () => {
  const { fetchFile } = await hostileNames();
  for (const file of files) {
    const { headers } = await fetchFile(file);
    const shown = [headers["content-type"], headers["cache-control"], headers["referrer-policy"]];
    assert.deepEqual(shown, ["text/csv; charset=utf-8", "no-store", "strict-origin"], file);
    assert.equal(
      headers["content-disposition"],
      `attachment; filename="Grade 9 Agua test - ${file} - unsigned.csv"; filename*=UTF-8''Grade%209%20%C3%81gua%20test%20-%20${file}%20-%20unsigned.csv`,
    );
  }
});

/** The results that an import of a made-up class stores. */
function imported(...made: Parameters<typeof madeClass>): Results {
  const learners = made[1].map((fileName) => ({ fileName }));
  const target = { title: "", learners, questions: [] };
  return resultsOf(validateResultsFile(madeClass(...made), target).imported!, 1);
}

const plain = { levels: "none", withProposals: true, withPoints: false } as const;

test("the CSV of marks has each question, the total and who decided", () => {
  const results = imported([12, 48], ["a.pdf"], () => 0.5);
  const decided = results.submissions[0]!.questionMarks[1]!;
  decided.proposedMarks = 12;
  decided.decision = { id: 1, how: "changed", by: "N. Dlamini", role: "marker", at: "2026-11-24" };
  const { text } = downloadOf(results, "marks", { ...plain, levels: "national" })!;
  assert.deepEqual(text.slice(1).split("\r\n"), [
    "Learner,File,1.1 (of 12),2.1 (of 48),Total (of 60),Out of 50,Percentage,Level,Decided by a person,Decided by,Signed",
    "Learner 1,a.pdf,6,24,30,25,50,4,Q2.1,N. Dlamini,unsigned",
    "",
  ]);
});

test("a name that is a formula is a text in the files of marks", async () => {
  const { rows } = await hostileNames();
  for (const file of files) {
    const cells = (await rows(file)).flatMap((row) => Object.values(row));
    assert.ok(cells.includes(`'${formula}`), file);
    assert.ok(!cells.some((cell) => cell.startsWith("=")), file);
  }
});

for (const [file, lines] of [
  ["moodle", ["ID number,Test (Real),Test (Feedback)", "Learner 1,10,", "Learner 2,10,"]],
  [
    "brightspace",
    ["OrgDefinedId,Test Points Grade,End-of-Line Indicator", "Learner 1,10,#", "Learner 2,10,#"],
  ],
  [
    "canvas",
    [
      "Student,ID,SIS User ID,SIS Login ID,Section,Test",
      "Points Possible,,,,,20",
      "Learner 1,,Learner 1,,,10",
      "Learner 2,,Learner 2,,,10",
    ],
  ],
  ["blackboard", ['"Username","Test"', '"Learner 1","10"', '"Learner 2","10"']],
] as const) {
  test(`the file for ${file} is as its import takes it`, () => {
    const results = { ...imported([20], ["a.pdf", "b.pdf"], () => 0.5), title: "Test" };
    const { text } = downloadOf(results, file, plain)!;
    assert.deepEqual(text.split("\r\n"), [`\uFEFF${lines[0]}`, ...lines.slice(1), ""]);
  });
}

test("the files for gradebooks have proposals only if they are asked for", async () => {
  const { rows } = await hostileNames();
  const totals = column(await rows("marks"), "Total (of 60)");
  for (const [file, name] of [
    ["moodle", `${hostileTitle} (Real)`],
    ["brightspace", `${hostileTitle} Points Grade`],
    ["blackboard", hostileTitle],
    ["canvas", hostileTitle],
  ] as const) {
    // Canvas's first row has what the points are out of.
    const marksOf = async (query: string) => column(await rows(file + query), name).slice(-3);
    assert.deepEqual(await marksOf(""), ["", "", ""], file);
    assert.deepEqual(await marksOf("?proposals=on"), totals, file);
  }
});

test("the file for Moodle has imported feedback only once the marks are signed", () => {
  const unsigned = imported([20], ["a.pdf"], scattered);
  const signed = { ...unsigned, signed: { by: "E. Ducator", at: "2026-11-24T08:00:00Z" } };
  for (const [results, feedback] of [
    [unsigned, ""],
    [signed, "Well begun, and half done."],
  ] as const) {
    const [row] = parseCsv(downloadOf(results, "moodle", plain)!.text);
    assert.equal(row![`${unsigned.title} (Feedback)`], feedback);
  }
});

test("the page offers a gradebook's file with marks in pencil, and says what it leaves out without them", async () => {
  const { link } = await hostileNames();
  const [form] = /<form method="get">.*?<\/form>/s.exec(await pageAt(link))!;
  assert.match(
    form,
    /<button type="submit" class="link" formAction="\/api\/results\/[^"]+\/moodle">/,
  );
  assert.match(form, /<input type="checkbox" name="proposals"\/?>With 6 marks in pencil/);
  assert.match(textOf(form), /no total for 3 learnersLearner 1, /);
});

test("the title of the page of marks that are not signed says so", async () => {
  const { link } = await hostileNames();
  assert.match(await pageAt(link), /<title>Your marked work - unsigned/);
});

test("a file of marks is found by its link and its name only, and a missing one is in no cache", async () => {
  const { token, fetchFile } = await hostileNames();
  for (const [file, usedToken] of [
    ["marks", "AAAAAAAAAAAAAAAAAAAAAA"],
    ["constructor", token],
    ["other", token],
  ] as const) {
    const { status, headers } = await fetchFile(file, usedToken);
    assert.deepEqual([status, headers["cache-control"]], [404, "no-store"], `${usedToken}/${file}`);
  }
  assert.equal((await fetchFile("marks", "sample")).status, 200);
});

const shippedBrand = readFileSync(path.join(import.meta.dirname, "../content/brand.yaml"), "utf8");

test("a brand.yaml without what results show has the levels that are built in", () => {
  const before = shippedBrand.slice(0, shippedBrand.indexOf("# What results show"));
  assert.ok(before.length > 0 && !before.includes("results:"));
  const { results } = brandSchema.parse(parse(before));
  assert.deepEqual(results, brandSchema.parse(parse(shippedBrand)).results);
});

test("achievement levels are shown unless brand.yaml hides them", async (t) => {
  const folder = newFolder(t);
  const without = shippedBrand.replace('levels: "national"', 'levels: "none"');
  writeFileSync(path.join(folder, "brand.yaml"), without);
  for (const [server, hasLevels] of [
    [await startServer(t, { env: { RUBRICON_CONTENT_DIR: folder } }), false],
    [await sharedServer(), true],
  ] as const) {
    for (const view of ["", "&learner=1", "&slips=1"]) {
      const page = await sendRequest(server.url, `/?results=sample${view}`);
      assert.equal(page.status, 200);
      assert.equal(/Level/.test(textOf(page.bytes.toString())), hasLevels, view);
    }
    const csv = await sendRequest(server.url, "/api/results/sample/marks");
    assert.equal("Level" in parseCsv(csv.bytes.toString())[0]!, hasLevels, "the file has a level");
  }
});

test("the files of marks with and without points have different names", () => {
  const results = imported([20], ["a.pdf"], scattered);
  for (const [withPoints, name] of [
    [false, /- marks - unsigned\.csv/],
    [true, /- marks with points - unsigned\.csv/],
  ] as const) {
    assert.match(downloadOf(results, "marks", { ...plain, withPoints })!.disposition, name);
  }
});

test("a title of any characters gives a valid file name and one column", () => {
  const results = imported([20, 30], ["a.pdf", "b.pdf"], scattered);
  const long = `${"x".repeat(79)}😀`;
  for (const title of [long, "T\ud83d", "x＂; filename=evil.html; y=＂z", "℀＼", "2026", "ID"]) {
    const { disposition, text } = downloadOf({ ...results, title }, "canvas", plain)!;
    assert.match(
      disposition,
      /^attachment; filename="[^"\\/;]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/,
    );
    assert.doesNotThrow(() => decodeURIComponent(disposition.split("''")[1]!));
    const [header, , learner] = text.slice(1).split("\r\n");
    const cell = title.includes(";") ? `"${title}"` : title;
    assert.equal(header, `Student,ID,SIS User ID,SIS Login ID,Section,${cell}`);
    assert.ok(learner!.startsWith("Learner 1,,Learner 1,,,"));
  }
});
