import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { column } from "./support/columns.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { marksOf } from "./support/csv.ts";
import { succeeded } from "./support/output-of.ts";
import { resultsFor, runResults, sentToken, uploadSubmissions } from "./support/results.ts";
import { sendRequest } from "./support/send-request.ts";
import { emptyServer, setUpOnce } from "./support/server.ts";

runCommandsHere();

const names = ["one.txt", "two.txt", "three.txt"];

/** A class in which the model is unsure of two marks of question 1.2. */
function unsureResults() {
  const results = resultsFor(names);
  for (const index of [0, 2])
    Object.assign(results.submissions[index]!.questionMarks[1]!, { unsure: true });
  return results;
}

/** The text of a part of a page, as a screen reader says it. */
const textOf = (html: string) =>
  html.replace(/<span aria-hidden="true">.*?<\/span>/g, "").replace(/<[^>]*>/g, "");

const publish = setUpOnce(async (server) => {
  const reference = await uploadSubmissions(server, names);
  const imported = await succeeded(runResults(server, ["import", reference], unsureResults()));
  assert.match(imported.out, /\nlook first: Learner 1 {2}1\.2\nlook first: Learner 3 {2}1\.2\n$/);
  await succeeded(runResults(server, ["publish", reference]));
  const token = await sentToken(server);
  const read = async (query = "") => {
    const page = await sendRequest(server.url, `/?results=${token}${query}`);
    assert.equal(page.status, 200);
    return page.bytes.toString();
  };
  return { server, reference, read, marks: () => marksOf(server, token) };
});

test("the page of a class links the marks to look at first, and says so beside each", async () => {
  const { read } = await publish();
  const html = await read();
  const note = /<div class="margin-note flush">.*?<\/div>/s.exec(html)![0];
  assert.match(textOf(note), /^2 marks to look at first: the proposal was marked as unsure\./);
  assert.match(
    note,
    /<a href="\/marking\?[^"]*&amp;learner=1&amp;question=1\.2">Learner 1, question 1\.2<\/a>.*&amp;learner=3&amp;question=1\.2">Learner 3, question 1\.2</s,
  );
  const rows = [...html.matchAll(/<tr><th scope="row">.*?<\/tr>/g)].map(([row]) => textOf(row));
  assert.deepEqual(
    rows.map((row) => row.includes("22.5? proposed, look here first")),
    [true, false, true],
  );
  assert.match(textOf(html), /A question mark: look here first\./);
});

test("marks to look at first are named on a learner’s page and in the file, not on slips", async () => {
  const { read, marks } = await publish();
  assert.match(textOf(await read("&learner=3")), /Look here first/);
  assert.doesNotMatch(textOf(await read("&learner=2")), /Look here first/);
  assert.doesNotMatch(
    textOf(await read("&slips=1")),
    /Look here first/,
    "slips, which go to learners, do not say it",
  );
  assert.deepEqual(column(await marks(), "Look here first"), ["Q1.2", "", "Q1.2"]);
});

test("a question mark in a sheet says that the model is unsure of a mark", async () => {
  const { server, reference } = await publish();
  const template = await runResults(server, ["template", reference]);
  assert.equal(template.out.match(/22\.5\?/g)?.length, 2);
  writeFileSync(
    path.join(server.folder, "sheet.csv"),
    template.out.replaceAll("22.5?", '"22,5 ?"'),
  );
  const again = await runResults(server, ["import", reference, "sheet.csv"]);
  assert.match(again.err, /No proposal is new or another/);
  assert.match(again.out, /look first: Learner 1 {2}1\.2\nlook first: Learner 3 {2}1\.2\n$/);
});

/** The class, in which the team has decided one mark to look at first. */
const decideOne = setUpOnce(async () => {
  const published = await publish();
  const { server, reference } = published;
  const args = ["mark", reference, "Learner 3", "1.2", "27,5", "--comment", " Row 3 allows it. "];
  const decided = await succeeded(runResults(server, args));
  assert.equal(
    decided.err,
    "Learner 3, question 1.2: 27.5 of 30, proposed were 22.5. The grade is 95%.\n",
  );
  return published;
});

test("the page of a class shows a mark that a person has decided in red, and in its average", async () => {
  const html = await (await decideOne()).read();
  assert.match(
    textOf(html),
    /1 mark to look at first: the proposal was marked as unsure\.Learner 1, question 1\.2/,
  );
  assert.match(html, /<ins>27\.5<\/ins><span class="visually-hidden"> decided<\/span>/);
  assert.match(textOf(html), /In red, underlined: a person decided\./);
  assert.match(textOf(html), /Average grade88\.3%/);
});

test("a learner’s page and slip show a decided mark beside the proposal, with its comment", async () => {
  const { read } = await decideOne();
  const decided =
    /<del class="pencil">22\.5<\/del> <span class="visually-hidden">decided <\/span><ins>27\.5<\/ins>.*<ins>Row 3 allows it\.<\/ins>/s;
  for (const page of ["&learner=3", "&slips=2"]) assert.match(await read(page), decided, page);
});

test("a mark that is decided again is printed as JSON with the proposal of the model", async () => {
  const { server, reference } = await decideOne();
  const again = await runResults(server, ["mark", reference, "three.txt", "1.2", "0", "--json"]);
  const { importId: _, ...printed } = JSON.parse(again.out);
  const { how, by, role } = printed.decision;
  assert.deepEqual({ how, by, role }, { how: "changed", by: "the team", role: "team" });
  assert.deepEqual(printed, {
    decision: printed.decision,
    reference,
    fileName: "three.txt",
    studentName: "Learner 3",
    questionNumber: "1.2",
    description: "Essay",
    totalMarks: 30,
    marksAwarded: 0,
    feedback: "",
    unsure: true,
    proposedMarks: 22.5,
    grade: 40,
  });
});

test("the mark that is proposed is decided by typing it, which is in the audit as any other", async () => {
  const { server, reference, read } = await decideOne();
  const audited = async () =>
    (await server.query("SELECT 1 FROM audit WHERE action = 'mark decided'")).length;
  assert.equal(await audited(), 1, "the mark decided before");
  const lookFirst = /to look at first/;
  assert.match(textOf(await read()), lookFirst);
  await succeeded(runResults(server, ["mark", reference, "one.txt", "1.2", "22.5"]));
  assert.doesNotMatch(textOf(await read()), lookFirst);
  assert.equal(await audited(), 2);
});

test("the command that decides a mark finds a learner by the number too", async () => {
  const { server, reference } = await publish();
  await server.change("UPDATE submissions SET learner_number = 'K-17' WHERE file_name = 'two.txt'");
  const decided = await succeeded(runResults(server, ["mark", reference, "K-17", "1.2", "20"]));
  assert.match(decided.err, /^Learner 2, question 1\.2: 20 of 30/);
});

test("a mark that cannot be decided is rejected with the reason", async () => {
  const server = await emptyServer();
  const reference = await uploadSubmissions(server, names);
  const mark = (...args: string[]) => runResults(server, ["mark", reference, ...args]);
  const early = await mark("Learner 1", "1.1", "3");
  assert.equal(early.code, 1);
  assert.match(early.err, /has no marks yet/);
  const results = unsureResults();
  results.submissions[2]!.studentName = "Learner 1";
  await succeeded(runResults(server, ["import", reference], results));
  const stored = () => server.query("SELECT * FROM submissions ORDER BY id");
  const before = await stored();
  for (const [args, code, said] of [
    [["Learner 2", "1.1", "20.25"], 2, "20.25 is more than the 20 of this question."],
    [["Learner 2", "1.3", "2"], 1, "There is no question 1.3; the questions are 1.1, 1.2."],
    [["Learner 9", "1.1", "2"], 1, "There is no learner Learner 9; results show lists them."],
    [["Learner 1", "1.1", "2"], 1, "2 learners are called Learner 1; give the file name instead."],
    [["Learner 2", "1.1"], 2, "missing required argument 'mark'"],
    [
      ["Learner 2", "1.1", "2", "--comment", "x".repeat(5001)],
      2,
      "The comment has 5,001 characters; it may have 5,000.",
    ],
  ] as const) {
    const rejected = await mark(...args);
    assert.equal(rejected.code, code, said);
    assert.ok(rejected.err.includes(said), rejected.err);
  }
  assert.deepEqual(await stored(), before);
  await server.change("UPDATE submissions SET file_name = 'one.txt'");
  const shared = await mark("one.txt", "1.1", "2");
  assert.match(shared.err, /3 learners are called one\.txt; give the number instead\./);
  assert.deepEqual(await server.query("SELECT 1 FROM audit WHERE action = 'mark decided'"), []);
});
