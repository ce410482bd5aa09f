/** Marking by the points of memos, without JavaScript, and what the educator reads of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { column } from "./support/columns.ts";
import { marksOf } from "./support/csv.ts";
import { openLink, prepareClass, readDesk, typeQuestions } from "./support/desk.ts";
import { formOf, postForm, wordsOf } from "./support/html-forms.ts";
import { succeeded } from "./support/output-of.ts";
import { runResults, sentToken } from "./support/results.ts";
import { sendRequest } from "./support/send-request.ts";
import { emptyServer, setUpOnce } from "./support/server.ts";

const names = ["anna.txt", "ben.txt", "cleo.txt", "dan.txt"];

const memo = "thick leaves (1); deep roots (1); spines (1); wax (½)";
const lines = `1 | 3 | Names adaptations | ${memo}\n2 | 5 | Explains one | heat; water`;

test("a point with a wrong worth is rejected with its line", async () => {
  const server = await emptyServer();
  const token = await openLink(server, await prepareClass(server, names));
  const wrong = await typeQuestions(server, token, lines.replace("wax (½)", "wax (any two)"));
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /This was not stored/);
  assert.match(wrong.text, /Line 1: “wax \(any two\)”: \(any two\) is not a worth\. Leave it out/);
});

test("the points of a memo are previewed before they are stored", async () => {
  const server = await emptyServer();
  const token = await openLink(server, await prepareClass(server, names));
  const shown = await typeQuestions(server, token, lines);
  assert.equal(shown.status, 409);
  assert.match(shown.text, /A preview of the new questions/);
  assert.doesNotMatch(shown.text, /This was not stored/);
  assert.match(shown.text, /Points of question 1, of 3 marks thick leaves \( ?1 ?\) – new/);
  assert.doesNotMatch(shown.text, /Points of question 2/);
  assert.deepEqual(await server.query("SELECT 1 FROM memo_points"), []);
  assert.equal((await typeQuestions(server, token, lines, [{}])).status, 303);
  assert.equal((await server.query("SELECT 1 FROM memo_points")).length, 4);
});

/** A class whose first question has points, with functions that read, tick and change them. */
const classWithPoints = setUpOnce(async (server) => {
  const desk = await prepareClass(server, names);
  const token = await openLink(server, desk);
  assert.equal((await typeQuestions(server, token, lines, [{}])).status, 303);
  const read = async (learner: number) =>
    (await readDesk(server, token, { view: "mark", learner: desk.ids[learner]!, question: "1" }))
      .html;
  const save = async (learner: number, filled: Record<string, string>, html?: string) => {
    const form = formOf(html ?? (await read(learner)), "save");
    const { status, bytes } = await postForm(server.url, form, "save", filled);
    return { status, html: bytes.toString() };
  };
  const [leaves, roots, spines, wax] = [...(await read(0)).matchAll(/name="(tick-\d+)"/g)].map(
    ([, name]) => name!,
  ) as [string, string, string, string];
  const stored = async () =>
    column(await server.query("SELECT to_marks FROM decisions ORDER BY id"), "to_marks");
  const tickThree = async () => {
    await save(0, { [leaves]: "on", [wax]: "on" });
    await save(1, { [leaves]: "on", [roots]: "on", [spines]: "on", [wax]: "on" });
    await save(2, { [leaves]: "on", marks: "2,5" });
  };
  return { server, ...desk, token, read, save, leaves, spines, wax, stored, tickThree };
});

test("ticked points add up to a mark, that of the question at most, unless one is typed", async () => {
  const { stored, tickThree } = await classWithPoints();
  await tickThree();
  assert.deepEqual(await stored(), [1.5, 3, 2.5]);
});

test("the desk says only in the boxes which points were earned", async () => {
  const { read, leaves, wax, tickThree } = await classWithPoints();
  await tickThree();
  const html = await read(0);
  for (const box of [leaves, wax]) assert.match(html, new RegExp(`name="${box}" checked`));
  assert.doesNotMatch(html, /Earned:/);
});

test("an answer without ticks and marks, or with ticks and “not answered”, is rejected", async () => {
  const { save, leaves, stored } = await classWithPoints();
  assert.match((await save(0, {})).html, /Tick points or type the marks, such as 0/);
  const both = await save(0, { [leaves]: "on", notAnswered: "on" });
  assert.equal(both.status, 422);
  assert.match(both.html, /Either tick points or choose “not answered”, not both\./);
  assert.match(both.html, new RegExp(`name="${leaves}" checked`), "what was ticked stays");
  assert.deepEqual(await stored(), []);
});

test("using a comment again keeps the ticks without deciding the mark", async () => {
  const { server, read, spines, stored } = await classWithPoints();
  const opened = formOf(await read(3), "save");
  const typed = { [spines]: "on", use: "Good." };
  const used = await postForm(server.url, opened, undefined, typed);
  assert.equal(used.status, 303);
  const again = await read(3);
  assert.equal(formOf(again, "save").fields.comment, "Good.");
  assert.match(again, new RegExp(`name="${spines}" checked`));
  assert.deepEqual(await stored(), []);
});

test("a changed point is previewed with its ticks, and one made meanwhile is shown again, not stored", async () => {
  const { server, token, read, save, leaves, spines, stored } = await classWithPoints();
  const old = await read(3);
  await save(1, { [leaves]: "on", [spines]: "on" });
  const dearer = lines.replace("spines (1)", "spines (2)");
  const changed = await typeQuestions(server, token, dearer, [{}]);
  assert.match(
    changed.pages[0]!,
    /ticked in 1 decided mark, 1 by N\. Dlamini.*spines.*worth 1 before/,
  );
  assert.equal(changed.status, 303);
  const rejected = await save(3, { [spines]: "on", marks: "1" }, old);
  assert.equal(rejected.status, 409);
  assert.match(rejected.html, /The points of this question have changed/);
  assert.equal(formOf(rejected.html, "save").fields.marks, "", "the sum is that of the new points");
  assert.equal((await save(3, {}, rejected.html)).status, 303);
  assert.deepEqual(await stored(), [2, 2]);
});

const reworded = lines.replace("thick leaves (1)", "succulent leaves (1)");

test("a person says which point a reworded one is", async () => {
  const { server, token, leaves, tickThree } = await classWithPoints();
  await tickThree();
  const unsaid = await typeQuestions(server, token, reworded, [{}]);
  assert.match(unsaid.pages[0]!, /Say which point this is/);
  assert.equal(unsaid.status, 409, "nothing was said");
  const id = leaves.replace("tick-", "");
  const says = { "point-0-0": id };
  const said = await typeQuestions(server, token, reworded, [says, says]);
  assert.match(said.pages[1]!, /succulent leaves.*in place of “thick leaves”/);
  assert.equal(said.status, 303);
  const stored = await server.query("SELECT id FROM memo_points WHERE text = 'succulent leaves'");
  assert.deepEqual(stored, [{ id: Number(id) }]);
});

/** The class with ticks, published, with a function that reads the text of its pages. */
const publishedPoints = setUpOnce(async () => {
  const { server, reference, tickThree } = await classWithPoints();
  await tickThree();
  await succeeded(runResults(server, ["publish", reference, "--yes"]));
  const token = await sentToken(server);
  const page = async (query = "") =>
    wordsOf((await sendRequest(server.url, `/?results=${token}${query}`)).bytes.toString());
  return { server, reference, token, page };
});

test("the report counts who had a point, among answers whose mark is the sum of ticks", async () => {
  const report = await (await publishedPoints()).page();
  assert.match(report, /thick leaves: 2 of 2 had it/);
  assert.match(report, /spines: 1 of 2 had it/);
});

test("a slip says which points were earned, unless the mark is full or was typed", async () => {
  const slips = await (await publishedPoints()).page("&slips=1");
  assert.match(
    slips,
    /Earned: thick leaves \(1\); wax \(0\.5\) Not earned: deep roots \(1\); spines \(1\)/,
  );
  assert.equal(slips.match(/Not earned/g)!.length, 1);
});

test("the history of marks names the points that were ticked", async () => {
  const { server, reference } = await publishedPoints();
  const { out } = await runResults(server, ["history", reference]);
  assert.match(
    out,
    / {2}1 {2}– to 1\.5 {2}entered by N\. Dlamini \(marker\), ticked: thick leaves; wax\n/,
  );
});

test("the CSV file of marks has a column for each point if it is asked for", async () => {
  const { server, token } = await publishedPoints();
  const leaves = "1 thick leaves (1)";
  assert.deepEqual(column(await marksOf(server, token, "?points"), leaves), ["1", "1", "", ""]);
  assert.ok(!(leaves in (await marksOf(server, token))[0]!));
});

test("pages and slips say of which questions only the best counts", async () => {
  const server = await emptyServer();
  const question = (questionNumber: string) => ({ questionNumber, totalMarks: 4, memo: "" });
  const choice = { group: 1, best: 1 };
  const chosen = ["1", "2"].map((number) => ({ ...question(number), description: "", choice }));
  const desk = await prepareClass(server, ["anna.txt"], chosen);
  const marker = await openLink(server, desk);
  for (const marks of ["3", "2"]) {
    const form = formOf((await readDesk(server, marker, { view: "mark" })).html, "save");
    assert.equal((await postForm(server.url, form, "save", { marks })).status, 303);
  }
  await succeeded(runResults(server, ["publish", desk.reference, "--yes"]));
  const token = await sentToken(server);
  for (const view of ["", `&learner=${desk.ids[0]}`, "&slips=1"]) {
    const { bytes } = await sendRequest(server.url, `/?results=${token}${view}`);
    assert.match(wordsOf(bytes.toString()), /Of 1, 2 only the best counts\./, view);
  }
});
