/** The views on a server whose pages of results are those of published classes. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { program } from "../app/brand.ts";
import { formsIn, postForm } from "../tests/support/html-forms.ts";
import { contact, type UploadedFile, uploadByApi, uploadForm } from "../tests/support/upload.ts";
import { type View, views } from "./views.ts";

/** The executable, running in `folder` on SQLite. */
interface RunningServer {
  url: string;
  folder: string;
}

/** What a path of `views` has in braces. "deciding" has marks of every kind, "decided" only waits to be signed, "copy" is a reading copy of "deciding". */
type ClassName = "deciding" | "decided" | "signed" | "copy";

const sample = path.join(import.meta.dirname, "../content/sample");

/** Publishes the sample as classes of an educator, and returns the views with their tokens. */
export async function viewsOn(server: RunningServer): Promise<View[]> {
  const { reference, token: deciding } = await publish(server);
  await decideSome(server, deciding);
  const copy = tokenIn(run(server, "share", reference));
  const { token: decided } = await publish(server);
  await agreeWithAll(server, decided);
  const { token: signed } = await publish(server);
  await agreeWithAll(server, signed);
  await post(server, `/?results=${signed}`, "sign", { name: contact.name });
  const tokens: Record<ClassName, string> = { deciding, decided, signed, copy };
  return views.map((view) => ({
    ...view,
    path: view.path.replace(/\{(\w+)\}/, (_, name: ClassName) => tokens[name]),
  }));
}

async function publish(server: RunningServer) {
  const files: UploadedFile[] = [
    { field: "questionsFile", name: "questions.txt", bytes: bytesOf("questions.txt") },
    { field: "rubricFile", name: "rubric.txt", bytes: bytesOf("rubric.txt") },
    ...readdirSync(path.join(sample, "submissions")).map(
      (name): UploadedFile => ({
        field: "submissionFiles",
        name,
        bytes: bytesOf(`submissions/${name}`),
      }),
    ),
  ];
  // The same files again are the same request, unless something else differs.
  const message = `${contact.message} ${Math.random()}`;
  const response = await uploadByApi(server.url, uploadForm(files, { ...contact, message }));
  const { reference } = (await response.json()) as { reference: string };
  run(server, "import", reference, path.join(sample, "results.json"));
  run(server, "publish", reference);
  const database = new Sqlite(path.join(server.folder, "data/rubricon.db"), { readonly: true });
  const last = "SELECT link FROM outbox WHERE link IS NOT NULL ORDER BY id DESC";
  const { link } = database.prepare<[], { link: string }>(last).get()!;
  database.close();
  return { reference, token: tokenIn(link) };
}

const bytesOf = (name: string) => readFileSync(path.join(sample, name));

const tokenIn = (link: string) => new URL(link.trim()).searchParams.get("results")!;

function run({ url, folder }: RunningServer, ...args: string[]): string {
  const executable = path.join(import.meta.dirname, "../dist", program.command);
  return execFileSync(executable, ["results", ...args], {
    cwd: folder,
    env: { [`${program.settingPrefix}PUBLIC_URL`]: url },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** Posts the form of a page that has the button of this intent, about a question if one is named. */
async function post(
  { url }: RunningServer,
  page: string,
  intent: string,
  filled: Record<string, string> = {},
): Promise<void> {
  const html = await (await fetch(url + page)).text();
  const form = formsIn(html).find(
    ({ buttons, fields }) =>
      buttons.some(({ value }) => value === intent) &&
      (filled.question === undefined || fields.question === filled.question),
  );
  const { status } = await postForm(url, form!, intent, filled);
  if (status !== 303) throw new Error(`${intent} on ${page}: ${status}`);
}

/** One learner with marks of every kind, and one who is decided. */
async function decideSome(server: RunningServer, token: string): Promise<void> {
  const learner = `/?results=${token}&learner=4`;
  await post(server, learner, "agree", { question: "1.1" });
  await post(server, learner, "save", {
    question: "1.2",
    marks: "6.25",
    comment: "The vacuole is named in the third line: it counts.",
  });
  await post(server, learner, "save", { question: "2.1", marks: "", notAnswered: "on" });
  await post(server, `/?results=${token}&learner=2`, "rest");
}

async function agreeWithAll(server: RunningServer, token: string): Promise<void> {
  const learners = readdirSync(path.join(sample, "submissions")).keys();
  for (const index of learners) {
    await post(server, `/?results=${token}&learner=${index + 1}`, "rest");
  }
}
