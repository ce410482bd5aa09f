import { asc, desc, eq } from "drizzle-orm";
import { inbox, outbox, uploadedFiles } from "../schema.ts";
import type { Db } from "../sqlite/open.ts";
import { findMarkingTarget } from "./marks.ts";
import { type OpenLink, openLinkOf } from "./result-links.ts";
import { ownedBy } from "./uploaded-files.ts";

export type RequestLine = typeof inbox.$inferSelect;

/** Every request, newest first. */
export async function listRequests(db: Db): Promise<RequestLine[]> {
  return db.select().from(inbox).orderBy(desc(inbox.receivedAt)).all();
}

export interface RequestRecord {
  request: RequestLine;
  assessmentStatus: string | null;
  /** The private link that opens the marks, if one does. */
  resultsLink: OpenLink | null;
  files: { field: string; name: string; mediaType: string; size: number; sha256: string }[];
  emails: {
    status: string;
    attempts: number;
    lastError: string | null;
    sentAt: string | null;
    /** Null is the team. */
    recipient: string | null;
  }[];
}

/** Everything kept under a reference but the files' bytes, or undefined. */
export async function findRequest(
  db: Db,
  reference: string,
  now: Date,
): Promise<RequestRecord | undefined> {
  const request = db.select().from(inbox).where(eq(inbox.reference, reference)).get();
  if (!request) return undefined;
  const markingTarget = await findMarkingTarget(db, reference);
  const { field, name, mediaType, size, sha256 } = uploadedFiles;
  const files = db
    .select({ field, name, mediaType, size, sha256 })
    .from(uploadedFiles)
    .where(ownedBy(db, reference))
    .orderBy(asc(uploadedFiles.id))
    .all();
  const { status, attempts, lastError, sentAt, recipient } = outbox;
  const emails = db
    .select({ status, attempts, lastError, sentAt, recipient })
    .from(outbox)
    .where(eq(outbox.reference, reference))
    .orderBy(asc(outbox.id))
    .all();
  return {
    request,
    assessmentStatus: markingTarget?.status ?? null,
    resultsLink: (markingTarget && openLinkOf(db, markingTarget.assessmentId, now)) ?? null,
    files,
    emails,
  };
}
