import { and, asc, eq, gt, inArray } from "drizzle-orm";
import type { DemoUploadContact, DemoUploadFiles } from "../app/forms/demo-upload.ts";
import type { Receipt } from "../app/forms/receipt.ts";
import { FilesGone } from "./errors.ts";
import type { Db } from "./open.ts";
import { type Letter, putInOutbox } from "./outbox.ts";
import {
  assessmentSubmissions,
  assessments,
  contactRequests,
  staging,
  uploadedFiles,
} from "./schema.ts";
import { isStaged, type StagedFile } from "./uploaded-file.ts";

/** How long a receipt shows the names of the files, in milliseconds: a day. */
const namesShownFor = 24 * 60 * 60 * 1000;

/** How long the same post again counts as the same request, in milliseconds: ten minutes. */
const repeatWindow = 10 * 60 * 1000;

export interface Submitted {
  id: number;
  reference: string;
}

/**
 * Makes one request of the staged files and what the visitor typed. This is the one transaction after
 * which "thank you" is true: the request, its files, its assessment and its letter stand or fall together.
 * Where the same post has come a moment before, it returns that one's request and stores nothing.
 */
export async function submitDemoUpload(
  db: Db,
  upload: {
    reference: string;
    fingerprint: string;
    contact: DemoUploadContact;
    files: DemoUploadFiles<StagedFile>;
    /** The token's staging, which ends with the request. */
    stagingId: number | undefined;
    letter: Letter;
  },
  now: Date,
): Promise<Submitted> {
  const { reference, fingerprint, contact, files, letter, stagingId } = upload;
  const { questionsFile, rubricFile, submissionFiles } = files;
  const createdAt = now.toISOString();
  return db.transaction(
    (tx) => {
      const repeat = repeatOf(tx, fingerprint, now);
      if (repeat) return repeat;
      const { id: contactId } = tx
        .insert(contactRequests)
        .values({ ...contact, reference, fingerprint, requestType: "demo", createdAt })
        .returning({ id: contactRequests.id })
        .get();
      const { id: assessmentSubmissionId } = tx
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
      const ids = [questionsFile, rubricFile, ...submissionFiles].map((file) => file.id);
      const owned = tx
        .update(uploadedFiles)
        .set({ contactRequestId: contactId, stagingId: null })
        .where(and(inArray(uploadedFiles.id, ids), isStaged))
        .run().changes;
      if (owned !== ids.length) throw new FilesGone("A staged file was gone before its request.");
      if (stagingId) tx.delete(staging).where(eq(staging.id, stagingId)).run();
      putInOutbox(tx, letter, reference, createdAt);
      return { id: contactId, reference };
    },
    { behavior: "immediate" },
  );
}

/** The request that the very same post has made within the last ten minutes, if any. */
export async function findRepeat(
  db: Db,
  fingerprint: string,
  now: Date,
): Promise<Submitted | undefined> {
  return repeatOf(db, fingerprint, now);
}

function repeatOf(db: Pick<Db, "select">, fingerprint: string, now: Date): Submitted | undefined {
  const { id, reference, createdAt } = contactRequests;
  const since = new Date(now.getTime() - repeatWindow).toISOString();
  return db
    .select({ id, reference })
    .from(contactRequests)
    .where(and(eq(contactRequests.fingerprint, fingerprint), gt(createdAt, since)))
    .get();
}

/** What may be shown to whoever holds the reference: the files' names for 24 hours, then how many they were. */
export async function findReceipt(db: Db, reference: string, now: Date): Promise<Receipt | null> {
  const request = db
    .select({ id: contactRequests.id, receivedAt: contactRequests.createdAt })
    .from(contactRequests)
    .innerJoin(assessmentSubmissions, eq(assessmentSubmissions.contactId, contactRequests.id))
    .where(eq(contactRequests.reference, reference))
    .get();
  if (!request) return null;
  const files = db
    .select({ field: uploadedFiles.field, name: uploadedFiles.name, size: uploadedFiles.size })
    .from(uploadedFiles)
    .where(eq(uploadedFiles.contactRequestId, request.id))
    .orderBy(asc(uploadedFiles.id))
    .all();
  const fresh = now.getTime() - Date.parse(request.receivedAt) < namesShownFor;
  return {
    reference,
    receivedAt: request.receivedAt,
    fileCount: files.length,
    files: fresh ? files : [],
  };
}
