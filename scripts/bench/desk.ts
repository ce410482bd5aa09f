/**
 * npm run bench -- desk [EXECUTABLE]: processor time of the server for saving one mark without script and for the page
 * of the next answer, in a small class and in a large one. Contact posts in the same run are measured for comparison.
 */
import { type ChildProcess, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { formsIn, postForm } from "../../tests/support/html-forms.ts";
import { threeFiles, uploadByApi, uploadForm } from "../../tests/support/upload.ts";
import { cpuMsOf } from "./process-usage.ts";
import { endRun, folder, median, postMessage, program, startServer } from "./server.ts";
import { benchEnvironment } from "./unit.ts";

const executable = path.resolve(process.argv[3] ?? program);
const rounds = 5;
/**
 * Marks of each class in a round. The marks of the first round do not count, because the server still compiles its
 * code.
 */
const marks = 28;
const posts = 300;

try {
  const { process: server, url } = await startServer([executable]);
  const small = await openClass(url, { learners: 30, questions: 6 });
  const large = await openClass(url, { learners: 1000, questions: 20 });
  const contacts: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const one of [small, large]) {
      const cost = await cpuOf(server, marks, async () => {
        one.page = await mark(url, one.page);
      });
      if (round > 0) one.costs.push(cost);
    }
    const cost = await cpuOf(server, posts, () => sendMessage(url));
    if (round > 0) contacts.push(cost);
  }
  const postCost = median(contacts);
  for (const { learners, questions, costs } of [small, large]) {
    const cost = median(costs);
    console.log(
      `${learners} × ${questions}: ${cost.toFixed(1)} ms of CPU for a mark and the next page, ${(cost / postCost).toFixed(1)} contact posts`,
    );
  }
  console.log(`contact post: ${postCost.toFixed(2)} ms`);
  console.log(`large class of small: ${(median(large.costs) / median(small.costs)).toFixed(2)}`);
} finally {
  endRun();
}

/** Returns the mean CPU time of the server for a run, in milliseconds. */
async function cpuOf(
  server: ChildProcess,
  count: number,
  run: () => Promise<void>,
): Promise<number> {
  const before = cpuMsOf(server);
  for (let index = 0; index < count; index += 1) await run();
  return (cpuMsOf(server) - before) / count;
}

interface OpenClass {
  learners: number;
  questions: number;
  /** HTML of the answer that is marked next. */
  page: string;
  /** Milliseconds of CPU for a mark, in each round. */
  costs: number[];
}

async function openClass(
  url: string,
  { learners, questions }: Pick<OpenClass, "learners" | "questions">,
): Promise<OpenClass> {
  const { reference } = (await (await uploadByApi(url, uploadForm(threeFiles()))).json()) as {
    reference: string;
  };
  // The command has read the file before the next class overwrites it.
  const list = path.join(folder, "list.csv");
  // The work that was uploaded is learner 1.
  const rows = Array.from(
    { length: learners - 1 },
    (_, index) => `${index + 2},Learner ${index + 2}`,
  );
  writeFileSync(list, ["Number,Name", ...rows].join("\n"));
  run("class", "list", reference, list, "--add");
  const link = run("marking", "open", reference, "--marker", "Bench").match(/\S*\?link=\S+/)![0];
  const desk = `/marking${new URL(link).search}`;
  const form = formsIn(await read(url, `${desk}&view=questions`)).find(
    ({ fields }) => "lines" in fields,
  )!;
  const lines = Array.from(
    { length: questions },
    (_, index) =>
      `${index + 1} | 4 | Names an adaptation of plants to a dry place and explains it | leaves; roots`,
  );
  const set = await postForm(url, form, "questions", { title: "Plants", lines: lines.join("\n") });
  if (set.status !== 303) throw new Error(`questions: ${set.status}`);
  return { learners, questions, page: await read(url, `${desk}&view=mark`), costs: [] };
}

function run(...args: string[]): string {
  const env = { ...benchEnvironment(), RUBRICON_PUBLIC_URL: "https://site.example" };
  return execFileSync(executable, args, { cwd: folder, env, encoding: "utf8" });
}

async function read(url: string, target: string): Promise<string> {
  const response = await fetch(new URL(target, url));
  if (response.status !== 200) throw new Error(`${target}: ${response.status}`);
  return await response.text();
}

/** Saves a mark on a page. Returns the page that follows. */
async function mark(url: string, html: string): Promise<string> {
  const form = formsIn(html).find(({ buttons }) => buttons.some(({ value }) => value === "save"))!;
  const saved = await postForm(url, form, "save", { marks: "2", comment: "See line 3." });
  if (saved.status !== 303) throw new Error(`mark: ${saved.status}`);
  return await read(url, saved.headers.location!);
}

async function sendMessage(url: string): Promise<void> {
  const response = await postMessage(url, `Question ${randomUUID()}`);
  await response.text();
  if (response.status !== 201) throw new Error(`contact: ${response.status}`);
}
