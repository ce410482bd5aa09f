import type { RubricFileField, RubricTexts } from "../app/forms/rubric-request.ts";
import { atomically } from "./atomically.ts";
import type { Db } from "./open.ts";
import { putInOutbox } from "./outbox.ts";
import { repeatOf, type Submitted } from "./repeat.ts";
import { rubricRequests } from "./schema.ts";
import type { SubmissionWithFiles } from "./submission.ts";
import { ownFiles, type StagedFile } from "./uploaded-file.ts";

/** Makes one rubric request of the staged files and what was typed, as submitDemoUpload does for its form. */
export async function submitRubricRequest(
  db: Db,
  submission: SubmissionWithFiles<RubricTexts, Record<RubricFileField, StagedFile[]>>,
  now: Date,
): Promise<Submitted> {
  const { typed, files, stagingId, letter, holdLetter, repeatsSince, ...request } = submission;
  const { assessmentQuestions, gradingRubric, markingMemo } = files;
  const createdAt = now.toISOString();
  return atomically(db, (tx) => {
    const repeat = repeatOf(db, request.fingerprint, repeatsSince);
    if (repeat) return repeat;
    const stored = tx
      .insert(rubricRequests)
      .values({
        ...typed,
        ...request,
        assessmentQuestions: assessmentQuestions[0]!.id,
        gradingRubric: gradingRubric[0]!.id,
        markingMemo: markingMemo[0]?.id,
        createdAt,
      })
      .returning({ id: rubricRequests.id, reference: rubricRequests.reference })
      .get();
    const all = [...assessmentQuestions, ...gradingRubric, ...markingMemo];
    ownFiles(tx, all, { rubricRequestId: stored.id }, stagingId);
    putInOutbox(db, letter, stored.reference, createdAt, holdLetter);
    return stored;
  });
}
