import { eq, type SQL, sql } from "drizzle-orm";
import type { AuditAction, DeletedCounts } from "../../app/domain/data-subject.ts";
import { normaliseAddress } from "../../app/domain/subscriber.ts";
import { countRows, deleteRows, type Tx } from "../operation.ts";
import {
  audit,
  deletedRequests,
  outbox,
  requestTables,
  subscriptions,
  teamActions,
  uploadDrafts,
  uploadedFiles,
} from "../schema.ts";
import { hashOf } from "../token.ts";
import { belongsTo, ownerOf } from "./request-owner.ts";
import { deleteSubscriberEmails } from "./subscribers.ts";

/**
 * Adds an entry to the audit table and returns its id, with which `addToAudit` counts what is deleted next.
 * @param reference of the request that the entry is about; undefined if the action deletes it
 * @param doneBy the name given on the team's page, which is deleted with the request
 */
export async function openAudit(
  tx: Tx,
  action: AuditAction,
  now: Date,
  reference?: string,
  doneBy?: string,
): Promise<number> {
  const [entry] = await tx
    .insert(audit)
    .values({ action, createdAt: now.toISOString(), reference: reference ?? null })
    .returning({ id: audit.id });
  const owner = reference && doneBy && (await ownerOf(tx, reference));
  if (owner && "contactRequestId" in owner) {
    await tx.insert(teamActions).values({ ...owner, auditId: entry!.id, doneBy });
  }
  return entry!.id;
}

/** Records that requests are deleted, and takes their references out of the audit table. */
export async function recordDeletion(tx: Tx, references: string[]): Promise<void> {
  if (references.length === 0) return;
  const createdAt = tx.fromNow(0);
  await tx
    .insert(deletedRequests)
    .values(references.map((reference) => ({ referenceHash: hashOf(reference), createdAt })))
    .onConflictDoNothing();
  await tx.update(audit).set({ reference: null }).where(tx.isOneOf(audit.reference, references));
}

/** Returns which of these references belonged to requests that were deleted. */
export async function findDeleted(tx: Tx, references: string[]): Promise<string[]> {
  const { referenceHash } = deletedRequests;
  const rows = await tx
    .select({ referenceHash })
    .from(deletedRequests)
    .where(tx.isOneOf(referenceHash, references.map(hashOf)));
  const found = new Set(rows.map((row) => row.referenceHash));
  return references.filter((reference) => found.has(hashOf(reference)));
}

/**
 * Deletes a request with its files, emails, webhooks and upload drafts, and all rows that foreign keys delete with it.
 * Counts the request, the files and the emails in an audit entry.
 */
export async function eraseRequest(
  tx: Tx,
  reference: string,
  auditId: number,
): Promise<DeletedCounts> {
  const files = await countRows(tx, uploadedFiles, belongsTo(tx, uploadedFiles, reference));
  const emails = await tx
    .delete(outbox)
    .where(belongsTo(tx, outbox, reference))
    .returning({ kind: outbox.kind });
  await tx.delete(uploadDrafts).where(eq(uploadDrafts.reference, reference));
  let requests = 0;
  for (const table of requestTables) {
    requests += await deleteRows(tx, table, eq(table.reference, reference));
  }
  if (requests > 0) await recordDeletion(tx, [reference]);
  return addToAudit(tx, auditId, {
    requests,
    files,
    emails: emails.filter(({ kind }) => kind !== "webhook").length,
  });
}

/** Changes the texts of the emails in the outbox that a condition selects. */
export async function rewriteEmails(
  tx: Tx,
  isChosen: SQL | undefined,
  rewrite: (body: string) => string,
): Promise<void> {
  const { id, body } = outbox;
  for (const email of await tx.select({ id, body }).from(outbox).where(isChosen)) {
    const rewritten = rewrite(email.body);
    if (rewritten === email.body) continue;
    await tx.update(outbox).set({ body: rewritten }).where(eq(id, email.id));
  }
}

/** The text without the lines that a test selects. */
export const withoutLines = (text: string, isRemoved: (line: string) => boolean): string =>
  text
    .split("\n")
    .filter((line) => !isRemoved(line))
    .join("\n");

/** Deletes a subscription with its emails, and counts them in an audit entry. */
export async function eraseSubscription(
  tx: Tx,
  address: string,
  auditId: number,
): Promise<DeletedCounts> {
  const isTheirs = eq(subscriptions.email, normaliseAddress(address));
  const deleted = await deleteRows(tx, subscriptions, isTheirs);
  const emails = await deleteSubscriberEmails(tx, address);
  return addToAudit(tx, auditId, { emails, subscriptions: deleted });
}

/** Adds numbers of deleted rows to an audit entry. Returns these numbers, with 0 for those that are not given. */
export async function addToAudit(
  tx: Tx,
  auditId: number,
  given: Partial<DeletedCounts>,
): Promise<DeletedCounts> {
  const deleted = { requests: 0, files: 0, emails: 0, subscriptions: 0, ...given };
  await tx
    .update(audit)
    .set({
      requests: sql`${audit.requests} + ${deleted.requests}`,
      files: sql`${audit.files} + ${deleted.files}`,
      emails: sql`${audit.emails} + ${deleted.emails}`,
      subscriptions: sql`${audit.subscriptions} + ${deleted.subscriptions}`,
    })
    .where(eq(audit.id, auditId));
  return deleted;
}
