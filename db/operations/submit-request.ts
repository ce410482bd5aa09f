import { eq } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import type { NewRequest, StoredRequest } from "../../app/domain/new-request.ts";
import type { RequestForm } from "../../app/domain/request.ts";
import type { definitions } from "../../app/forms/all-forms.ts";
import type { ColumnOf, Form } from "../../app/forms/form.ts";
import type { Tx } from "../operation.ts";
import {
  assessmentSubmissions,
  assessments,
  contactRequests,
  type RequestTable,
  rubricRequests,
} from "../schema.ts";
import { addNotices } from "./add-to-outbox.ts";
import { insertOnce } from "./duplicates.ts";
import { addTeamLink } from "./team-links.ts";
import { endDraft, requestOfUpload } from "./upload-drafts.ts";
import { assignFiles } from "./uploaded-files.ts";

/** A column for each field of a form. */
export type ColumnsOf<OneForm extends Form> = Record<ColumnOf<OneForm>, AnySQLiteColumn>;

/** A column for each field of the forms of these names. */
export type ColumnsFor<Name extends RequestForm> = ColumnsOf<(typeof definitions)[Name]>;

/** The table of a form's requests. A field without a column is a type error here. */
const tableOf = (form: RequestForm): RequestTable =>
  form === "rubric-request"
    ? (rubricRequests satisfies ColumnsFor<"rubric-request">)
    : (contactRequests satisfies ColumnsFor<Exclude<RequestForm, "rubric-request">>);

/**
 * Stores the request with its files and email. If an equal post has been stored since `duplicatesSince`, or the same
 * upload was submitted before, returns that request and stores nothing.
 * @throws FilesGone if a staged file no longer exists
 */
export async function submitRequest(
  tx: Tx,
  form: RequestForm,
  request: NewRequest,
  now: Date,
): Promise<StoredRequest> {
  const earlier = await requestOfUpload(tx, request);
  if (earlier) {
    await endDraft(tx, request, earlier.reference);
    return earlier;
  }
  const { fingerprint, spam, isTest, requestType, noticeVersion, files } = request;
  const createdAt = now.toISOString();
  const table = tableOf(form);
  const about = { form, requestType, noticeVersion, confirmedAt: noticeVersion && createdAt };
  const common = { reference: request.reference, fingerprint, spam, isTest, createdAt };
  const row = { ...request.texts, ...about, ...common };
  const { isNew, ...stored } = await insertOnce(tx, table, row, request.duplicatesSince);
  const { id, reference } = stored;
  const owner = table === rubricRequests ? { rubricRequestId: id } : { contactRequestId: id };
  const fileIds = Object.values(files).flatMap((some) => some.map((file) => file.id));
  if (isNew) await assignFiles(tx, fileIds, owner);
  await endDraft(tx, request, reference);
  if (!isNew) return stored;
  if (form === "demo-upload") await addAssessment(tx, stored, files, createdAt);
  if (form === "rubric-request") await referToFiles(tx, id, files);
  const link = form === "demo-upload" ? request.teamLink : undefined;
  if (link) await addTeamLink(tx, id, link, createdAt);
  await addNotices(tx, request, { reference, owner, createdAt, ...(link && { link: link.url }) });
  return stored;
}

/** Stores the assessment: the files of the upload, to be marked by the team. */
async function addAssessment(
  tx: Tx,
  { id: contactId, reference }: StoredRequest,
  files: NewRequest["files"],
  createdAt: string,
): Promise<void> {
  const submissionFiles = files.submissionFiles!;
  const questionsFile = files.questionsFile![0]!;
  const rubricFile = files.rubricFile![0]!;
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

/** Stores the ids of the files of a rubric request in its row. */
async function referToFiles(tx: Tx, id: number, files: NewRequest["files"]): Promise<void> {
  const { assessmentQuestions, gradingRubric, markingMemo } = files;
  await tx
    .update(rubricRequests)
    .set({
      assessmentQuestions: assessmentQuestions![0]!.id,
      gradingRubric: gradingRubric![0]!.id,
      markingMemo: markingMemo?.[0]?.id,
    })
    .where(eq(rubricRequests.id, id));
}
