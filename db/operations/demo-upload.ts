import type { NewRequestWithFiles, StoredRequest } from "../../app/domain/new-request.ts";
import type { StagedFile } from "../../app/domain/upload.ts";
import type { DemoUploadFileField, DemoUploadTexts } from "../../app/forms/demo-upload.ts";
import type { Tx } from "../operation.ts";
import { assessmentSubmissions, assessments, contactRequests } from "../schema.ts";
import { insertOnce } from "./duplicates.ts";
import { addToOutbox } from "./outbox.ts";
import { endDraft, requestOfUpload } from "./upload-drafts.ts";
import { assignFiles } from "./uploaded-files.ts";

export async function submitDemoUpload(
  tx: Tx,
  request: NewRequestWithFiles<DemoUploadTexts, Record<DemoUploadFileField, StagedFile[]>>,
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
  const createdAt = now.toISOString();
  const earlier = await requestOfUpload(tx, request);
  if (earlier) return earlier;
  const equal = { fingerprint: columns.fingerprint, since };
  const { isNew, id, reference } = await insertOnce(tx, contactRequests, equal, () =>
    tx
      .insert(contactRequests)
      .values({
        ...typed,
        ...columns,
        form: "demo-upload",
        requestType: "demo",
        confirmedAt: columns.noticeVersion && createdAt,
        createdAt,
      })
      .onConflictDoNothing({ target: contactRequests.fingerprint })
      .returning({ id: contactRequests.id, reference: contactRequests.reference }),
  );
  if (isNew) await assignFiles(tx, Object.values(files).flat(), { contactRequestId: id });
  await endDraft(tx, { draftId, isUpload, reference });
  if (!isNew) return { id, reference };
  await addAssessment(tx, id, reference, files, createdAt);
  await addToOutbox(tx, email, { kind: "request", reference, createdAt, isOnHold: holdEmail });
  return { id, reference };
}

/** Stores the assessment: the files of the upload, to be marked by the team. */
async function addAssessment(
  tx: Tx,
  contactId: number,
  reference: string,
  files: Record<DemoUploadFileField, StagedFile[]>,
  createdAt: string,
): Promise<void> {
  const { submissionFiles } = files;
  const questionsFile = files.questionsFile[0]!;
  const rubricFile = files.rubricFile[0]!;
  const [submission] = await tx
    .insert(assessmentSubmissions)
    .values({
      contactId,
      questionsFileName: questionsFile.name,
      rubricFileName: rubricFile.name,
      submissionFileCount: submissionFiles.length,
      submissionFileNames: submissionFiles.map((file) => file.name),
      questionsFileData: questionsFile.id,
      rubricFileData: rubricFile.id,
      submissionFilesData: submissionFiles.map((file) => file.id),
      createdAt,
    })
    .returning({ id: assessmentSubmissions.id });
  await tx.insert(assessments).values({
    title: `Demo upload ${reference}`,
    questionsFile: questionsFile.name,
    rubricFile: rubricFile.name,
    status: "submitted",
    createdAt,
    assessmentSubmissionId: submission!.id,
  });
}
