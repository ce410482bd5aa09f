/** Private links to results: 128 random bits, stored as a hash. */
import { and, eq, gt, inArray, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { OpenLink } from "../../app/domain/publication.ts";
import type { LinkKind } from "../../app/domain/result.ts";
import { deleteRows, pick, type Tx } from "../operation.ts";
import {
  assessmentSubmissions,
  assessments,
  contactRequests,
  markingLinks,
  outbox,
  resultLinks,
} from "../schema.ts";
import { hashOf } from "../token.ts";
import { isOwnUpload, lockAssessment } from "./class-rows.ts";
import { uploadOf } from "./desk-class.ts";
import { openAudit } from "./erasure.ts";
import { isFree } from "./leases.ts";

/** Stores a link and returns its id. */
export async function addLink(
  tx: Tx,
  { token, ...columns }: Omit<typeof resultLinks.$inferInsert, "tokenHash"> & { token: string },
): Promise<number> {
  const [added] = await tx
    .insert(resultLinks)
    .values({ ...columns, tokenHash: hashOf(token) })
    .returning({ id: resultLinks.id });
  return added!.id;
}

/** Joins a link to results with the email that brings it. */
export const isItsEmail = and(eq(outbox.resultLinkId, resultLinks.id), eq(outbox.kind, "results"));

/** Selects links that were sent or handed over. A sent email may have been deleted since. */
export const wasSent = or(isNull(outbox.id), eq(outbox.status, "sent"));

/**
 * The open link with which the sender of an assessment decides; undefined if there is none, or its email has failed.
 */
export async function openLinkOf(
  tx: Tx,
  assessmentId: number,
  now: Date,
): Promise<OpenLink | undefined> {
  const { createdAt, expiresAt } = resultLinks;
  const [link] = await tx
    .select({ createdAt, expiresAt })
    .from(resultLinks)
    .leftJoin(outbox, isItsEmail)
    .where(
      and(
        eq(resultLinks.assessmentId, assessmentId),
        eq(resultLinks.kind, "decide"),
        isOpen(resultLinks, now),
        // A sent email may have been deleted since.
        or(isNull(outbox.id), ne(outbox.status, "failed")),
      ),
    )
    .limit(1);
  return link;
}

/** Whether a link that only reads the results of an assessment is open. */
export async function hasReadingCopy(tx: Tx, assessmentId: number, now: Date): Promise<boolean> {
  const { id, kind } = resultLinks;
  const isOfClass = eq(resultLinks.assessmentId, assessmentId);
  const isOpenCopy = and(isOfClass, eq(kind, "read"), isOpen(resultLinks, now));
  return (await tx.select({ id }).from(resultLinks).where(isOpenCopy).limit(1)).length > 0;
}

/** The open link of a token, with its request; undefined if the token is unknown, expired or revoked. */
export async function linkOf(tx: Tx, token: string, now: Date) {
  const [found] = await tx
    .select({
      ...pick(resultLinks, "id", "assessmentId", "kind", "createdAt", "expiresAt", "openedAt"),
      ...pick(contactRequests, "reference", "isTest"),
      receivedAt: contactRequests.createdAt,
      // Links of release 1.0.0 have no name of their own, so the request's is used.
      sender: sql<string>`coalesce(${resultLinks.senderName}, ${contactRequests.name})`,
    })
    .from(resultLinks)
    .innerJoin(assessments, eq(assessments.id, resultLinks.assessmentId))
    .innerJoin(assessmentSubmissions, isOwnUpload)
    .innerJoin(contactRequests, eq(contactRequests.id, assessmentSubmissions.contactId))
    .where(and(eq(resultLinks.tokenHash, hashOf(token)), isOpen(resultLinks, now)))
    .limit(1);
  return found;
}

/** Records the first opening of an open link, to results or to the desk, in the link and in the audit table. */
export async function markLinkOpened(tx: Tx, token: string, now: Date): Promise<void> {
  for (const links of [resultLinks, markingLinks]) {
    const [opened] = await tx
      .update(links)
      .set({ openedAt: now.toISOString() })
      .where(and(eq(links.tokenHash, hashOf(token)), isNull(links.openedAt), isOpen(links, now)))
      .returning({ assessmentId: links.assessmentId });
    if (!opened) continue;
    const action = links === resultLinks ? "results link opened" : "marking link opened";
    await openAudit(tx, action, now, (await uploadOf(tx, opened.assessmentId)).reference);
  }
}

/**
 * Revokes the links of an assessment, or of one kind, and deletes their unsent emails.
 * @returns how many were open
 */
export async function revokeLinks(
  tx: Tx,
  assessmentId: number,
  time: string,
  kind?: LinkKind,
): Promise<number> {
  await lockAssessment(tx, assessmentId);
  const isChosen = and(
    eq(resultLinks.assessmentId, assessmentId),
    kind && eq(resultLinks.kind, kind),
  );
  const links = tx.select({ id: resultLinks.id }).from(resultLinks).where(isChosen);
  const isUnsent = and(inArray(outbox.resultLinkId, links), ne(outbox.status, "sent"));
  // The deleted emails contain the link, so they must not stay readable in the WAL.
  if ((await deleteRows(tx, outbox, isUnsent)) > 0) tx.scrubAfterCommit();
  const { revokedAt, expiresAt } = resultLinks;
  const revoked = await tx
    .update(resultLinks)
    .set({ revokedAt: time })
    .where(and(isChosen, isNull(revokedAt)))
    .returning({ expiresAt });
  return revoked.filter((link) => link.expiresAt > time).length;
}

/** The ids of the assessments whose results these emails link to. Emails that were sent are left out. */
export async function assessmentsOfUnsent(tx: Tx, emailIds: number[]): Promise<number[]> {
  const found = await tx
    .select({ id: resultLinks.assessmentId })
    .from(resultLinks)
    .innerJoin(outbox, isItsEmail)
    .where(and(inArray(outbox.id, emailIds), ne(outbox.status, "sent")));
  return found.map(({ id }) => id);
}

/** Fails pending emails whose private link has expired, except those that are being sent. Returns their references. */
export async function failExpiredLinks(tx: Tx, now: Date): Promise<string[]> {
  const time = now.toISOString();
  const expired = (links: typeof resultLinks | typeof markingLinks) =>
    tx.select({ id: links.id }).from(links).where(lte(links.expiresAt, time));
  const isExpired = or(
    inArray(outbox.resultLinkId, expired(resultLinks)),
    inArray(outbox.markingLinkId, expired(markingLinks)),
  );
  const failed = await tx
    .update(outbox)
    .set({ status: "failed", lastError: "its link has expired", link: null })
    .where(and(eq(outbox.status, "pending"), isExpired, isFree(tx, outbox)))
    .returning({ reference: outbox.reference });
  if (failed.length > 0) tx.scrubAfterCommit();
  return failed.flatMap(({ reference }) => reference ?? []);
}

/** Selects the links of a table that are neither revoked nor expired. */
export const isOpen = (links: typeof resultLinks | typeof markingLinks, now: Date) =>
  and(isNull(links.revokedAt), gt(links.expiresAt, now.toISOString()));
