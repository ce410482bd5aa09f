/** Publishes classes on a running server, and puts their tokens into the paths of views.ts. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { program } from "../app/brand.ts";
import { formsIn, postForm } from "../tests/support/html-forms.ts";
import { scanOf } from "../tests/support/paper.ts";
import { contact, type UploadedFile, uploadByApi, uploadForm } from "../tests/support/upload.ts";
import { type View, views } from "./views.ts";

/** The executable, running in `folder` on SQLite. */
interface RunningServer {
  url: string;
  folder: string;
}

const sample = path.join(import.meta.dirname, "../content/sample");

/** Publishes the sample as classes of an educator, and returns the views with their tokens. */
export async function viewsOn(server: RunningServer): Promise<View[]> {
  const deciding = await publish(server);
  await decideSome(server, deciding);
  const copyToken = tokenIn(run(server, "results", "share", deciding.reference));
  const decided = await publish(server);
  await agreeWithAll(server, decided);
  const signed = await publish(server);
  await agreeWithAll(server, signed);
  const signing = { intent: "sign", filled: { name: contact.name } };
  await post(server, { page: `/?results=${signed.token}`, ...signing });
  const { scripts, desk, named, scanned } = await markOnPaper(server);
  // The names in braces in the paths of `views`. "deciding" has marks of every kind, "decided" only waits to be signed,
  // "copy" is a reading copy of "deciding". A class that is partly on paper has a link to results, "scripts", and the
  // marking links "desk" and "named"; "scanned" is "named" at the learner who has a scan. "new" is a desk without
  // questions.
  const opened = {
    deciding,
    decided,
    signed,
    scripts,
    copy: { ...deciding, token: copyToken },
    desk: { ...scripts, token: desk },
    named: { ...scripts, token: named },
    scanned: { ...scripts, token: scanned },
    new: { token: await openDesk(server, await upload(server, 1)), firstLearner: 0 },
  } satisfies Record<string, Opened>;
  type Name = keyof typeof opened;
  // The number of a learner in the path of a view counts from 1 in the class; the server takes ids.
  return views.map((view) => ({
    ...view,
    path: view.path.replace(
      /\{(\w+)\}(?:(.*&learner=)(\d+))?/,
      (_, name: Name, between = "", number?: string) => {
        const { token, firstLearner } = opened[name];
        return token + between + (number ? firstLearner + Number(number) - 1 : "");
      },
    ),
  }));
}

/** A private link, and the id of the first learner of its class. */
interface Opened {
  token: string;
  firstLearner: number;
}

async function publish(server: RunningServer, learners?: number) {
  const reference = await upload(server, learners);
  const results = JSON.parse(bytesOf("results.json").toString());
  results.submissions = results.submissions.slice(0, learners);
  // The import has read the file before the next class overwrites it.
  writeFileSync(path.join(server.folder, "results.json"), JSON.stringify(results));
  run(server, "results", "import", reference, "results.json");
  run(server, "results", "publish", reference);
  const database = new Sqlite(path.join(server.folder, "data/rubricon.db"), { readonly: true });
  const last = "SELECT link FROM outbox WHERE link IS NOT NULL ORDER BY id DESC";
  const { link } = database.prepare<[], { link: string }>(last).get()!;
  const first =
    "SELECT min(id) AS id FROM submissions GROUP BY assessment_id ORDER BY assessment_id DESC";
  const { id: firstLearner } = database.prepare<[], { id: number }>(first).get()!;
  database.close();
  return { reference, token: tokenIn(link), firstLearner };
}

/** Uploads the sample. Returns its reference. @param learners how many; undefined for all */
async function upload(server: RunningServer, learners?: number): Promise<string> {
  const files: UploadedFile[] = [
    { field: "questionsFile", name: "questions.txt", bytes: bytesOf("questions.txt") },
    { field: "rubricFile", name: "rubric.txt", bytes: bytesOf("rubric.txt") },
    ...readdirSync(path.join(sample, "submissions"))
      .slice(0, learners)
      .map(
        (name): UploadedFile => ({
          field: "submissionFiles",
          name,
          bytes: bytesOf(`submissions/${name}`),
        }),
      ),
  ];
  // An upload of the same files would be a duplicate, so the message differs.
  const message = `${contact.message} ${Math.random()}`;
  const response = await uploadByApi(server.url, uploadForm(files, { ...contact, message }));
  const { reference } = (await response.json()) as { reference: string };
  return reference;
}

const openDesk = (server: RunningServer, reference: string, ...args: string[]) =>
  tokenIn(run(server, "marking", "open", reference, "--marker", "N. Dlamini", ...args));

/** Eight typed scripts, one on paper, a loose page, and a learner without a file; some answers are decided. */
async function markOnPaper(server: RunningServer) {
  const scripts = await publish(server, 8);
  await addPaperScripts(server, scripts.reference);
  const desk = openDesk(server, scripts.reference);
  const named = openDesk(server, scripts.reference, "--names");
  await decideTyped(server, desk);
  const list = await pageAt(server, `/marking?link=${named}&view=learners`);
  const scanned = `${named}&learner=${matchIn(list, /(?<=learner=)\d+(?=">Lerato)/)}`;
  await stampScan(server, scanned);
  return { scripts, desk, named, scanned };
}

/** Adds two learners to a class, and a scan with the script of the first. */
async function addPaperScripts(server: RunningServer, reference: string): Promise<void> {
  const inFolder = (name: string) => path.join(server.folder, name);
  writeFileSync(inFolder("list.csv"), "Number,Name\n9,Lerato Example\n10,Sipho Example\n");
  run(server, "class", "list", reference, "list.csv", "--add");
  run(server, "class", "sheets", "list.csv", "--out", "sheets.pdf");
  const cover = { sheets: readFileSync(inFolder("sheets.pdf")), numbers: ["9", "10"], dpi: 100 };
  // A loose page, then the cover sheet of learner 9 and the pages of the script.
  const stack = await scanOf([["5", { turned: 90 }], "#9", "1", ["2", { tilted: 1 }]], cover);
  writeFileSync(inFolder("scan.pdf"), stack);
  run(server, "class", "split", reference, "scan.pdf");
}

/** Decides the first five answers of a desk. */
async function decideTyped(server: RunningServer, desk: string): Promise<void> {
  const page = `/marking?link=${desk}&view=mark`;
  for (let answer = 0; answer < 4; answer += 1) await post(server, { page, intent: "agree" });
  const filled = { marks: "6,5", comment: "(e) is named, though misspelt." };
  await post(server, { page, intent: "save", filled });
}

/** Stamps an answer on a scan, and decides it. @param scanned the token and the learner */
async function stampScan(server: RunningServer, scanned: string): Promise<void> {
  const page = `/marking?link=${scanned}&view=mark&question=1.2`;
  const place = matchIn(await pageAt(server, page), /at-\d+-1-700/);
  const stamps = [
    { x: 120, y: 640, stamp: "tick", stampText: "" },
    { x: 420, y: 590, stamp: "question", stampText: "" },
    { x: 380, y: 800, stamp: "comment", stampText: "Which of the two cells?" },
  ];
  for (const { x, y, ...stamp } of stamps) {
    const filled = { ...stamp, [`${place}.x`]: `${x}`, [`${place}.y`]: `${y}` };
    await post(server, { page, filled });
  }
  const filled = { marks: "5", comment: "One difference is missing." };
  await post(server, { page, intent: "save", filled });
}

const pageAt = async ({ url }: RunningServer, page: string) => (await fetch(url + page)).text();

/** @throws if the page has no match */
function matchIn(html: string, pattern: RegExp): string {
  const [found] = pattern.exec(html) ?? [];
  if (found === undefined) throw new Error(`the page has no ${pattern}`);
  return found;
}

const bytesOf = (name: string) => readFileSync(path.join(sample, name));

/** The value of the only parameter of a private link. */
const tokenIn = (link: string) => new URL(link.trim()).searchParams.values().next().value!;

function run({ url, folder }: RunningServer, ...args: string[]): string {
  const executable = path.join(import.meta.dirname, "../dist", program.command);
  return execFileSync(executable, args, {
    cwd: folder,
    env: { [`${program.settingPrefix}PUBLIC_URL`]: url },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/**
 * Posts the form of a page that has the button of this intent. Without an intent, posts the form that saves, but
 * without its button, as a click on a page image does.
 */
async function post(
  server: RunningServer,
  { page, intent, filled }: { page: string; intent?: string; filled?: Record<string, string> },
): Promise<void> {
  const form = formsIn(await pageAt(server, page)).find(({ buttons }) =>
    buttons.some(({ value }) => value === (intent ?? "save")),
  );
  const { status } = await postForm(server.url, form!, intent, filled);
  if (status !== 303) throw new Error(`${intent} on ${page}: ${status}`);
}

/** Decides some answers: one learner gets marks of every kind, and another has all marks decided. */
async function decideSome(server: RunningServer, opened: Opened): Promise<void> {
  const comment = "The vacuole is named in the third line: it counts.";
  const save = (question: string, filled: Record<string, string>) =>
    post(server, { page: deskAt(opened, 4, question), intent: "save", filled });
  await post(server, { page: deskAt(opened, 4, "1.1"), intent: "agree" });
  await save("1.2", { marks: "6.25", comment });
  await save("2.1", { marks: "", notAnswered: "on" });
  await post(server, { page: deskAt(opened, 2, "1.1"), intent: "rest" });
}

async function agreeWithAll(server: RunningServer, opened: Opened): Promise<void> {
  const learners = readdirSync(path.join(sample, "submissions")).keys();
  for (const index of learners) {
    await post(server, { page: deskAt(opened, index + 1, "1.1"), intent: "rest" });
  }
}

/** The path of an answer on the desk of an educator's link. @param learner from 1 */
const deskAt = ({ token, firstLearner }: Opened, learner: number, question: string) =>
  `/marking?link=${token}&view=mark&order=learner&learner=${firstLearner + learner - 1}&question=${question}`;
