import assert from "node:assert/strict";
import { test } from "node:test";
import { prepareClass } from "../support/desk.ts";
import { succeeded } from "../support/output-of.ts";
import { hundredQuestions, runResults } from "../support/results.ts";
import { emptyServer } from "../support/server.ts";

test("1,000 learners with 100 questions are imported at once", async () => {
  const server = await emptyServer();
  const { reference } = await prepareClass(server, ["a.txt"], []);
  const many = Array.from({ length: 1000 }, (_, index) => `learner-${index}.txt`);
  await server.change("DELETE FROM submissions");
  await server.change(
    `UPDATE assessment_submissions SET submission_file_names = '${JSON.stringify(many)}'`,
  );
  const whole = hundredQuestions(many, { marksAwarded: 2.5, feedback: "x".repeat(20) });
  const imported = await succeeded(runResults(server, ["import", reference, "--json"], whole));
  const { proposals, learners } = JSON.parse(imported.out);
  assert.deepEqual({ proposals, learners }, { proposals: 100_000, learners: 1000 });
});
