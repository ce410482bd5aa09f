/** The marks that a tab keeps until the server has stored them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { UnsentMarks } from "../app/islands/marking/unsent-marks.ts";

const markOf = (question: string) => ({
  learner: "7",
  answer: `Learner 1, question ${question}`,
  fields: { intent: "save", question, marks: "2" },
});

/** A tab's storage that has these values. */
function storageOf(values: Record<string, unknown>) {
  const stored = new Map(Object.entries(values));
  return {
    read: (name: string) => stored.get(name),
    write: (name: string, value: unknown) => void stored.set(name, structuredClone(value)),
  };
}

test("marks of an earlier release are kept beside those of this one", () => {
  const storage = storageOf({ unsaved: [markOf("1.1")], "desk-marks": [markOf("1.2")] });
  const questions = (marks: UnsentMarks) =>
    marks
      .waiting()
      .map(({ fields }) => fields.question)
      .sort();
  assert.deepEqual(questions(new UnsentMarks(storage, { isMarkers: true })), ["1.1", "1.2"]);
  assert.deepEqual(storage.read("unsaved"), []);
  assert.deepEqual(questions(new UnsentMarks(storage, { isMarkers: true })), ["1.1", "1.2"]);
});

test("a mark of an earlier release does not replace this one's of the same answer", () => {
  const newer = { ...markOf("1.1"), fields: { ...markOf("1.1").fields, marks: "3" } };
  const storage = storageOf({ unsaved: [markOf("1.1")], "desk-marks": [newer] });
  assert.deepEqual(new UnsentMarks(storage, { isMarkers: true }).waiting(), [newer]);
});

test("under an educator's link marks of an earlier release are left to the results pages", () => {
  const storage = storageOf({ unsaved: [markOf("1.1")] });
  assert.ok(new UnsentMarks(storage, { isMarkers: false }).isEmpty());
  assert.deepEqual(storage.read("unsaved"), [markOf("1.1")]);
});
