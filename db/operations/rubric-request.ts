import type { RubricFileField, RubricTexts } from "../../app/forms/rubric-request.ts";
import { rubricRequests } from "../schema.ts";
import { atomically } from "../sqlite/atomically.ts";
import type { Db } from "../sqlite/open.ts";
import { findDuplicateIn, type Submitted } from "./duplicates.ts";
import type { SubmissionWithFiles } from "./new-request.ts";
import { addToOutbox } from "./outbox.ts";
import { ownFiles, type StagedFile } from "./uploaded-files.ts";

/** Makes one rubric request of the staged files and what was typed, as submitDemoUpload does for its form. */
export async function submitRubricRequest(
  db: Db,
  submission: SubmissionWithFiles<RubricTexts, Record<RubricFileField, StagedFile[]>>,
  now: Date,
): Promise<Submitted> {
  const { typed, files, draftId, email, holdEmail, duplicatesSince, ...request } = submission;
  const { assessmentQuestions, gradingRubric, markingMemo } = files;
  const createdAt = now.toISOString();
  return atomically(db, (tx) => {
    const duplicate = findDuplicateIn(db, request.fingerprint, duplicatesSince);
    if (duplicate) return duplicate;
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
    ownFiles(tx, all, { rubricRequestId: stored.id }, draftId);
    addToOutbox(db, email, stored.reference, createdAt, holdEmail);
    return stored;
  });
}
