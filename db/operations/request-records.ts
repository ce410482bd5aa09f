import { asc, desc, eq, getViewSelectedFields, isNull } from "drizzle-orm";
import type { RequestForm } from "../../app/domain/request.ts";
import type { ListedRequest, RequestRecord } from "../../app/domain/request-record.ts";
import type { Tx } from "../operation.ts";
import {
  assessmentSubmissions,
  assessments,
  contactRequests,
  filesReceived,
  inbox,
  outbox,
} from "../schema.ts";
import { isOwnUpload } from "./imported-results.ts";
import { belongsTo } from "./request-owner.ts";
import { openLinkOf } from "./result-links.ts";
import type { ColumnsFor } from "./submit-request.ts";

/** A field without a column in this view is a type error here. */
const inboxColumns = getViewSelectedFields(inbox satisfies ColumnsFor<RequestForm>);

/** All requests, newest first. */
export async function listRequests(tx: Tx): Promise<ListedRequest[]> {
  return await tx.select(inboxColumns).from(inbox).orderBy(desc(inbox.receivedAt));
}

/** The references of all requests, newest first. */
export async function listReferences(tx: Tx): Promise<string[]> {
  const rows = await tx
    .select({ reference: inbox.reference })
    .from(inbox)
    .orderBy(desc(inbox.receivedAt));
  return rows.map(({ reference }) => reference);
}

/** The request with this reference; undefined if there is none. */
export async function findRequest(
  tx: Tx,
  reference: string,
  now: Date,
): Promise<RequestRecord | undefined> {
  const [request] = await tx.select(inboxColumns).from(inbox).where(eq(inbox.reference, reference));
  if (!request) return undefined;
  const [assessment] = await tx
    .select({ id: assessments.id, status: assessments.status })
    .from(contactRequests)
    .innerJoin(assessmentSubmissions, eq(assessmentSubmissions.contactId, contactRequests.id))
    .innerJoin(assessments, isOwnUpload)
    .where(eq(contactRequests.reference, reference));
  const isPublished = assessment?.status === "published";
  const { field, fileName: name, mediaType, size, sha256, fileId } = filesReceived;
  const { kind, status, attempts, lastError, sentAt, recipient } = outbox;
  return {
    request,
    assessmentStatus: assessment?.status ?? null,
    resultsLink: (isPublished && (await openLinkOf(tx, assessment.id, now))) || null,
    files: await tx
      .select({ field, name, mediaType, size, sha256 })
      .from(filesReceived)
      .where(eq(filesReceived.reference, reference))
      .orderBy(asc(fileId)),
    emails: await tx
      .select({ kind, status, attempts, lastError, sentAt, recipient })
      .from(outbox)
      .where(belongsTo(tx, outbox, reference))
      .orderBy(asc(outbox.id)),
  };
}

/** Requests by their references, in the same order; unknown ones are left out. */
export async function findRequests(tx: Tx, references: string[], now: Date) {
  const records: RequestRecord[] = [];
  for (const reference of references) {
    const record = await findRequest(tx, reference, now);
    if (record) records.push(record);
  }
  return records;
}

/** References of the requests that have files, except those in quarantine. */
export async function listRequestsWithFiles(tx: Tx): Promise<string[]> {
  const rows = await tx
    .select({ reference: filesReceived.reference })
    .from(filesReceived)
    .where(isNull(filesReceived.spam))
    .groupBy(filesReceived.reference);
  return rows.map(({ reference }) => reference);
}
