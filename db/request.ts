import { asc, count, desc, eq } from "drizzle-orm";
import type { Db } from "./open.ts";
import {
  assessmentSubmissions,
  assessments,
  contactRequests,
  outbox,
  uploadedFiles,
} from "./schema.ts";

export interface RequestLine {
  reference: string;
  createdAt: string;
  requestType: string;
  name: string;
  email: string;
  files: number;
}

/** Every request, newest first. */
export async function listRequests(db: Db): Promise<RequestLine[]> {
  return db
    .select({
      reference: contactRequests.reference,
      createdAt: contactRequests.createdAt,
      requestType: contactRequests.requestType,
      name: contactRequests.name,
      email: contactRequests.email,
      files: count(uploadedFiles.id),
    })
    .from(contactRequests)
    .leftJoin(uploadedFiles, eq(uploadedFiles.contactRequestId, contactRequests.id))
    .groupBy(contactRequests.id)
    .orderBy(desc(contactRequests.id))
    .all();
}

export interface RequestRecord {
  request: typeof contactRequests.$inferSelect;
  assessmentStatus: string | null;
  files: { field: string; name: string; mediaType: string; size: number; sha256: string }[];
  letters: { status: string; attempts: number; lastError: string | null; sentAt: string | null }[];
}

/** Everything kept under a reference but the files' bytes, or undefined. */
export async function findRequest(db: Db, reference: string): Promise<RequestRecord | undefined> {
  const found = db
    .select({ request: contactRequests, assessmentStatus: assessments.status })
    .from(contactRequests)
    .leftJoin(assessmentSubmissions, eq(assessmentSubmissions.contactId, contactRequests.id))
    .leftJoin(assessments, eq(assessments.assessmentSubmissionId, assessmentSubmissions.id))
    .where(eq(contactRequests.reference, reference))
    .get();
  if (!found) return undefined;
  const { field, name, mediaType, size, sha256 } = uploadedFiles;
  const files = db
    .select({ field, name, mediaType, size, sha256 })
    .from(uploadedFiles)
    .where(eq(uploadedFiles.contactRequestId, found.request.id))
    .orderBy(asc(uploadedFiles.id))
    .all();
  const { status, attempts, lastError, sentAt } = outbox;
  const letters = db
    .select({ status, attempts, lastError, sentAt })
    .from(outbox)
    .where(eq(outbox.reference, reference))
    .orderBy(asc(outbox.id))
    .all();
  return { ...found, files, letters };
}
