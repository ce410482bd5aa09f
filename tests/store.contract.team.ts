/** What the link to the team's page of a request opens, and what a link of results has at once; see store.contract.test.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { progressOf } from "../app/results/decision-progress.ts";
import { preparedDesk } from "./store.contract.desk.ts";
import { column } from "./support/columns.ts";
import { openRecorded } from "./support/recorded-store.ts";
import {
  email,
  hour,
  importOf,
  later,
  noon,
  publication,
  results,
  stage,
  submitDemo,
  submitRubric,
} from "./support/store-requests.ts";

const page = { page: 1, width: 1100, height: 1500, webp: Buffer.from("a page") };

const linkOf = (token: string) => ({ token, url: `https://site.example/team?link=${token}` });

test("a link of the team opens only the class and the files of its request", async (t) => {
  const { store } = await openRecorded(t);
  const { reference, assessmentId } = await submitDemo(store);
  const other = await submitDemo(store);
  assert.equal(await store.replaceTeamLink(reference, linkOf("first"), noon), true);
  const found = (await store.findTeamRequest("first", noon))!;
  assert.equal(found.reference, reference);
  const names = ["questionsFile.txt", "rubricFile.txt", "first.txt", "second.txt"];
  assert.deepEqual(column(found.files, "name"), names);
  assert.deepEqual(await store.findTeamFile("first", found.files[0]!.id), {
    name: "questionsFile.txt",
    mediaType: "text/plain",
    bytes: Buffer.from("questionsFile"),
  });
  const [foreign] = await store.listFiles(other.reference);
  assert.equal(await store.findTeamFile("first", foreign!.id), undefined);
  assert.deepEqual(await store.findScanTarget("first"), { assessmentId, signedBy: undefined });
});

test("neither a rubric, a test nor an upload in quarantine has a page of the team", async (t) => {
  const { store, query } = await openRecorded(t);
  const rubric = await submitRubric(store);
  assert.equal(await store.replaceTeamLink(rubric.reference, linkOf("rubric"), noon), false);
  const { reference } = await submitDemo(store);
  await store.replaceTeamLink(reference, linkOf("first"), noon);
  for (const [set, unset] of [
    ["is_test = true", "is_test = false"],
    ["spam = 'quick'", "spam = NULL"],
  ] as const) {
    await query(`UPDATE contact_requests SET ${set} RETURNING 1`);
    assert.equal(await store.findTeamRequest("first", noon), undefined, set);
    assert.equal(await store.replaceTeamLink(reference, linkOf("second"), noon), false, set);
    await query(`UPDATE contact_requests SET ${unset} RETURNING 1`);
  }
  assert.ok(await store.findTeamRequest("first", noon));
});

test("a link of the team ends when it is replaced or closed", async (t) => {
  const { store } = await openRecorded(t);
  const { reference } = await submitDemo(store);
  await store.replaceTeamLink(reference, linkOf("first"), noon);
  const [file] = (await store.findTeamRequest("first", noon))!.files;
  assert.equal(await store.replaceTeamLink(reference, linkOf("second"), noon), true);
  assert.equal(await store.findTeamRequest("first", noon), undefined);
  assert.equal((await store.findTeamRequest("second", noon))?.reference, reference);
  assert.equal(await store.closeTeamLink(reference), true);
  assert.equal(await store.closeTeamLink(reference), false, "the link is closed already");
  assert.equal(await store.findTeamRequest("second", noon), undefined);
  assert.equal(await store.findTeamFile("second", file!.id), undefined);
  assert.equal(await store.findScanTarget("second"), undefined);
});

test("a link to results says how many marks there are, and whether they are signed", async (t) => {
  const question = { questionNumber: "1", totalMarks: 10, description: "Add", memo: "" };
  const { store, decide, reference, assessmentId } = await preparedDesk(t, [question]);
  for (const learner of [0, 1, 2]) await decide(learner, "1", 5);
  const status = () => store.findResultsStatus("a-token", later(hour));
  assert.equal(await status(), undefined, "no link has this token");
  await store.publishResults(assessmentId, publication(reference), noon);
  assert.deepEqual(await status(), { isSigned: false, markCount: 3 });
  const noted = {
    confirmedNoughts: new Map<number, string>(),
    acceptedDifferences: 0,
    sendsWebhook: false,
  };
  const { figures } = progressOf((await store.findResults("a-token", noon))!.submissions);
  const signature = { by: "Thandi", figures, ...noted, email };
  assert.equal((await store.signResults("a-token", signature, noon)).outcome, "stored");
  assert.deepEqual(await status(), { isSigned: true, markCount: 3 });
});

test("a link to results has scripts once a page is rendered", async (t) => {
  const { store, reference, assessmentId, fileIds } = await preparedDesk(t);
  assert.equal(await store.hasScripts("a-token", noon), false);
  await store.publishResults(assessmentId, publication(reference), noon);
  assert.equal(await store.hasScripts("a-token", noon), false);
  const unreadable = { kind: "original" as const, reason: "is damaged." };
  await store.storeRendering(fileIds[1]!, unreadable, noon);
  assert.equal(await store.hasScripts("a-token", noon), false, "the file cannot be shown");
  await store.storeRendering(fileIds[0]!, { kind: "pages", pages: [page] }, noon);
  assert.equal(await store.hasScripts("a-token", noon), true);
});

test("a link prepares the desk of a class whose marks were imported", async (t) => {
  const { store } = await openRecorded(t);
  const { reference, assessmentId } = await submitDemo(store);
  await store.importResults(assessmentId, importOf(results), noon);
  await store.publishResults(assessmentId, publication(reference), noon);
  assert.deepEqual(await store.findDesk("a-token", noon), { state: "unprepared" });
  await store.prepareDeskOf("a-token", noon);
  const desk = await store.findDesk("a-token", noon);
  assert.ok("learners" in desk, JSON.stringify(desk));
  assert.deepEqual(column(desk.learners, "number"), ["1", "2"]);
});

test("the field of a staged file can be changed until its request is stored", async (t) => {
  const { store, query } = await openRecorded(t);
  const file = await stage(store, "unknown", "questions");
  await store.setFileField(file.id, "questionsFile");
  await submitDemo(store, { questionsFile: [file] });
  await store.setFileField(file.id, "rubricFile");
  const stored = await query(`SELECT field FROM uploaded_files WHERE id = ${file.id}`);
  assert.deepEqual(stored, [{ field: "questionsFile" }], "the field of a request's file stays");
});
