/** Decisions while the server is killed again and again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { formsIn, postForm } from "../support/html-forms.ts";
import { publishClass } from "../support/results.ts";
import { sendRequest } from "../support/send-request.ts";
import { newFolder, type Server, startServer } from "../support/server.ts";

const kills = 10;
const learners = 30;

/** A decision that the page confirmed. */
interface Confirmed {
  learner: number;
  question: string;
  marks: number;
}

test("after ten kills between decisions, none that was confirmed is lost, and none is doubled", async (t) => {
  const folder = newFolder(t);
  let server = await startServer(t, { folder });
  const link = (await publishClass(server, learners)).replace("#demo", "");
  const confirmed: Confirmed[] = [];
  let isDone = false;
  const educator = decideAll(() => server, link, confirmed).then(() => {
    isDone = true;
  });
  let killed = 0;
  while (!isDone && killed < kills) {
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 150));
    await server.stop("SIGKILL");
    killed += 1;
    server = await startServer(t, { folder });
  }
  await educator;
  t.diagnostic(`${confirmed.length} decisions confirmed over ${killed} kills`);
  assert.equal(killed, kills, "all kills were before the end");
  assert.equal(confirmed.length, learners * 2);
  const rows = await server.query<{ file_name: string; question_number: string; to_marks: number }>(
    `SELECT file_name, question_number, to_marks FROM decisions
       JOIN submissions ON submissions.id = submission_id`,
  );
  const texts = (all: (string | number)[][]) => all.map((one) => one.join(" ")).sort();
  assert.deepEqual(
    texts(rows.map((row) => [row.file_name, row.question_number, row.to_marks])),
    texts(confirmed.map((one) => [`learner-${one.learner}.txt`, one.question, one.marks])),
  );
  const [{ open }] = (await server.query<{ open: number }>(
    `SELECT count(*) AS open FROM submissions, json_each(question_marks)
      WHERE json_extract(value, '$.decision') IS NULL`,
  )) as [{ open: number }];
  assert.equal(open, 0, "what counts now follows the decisions");
});

/** Decides every mark of the class, and sends what was not confirmed again. */
async function decideAll(current: () => Server, link: string, confirmed: Confirmed[]) {
  for (let learner = 1; learner <= learners; learner += 1) {
    for (const question of ["1.1", "1.2"]) {
      const marks = learner % 10;
      const page = await persistently(() =>
        sendRequest(current().url, answerUrl(link, learner, question)),
      );
      const form = formsIn(page.bytes.toString()).find(({ buttons }) =>
        buttons.some(({ value }) => value === "save"),
      )!;
      const answer = await persistently(() =>
        postForm(current().url, form, "save", { marks: String(marks) }),
      );
      assert.equal(answer.status, 303, answer.bytes.toString().slice(0, 300));
      confirmed.push({ learner, question, marks });
    }
  }
}

/** The desk under a link to results; ids begin at 1. */
const answerUrl = (link: string, learner: number, question: string) =>
  `${link.replace("/?results=", "/marking?link=")}&view=mark&learner=${learner}&question=${question}`;

/** Tries again while there is no server. */
async function persistently<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      if (tries > 400) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
