import { eq } from "drizzle-orm";
import type { NewRequestWithFiles, StoredRequest } from "../../app/domain/new-request.ts";
import type { StagedFile } from "../../app/domain/upload.ts";
import type { RubricFileField, RubricTexts } from "../../app/forms/rubric-request.ts";
import type { Tx } from "../operation.ts";
import { rubricRequests } from "../schema.ts";
import { submitWithFiles } from "./submit-with-files.ts";

/** As submitDemoUpload. */
export async function submitRubricRequest(
  tx: Tx,
  request: NewRequestWithFiles<RubricTexts, Record<RubricFileField, StagedFile[]>>,
  now: Date,
): Promise<StoredRequest> {
  const { assessmentQuestions, gradingRubric, markingMemo } = request.files;
  return await submitWithFiles(tx, request, now, {
    table: rubricRequests,
    insert: (columns) =>
      tx
        .insert(rubricRequests)
        .values(columns)
        .onConflictDoNothing({ target: rubricRequests.fingerprint })
        .returning({ id: rubricRequests.id, reference: rubricRequests.reference }),
    ownerOf: (id) => ({ rubricRequestId: id }),
    async refer({ id }) {
      await tx
        .update(rubricRequests)
        .set({
          assessmentQuestions: assessmentQuestions[0]!.id,
          gradingRubric: gradingRubric[0]!.id,
          markingMemo: markingMemo[0]?.id,
        })
        .where(eq(rubricRequests.id, id));
    },
  });
}
