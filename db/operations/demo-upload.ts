import type { DemoUploadFileField, DemoUploadTexts } from "../../app/forms/demo-upload.ts";
import { assessmentSubmissions, assessments, contactRequests } from "../schema.ts";
import { atomically } from "../sqlite/atomically.ts";
import type { Db } from "../sqlite/open.ts";
import { findDuplicateIn, type Submitted } from "./duplicates.ts";
import type { SubmissionWithFiles } from "./new-request.ts";
import { addToOutbox } from "./outbox.ts";
import { ownFiles, type StagedFile } from "./uploaded-files.ts";

/**
 * Makes one request of the staged files and what the visitor typed. This is the one transaction after
 * which "thank you" is true: the request, its files, its assessment and its letter stand or fall together.
 * Where the same post has come a moment before, it returns that one's request and stores nothing.
 */
export async function submitDemoUpload(
  db: Db,
  submission: SubmissionWithFiles<DemoUploadTexts, Record<DemoUploadFileField, StagedFile[]>>,
  now: Date,
): Promise<Submitted> {
  const { typed, files, draftId, email, holdEmail, duplicatesSince, ...request } = submission;
  const { submissionFiles } = files;
  const questionsFile = files.questionsFile[0]!;
  const rubricFile = files.rubricFile[0]!;
  const createdAt = now.toISOString();
  return atomically(db, (tx) => {
    const duplicate = findDuplicateIn(db, request.fingerprint, duplicatesSince);
    if (duplicate) return duplicate;
    const { id, reference } = tx
      .insert(contactRequests)
      .values({
        ...typed,
        ...request,
        form: "demo-upload",
        requestType: "demo",
        confirmedAt: request.noticeVersion && createdAt,
        createdAt,
      })
      .returning({ id: contactRequests.id, reference: contactRequests.reference })
      .get();
    const { id: assessmentSubmissionId } = tx
      .insert(assessmentSubmissions)
      .values({
        contactId: id,
        questionsFileName: questionsFile.name,
        rubricFileName: rubricFile.name,
        submissionFileCount: submissionFiles.length,
        submissionFileNames: submissionFiles.map((file) => file.name),
        questionsFileData: questionsFile.id,
        rubricFileData: rubricFile.id,
        submissionFilesData: submissionFiles.map((file) => file.id),
        createdAt,
      })
      .returning({ id: assessmentSubmissions.id })
      .get();
    tx.insert(assessments)
      .values({
        title: `Demo upload ${reference}`,
        questionsFile: questionsFile.name,
        rubricFile: rubricFile.name,
        status: "submitted",
        createdAt,
        assessmentSubmissionId,
      })
      .run();
    const all = [questionsFile, rubricFile, ...submissionFiles];
    ownFiles(tx, all, { contactRequestId: id }, draftId);
    addToOutbox(db, email, reference, createdAt, holdEmail);
    return { id, reference };
  });
}
