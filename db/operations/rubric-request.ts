import { eq } from "drizzle-orm";
import type { NewRequestWithFiles, StoredRequest } from "../../app/domain/new-request.ts";
import type { StagedFile } from "../../app/domain/upload.ts";
import type { RubricFileField, RubricTexts } from "../../app/forms/rubric-request.ts";
import type { Tx } from "../operation.ts";
import { rubricRequests } from "../schema.ts";
import { insertOnce } from "./duplicates.ts";
import { addToOutbox } from "./outbox.ts";
import { endDraft, requestOfUpload } from "./upload-drafts.ts";
import { assignFiles } from "./uploaded-files.ts";

export async function submitRubricRequest(
  tx: Tx,
  request: NewRequestWithFiles<RubricTexts, Record<RubricFileField, StagedFile[]>>,
  now: Date,
): Promise<StoredRequest> {
  const {
    typed,
    files,
    draftId,
    isUpload,
    email,
    holdEmail,
    duplicatesSince: since,
    ...columns
  } = request;
  const { assessmentQuestions, gradingRubric, markingMemo } = files;
  const createdAt = now.toISOString();
  const earlier = await requestOfUpload(tx, request);
  if (earlier) return earlier;
  const equal = { fingerprint: columns.fingerprint, since };
  const { isNew, id, reference } = await insertOnce(tx, rubricRequests, equal, () =>
    tx
      .insert(rubricRequests)
      .values({ ...typed, ...columns, createdAt })
      .onConflictDoNothing({ target: rubricRequests.fingerprint })
      .returning({ id: rubricRequests.id, reference: rubricRequests.reference }),
  );
  // Before the columns that refer to the files: a missing one is FilesGone, not a foreign key
  // error.
  if (isNew) await assignFiles(tx, Object.values(files).flat(), { rubricRequestId: id });
  await endDraft(tx, { draftId, isUpload, reference });
  if (!isNew) return { id, reference };
  await tx
    .update(rubricRequests)
    .set({
      assessmentQuestions: assessmentQuestions[0]!.id,
      gradingRubric: gradingRubric[0]!.id,
      markingMemo: markingMemo[0]?.id,
    })
    .where(eq(rubricRequests.id, id));
  await addToOutbox(tx, email, { kind: "request", reference, createdAt, isOnHold: holdEmail });
  return { id, reference };
}
