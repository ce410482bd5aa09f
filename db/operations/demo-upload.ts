import type { NewRequestWithFiles, StoredRequest } from "../../app/domain/new-request.ts";
import type { StagedFile } from "../../app/domain/upload.ts";
import type { DemoUploadFileField, DemoUploadTexts } from "../../app/forms/demo-upload.ts";
import type { Tx } from "../operation.ts";
import { assessmentSubmissions, assessments, contactRequests } from "../schema.ts";
import { submitWithFiles } from "./submit-with-files.ts";

/**
 * As submitContactRequest, with files. Returns the first request of an upload that is submitted again.
 * @throws FilesGone if a staged file no longer exists
 */
export async function submitDemoUpload(
  tx: Tx,
  request: NewRequestWithFiles<DemoUploadTexts, Record<DemoUploadFileField, StagedFile[]>>,
  now: Date,
): Promise<StoredRequest> {
  return await submitWithFiles(tx, request, now, {
    table: contactRequests,
    insert: (columns) =>
      tx
        .insert(contactRequests)
        .values({
          ...columns,
          form: "demo-upload",
          requestType: "demo",
          confirmedAt: columns.noticeVersion && columns.createdAt,
        })
        .onConflictDoNothing({ target: contactRequests.fingerprint })
        .returning({ id: contactRequests.id, reference: contactRequests.reference }),
    ownerOf: (id) => ({ contactRequestId: id }),
    refer: (stored, createdAt) => addAssessment(tx, stored, request.files, createdAt),
  });
}

/** Stores the assessment: the files of the upload, to be marked by the team. */
async function addAssessment(
  tx: Tx,
  { id: contactId, reference }: StoredRequest,
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
