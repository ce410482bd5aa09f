/**
 * Every operation of the store, on a real database; see also store.contract.postgres.test.ts. Those of the
 * marking desk are in store.contract.desk.ts, of its lead in store.contract.lead.ts, of proposals in
 * store.contract.proposals.ts, of the points of memos in store.contract.points.ts, and of the page of the team in
 * store.contract.team.ts; what concerns only an SQLite file is in store.contract.file.test.ts.
 * All are imported at once: --test-force-exit ends a process that has run all tests it knows, though it imports others.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type TestContext, test } from "node:test";
import {
  type Given,
  type NewDecision,
  type NewSignature,
  nothingElse,
  type SeenMark,
} from "../app/domain/decision.ts";
import type { MarkedSubmission, Results } from "../app/domain/result.ts";
import { progressOf } from "../app/results/decision-progress.ts";
import type * as operationsModule from "../db/operations/index.ts";
import type { Operations } from "../db/store.ts";
import "./store.contract.desk.ts";
import "./store.contract.lead.ts";
import "./store.contract.points.ts";
import "./store.contract.proposals.ts";
import "./store.contract.team.ts";
import { column, columns } from "./support/columns.ts";
import { called, openRecorded as open } from "./support/recorded-store.ts";
import { loadSource } from "./support/source.ts";
import {
  contact,
  day,
  email,
  hour,
  importOf,
  later,
  minute,
  newRequest,
  nextReference,
  noon,
  publication,
  results,
  stage,
  submitContact,
  submitDemo,
  submitRubric,
} from "./support/store-requests.ts";

test("a request is stored with its email", async (t) => {
  const { store } = await open(t);
  const { reference } = await submitContact(store);
  const record = await store.findRequest(reference, noon);
  assert.partialDeepStrictEqual(record?.request, { ...contact, requestType: "general" });
  const unsent = { status: "pending", attempts: 0, lastError: null, sentAt: null };
  assert.deepEqual(record?.emails, [{ kind: "request", recipient: null, ...unsent }]);
  const { subject, body, replyTo } = (await store.takeDueEmail(noon))!;
  assert.deepEqual({ subject, body, replyTo }, email);
});

test("an equal post soon after is the same request, and later another", async (t) => {
  const { store } = await open(t);
  const fingerprint = "equal";
  const first = await submitContact(store, { fingerprint });
  const again = await submitContact(store, { fingerprint }, later(minute));
  assert.deepEqual(again, first);
  assert.deepEqual(await store.findDuplicate(fingerprint, later(-minute)), first);
  assert.equal(await store.findDuplicate(fingerprint, later(minute)), undefined);
  const other = { fingerprint, duplicatesSince: later(minute) };
  const another = await submitContact(store, other, later(20 * minute));
  assert.notEqual(another.reference, first.reference);
  assert.equal((await store.countEmails()).pending, 2);
});

test("requests and their references are listed newest first", async (t) => {
  const { store } = await open(t);
  const references: string[] = [];
  for (const at of [noon, later(2 * minute), later(minute)]) {
    references.push((await submitContact(store, {}, at)).reference);
  }
  const [oldest, newest, middle] = references;
  assert.deepEqual(await store.listReferences(), [newest, middle, oldest]);
  assert.deepEqual(column(await store.listRequests(), "reference"), [newest, middle, oldest]);
});

/** The names of the files of `submitDemo`. */
const demoFiles = ["questionsFile.txt", "rubricFile.txt", "first.txt", "second.txt"];

test("an upload is stored with its staged files", async (t) => {
  const { store } = await open(t);
  const { reference } = await submitDemo(store);
  const listed = await store.listFiles(reference);
  assert.deepEqual(column(listed, "name"), demoFiles);
  for (const { id, name } of listed) assert.equal(`${await store.readFile(id)}.txt`, name);
  const { assessmentId } = (await store.findMarkingTarget(reference))!;
  const { learners } = await store.findImportTarget(assessmentId);
  assert.deepEqual(column(learners, "fileName"), demoFiles.slice(2));
  const rubric = await store.listFiles((await submitRubric(store)).reference);
  assert.deepEqual(column(rubric, "name"), ["assessmentQuestions.txt", "gradingRubric.txt"]);
});

test("an upload is not stored if one of its staged files is missing", async (t) => {
  const { store, query } = await open(t);
  const gone = await stage(store, "questionsFile", "gone");
  await store.discardStagedFiles([gone.id]);
  const before = await query("SELECT count(*) AS n FROM uploaded_files");
  await assert.rejects(submitDemo(store, { questionsFile: [gone] }), /deleted before its request/);
  await assert.rejects(submitRubric(store, { gradingRubric: [gone] }), /deleted before its/);
  assert.deepEqual(await store.listRequests(), []);
  assert.equal((await store.countEmails()).pending, 0);
  // The other files are still staged, by the database's clock less than a minute ago.
  assert.equal(await store.deleteStaleStagedFiles(60), 0);
  assert.equal(await store.deleteStaleStagedFiles(0), 6);
  assert.deepEqual(await query("SELECT count(*) AS n FROM uploaded_files"), before);
});

test("a file is staged with the size and the SHA-256 of its bytes", async (t) => {
  const { size, sha256 } = await stage((await open(t)).store, "rubricFile", "é");
  assert.deepEqual([size, sha256], [2, createHash("sha256").update("é").digest("hex")]);
});

test("all staged files together have a limit, which those of requests do not count towards", async (t) => {
  const { store } = await open(t);
  await submitRubric(store);
  const file = { field: "rubricFile", name: "a.txt", mediaType: "text/plain" };
  const stageBytes = (size: number) =>
    store.stageFile({ ...file, bytes: Buffer.alloc(size) }, 1000, noon);
  const staged = await stageBytes(600);
  await assert.rejects(stageBytes(401), /limit for files/);
  await stageBytes(400);
  await store.discardStagedFiles([]);
  await assert.rejects(stageBytes(1), /limit for files/, "none was discarded");
  await store.discardStagedFiles([staged.id]);
  await stageBytes(600);
});

/** A store with a draft of two staged files, and functions that find and change it. */
async function storeWithDraft(t: TestContext) {
  const { store } = await open(t);
  const files = [await stage(store, "rubricFile"), await stage(store, "questionsFile")] as const;
  const form = "demo-upload";
  const keep = files.map(({ id }) => id);
  const token = (await store.saveDraft({ form, draftId: undefined, keep, remove: [] }, noon))!;
  const find = (at = noon) => store.findDraft(token, form, at);
  const draftId = (await find())!.id;
  const change = (remove: number[]) => store.saveDraft({ form, draftId, keep: [], remove }, noon);
  return { store, files, token, find, change };
}

test("a draft keeps files under a token until it expires", async (t) => {
  const { store, files, token, find } = await storeWithDraft(t);
  assert.equal(await store.findDraft(token, "rubric-request", noon), undefined);
  assert.equal(await store.findDraft("made-up", "demo-upload", noon), undefined);
  for (const at of [noon, later(hour - 1)]) assert.deepEqual((await find(at))?.files, files);
  assert.equal(await find(later(hour)), undefined);
  assert.equal(await store.deleteStaleStagedFiles(0), 0, "a draft keeps its files");
});

test("a file that is removed from a draft is deleted", async (t) => {
  const { store, files, find, change } = await storeWithDraft(t);
  const [kept, removed] = files;
  assert.equal(await change([removed.id]), undefined, "the token stays");
  assert.deepEqual((await find())?.files, [kept]);
  assert.equal(await store.readFile(removed.id), undefined);
});

test("a draft that has expired is deleted with its files, and begun anew by a change", async (t) => {
  const { store, files, change } = await storeWithDraft(t);
  assert.equal(await store.deleteExpiredDrafts(later(hour - 1)), 0);
  assert.equal(await store.deleteExpiredDrafts(later(hour)), 1);
  for (const { id } of files) assert.equal(await store.readFile(id), undefined);
  assert.notEqual(await change([]), undefined, "the token of another draft");
});

test("of two requests that found the same draft, only one is stored", async (t) => {
  const { store } = await open(t);
  const form = "demo-upload";
  const files = {
    questionsFile: [await stage(store, "questionsFile")],
    rubricFile: [await stage(store, "rubricFile")],
    submissionFiles: [await stage(store, "submissionFiles")],
  };
  const keep = Object.values(files).flatMap((some) => some.map(({ id }) => id));
  const token = await store.saveDraft({ form, draftId: undefined, keep, remove: [] }, noon);
  const { id } = (await store.findDraft(token!, form, noon))!;
  const sent = { files, draft: { id, isUpload: false } };
  const [first, second] = [newRequest(sent), newRequest(sent)];
  const stored = await store.submitRequest(form, first, noon);
  await assert.rejects(store.submitRequest(form, second, noon), /deleted before its request/);
  assert.equal(await store.findStored(second.reference), undefined);
  const listed = await store.listFiles(stored.reference);
  assert.deepEqual(column(listed, "id"), keep);
  assert.equal(await store.findDraft(token!, form, noon), undefined);
});

test("a draft takes no file of a request, and removes none of another draft", async (t) => {
  const { store } = await open(t);
  const [form, draftId] = ["demo-upload", undefined];
  const file = await stage(store, "rubricFile");
  const token = await store.saveDraft({ form, draftId, keep: [file.id], remove: [] }, noon);
  const { reference } = await submitDemo(store);
  const [stored] = await store.listFiles(reference);
  const change = { form, draftId, keep: [stored!.id], remove: [file.id] };
  const other = await store.saveDraft(change, noon);
  assert.deepEqual((await store.findDraft(other!, form, noon))?.files, []);
  assert.deepEqual((await store.findDraft(token!, form, noon))?.files, [file]);
});

const uploadId = "0123456789abcdef0123456789abcdef";

/** A store with an open upload draft, and functions that stage files in it and find it. */
async function storeWithUploadDraft(t: TestContext) {
  const { store } = await open(t);
  const form = "demo-upload";
  const draft = await store.openDraft(uploadId, form, noon);
  const stageAt = (position: number, field: string, text: string, at = noon) => {
    const file = { field, name: "a.txt", mediaType: "text/plain", bytes: Buffer.from(text) };
    return store.stageFile({ ...file, draft: { id: draft.id, position } }, 1000, at);
  };
  const find = (at = noon) => store.findDraft(uploadId, form, at);
  return { store, form, draft, stageAt, find } as const;
}

test("an upload draft keeps the last file of each position", async (t) => {
  const { stageAt, find } = await storeWithUploadDraft(t);
  const first = await stageAt(0, "questionsFile", "first");
  assert.deepEqual(await stageAt(0, "questionsFile", "first"), first, "stored once");
  const changed = await stageAt(0, "questionsFile", "changed");
  assert.notEqual(changed.id, first.id);
  const work = await stageAt(2, "submissionFiles", "work");
  const rubric = await stageAt(1, "rubricFile", "rubric");
  assert.deepEqual((await find())?.files, [changed, work, rubric]);
});

test("an upload draft ends an hour after its last file", async (t) => {
  const { store, form, draft, stageAt, find } = await storeWithUploadDraft(t);
  await stageAt(0, "questionsFile", "first", later(50 * minute));
  const end = later(110 * minute);
  assert.equal((await find(new Date(end.getTime() - 1)))?.id, draft.id);
  assert.equal((await store.openDraft(uploadId, form, new Date(end.getTime() - 1))).id, draft.id);
  assert.equal(await find(end), undefined);
  await stageAt(1, "rubricFile", "slow", end);
  assert.equal((await find(end))?.files.length, 2, "the upload goes on until the draft is deleted");
  assert.equal(await store.deleteExpiredDrafts(later(170 * minute)), 1);
  await assert.rejects(stageAt(2, "submissionFiles", "late"), /ended while it arrived/);
});

test("an upload draft that became a request remembers it until its end, and takes no more files", async (t) => {
  const { store, form, draft, stageAt, find } = await storeWithUploadDraft(t);
  const files = {
    questionsFile: [await stageAt(0, "questionsFile", "text")],
    rubricFile: [await stageAt(1, "rubricFile", "text")],
    submissionFiles: [await stageAt(2, "submissionFiles", "text")],
  };
  const upload = newRequest({ files, draft: { id: draft.id, isUpload: true } });
  const stored = await store.submitRequest(form, upload, noon);
  assert.deepEqual(await store.findStored(stored.reference), stored);
  const again = { ...upload, reference: nextReference(), fingerprint: "another" };
  assert.deepEqual(await store.submitRequest(form, again, noon), stored);
  assert.equal((await find())?.reference, stored.reference);
  await assert.rejects(stageAt(3, "submissionFiles", "late"), /ended while it arrived/);
  const anew = await store.openDraft(uploadId, form, later(3 * hour));
  assert.deepEqual([anew.files, anew.reference], [[], null]);
});

test("requests are read with their files and emails, in the order of the given references", async (t) => {
  const { store } = await open(t);
  const first = await submitContact(store);
  const second = await submitDemo(store);
  await submitContact(store, {}, later(minute));
  const references = [second.reference, "ZZZZ-ZZZZ-ZZZZ", first.reference];
  const records = await store.findRequests(references, noon);
  assert.deepEqual(records, [
    await store.findRequest(second.reference, noon),
    await store.findRequest(first.reference, noon),
  ]);
  assert.deepEqual(
    records.map(({ files, emails }) => `${files.length} files, ${emails.length} email`),
    ["4 files, 1 email", "0 files, 1 email"],
  );
  assert.deepEqual(column(records, "assessmentStatus"), ["submitted", null]);
});

test("a receipt is found under the form of its request", async (t) => {
  const { store } = await open(t);
  const { reference } = await submitDemo(store);
  assert.equal(await store.findReceived(["contact"], reference), undefined);
  const received = await store.findReceived(["contact", "demo-upload"], reference);
  assert.deepEqual(received, { form: "demo-upload", reference, receivedAt: noon.toISOString() });
});

test("a receipt shows the names of the files for a day", async (t) => {
  const { store } = await open(t);
  const { reference } = await submitDemo(store);
  const received = (await store.findReceived(["demo-upload"], reference))!;
  const fresh = await store.findReceipt(received, later(day - 1));
  assert.deepEqual(column(fresh.files, "name"), demoFiles);
  const old = await store.findReceipt(received, later(day));
  assert.deepEqual([old.fileCount, old.files], [4, []]);
});

test("a receipt names no files once there is a marking link, whose email has the reference", async (t) => {
  const { store } = await open(t);
  const { reference, assessmentId } = await submitDemo(store);
  const received = (await store.findReceived(["demo-upload"], reference))!;
  await store.prepareDesk(assessmentId);
  const opens = { questions: null, learners: null, showsNames: false, tolerance: null };
  const link = { token: "all", marker: "N. Dlamini", expiresAt: later(day), ...opens };
  await store.addMarkingLink(assessmentId, link, undefined, noon);
  const { fileCount, files } = await store.findReceipt(received, later(hour));
  assert.deepEqual([fileCount, files], [4, []]);
});

/** A reading copy of results, without its expiry. */
const copy = { token: "copy", sender: "Thandi Example" };

/** Stores a request that is marked from the second day on. */
async function markedRequest(t: TestContext) {
  const { store } = await open(t);
  const { reference, assessmentId } = await submitDemo(store);
  const received = (await store.findReceived(["demo-upload"], reference))!;
  const receipt = (at = later(30 * day)) => store.findReceipt(received, at);
  assert.equal((await receipt()).marking, undefined);
  await store.importResults(assessmentId, importOf(results), later(2 * day));
  const publish = () => store.publishResults(assessmentId, publication(reference), later(3 * day));
  const sendAll = async () => {
    for (;;) {
      const due = await store.takeDueEmail(later(4 * day));
      if (!due) return;
      await store.markSent(due, later(4 * day));
    }
  };
  return { store, assessmentId, receipt, publish, sendAll };
}

test("a receipt says since when a request is marked and its link has been sent", async (t) => {
  const { store, assessmentId, receipt, publish, sendAll } = await markedRequest(t);
  const startedAt = later(2 * day).toISOString();
  await store.shareResults(assessmentId, { ...copy, expiresAt: later(40 * day) }, later(2 * day));
  assert.deepEqual((await receipt()).marking, { startedAt }, "a copy is not the educator's link");
  await publish();
  assert.deepEqual((await receipt()).marking, { startedAt }, "the email with the link waits");
  await sendAll();
  const readyAt = later(4 * day).toISOString();
  assert.deepEqual((await receipt()).marking, { startedAt, readyAt });
  await store.revokeResults(assessmentId, later(5 * day));
  assert.deepEqual((await receipt()).marking, { startedAt }, "the link is closed");
});

/** One address subscribes twice: as suspected spam, and a day later in a normal post. */
async function subscribeTwice({ subscribe }: Pick<Operations, "subscribe">) {
  const subscription = { email: " Reader@School.example", spam: "quick", isTest: false };
  const first = await subscribe({ ...subscription, reference: nextReference() }, noon);
  const normal = { ...subscription, spam: null, reference: nextReference() };
  const again = await subscribe(normal, later(day));
  return { first, again };
}

test("an address subscribes once, even after a post that was suspected spam", async (t) => {
  const { store } = await open(t);
  const { first, again } = await subscribeTwice(store);
  assert.equal(again.id, first.id + 1, "the id is as for a new address");
  assert.notEqual(again.reference, first.reference);
  const stored = {
    email: "reader@school.example",
    reference: first.reference,
    createdAt: later(day).toISOString(),
    spam: null,
    isTest: false,
    confirmedAt: null,
  };
  assert.deepEqual(await store.listSubscriptions(), [stored]);
  assert.deepEqual(await store.findSubscription("READER@school.example "), stored);
});

test("every post of a subscription has a receipt, which is deleted at its age", async (t) => {
  const { store } = await open(t);
  const { first, again } = await subscribeTwice(store);
  for (const [{ reference }, at] of [
    [first, noon],
    [again, later(day)],
  ] as const) {
    const receipt = await store.findReceived(["subscription"], reference);
    assert.deepEqual(receipt, { form: "subscription", reference, receivedAt: at.toISOString() });
  }
  await store.deleteRequestsBefore(later(hour), 50, noon);
  assert.equal(await store.findReceived(["subscription"], first.reference), undefined);
  assert.ok(await store.findReceived(["subscription"], again.reference));
});

test("of subscriptions only suspected spam and tests expire", async (t) => {
  const { store } = await open(t);
  for (const [email, spam, isTest] of [
    ["reader@school.example", null, false],
    ["spam@school.example", "quick", false],
    ["test@school.example", null, true],
  ] as const) {
    await store.subscribe({ email, spam, isTest, reference: nextReference() }, noon);
  }
  const addresses = async () => (await store.listSubscriptions()).map((one) => one.email);
  await store.deleteRequestsBefore(noon, 50, later(hour));
  assert.equal((await addresses()).length, 3);
  await store.deleteRequestsBefore(later(1), 50, later(hour));
  assert.deepEqual(await addresses(), ["reader@school.example"]);
});

test("emails are sent once they are due, oldest due first", async (t) => {
  const { store } = await open(t);
  const second = await submitContact(store, {}, later(minute));
  const first = await submitContact(store);
  assert.equal(await store.takeDueEmail(later(-1)), undefined);
  for (const { reference } of [first, second]) {
    assert.equal((await store.takeDueEmail(later(hour)))?.reference, reference);
  }
});

test("the time of the oldest pending email and the time when one is due next are known", async (t) => {
  const { store } = await open(t);
  for (const at of [later(minute), noon]) await submitContact(store, {}, at);
  assert.equal(await store.oldestPendingEmail(), noon.toISOString());
  assert.deepEqual(await store.nextDueTime(), noon);
});

test("an email is retried with the same id until it fails for good", async (t) => {
  const { store } = await open(t);
  await submitContact(store);
  const one = (await store.takeDueEmail(later(hour)))!;
  const busy = { reason: "451 busy", acceptedBy: [], nextAttempt: later(2 * hour) };
  await store.markFailed(one, busy, later(hour));
  assert.equal(await store.takeDueEmail(later(2 * hour - 1)), undefined);
  const again = (await store.takeDueEmail(later(2 * hour)))!;
  const firstAttemptAt = later(hour).toISOString();
  assert.partialDeepStrictEqual(again, { attempts: 1, firstAttemptAt, lastError: "451 busy" });
  assert.equal(again.messageId, one.messageId);
  const last = { reason: "550 no", acceptedBy: [], nextAttempt: undefined };
  await store.markFailed(again, last, later(3 * hour));
  const { failed, pending } = await store.countEmails();
  assert.deepEqual([failed, pending], [1, 0]);
  assert.equal(await store.oldestPendingEmail(), undefined);
  assert.equal(await store.nextDueTime(), undefined);
});

test("emails that are pending or failed, and only these, are due at once if they are retried by command", async (t) => {
  const { store } = await open(t);
  await submitContact(store);
  await submitContact(store, {}, later(minute));
  const one = (await store.takeDueEmail(later(hour)))!;
  const two = (await store.takeDueEmail(later(hour)))!;
  const attempt = { reason: "550 no", acceptedBy: [], nextAttempt: later(day) };
  await store.markFailed(one, attempt, later(hour));
  await store.markSent(two, later(hour));
  assert.deepEqual(await store.retryEmails(undefined, later(2 * hour)), [one.id]);
  assert.deepEqual(await store.nextDueTime(), later(2 * hour));
  const again = (await store.takeDueEmail(later(2 * hour)))!;
  await store.markFailed(again, { ...attempt, nextAttempt: undefined }, later(2 * hour));
  assert.deepEqual(await store.retryEmails(undefined, later(4 * hour)), [one.id]);
  assert.deepEqual(await store.retryEmails([two.id], later(4 * hour)), [], "the email was sent");
  assert.deepEqual(columns(await store.listEmails(true), "id", "status"), [
    [two.id, "sent"],
    [one.id, "pending"],
  ]);
});

test("an email that is discarded by command is listed no more", async (t) => {
  const { store } = await open(t);
  const { reference } = await submitContact(store);
  await submitContact(store);
  const listed = async () => column(await store.listEmails(false), "id").sort();
  assert.deepEqual(await listed(), [1, 2]);
  assert.deepEqual(await store.discardEmails([1, 9999], noon), [1]);
  assert.deepEqual(await listed(), [2]);
  assert.equal((await store.findRequest(reference, noon))?.emails.length, 0);
});

test("an email that some recipients rejected is sent again to those recipients only", async (t) => {
  const { store } = await open(t);
  await submitContact(store);
  const one = (await store.takeDueEmail(noon))!;
  const attempt = { reason: "b: 550", acceptedBy: ["a"], nextAttempt: later(minute) };
  await store.markFailed(one, attempt, noon);
  assert.equal(await store.oldestPendingEmail(), undefined, "a recipient has it");
  const again = (await store.takeDueEmail(later(hour)))!;
  assert.deepEqual([again.acceptedBy, again.messageId], [["a"], one.messageId]);
  await store.markFailed(again, { ...attempt, nextAttempt: undefined }, later(hour));
  const [listed] = await store.listEmails(false);
  assert.deepEqual([listed?.status, listed?.lastError], ["sent", "b: 550"]);
  assert.deepEqual(await store.retryEmails(undefined, later(day)), [one.id]);
  const last = (await store.takeDueEmail(later(day)))!;
  assert.deepEqual(last.acceptedBy, ["a"], "also by command");
  await store.markSent(last, later(day));
  assert.deepEqual(await store.listEmails(false), []);
});

test("an email is sent by one server at a time", async (t) => {
  const { store } = await open(t);
  const { reference } = await submitContact(store);
  const one = (await store.takeDueEmail(noon))!;
  assert.equal(one.reference, reference);
  assert.equal(await store.takeDueEmail(later(day)), undefined, "the email is being sent");
  assert.equal(await store.nextDueTime(), undefined);
  assert.deepEqual(await store.retryEmails(undefined, noon), []);
  assert.deepEqual(await store.discardEmails([one.id], noon), []);
  await store.sumUpDueEmails({ summary: email, dueAt: later(hour) }, later(minute));
  assert.equal((await store.countEmails())["summed up"], 0);
  assert.equal(await store.renewLease(one), true);
});

test("an email whose lease has ended is sent by another server", async (t) => {
  const { store, query } = await open(t);
  await submitContact(store);
  const one = (await store.takeDueEmail(noon))!;
  await query(
    "UPDATE outbox SET leased_until = '2026-01-01T00:00:00.000Z' WHERE id = 1 RETURNING 1",
  );
  const other = (await store.takeDueEmail(noon))!;
  assert.deepEqual([other.id, other.messageId], [one.id, one.messageId]);
  assert.equal(await store.renewLease(one), false);
  assert.equal(await store.markSent(one, noon), false, "the other server sends it");
  const attempt = { reason: "451 busy", acceptedBy: [], nextAttempt: undefined };
  assert.equal(await store.markFailed(one, attempt, noon), false);
  assert.equal((await store.countEmails()).pending, 1);
  assert.equal(await store.markSent(other, noon), true);
});

test("an email that the caller has leased is summed up", async (t) => {
  const { store } = await open(t);
  await submitContact(store);
  const taken = (await store.takeDueEmail(noon))!;
  await store.sumUpDueEmails({ summary: email, dueAt: later(hour), taken }, noon);
  assert.equal((await store.countEmails())["summed up"], 1);
});

test("webhooks and emails of one outbox are counted, sent and retried apart", async (t) => {
  const { store } = await open(t);
  const { reference } = await submitContact(store, { sendsWebhook: true });
  const webhook = (await store.takeDueEmail(noon, "webhook"))!;
  assert.deepEqual([webhook.kind, webhook.reference], ["webhook", reference]);
  assert.equal(await store.takeDueEmail(noon, "webhook"), undefined);
  const sent = (await store.takeDueEmail(noon))!;
  assert.deepEqual([sent.kind, await store.takeDueEmail(noon)], ["request", undefined]);
  await store.markSent(sent, noon);
  const busy = { reason: "503", acceptedBy: [], nextAttempt: later(hour) };
  await store.markFailed(webhook, busy, noon);
  for (const [channel, created, due, pending] of [
    ["webhook", noon.toISOString(), later(hour), 1],
    ["email", undefined, undefined, 0],
  ] as const) {
    assert.equal(await store.oldestPendingEmail(channel), created, channel);
    assert.deepEqual(await store.nextDueTime(channel), due, channel);
    assert.equal((await store.countEmails(channel)).pending, pending, channel);
  }
  assert.equal((await store.findRequest(reference, noon))?.request.emailStatus, "sent");
});

test("the webhook of a request in quarantine waits until it is released", async (t) => {
  const { store } = await open(t);
  const suspected = { sendsWebhook: true, spam: "honeypot", isOnHold: true };
  const { reference } = await submitContact(store, suspected);
  assert.equal((await store.countEmails("webhook"))["on hold"], 1);
  assert.equal(await store.takeDueEmail(noon, "webhook"), undefined);
  await store.releaseFromQuarantine(reference, later(minute));
  assert.equal((await store.takeDueEmail(later(minute), "webhook"))!.reference, reference);
});

test("a webhook that is erased with its request does not count as an email", async (t) => {
  const { store } = await open(t);
  const { reference } = await submitContact(store, { sendsWebhook: true });
  const audit = await store.openAudit("subject erased", noon);
  assert.equal((await store.eraseRequest(reference, audit)).emails, 1);
  assert.equal((await store.countEmails("webhook")).pending, 0);
});

test("requests that were deleted are known as deleted, by command and by age", async (t) => {
  const { store } = await open(t);
  const [erased, expired, kept] = [
    await submitRubric(store),
    await submitDemo(store),
    await submitContact(store, {}, later(day)),
  ].map(({ reference }) => reference) as [string, string, string];
  const all = [erased, expired, kept, "ABCD-EFGH-JKMN"];
  assert.deepEqual(await store.findDeleted(all), []);
  await store.eraseRequest(erased, await store.openAudit("requests purged", noon));
  await store.eraseRequest("ABCD-EFGH-JKMN", await store.openAudit("requests purged", noon));
  assert.deepEqual(await store.findDeleted(all), [erased]);
  await store.deleteRequestsBefore(later(hour), 50, noon);
  assert.deepEqual(await store.findDeleted(all), [erased, expired]);
  const century = later(100 * 365 * day);
  await store.deleteRequestsBefore(century, 50, later(hour));
  assert.deepEqual(await store.findDeleted(all), [erased, expired, kept], "for a year at least");
  await store.deleteRequestsBefore(century, 50, century);
  assert.deepEqual(await store.findDeleted(all), []);
});

test("a lease is held by one server at a time, until it ends", async (t) => {
  const { store, query } = await open(t);
  assert.equal(await store.takeLease("cleanup", "one", 600), true);
  assert.equal(await store.takeLease("cleanup", "two", 600), false);
  assert.equal(await store.takeLease("cleanup", "one", 600), true, "the holder prolongs the lease");
  assert.equal(await store.takeLease("other work", "two", 600), true);
  await query("UPDATE leases SET held_until = '2026-01-01T00:00:00.000Z' RETURNING 1");
  assert.equal(await store.takeLease("cleanup", "two", 600), true);
  assert.equal(await store.takeLease("cleanup", "one", 600), false);
});

test("a trial of writing succeeds again and again on a database that can be written", async (t) => {
  const { store } = await open(t);
  for (const _ of ["first", "again"]) await store.tryWriting();
});

/** A store with a request of each of two forms, and functions that sum up due emails and list a summary. */
async function storeToSumUp(t: TestContext) {
  const { store } = await open(t);
  // Summaries list requests by time, so one is older.
  const contact = await submitContact(store, {}, later(-minute));
  const references = [contact.reference, (await submitDemo(store)).reference] as const;
  const summary = { ...email, subject: "Summary" };
  const sumUp = (at = noon) =>
    store.sumUpDueEmails({ summary, dueAt: new Date(at.getTime() + hour) }, at);
  return { store, references, sumUp };
}

test("due emails about requests are summed up in one email, which each call before it is due adds to", async (t) => {
  const { store, references, sumUp } = await storeToSumUp(t);
  await sumUp();
  const third = await submitContact(store, { isTest: true }, later(minute));
  await sumUp(later(minute));
  assert.deepEqual(await store.nextDueTime(), later(hour), "one summary for both calls");
  const due = (await store.takeDueEmail(later(hour)))!;
  assert.deepEqual([due.kind, due.reference], ["summary", null]);
  assert.deepEqual(columns(await store.listSummedUp(due.id), "reference", "form", "isTest"), [
    [references[0], "contact", false],
    [references[1], "demo-upload", false],
    [third.reference, "contact", true],
  ]);
  assert.equal((await store.countEmails())["summed up"], 3);
  assert.deepEqual(await store.retryEmails([1], noon), [], "the email is in a summary");
});

test("an acknowledgement is not summed up with the emails to the team", async (t) => {
  const { store, references, sumUp } = await storeToSumUp(t);
  const acknowledged = { ...email, recipient: "a@b.example" };
  await store.acknowledge(references[0], acknowledged, { perMailbox: 1, all: 1 }, noon);
  await sumUp();
  assert.equal((await store.takeDueEmail(noon))?.kind, "acknowledgement");
  assert.equal(await store.takeDueEmail(noon), undefined);
});

test("a request that arrives while a summary is being sent is in the next one", async (t) => {
  const { store, sumUp } = await storeToSumUp(t);
  await sumUp();
  const due = (await store.takeDueEmail(later(hour)))!;
  // The clock of the server that receives it is behind: for it, the summary is not due yet.
  const received = later(hour - minute);
  const { reference } = await submitContact(store, {}, received);
  await sumUp(received);
  const next = (await store.takeDueEmail(later(2 * hour)))!;
  assert.equal(await store.markSent(due, later(hour)), true);
  assert.equal((await store.listSummedUp(due.id)).length, 2);
  assert.deepEqual(column(await store.listSummedUp(next.id), "reference"), [reference]);
});

test("suspected spam is in quarantine with its email on hold until it is released", async (t) => {
  const { store } = await open(t);
  const suspected = { spam: "the hidden field was filled in", isOnHold: true };
  const { reference } = await submitContact(store, suspected);
  await submitContact(store, suspected);
  assert.equal((await store.countEmails())["on hold"], 2);
  assert.equal(await store.releaseFromQuarantine(reference, noon), true);
  assert.equal(await store.releaseFromQuarantine(reference, noon), false);
  assert.equal((await store.countEmails()).pending, 1);
  assert.equal((await store.countEmails())["on hold"], 1, "the other's");
  assert.equal((await store.findRequest(reference, noon))?.request.spam, null);
});

test("the suspected spam of a day is reported once", async (t) => {
  const { store } = await open(t);
  const suspected = { spam: "the hidden field was filled in", isOnHold: true };
  await submitContact(store, suspected);
  await submitContact(store, suspected, later(-day));
  await submitContact(store, suspected, new Date("2026-11-20T22:30Z"));
  const afterMidnight = new Date("2026-11-21T22:30Z");
  const unreported = await store.findUnreportedSpam(afterMidnight);
  assert.deepEqual(columns(unreported, "day", "count").sort(), [
    ["2026-11-20", 1],
    ["2026-11-21", 2],
  ]);
  assert.deepEqual(await store.findUnreportedSpam(noon), [{ day: "2026-11-20", count: 1 }]);
  await store.reportSpam("2026-11-20", email, noon);
  await store.reportSpam("2026-11-20", email, noon);
  assert.deepEqual(await store.findUnreportedSpam(noon), []);

  const reports = (await store.listEmails(false)).filter(({ kind }) => kind === "spam report");
  const [report] = reports;
  assert.deepEqual([reports.length, report?.reference], [1, null]);
  await store.discardEmails([report!.id], noon);
  assert.equal((await store.countEmails()).discarded, 1);
  assert.deepEqual(await store.findUnreportedSpam(noon), [], "a discarded report stays reported");
});

/** A published class: two questions, the second without a proposal for the second learner. */
async function publishedClass(t: TestContext) {
  const opened = await open(t);
  const { store } = opened;
  const { reference, assessmentId } = await submitDemo(store);
  const marks = [
    [6, 2],
    [8, null],
  ];
  const classResults: Results = {
    title: "Fractions",
    averageGrade: 40,
    totalSubmissions: 2,
    submissions: marks.map(([first, second], index) => ({
      studentName: `Learner ${index + 1}`,
      fileName: ["first.txt", "second.txt"][index]!,
      grade: second === null ? null : 40,
      feedback: "",
      questionMarks: [first!, second!].map((marksAwarded, question) => ({
        questionNumber: `${question + 1}`,
        description: "Add",
        totalMarks: 10,
        marksAwarded,
        feedback: "",
      })),
    })),
  };
  await store.importResults(assessmentId, importOf(classResults), noon);
  await store.publishResults(assessmentId, publication(reference), noon);
  const markOf = async (learner: number, question: number) =>
    (await store.findImportedResults(assessmentId))!.submissions[learner]!.questionMarks[question]!;
  const seen = async (learner: number, question: number) => {
    const { questionNumber, decision, marksAwarded, importId } = await markOf(learner, question);
    return {
      questionNumber,
      decisionId: decision?.id ?? 0,
      marks: marksAwarded,
      importId: importId ?? 0,
    };
  };
  const ids = (await store.findImportedResults(assessmentId))!.submissions.map(
    ({ learnerId }) => learnerId!,
  );
  const decide = async (
    learner: number,
    question: number,
    marks: number | null,
    { comment = "", ...more }: Partial<NewDecision & Pick<Given, "comment">> = {},
    decider: { token: string } | { assessmentId: number } = { token: "a-token" },
  ) => {
    const decision = {
      learnerId: ids[learner]!,
      seen: await seen(learner, question),
      given: { ...nothingElse, marks, comment },
      order: "learner" as const,
      ...more,
    };
    return "token" in decider
      ? store.decideAnswer(decider.token, decision, later(hour))
      : store.decideMark(decider.assessmentId, decision, later(hour));
  };
  const agreeWithRest = async (learner: number, marks: SeenMark[], learnerId = ids[learner]!) =>
    store.agreeWithRest(
      "a-token",
      { learnerId, questionNumber: "1", seen: marks, reason: "taken", order: "learner" },
      noon,
    );
  const called = { markOf, seen, decide, agreeWithRest };
  return { ...opened, reference, assessmentId, classResults, ids, ...called };
}

/** Results as a file has them, without the ids of learners and imports. */
const withoutIds = ({ submissions, ...results }: Results): Results => ({
  ...results,
  submissions: submissions.map(({ learnerId: _, ...submission }) => ({
    ...submission,
    questionMarks: submission.questionMarks.map(({ importId: __, ...mark }) => mark),
  })),
});

const signature = (more: Partial<NewSignature> = {}): NewSignature => ({
  by: "Thandi Example",
  figures: "",
  confirmedNoughts: new Map(),
  acceptedDifferences: 0,
  email,
  sendsWebhook: true,
  ...more,
});

/** A class whose four marks are decided: three by the educator, the last one by the team. */
async function decidedClass(t: TestContext) {
  const published = await publishedClass(t);
  const { assessmentId, decide } = published;
  const agreed = await decide(0, 0, 6);
  assert.equal(agreed.outcome, "stored");
  await decide(0, 1, 2.25, { comment: "Line 3." });
  await decide(1, 1, null);
  await decide(1, 0, 9, {}, { assessmentId });
  return published;
}

test("a decision stores the mark, who decided it and how", async (t) => {
  const { markOf } = await decidedClass(t);
  const question = { questionNumber: "2", description: "Add", totalMarks: 10, feedback: "" };
  const by = { by: "Thandi Example", role: "educator", at: later(hour).toISOString() };
  assert.deepEqual(await markOf(0, 1), {
    ...question,
    marksAwarded: 2.25,
    proposedMarks: 2,
    comment: "Line 3.",
    importId: 1,
    decision: { id: 2, how: "changed", ...by },
  });
  assert.deepEqual(await markOf(1, 1), {
    ...question,
    marksAwarded: 0,
    proposedMarks: null,
    notAnswered: true,
    decision: { id: 3, how: "entered", ...by },
  });
});

test("grades are those of the decided marks", async (t) => {
  const { store, assessmentId } = await decidedClass(t);
  const { submissions, averageGrade } = (await store.findImportedResults(assessmentId))!;
  // 8.25 and 9 of 20: 41.25 and 45.
  assert.deepEqual(column(submissions, "grade"), [41, 45]);
  assert.equal(averageGrade, 43);
});

test("the mark that counts is that of the last decision", async (t) => {
  const { decide, markOf } = await decidedClass(t);
  await decide(0, 1, 2);
  const { marksAwarded, decision, comment } = await markOf(0, 1);
  assert.deepEqual([marksAwarded, comment], [2, undefined]);
  assert.equal(decision!.how, "agreed", "with the proposal, which stays");
});

test("each decision is a row with the person who decided", async (t) => {
  const { query } = await decidedClass(t);
  const rows = await query(
    "SELECT from_marks, to_marks, how, decided_by, result_link_id FROM decisions ORDER BY id",
  );
  assert.deepEqual(rows.map(Object.values), [
    [6, 6, "agreed", "Thandi Example", 1],
    [2, 2.25, "changed", "Thandi Example", 1],
    [null, 0, "entered", "Thandi Example", 1],
    [8, 9, "changed", "the team", null],
  ]);
});

test("a decision made from an old form overwrites nothing", async (t) => {
  const { query, seen, decide } = await publishedClass(t);
  const old = await seen(0, 0);
  assert.equal((await decide(0, 0, 7)).outcome, "stored");
  assert.equal((await decide(0, 0, 7, { seen: old })).outcome, "stored", "the same, repeated");
  const conflict = await decide(0, 0, 5, { seen: old });
  assert.equal(conflict.outcome === "conflict" && conflict.mark.marksAwarded, 7);
  const other = await decide(0, 0, 7, { seen: old, comment: "But why?" });
  assert.equal(other.outcome, "conflict", "another comment");
  assert.equal((await query("SELECT 1 FROM decisions")).length, 1);
});

test("of two decisions made from one form at once, one is stored and the other is a conflict", async (t) => {
  const { seen, decide } = await publishedClass(t);
  const same = { seen: await seen(0, 1) };
  const both = await Promise.all([decide(0, 1, 3, same), decide(0, 1, 4, same)]);
  assert.deepEqual(both.map(({ outcome }) => outcome).sort(), ["conflict", "stored"]);
});

test("a decision made without a view of the newest proposal is stored only if its mark was typed", async (t) => {
  const { seen, decide, markOf } = await publishedClass(t);
  const shown = await seen(1, 0);
  const stale = { ...shown, marks: 9 };
  const agreed = { ...nothingElse, marks: 9, reason: "taken" as const };
  assert.equal((await decide(1, 0, 9, { seen: stale, given: agreed })).outcome, "conflict");
  const reworded = { ...shown, importId: shown.importId + 1 };
  assert.equal((await decide(1, 0, 9, { seen: reworded, given: agreed })).outcome, "conflict");
  assert.equal((await markOf(1, 0)).decision, undefined);
  assert.equal((await decide(1, 0, 9, { seen: stale })).outcome, "stored");
  assert.equal((await markOf(1, 0)).decision!.how, "blind");
});

/** A published class, with what the form to agree with the rest of the first learner shows. */
async function classToAgree(t: TestContext) {
  const opened = await publishedClass(t);
  const { seen, query } = opened;
  const all = [await seen(0, 0), await seen(0, 1)] as const;
  const agree = async (learner: number, marks: readonly SeenMark[], learnerId?: number) =>
    (await opened.agreeWithRest(learner, [...marks], learnerId)).outcome;
  const countDecisions = async () => (await query("SELECT 1 FROM decisions")).length;
  return { ...opened, all, agree, countDecisions };
}

test("agreeing with the rest of a learner decides all that was seen, or nothing", async (t) => {
  const { all, agree, countDecisions } = await classToAgree(t);
  const [first, second] = all;
  assert.equal(await agree(0, [first, { ...second, marks: 9 }]), "conflict");
  assert.equal(await agree(0, [], 99), "no learner");
  assert.equal(await countDecisions(), 0);
  for (const _ of ["first", "repeated"]) assert.equal(await agree(0, all), "stored");
  assert.equal(await countDecisions(), 2);
});

test("agreeing with the rest of a learner leaves marks that are decided or have no proposal", async (t) => {
  const { all, agree, seen, decide, markOf } = await classToAgree(t);
  await decide(0, 0, 1);
  assert.equal(await agree(0, all), "stored");
  assert.equal((await markOf(0, 0)).marksAwarded, 1);
  assert.equal((await markOf(0, 1)).decision!.how, "rest");
  assert.equal(await agree(1, [await seen(1, 0), await seen(1, 1)]), "stored");
  assert.equal((await markOf(1, 1)).marksAwarded, null);
});

/** A published class with functions that agree with all of a learner's proposals, and sign. */
async function classToSign(t: TestContext) {
  const opened = await publishedClass(t);
  const { store, assessmentId, reference, ids, seen, agreeWithRest } = opened;
  const figures = async () =>
    progressOf((await store.findResults("a-token", noon))!.submissions).figures;
  /** Agrees with all proposals of a class, and confirms the mark that is missing. Returns what is signed then. */
  const decideAll = async () => {
    for (const learner of [0, 1]) {
      await agreeWithRest(learner, [await seen(learner, 0), await seen(learner, 1)]);
    }
    return { confirmedNoughts: new Map([[ids[1]!, "2"]]) };
  };
  const sign = async (more: Partial<NewSignature> = {}) =>
    store.signResults("a-token", signature({ figures: await figures(), ...more }), later(2 * hour));
  const toEducator = { email, reference, isOnHold: false };
  const reopen = () => store.reopenResults(assessmentId, later(3 * hour), toEducator, undefined);
  return { ...opened, figures, decideAll, sign, reopen };
}

test("marks are signed once all are decided or confirmed as not answered", async (t) => {
  const { store, ids, decideAll, sign } = await classToSign(t);
  const undecided = { outcome: "undecided" };
  assert.deepEqual(await sign(), undecided);
  const all = await decideAll();
  assert.deepEqual(
    await sign({ ...all, confirmedNoughts: new Map() }),
    undecided,
    "one has no mark",
  );
  for (const other of [[ids[0]!, "2"] as const, [ids[1]!, "1, 2"] as const]) {
    assert.deepEqual(await sign({ ...all, confirmedNoughts: new Map([other]) }), undecided);
  }
  assert.equal((await sign(all)).outcome, "stored");
  const { submissions } = (await store.findResults("a-token", noon))!;
  assert.equal(submissions[1]!.questionMarks[1]!.notAnswered, true);
});

test("marks are signed only as the page showed them", async (t) => {
  const { query, ids, figures, decideAll, sign } = await classToSign(t);
  const undecided = await figures();
  const all = await decideAll();
  const since = { outcome: "decided since" };
  assert.deepEqual(await sign({ ...all, figures: undecided }), since);
  const decided = await figures();
  await query(`UPDATE submissions SET no_grade = 'absent' WHERE id = ${ids[0]} RETURNING id`);
  assert.deepEqual(await sign({ ...all, figures: decided }), since, "who gets a grade");
  assert.equal((await sign(all)).outcome, "stored");
});

test("marks are signed once, with an email, a webhook and an entry of the audit", async (t) => {
  const { store, query, reference, decideAll, sign } = await classToSign(t);
  const all = await decideAll();
  const signature = { by: "Thandi Example", at: later(2 * hour).toISOString() };
  const signedEmails =
    "SELECT kind, status FROM outbox WHERE kind NOT IN ('request', 'results') ORDER BY id";
  for (const _ of ["first", "repeated"]) {
    assert.deepEqual(await sign(all), { outcome: "stored", signature });
  }
  assert.deepEqual(await sign({ by: "Another" }), { outcome: "signed", signature });
  assert.deepEqual((await store.findResults("a-token", noon))!.signed, signature);
  assert.deepEqual(await query(signedEmails), [
    { kind: "signed", status: "pending" },
    { kind: "webhook", status: "pending" },
  ]);
  assert.deepEqual(await query("SELECT action, reference FROM audit"), [
    { action: "results signed", reference },
  ]);
});

test("signed marks are read-only until the team reopens them", async (t) => {
  const opened = await classToSign(t);
  const { store, assessmentId, seen, decide, agreeWithRest, decideAll, sign, reopen } = opened;
  await sign(await decideAll());
  for (const decider of [{ token: "a-token" }, { assessmentId }]) {
    assert.equal((await decide(0, 0, 1, {}, decider)).outcome, "signed");
  }
  assert.equal((await agreeWithRest(0, [await seen(0, 0)])).outcome, "signed");
  const results = (await store.findImportedResults(assessmentId))!;
  const { outcome } = await store.importResults(assessmentId, importOf(results), noon);
  assert.equal(outcome, "signed");
  assert.equal(await reopen(), true);
  assert.equal(await reopen(), false);
  assert.equal((await decide(0, 0, 1)).outcome, "stored");
});

test("the events of marks are imports, decisions, signatures and reopenings, in the order of time", async (t) => {
  const { store, assessmentId, classResults, decideAll, sign, reopen } = await classToSign(t);
  await sign(await decideAll());
  await reopen();
  await store.importResults(assessmentId, importOf(classResults), later(4 * hour));
  const events = column(await store.listMarksEvents(assessmentId), "event");
  // The signature decides the fourth mark, which it confirms as not answered.
  const decided = Array(4).fill("decided");
  assert.deepEqual(events, ["imported", ...decided, "signed", "reopened", "imported"]);
});

test("an import keeps decisions and the ids of learners", async (t) => {
  const { store, query, assessmentId, classResults, decide } = await publishedClass(t);
  await decide(0, 1, 5);
  const ids = await query("SELECT id FROM submissions ORDER BY id");
  const next = structuredClone(classResults);
  next.submissions.reverse();
  for (const { questionMarks } of next.submissions) {
    for (const mark of questionMarks) mark.marksAwarded = 10;
  }
  const imported = await store.importResults(assessmentId, importOf(next), later(hour));
  assert.equal(imported.outcome === "imported" && imported.decided, 1);
  const after = (await store.findResults("a-token", noon))!;
  const marks = after.submissions.map((one) => column(one.questionMarks, "marksAwarded"));
  assert.deepEqual(marks, [
    [10, 5],
    [10, 10],
  ]);
  assert.deepEqual(column(after.submissions, "grade"), [75, 100]);
  assert.equal(after.averageGrade, 87.5);
  assert.deepEqual(await query("SELECT id FROM submissions ORDER BY id"), ids);
});

test("an import that would change what is decided is rejected", async (t) => {
  const { store, query, assessmentId, classResults: next, decide } = await publishedClass(t);
  await decide(0, 1, 5);
  const changes: ((one: MarkedSubmission) => unknown)[] = [
    (one) => Object.assign(one, { studentName: "Learner 2" }),
    (one) => Object.assign(one.questionMarks[1]!, { totalMarks: 9 }),
    (one) => Object.assign(one.questionMarks[1]!, { description: "Subtract" }),
    (one) => Object.assign(one, { fileName: "another.txt" }),
  ];
  const before = await store.findImportedResults(assessmentId);
  for (const change of changes) {
    const changed = structuredClone(next);
    change(changed.submissions[0]!);
    const rejected = await store.importResults(assessmentId, importOf(changed), later(2 * hour));
    const conflicts = rejected.outcome === "conflicts" && rejected.conflicts.length;
    assert.equal(conflicts, 1, String(change));
  }
  assert.deepEqual(await store.findImportedResults(assessmentId), before, "nothing was stored");
  assert.deepEqual(await query("SELECT 1 FROM replaced_results"), []);
});

test("an import that discards decisions leaves them only in the history", async (t) => {
  const { store, query, assessmentId, classResults, decide, markOf } = await publishedClass(t);
  await decide(0, 1, 5);
  const discarded = { discardsDecisions: true };
  await store.importResults(assessmentId, importOf(classResults), later(2 * hour), discarded);
  const { marksAwarded, decision, proposedMarks } = await markOf(0, 1);
  assert.deepEqual([marksAwarded, decision, proposedMarks], [2, undefined, undefined]);
  assert.equal((await query("SELECT 1 FROM decisions")).length, 1);
  assert.partialDeepStrictEqual(await store.listMarksEvents(assessmentId), [
    { event: "imported", discardedDecisions: 0 },
    { event: "decided", to: 5 },
    { event: "imported", discardedDecisions: 1 },
  ]);
});

test("a reading copy only opens the marks, until it ends", async (t) => {
  const { store, assessmentId, decide } = await publishedClass(t);
  await store.shareResults(assessmentId, { ...copy, expiresAt: later(day) }, noon);
  assert.equal((await store.findResults("copy", later(day - 1)))!.link!.kind, "read");
  const rejected = { outcome: "reading copy" };
  assert.deepEqual(await decide(0, 0, 1, {}, { token: "copy" }), rejected);
  assert.deepEqual(await store.signResults("copy", signature(), noon), rejected);
  assert.equal(await store.findResults("copy", later(day)), undefined, "the copy has ended");
});

test("the first opening of a link to results is recorded", async (t) => {
  const { store, query, reference } = await publishedClass(t);
  for (const at of [noon, later(1)]) await store.markLinkOpened("a-token", at);
  await store.markLinkOpened("unknown", noon);
  assert.equal((await store.findResults("a-token", noon))!.link!.openedAt, noon.toISOString());
  assert.deepEqual(await query("SELECT action, reference FROM audit"), [
    { action: "results link opened", reference },
  ]);
});

test("reading copies are revoked without the link to decide, or with it", async (t) => {
  const { store, assessmentId } = await publishedClass(t);
  await store.shareResults(assessmentId, { ...copy, expiresAt: later(day) }, noon);
  assert.equal(await store.revokeReadingCopies(assessmentId, noon), 1);
  assert.equal(await store.findResults("copy", noon), undefined);
  assert.ok(await store.findResults("a-token", noon));
  await store.shareResults(assessmentId, { ...copy, token: "second", expiresAt: later(day) }, noon);
  await store.revokeResults(assessmentId, noon);
  assert.equal(await store.findResults("second", noon), undefined);
  await store.shareResults(assessmentId, { ...copy, token: "third", expiresAt: later(day) }, noon);
  assert.equal(await store.revokeReadingCopies(assessmentId, later(day)), 0, "expired");
  assert.equal(await store.findResults("a-token", noon), undefined);
});

test("requests with marks are listed, without tests", async (t) => {
  const { store, query, reference, assessmentId } = await importedClass(t);
  await submitDemo(store);
  assert.deepEqual(await store.listRequestsWithQuestions(), [{ reference, assessmentId }]);
  await query("UPDATE contact_requests SET is_test = true RETURNING 1");
  assert.deepEqual(await store.listRequestsWithQuestions(), []);
});

/** A published class whose email with the link was sent. */
async function sentClass(t: TestContext) {
  const published = await publishedClass(t);
  const send = () => published.query("UPDATE outbox SET status = 'sent' WHERE kind = 'results'");
  await send();
  return { ...published, send };
}

test("a sender is reminded once, five days before the link to unsigned marks ends", async (t) => {
  const { store, query, assessmentId, reference } = await sentClass(t);
  await store.shareResults(assessmentId, { ...copy, expiresAt: later(27 * day) }, noon);
  const endingAt = (now: Date) => store.listEndingLinks({ days: 5, now });
  assert.deepEqual(await endingAt(later(25 * day - 1)), []);
  assert.deepEqual(await endingAt(later(30 * day)), [], "the link has ended");
  const [link, ...others] = await endingAt(later(25 * day));
  assert.deepEqual([link!.reference, link!.recipient], [reference, "thandi@school.example"]);
  assert.deepEqual(others, [], "a reading copy is not the sender's link");
  for (const _ of ["first", "again"]) await store.remindOfLink(link!, email, later(25 * day));
  assert.deepEqual(await endingAt(later(25 * day)), []);
  const reminders = () => query("SELECT id FROM outbox WHERE kind = 'reminder'");
  const [{ id }, ...more] = (await reminders()) as [{ id: number }];
  assert.deepEqual(more, []);
  for (const status of ["pending", "failed"]) {
    await query(`UPDATE outbox SET status = '${status}' WHERE id = ${id} RETURNING 1`);
    assert.deepEqual(await store.retryEmails([id], later(31 * day)), [], "the link has ended");
    assert.deepEqual(await store.retryEmails([id], noon), [id]);
  }
  await query(`INSERT INTO signatures (assessment_id, signed_by, created_at)
    VALUES (${assessmentId}, 'T. Mokoena', '${noon.toISOString()}') RETURNING 1`);
  assert.deepEqual(await store.retryEmails([id], noon), [], "the marks are signed");
  await store.revokeResults(assessmentId, noon);
  assert.deepEqual(await reminders(), [], "the reminder of a revoked link is not sent");
});

test("results stay published when a reminder of their link is discarded", async (t) => {
  const { store, query } = await sentClass(t);
  const [link] = await store.listEndingLinks({ days: 5, now: later(25 * day) });
  await store.remindOfLink(link!, email, later(25 * day));
  const [reminder] = await query<{ id: number }>("SELECT id FROM outbox WHERE kind = 'reminder'");
  assert.deepEqual(await store.discardEmails([reminder!.id], noon), [reminder!.id]);
  assert.ok(await store.findResults("a-token", noon));
});

test("a sender is not reminded of a link made for five days, of a test or of suspected spam", async (t) => {
  const { store, query, assessmentId, reference, send } = await sentClass(t);
  const endingAt = (now: Date) => store.listEndingLinks({ days: 5, now });
  assert.equal((await endingAt(later(25 * day))).length, 1);
  for (const change of ["is_test = true", "is_test = false, spam = 'quick'"]) {
    await query(`UPDATE contact_requests SET ${change}`);
    assert.deepEqual(await endingAt(later(25 * day)), [], change);
  }
  await query("UPDATE contact_requests SET spam = NULL");
  for (const [token, lifetime, reminders] of [
    ["longer", 5 * day + 1, 1],
    ["short", 5 * day, 0],
  ] as const) {
    await store.revokeResults(assessmentId, noon);
    const link = { ...publication(reference, token), expiresAt: later(lifetime) };
    await store.publishResults(assessmentId, link, noon);
    await send();
    assert.equal((await endingAt(later(day))).length, reminders, token);
  }
});

test("a sender is not reminded of a link to signed marks", async (t) => {
  const { store, query, decideAll, sign } = await classToSign(t);
  await query("UPDATE outbox SET status = 'sent' WHERE kind = 'results'");
  const all = await decideAll();
  const endingLinks = () => store.listEndingLinks({ days: 5, now: later(25 * day) });
  assert.equal((await endingLinks()).length, 1);
  await sign(all);
  assert.deepEqual(await endingLinks(), []);
});

test("a sender whose link was in an email that waits or has failed is not reminded of it", async (t) => {
  const { store, query } = await sentClass(t);
  const ending = () => store.listEndingLinks({ days: 5, now: later(25 * day) });
  assert.equal((await ending()).length, 1);
  for (const status of ["pending", "failed"]) {
    await query(`UPDATE outbox SET status = '${status}' WHERE kind = 'results'`);
    assert.deepEqual(await ending(), [], status);
  }
});

/** An imported class, which is not published yet. */
async function importedClass(t: TestContext) {
  const opened = await open(t);
  const { reference, assessmentId } = await submitDemo(opened.store);
  assert.equal(await opened.store.findImportedResults(assessmentId), undefined);
  const imported = await opened.store.importResults(assessmentId, importOf(results), noon);
  return { ...opened, reference, assessmentId, imported };
}

test("an import counts what it has changed", async (t) => {
  const { store, assessmentId, imported: first } = await importedClass(t);
  assert.ok(first.outcome === "imported");
  const { results: stored, version: _, ...counts } = first;
  assert.deepEqual(withoutIds(stored!), results);
  assert.deepEqual(counts, {
    outcome: "imported",
    replaced: false,
    decided: 0,
    discardedDecisions: 0,
    memos: [],
    proposedBy: "",
    proposals: 2,
    learners: 2,
  });
  const other = structuredClone(results);
  other.submissions[0]!.questionMarks[0]!.marksAwarded = 30;
  const second = await store.importResults(assessmentId, importOf(other), noon);
  assert.partialDeepStrictEqual(second, { ...counts, replaced: true, proposals: 1, learners: 1 });
});

test("results are published under a link until it expires", async (t) => {
  const { store, reference, assessmentId } = await importedClass(t);
  assert.equal(await store.publishResults(assessmentId, publication(reference), noon), undefined);
  const { link: opened, ...published } = (await store.findResults("a-token", noon))!;
  assert.deepEqual(withoutIds(published), results);
  assert.equal(opened!.reference, reference);
  assert.equal(await store.findResults("another", noon), undefined);
  assert.ok(await store.findResults("a-token", later(30 * day - 1)));
  assert.equal(await store.findResults("a-token", later(30 * day)), undefined);
});

test("results have one link until it is revoked", async (t) => {
  const { store, reference, assessmentId } = await importedClass(t);
  const publish = (token: string) =>
    store.publishResults(assessmentId, publication(reference, token), noon);
  await publish("a-token");
  const openLink = { createdAt: noon.toISOString(), expiresAt: later(30 * day).toISOString() };
  assert.deepEqual(await publish("b"), openLink);
  assert.equal(await store.findResults("b", noon), undefined);
  assert.deepEqual((await store.findRequest(reference, noon))?.resultsLink, openLink);
  assert.equal(await store.revokeResults(assessmentId, noon), true);
  assert.equal(await store.revokeResults(assessmentId, noon), false);
  assert.equal(await store.findResults("a-token", noon), undefined);
  assert.equal((await store.findMarkingTarget(reference))?.status, "graded");
  assert.equal(await publish("c"), undefined);
  assert.ok(await store.findResults("c", noon));
});

test("the link to results is deleted once its email is sent", async (t) => {
  const { store, query, reference, assessmentId } = await importedClass(t);
  await store.publishResults(assessmentId, publication(reference), noon);
  const [queued] = await store.listEmails(false);
  assert.deepEqual([queued?.kind, queued?.recipient], ["results", "thandi@school.example"]);
  const due = (await store.takeDueEmail(later(hour)))!;
  assert.equal(due.link, null, "the request's own email comes first");
  await store.markSent(due, noon);
  const withLink = (await store.takeDueEmail(later(hour)))!;
  assert.match(withLink.link!, /a-token/);
  await store.markSent(withLink, noon);
  assert.deepEqual(await query("SELECT link FROM outbox WHERE link IS NOT NULL"), []);
});

test("published results that an import replaces are archived", async (t) => {
  const { store, query, reference, assessmentId } = await importedClass(t);
  await store.publishResults(assessmentId, publication(reference), noon);
  const other = structuredClone(results);
  for (const { questionMarks } of other.submissions) questionMarks[0]!.marksAwarded = 30;
  await store.importResults(assessmentId, importOf({ ...other, title: "New" }), noon);
  assert.equal((await store.findResults("a-token", noon))!.title, "New");
  assert.equal((await store.findMarkingTarget(reference))?.status, "published");
  const replaced = await query<{ results: string }>("SELECT results FROM replaced_results");
  assert.deepEqual(withoutIds(JSON.parse(replaced[0]!.results)), results);
});

test("an email whose link has expired fails for good", async (t) => {
  const { store, reference, assessmentId } = await importedClass(t);
  await store.publishResults(assessmentId, publication(reference), noon);
  assert.deepEqual(await store.failExpiredLinks(later(30 * day - 1)), []);
  assert.deepEqual(await store.failExpiredLinks(later(30 * day)), [reference]);
  const failed = (await store.listEmails(false)).filter(({ status }) => status === "failed");
  assert.deepEqual(columns(failed, "kind", "lastError"), [["results", "its link has expired"]]);
  assert.deepEqual(await store.retryEmails([failed[0]!.id], noon), [], "the link is gone");
  assert.equal((await store.findRequest(reference, noon))?.resultsLink, null);
});

test("discarding an unsent email with a link to results unpublishes them", async (t) => {
  const { store, reference, assessmentId } = await importedClass(t);
  await store.publishResults(assessmentId, publication(reference), noon);
  const unsent = (await store.listEmails(false)).find(({ kind }) => kind === "results")!;
  await store.discardEmails([unsent.id], noon);
  assert.equal((await store.findMarkingTarget(reference))?.status, "graded");
  assert.equal(await store.findResults("a-token", noon), undefined);
});

test("discarding sent emails leaves the link to results open", async (t) => {
  const { store, reference, assessmentId } = await importedClass(t);
  await store.publishResults(assessmentId, publication(reference), noon);
  for (const id of [1, 2]) {
    assert.ok(await store.markSent((await store.takeDueEmail(later(hour)))!, noon));
    assert.deepEqual(await store.discardEmails([id], noon), [id]);
  }
  assert.ok(await store.findResults("a-token", noon));
});

/** A store with an old class whose marks were imported again, an old request for a rubric and a recent message. */
async function storeWithOldRequests(t: TestContext) {
  const imported = await importedClass(t);
  const { store, reference, assessmentId } = imported;
  const other = structuredClone(results);
  other.submissions[0]!.questionMarks[0]!.marksAwarded = 30;
  await store.importResults(assessmentId, importOf(other), noon);
  await store.publishResults(assessmentId, publication(reference), noon);
  await submitRubric(store);
  const recent = await submitContact(store, {}, later(day));
  const deleteOld = (max = 50) => store.deleteRequestsBefore(later(hour), max, noon);
  return { ...imported, recent, deleteOld };
}

test("retention deletes at most a number of old requests at once, and no newer one", async (t) => {
  const { store, recent, deleteOld } = await storeWithOldRequests(t);
  assert.equal((await store.listReferences(later(hour))).length, 2);
  assert.deepEqual(await store.countRequests(later(hour)), { old: 2, all: 3 });
  assert.deepEqual([await deleteOld(1), await deleteOld(1), await deleteOld(1)], [1, 1, 0]);
  assert.deepEqual(column(await store.listRequests(), "reference"), [recent.reference]);
});

test("retention deletes everything that belongs to old requests", async (t) => {
  const { store, query, deleteOld } = await storeWithOldRequests(t);
  await store.reportSpam("2026-11-20", email, noon);
  await store.reportSpam("2026-11-21", email, later(day));
  const tables = [
    "rubric_requests",
    "uploaded_files",
    "uploaded_file_bytes",
    "assessment_submissions",
    "assessments",
    "submissions",
    "submission_files",
    "questions",
    "imports",
    "replaced_results",
    "result_links",
  ];
  const countRows = async (table: string) => (await query(`SELECT 1 FROM ${table}`)).length;
  for (const table of tables) assert.ok((await countRows(table)) > 0, table);
  await deleteOld();
  for (const table of tables) assert.equal(await countRows(table), 0, table);
  assert.deepEqual(await query("SELECT kind, report_day FROM outbox ORDER BY id"), [
    { kind: "request", report_day: null },
    { kind: "spam report", report_day: "2026-11-21" },
  ]);
});

test("the audit counts expired requests, and no longer names them", async (t) => {
  const { store, query, reference, deleteOld } = await storeWithOldRequests(t);
  await store.openAudit("files exported", noon, reference);
  await deleteOld();
  assert.deepEqual(await query("SELECT action, requests, reference FROM audit ORDER BY id"), [
    { action: "files exported", requests: 0, reference: null },
    { action: "requests expired", requests: 2, reference: null },
  ]);
});

test("the last cleanup and the newest request are known", async (t) => {
  const { store } = await open(t);
  const nothing = { newestRequest: undefined, lastCleanup: undefined };
  assert.deepEqual(await store.findPastTimes(), nothing);
  await store.recordCleanup(later(-2 * day));
  await store.recordCleanup(later(-day));
  await submitRubric(store);
  assert.deepEqual((await store.findPastTimes()).newestRequest, noon);
  await submitContact(store, {}, later(100 * day));
  assert.deepEqual(await store.findPastTimes(), {
    newestRequest: later(100 * day),
    lastCleanup: later(-day),
  });
});

test("emails that were put off by a clock that was ahead are made due", async (t) => {
  const { store } = await open(t);
  const { reference } = await submitContact(store, {}, later(100 * day));
  await submitContact(store, {}, later(day));
  assert.equal(await store.takeDueEmail(later(hour)), undefined, "due in 100 days");
  await store.makePutOffEmailsDue(later(hour));
  assert.equal((await store.takeDueEmail(later(hour)))?.reference, reference);
  assert.equal(await store.takeDueEmail(later(hour)), undefined, "a day is no wrong clock");
});

/** A request of Thandi's with marks, a subscription of hers, and another person's message that names her address. */
async function subjectAndOther(t: TestContext) {
  const opened = await importedClass(t);
  const { store } = opened;
  await submitRubric(store);
  const message = "Ask THANDI@school.example 100%";
  const texts = { ...contact, email: "other@school.example", message };
  const other = await submitContact(store, { texts });
  const address = " Thandi@School.example";
  const subscription = { reference: nextReference(), spam: null, isTest: false };
  await store.subscribe({ ...subscription, email: address }, noon);
  return { ...opened, other, address };
}

test("a subject is found with every row that belongs to the requests and the subscription", async (t) => {
  const { store, reference, address } = await subjectAndOther(t);
  const { references, ids } = await store.findSubject(address);
  assert.deepEqual(references, [reference]);
  assert.deepEqual(
    Object.fromEntries(Object.entries(ids).map(([table, all]) => [table, all.length])),
    {
      contact_requests: 1,
      assessment_submissions: 1,
      assessments: 1,
      questions: 1,
      submissions: 2,
      submission_files: 2,
      imports: 1,
      uploaded_files: 4,
      subscriptions: 1,
      outbox: 1,
    },
  );
});

test("a subject's rows are read as the database holds them", async (t) => {
  const { store, address } = await subjectAndOther(t);
  const { ids } = await store.findSubject(address);
  const rows = await store.readRows("contact_requests", ids.contact_requests!);
  assert.deepEqual(columns(rows, "email", "is_test"), [[contact.email, 0]]);
});

test("requests that mention a subject's address are found", async (t) => {
  const { store, other, address } = await subjectAndOther(t);
  assert.deepEqual(await store.findMentions(address), [other.reference]);
  assert.deepEqual(
    await store.findMentions("%"),
    [other.reference],
    "a percent sign stands for itself",
  );
});

test("a request that mentions a name is found whatever its capitals, also beyond ASCII", async (t) => {
  const { store } = await open(t);
  const message = "Please ask ANDRÉ ÉMILE\nor Zoë Ntuli.";
  const { reference } = await submitContact(store, { texts: { ...contact, message } });
  await submitContact(store, { texts: { ...contact, message: "Ask Andre or Andrè Èmile." } });
  for (const name of ["André Émile", "émile", "ZOË NTULI", "É"]) {
    assert.deepEqual(await store.findMentions(name), [reference], name);
  }
});

test("the audit of an erased subject contains numbers only", async (t) => {
  const { store, query, reference, address } = await subjectAndOther(t);
  await store.openAudit("files exported", noon, reference);
  const audit = await store.openAudit("subject erased", noon);
  assert.deepEqual(await store.eraseRequest(reference, audit), {
    requests: 1,
    files: 4,
    emails: 1,
    subscriptions: 0,
  });
  assert.equal((await store.eraseSubscription(address, audit)).subscriptions, 1);
  assert.deepEqual((await store.findSubject(address)).ids, {});
  const erased =
    "SELECT action, requests, files, emails, subscriptions FROM audit WHERE requests > 0";
  const numbers = { requests: 1, files: 4, emails: 1, subscriptions: 1 };
  assert.deepEqual(await query(erased), [{ action: "subject erased", ...numbers }]);
  assert.deepEqual(await query("SELECT action FROM audit WHERE reference IS NOT NULL"), []);
});

test("calls that are made at once do not share a transaction", async (t) => {
  const { store, query } = await open(t);
  const missing = { ...(await stage(store, "questionsFile")), id: 9999 };
  const attempts = Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0 ? submitContact(store) : submitDemo(store, { questionsFile: [missing] }),
  );
  const outcomes = await Promise.allSettled(attempts);
  assert.deepEqual(
    column(outcomes, "status"),
    outcomes.map((_, index) => (index % 2 === 0 ? "fulfilled" : "rejected")),
  );
  assert.equal((await query("SELECT 1 FROM contact_requests")).length, 10);
  assert.equal((await query("SELECT 1 FROM outbox")).length, 10);
});

test("requests with files are listed once each, without those in quarantine", async (t) => {
  const { store, query } = await open(t);
  await submitContact(store);
  assert.deepEqual(await store.listRequestsWithFiles(), []);
  const one = await submitDemo(store);
  const other = await submitRubric(store);
  const both = [one.reference, other.reference];
  assert.deepEqual((await store.listRequestsWithFiles()).sort(), both.sort());
  await query("UPDATE rubric_requests SET spam = 'quick' RETURNING 1");
  assert.deepEqual(await store.listRequestsWithFiles(), [one.reference]);
});

/** A store with a request, and a function that acknowledges it to an address and returns whether the email is sent. */
async function acknowledging(t: TestContext, limits: { perMailbox: number; all: number }) {
  const opened = await open(t);
  const { reference } = await submitContact(opened.store);
  const to = (recipient: string, at = noon) =>
    opened.store.acknowledge(reference, { ...email, recipient }, limits, at);
  return { ...opened, reference, to };
}

test("a mailbox gets a limited number of acknowledgements a day, under all its names", async (t) => {
  const { to } = await acknowledging(t, { perMailbox: 2, all: 9 });
  for (const [recipient, isSent] of [
    ["A@b.example", true],
    ["a+1@b.example", true],
    ["a+2@b.example", false],
    ["A@B.example", false],
    ["aa+a@b.example", true],
  ] as const) {
    assert.equal(await to(recipient), isSent, recipient);
  }
  const atOnce = await Promise.all([1, 2, 3, 4, 5].map((number) => to(`c+${number}@b.example`)));
  assert.equal(atOnce.filter(Boolean).length, 2);
  assert.equal(await to("a@b.example", later(day - 1)), false);
  assert.equal(await to("a@b.example", later(day + 1)), true);
});

test("all mailboxes together get a limited number of acknowledgements a day", async (t) => {
  const { to } = await acknowledging(t, { perMailbox: 2, all: 3 });
  for (const name of ["a", "b", "c"]) assert.equal(await to(`${name}@b.example`), true, name);
  assert.equal(await to("d@b.example", later(day - 1)), false);
  assert.equal(await to("d@b.example", later(day + 1)), true);
});

test("acknowledgements do not count towards the limit of confirmations", async (t) => {
  const { store, ask } = await unconfirmedSubscriptions(t);
  const { reference } = await submitContact(store);
  const limits = { perMailbox: 2, all: 10 };
  for (const sent of [true, true, false]) {
    const acknowledged = { ...email, recipient: "a@b.example" };
    assert.equal(await store.acknowledge(reference, acknowledged, limits, noon), sent);
  }
  assert.equal(await ask("a@b.example", "t"), true);
});

test("the limit of a mailbox reads %, _ and \\ in an address as themselves", async (t) => {
  const { to } = await acknowledging(t, { perMailbox: 1, all: 9 });
  for (const [recipient, isSent] of [
    ["ab+1@c.example", true],
    ["a_@c.example", true],
    ["%@c.example", true],
    // Nothing is in front of the +.
    ["+only@c.example", true],
    ["a_+2@c.example", false],
    ["a\\+1@c.example", true],
    ["a\\+2@c.example", false],
  ] as const) {
    assert.equal(await to(recipient), isSent, recipient);
  }
});

/** A store with the subscriptions of a@b.example, c@d.example, suspected spam and a test, none of them confirmed. */
async function unconfirmedSubscriptions(t: TestContext) {
  const opened = await open(t);
  const { store } = opened;
  const limits = { perMailbox: 2, all: 10 };
  for (const [address, spam, isTest] of [
    ["a@b.example", null, false],
    ["c@d.example", null, false],
    ["spam@b.example", "quick", false],
    ["test@b.example", null, true],
  ] as const) {
    const subscription = { email: address, reference: nextReference(), spam, isTest };
    await store.subscribe(subscription, noon);
  }
  const ask = (recipient: string, token: string, at = noon) =>
    store.askToConfirm({ ...email, recipient }, { token, link: `link ${token}` }, limits, at);
  return { ...opened, ask };
}

test("a confirmation is asked for twice at most, and of no suspected spam, test or unknown address", async (t) => {
  const { ask } = await unconfirmedSubscriptions(t);
  for (const [token, recipient, isAsked] of [
    ["t1", "A@b.example", true],
    ["t2", "a@b.example", true],
    ["t3", "a@b.example", false],
    ["t4", "spam@b.example", false],
    ["t5", "test@b.example", false],
    ["t6", "x@y.example", false],
  ] as const) {
    assert.equal(await ask(recipient, token), isAsked, `${token} for ${recipient}`);
  }
});

test("a subscription is confirmed once, by any of the tokens that were sent to it", async (t) => {
  const { store, ask } = await unconfirmedSubscriptions(t);
  for (const token of ["t1", "t2", "t3"]) await ask("a@b.example", token);
  assert.equal(await store.confirmSubscription("t3", noon), false);
  assert.deepEqual(await store.findSubscriptionByToken("t1"), { isConfirmed: false });
  assert.equal(await store.confirmSubscription("t1", later(hour)), true);
  assert.equal(await store.confirmSubscription("t2", later(day)), true);
  assert.deepEqual(await store.findSubscriptionByToken("t2"), { isConfirmed: true });
  const confirmed = await store.findSubscription("a@b.example");
  assert.equal(confirmed!.confirmedAt, later(hour).toISOString(), "the first time");
});

test("a confirmed subscription is not asked again", async (t) => {
  const { store, ask } = await unconfirmedSubscriptions(t);
  assert.equal(await ask("a@b.example", "t1"), true);
  await store.confirmSubscription("t1", noon);
  assert.equal(await ask("a@b.example", "t2"), false);
});

/** Subscriptions of which one is confirmed, with a function that announces an article to two of them. */
async function confirmedSubscription(t: TestContext) {
  const opened = await unconfirmedSubscriptions(t);
  const { store, ask } = opened;
  await ask("a@b.example", "t1");
  await store.confirmSubscription("t1", noon);
  const both = ["a@b.example", "c@d.example"].map((address, index) => ({
    ...{ address, token: `n${index}`, link: `link n${index}`, email, dueAt: later(day) },
  }));
  const announce = (at = noon) => store.announce("news", both, at);
  return { ...opened, announce };
}

test("an article is announced once, to confirmed subscriptions", async (t) => {
  const { query, announce } = await confirmedSubscription(t);
  assert.equal(await announce(), undefined);
  assert.equal(await announce(later(day)), noon.toISOString());
  assert.deepEqual(await query("SELECT slug, recipients FROM announcements"), [
    { slug: "news", recipients: 1 },
  ]);
  assert.deepEqual(await query("SELECT recipient FROM outbox WHERE kind = 'announcement'"), [
    { recipient: "a@b.example" },
  ]);
});

test("the emails to a subscriber, and to no other, are found with the subscriber", async (t) => {
  const { store, query, ask, announce } = await confirmedSubscription(t);
  await announce();
  await ask("c@d.example", "t2");
  const sent = await query("SELECT id FROM outbox WHERE recipient = 'a@b.example' ORDER BY id");
  assert.equal(sent.length, 2);
  assert.deepEqual((await store.findSubject("a@b.example")).ids.outbox, column(sent, "id"));
});

test("failed emails whose links are gone are not retried", async (t) => {
  const { store, announce } = await confirmedSubscription(t);
  await announce();
  for (const _ of ["confirmation", "announcement"]) {
    const next = (await store.takeDueEmail(later(2 * day)))!;
    await store.markFailed(next, { reason: "no", acceptedBy: [], nextAttempt: undefined }, noon);
  }
  assert.deepEqual(await store.retryEmails(undefined, noon), []);
});

test("unsubscribing deletes the emails to the subscriber", async (t) => {
  const { store, query, ask, announce } = await confirmedSubscription(t);
  await announce();
  await ask("c@d.example", "t4");
  assert.equal(await store.unsubscribe("n0"), true);
  assert.equal(await store.unsubscribe("t1"), false);
  assert.deepEqual(await query("SELECT recipient FROM outbox"), [{ recipient: "c@d.example" }]);
});

test("a subscription that is not confirmed is deleted with its emails", async (t) => {
  const { store, query, ask } = await unconfirmedSubscriptions(t);
  assert.equal(await ask("c@d.example", "t6"), true);
  assert.equal(await ask("c@d.example", "t7", later(1)), true);
  assert.equal(await store.deleteUnconfirmed(later(1)), 0, "its newest link is that old");
  assert.equal(await store.deleteUnconfirmed(later(2)), 1);
  assert.equal(await store.findSubscription("c@d.example"), undefined);
  assert.ok(await store.findSubscription("spam@b.example"), "this subscription was never asked");
  assert.deepEqual(await query("SELECT 1 FROM outbox"), []);
});

// The runner does not report a failing hook of the file, so this is the last test and not a hook.
test("every operation is called by a test", async () => {
  const { operations } = await loadSource<typeof operationsModule>("/db/operations/index.ts");
  assert.deepEqual(
    Object.keys(operations).filter((name) => !called.has(name)),
    [],
  );
});
