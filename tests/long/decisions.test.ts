/** Decisions by points of the memo while the server is killed again and again; see decisions.postgres.test.ts too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { QuestionMark } from "../../app/domain/result.ts";
import { formOf, postForm } from "../support/html-forms.ts";
import { publishClass, resultsFor } from "../support/results.ts";
import { sendRequest } from "../support/send-request.ts";
import { newFolder, type Server, startServer } from "../support/server.ts";

const kills = 10;
const learners = 30;

/** A decision that the page confirmed. */
interface Confirmed {
  learner: number;
  question: string;
  marks: number;
  /** Their ids. */
  ticked: number[];
}

type Given = { id: number; worth: number; isTicked: boolean }[];

const worths = [7.5, 5, 5, 2.5, 2.5];
/** The first question has points, the other has none. */
function fileFor(names: string[]) {
  const file = resultsFor(names);
  const [first, ...rest] = file.questions;
  const memo = worths.map((worth, index) => `point ${index} (${worth})`).join("; ");
  return { ...file, questions: [{ ...first, memo }, ...rest] };
}

test("after ten kills between decisions, none that was confirmed is lost, and none is doubled", async (t) => {
  const folder = newFolder(t);
  let server = await startServer(t, { folder });
  const link = (await publishClass(server, learners, fileFor)).replace("#demo", "");
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
  const rows = await server.query(
    `SELECT file_name, question_number, to_marks, points FROM decisions
       JOIN submissions ON submissions.id = submission_id`,
  );
  const texts = (all: unknown[][]) => all.map((one) => one.join(" ")).sort();
  const expected = texts(
    confirmed.map((one) => [`learner-${one.learner}.txt`, one.question, one.marks, one.ticked]),
  );
  assert.deepEqual(
    texts(
      rows.map((row) => [
        row.file_name,
        row.question_number,
        row.to_marks,
        tickedIn(parsed<Given>(row.points) ?? []),
      ]),
    ),
    expected,
  );
  const now = await server.query("SELECT file_name, question_marks FROM submissions");
  assert.deepEqual(
    texts(
      now.flatMap(({ file_name, question_marks }) =>
        parsed<QuestionMark[]>(question_marks)!.map(
          ({ questionNumber, marksAwarded, points = [], decision }) => [
            file_name,
            questionNumber,
            decision && marksAwarded,
            tickedIn(points),
          ],
        ),
      ),
    ),
    expected,
    "what counts now follows the decisions",
  );
});

/** Text on SQLite, a value on PostgreSQL. */
const parsed = <Value>(value: unknown) =>
  (typeof value === "string" ? JSON.parse(value) : value) as Value | null;
const tickedIn = (points: Given) => points.flatMap(({ id, isTicked }) => (isTicked ? [id] : []));

/** Decides every mark of the class, and sends what was not confirmed again. */
async function decideAll(current: () => Server, link: string, confirmed: Confirmed[]) {
  for (let learner = 1; learner <= learners; learner += 1) {
    for (const question of ["1.1", "1.2"]) {
      const page = await persistently(() =>
        sendRequest(current().url, answerUrl(link, learner, question)),
      );
      const form = formOf(page.bytes.toString(), "save");
      const boxes = [...page.bytes.toString().matchAll(/name="tick-(\d+)"/g)].map(([, id]) => +id!);
      assert.equal(boxes.length, question === "1.1" ? worths.length : 0);
      // Each set of points, and a typed mark beside some of them.
      const isTicked = (_: unknown, index: number) => ((learner >> index) & 1) === 1;
      const ticked = boxes.filter(isTicked);
      const sum = worths.filter(isTicked).reduce((all, worth) => all + worth, 0);
      const isTyped = ticked.length === 0 || learner % 7 === 0;
      const marks = isTyped ? learner % 10 : Math.min(20, sum);
      const filled = Object.fromEntries(ticked.map((id) => [`tick-${id}`, "on"]));
      const answer = await persistently(() =>
        postForm(current().url, form, "save", { ...filled, marks: isTyped ? String(marks) : "" }),
      );
      assert.equal(answer.status, 303, answer.bytes.toString().slice(0, 300));
      confirmed.push({ learner, question, marks, ticked });
    }
  }
}

/** The desk under a link to results; ids begin at 1. */
const answerUrl = (link: string, learner: number, question: string) =>
  `${link.replace("/?results=", "/marking?link=")}&view=mark&learner=${learner}&question=${question}`;

/** Tries again while there is no server: a busy machine takes half a minute to start one. */
async function persistently<T>(send: () => Promise<T>): Promise<T> {
  const end = Date.now() + 120_000;
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
