import { asc, desc, eq, getViewSelectedFields, inArray, isNull, lt } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { RequestForm } from "../../app/domain/request.ts";
import type { ListedRequest, RequestRecord } from "../../app/domain/request-record.ts";
import type { Tx } from "../operation.ts";
import { audit, contactRequests, filesReceived, inbox, outbox, rubricRequests } from "../schema.ts";
import { assessmentsOf } from "./imported-results.ts";
import { openLinkOf } from "./result-links.ts";
import type { ColumnsFor } from "./submit-request.ts";

/** A field without a column in this view is a type error here. */
const inboxColumns = getViewSelectedFields(inbox satisfies ColumnsFor<RequestForm>);

/** All requests, newest first. */
export async function listRequests(tx: Tx): Promise<ListedRequest[]> {
  return await tx.select(inboxColumns).from(inbox).orderBy(desc(inbox.receivedAt));
}

/** The references of all requests, or of those received before a time, newest first. */
export async function listReferences(tx: Tx, before?: Date): Promise<string[]> {
  const rows = await tx
    .select({ reference: inbox.reference })
    .from(inbox)
    .where(before && lt(inbox.receivedAt, before.toISOString()))
    .orderBy(desc(inbox.receivedAt));
  return rows.map(({ reference }) => reference);
}

/** The request with this reference; undefined if there is none. */
export async function findRequest(
  tx: Tx,
  reference: string,
  now: Date,
): Promise<RequestRecord | undefined> {
  const [record] = await findRequests(tx, [reference], now);
  return record;
}

/** Requests by their references, in the same order; unknown ones are left out. */
export async function findRequests(
  tx: Tx,
  references: string[],
  now: Date,
): Promise<RequestRecord[]> {
  const requests = await tx
    .select(inboxColumns)
    .from(inbox)
    .where(inArray(inbox.reference, references));
  const found = new Map(requests.map((request) => [request.reference, request]));
  const areTheirs = inArray(contactRequests.reference, references);
  const assessmentsFound = Map.groupBy(await assessmentsOf(tx, areTheirs), referenceOf);
  const filesFound = Map.groupBy(await findFiles(tx, references), referenceOf);
  const emailsFound = Map.groupBy(await findEmails(tx, references), referenceOf);
  const records: RequestRecord[] = [];
  for (const reference of references) {
    const request = found.get(reference);
    if (!request) continue;
    const assessment = assessmentsFound.get(reference)?.[0];
    const resultsLink =
      assessment?.status === "published"
        ? await openLinkOf(tx, assessment.assessmentId, now)
        : undefined;
    records.push({
      request,
      assessmentStatus: assessment?.status ?? null,
      resultsLink: resultsLink ?? null,
      files: (filesFound.get(reference) ?? []).map(withoutReference),
      emails: (emailsFound.get(reference) ?? []).map(withoutReference),
    });
  }
  return records;
}

async function findFiles(tx: Tx, references: string[]) {
  const { reference, field, fileName, mediaType, size, sha256, fileId } = filesReceived;
  return await tx
    .select({ reference, field, name: fileName, mediaType, size, sha256 })
    .from(filesReceived)
    .where(inArray(reference, references))
    .orderBy(asc(fileId));
}

/** Joins the rows of the requests, because the outbox has no index of references. */
async function findEmails(tx: Tx, references: string[]) {
  const { reference, kind, status, attempts, lastError, sentAt, recipient } = outbox;
  const emailsOf = (table: typeof contactRequests | typeof rubricRequests, owner: SQLiteColumn) =>
    tx
      .select({ reference, kind, status, attempts, lastError, sentAt, recipient })
      .from(outbox)
      .innerJoin(table, eq(owner, table.id))
      .where(inArray(table.reference, references))
      .orderBy(asc(outbox.id));
  return [
    ...(await emailsOf(contactRequests, outbox.contactRequestId)),
    ...(await emailsOf(rubricRequests, outbox.rubricRequestId)),
  ];
}

const referenceOf = (row: { reference: string | null }) => row.reference;

const withoutReference = <Row extends { reference: string | null }>({ reference, ...row }: Row) =>
  row;

/** References of the requests that have files, except those in quarantine. */
export async function listRequestsWithFiles(tx: Tx): Promise<string[]> {
  const rows = await tx
    .select({ reference: filesReceived.reference })
    .from(filesReceived)
    .where(isNull(filesReceived.spam))
    .groupBy(filesReceived.reference);
  return rows.map(({ reference }) => reference);
}

/**
 * Changes to the files of requests after the requests arrived: scans that were cut, and erasures of learners.
 * `reference` is null once a request is deleted.
 */
export async function listFileChanges(tx: Tx) {
  const { id, createdAt, reference, action } = audit;
  return await tx
    .select({ id, createdAt, reference })
    .from(audit)
    .where(inArray(action, ["scan split", "learner erased"]));
}
