import { asc, desc, eq } from "drizzle-orm";
import type { ListedRequest, RequestRecord } from "../../app/domain/request-record.ts";
import type { Tx } from "../operation.ts";
import { inbox, outbox, uploadedFiles } from "../schema.ts";
import { findMarkingTarget } from "./imported-results.ts";
import { openLinkOf } from "./result-links.ts";
import { belongsTo } from "./uploaded-files.ts";

export async function listRequests(tx: Tx): Promise<ListedRequest[]> {
  return await tx.select().from(inbox).orderBy(desc(inbox.receivedAt));
}

export async function findRequest(
  tx: Tx,
  reference: string,
  now: Date,
): Promise<RequestRecord | undefined> {
  const [request] = await tx.select().from(inbox).where(eq(inbox.reference, reference));
  if (!request) return undefined;
  const target = await findMarkingTarget(tx, reference);
  const { field, name, mediaType, size, sha256 } = uploadedFiles;
  const { status, attempts, lastError, sentAt, recipient } = outbox;
  return {
    request,
    assessmentStatus: target?.status ?? null,
    resultsLink: (target && (await openLinkOf(tx, target.assessmentId, now))) ?? null,
    files: await tx
      .select({ field, name, mediaType, size, sha256 })
      .from(uploadedFiles)
      .where(belongsTo(tx, reference))
      .orderBy(asc(uploadedFiles.id)),
    emails: await tx
      .select({ status, attempts, lastError, sentAt, recipient })
      .from(outbox)
      .where(eq(outbox.reference, reference))
      .orderBy(asc(outbox.id)),
  };
}
