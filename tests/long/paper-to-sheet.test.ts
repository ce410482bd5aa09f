/** A class of 40 from the stack of paper to marks in the school's own sheet, as docs/operating.md describes it. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { formOf, formsIn, postForm } from "../support/html-forms.ts";
import { succeeded } from "../support/output-of.ts";
import type { Leaf } from "../support/paper.ts";
import { classOnPaper } from "../support/paper-class.ts";
import { sentToken } from "../support/results.ts";
import { sendRequest } from "../support/send-request.ts";
import { startServer } from "../support/server.ts";

const surnames = ["Adams", "Botha", "Cele", "Dlamini", "Evans", "Fourie", "Gumede", "Hendricks"];
const firstNames = ["Ayanda", "Bianca", "Chipo", "Dumisani", "Esther"];
const learners = surnames.flatMap((surname, row) =>
  firstNames.map((first, column) => ({
    number: String(2_026_001 + row * firstNames.length + column),
    surname,
    first,
  })),
);
const [absent, sheetless] = [learners[6]!, learners[11]!];
/** Of 10 and of 15 marks. */
const marksOf = (index: number) => [index % 11, (index * 3) % 16] as const;

/** A cover sheet and two pages of each, tilted, some upside down; one sheet is missing, and one learner is absent. */
const stack = learners.flatMap((learner, index): Leaf[] => {
  const turned = index % 9 === 4 ? 180 : 0;
  const leaf = (name: string, page: number): Leaf => [
    name,
    { turned, tilted: ((index + page) % 5) - 2 },
  ];
  const pages = learner === absent ? [] : [1, 2].map((page) => leaf(`${index}.${page}`, page));
  return learner === sheetless ? pages : [leaf(`#${learner.number}`, 0), ...pages];
});

test("a class of 40 on paper gets its marks into the school's own sheet", async (t) => {
  const { server, reference, run, inFolder, scan } = await classOnPaper(
    await startServer(t),
    learners.map(({ number, surname, first }) => `${number},${first} ${surname}`),
  );
  const succeed = async (...args: string[]) => {
    const done = await succeeded(run(...args));
    return done;
  };
  const read = async (path: string): Promise<string> => {
    const { headers, bytes } = await sendRequest(server.url, path);
    return headers.location ? read(headers.location.split("#")[0]!) : bytes.toString();
  };
  const post = async (path: string, intent: string, filled: Record<string, string>) => {
    const { status, headers, bytes } = await postForm(
      server.url,
      formOf(await read(path), intent),
      intent,
      filled,
    );
    assert.equal(status, 303, `${intent}: ${bytes.toString().slice(0, 200)}`);
    return headers.location!.split("#")[0]!;
  };

  await scan("scan.pdf", stack, 150);
  const split = JSON.parse((await succeed("class", "split", reference, "scan.pdf", "--json")).out);
  assert.equal(split.scripts.length, 38);
  assert.deepEqual(split.missing, [sheetless.number]);
  assert.deepEqual(split.withoutPages, [absent.number]);
  assert.equal(split.problems.length, 2, "the pages without a sheet");

  const opened = await succeed("marking", "open", reference, "--marker", "N. Dlamini", "--names");
  const desk = opened.out.trim().slice(server.url.length);
  const problems = await read(`${desk}&view=problems`);
  const idOf = ({ first, surname }: (typeof learners)[number], html: string) =>
    new RegExp(`<option value="(\\d+)">${first} ${surname}`).exec(html)![1]!;
  const ticked = [...problems.matchAll(/name="(page-\d+)"/g)].map(([, name]) => [name!, "on"]);
  await post(`${desk}&view=problems`, "give", {
    ...Object.fromEntries(ticked),
    to: idOf(sheetless, problems),
  });
  const away = `${desk}&view=learners&learner=${idOf(absent, problems)}`;
  await post(away, "no grade", { reason: "absent" });
  const lines = "1 | 10 | Name the parts | leaves\n2 | 15 | Explain";
  await post(`${desk}&view=questions`, "questions", { title: "Plants", lines });

  let saved = 0;
  let at = `${desk}&view=mark`;
  for (;;) {
    const html = await read(at);
    const save = formsIn(html).find(({ buttons }) => buttons.some(({ value }) => value === "save"));
    const shown = /<h2 id="answer"[^>]*>.*?\((\d+)\).*?question (?:<!-- -->)?(\d)/.exec(html);
    if (!save || !shown || html.includes("78 of 78 decided")) break;
    const index = learners.findIndex(({ number }) => number === shown[1]);
    const marks = marksOf(index)[Number(shown[2]) - 1]!;
    const { status, headers } = await postForm(server.url, save, "save", { marks: String(marks) });
    assert.equal(status, 303);
    at = headers.location!.split("#")[0]!;
    saved += 1;
  }
  assert.equal(saved, 78, "two answers of 39 learners");

  await succeed("results", "publish", reference);
  await post(`/?results=${await sentToken(server)}`, "sign", { name: "T. Example" });

  const head = "Student number;Surname;First names;Term 3;Plants;Comment";
  const row = (one: (typeof learners)[number], marks: number | string) =>
    `${one.number};${one.surname};${one.first};${one.number.slice(-2)};${marks};`;
  const rowsWith = (marks: (index: number) => number | string) =>
    [head, ...learners.map((one, index) => row(one, marks(index)))].join("\r\n");
  writeFileSync(
    inFolder("school.csv"),
    rowsWith(() => ""),
  );
  const filled = await succeed("results", "fill", reference, "school.csv", "--absent", "AB");
  assert.equal(filled.out, "school - filled.csv\n");
  const expected = rowsWith((index) => {
    const [one, two] = marksOf(index);
    return learners[index] === absent ? "AB" : one + two;
  });
  assert.equal(readFileSync(inFolder("school - filled.csv"), "utf8"), expected);
});
