import { and, asc, eq, isNull, min, ne, sql } from "drizzle-orm";
import { hourMs } from "../../app/domain/duration.ts";
import type { Receipt, Received } from "../../app/domain/receipt.ts";
import type { FormName } from "../../app/domain/request.ts";
import { scannedPages } from "../../app/domain/scan.ts";
import { receiptHours } from "../../app/domain/service.ts";
import type { Tx } from "../operation.ts";
import {
  contactRequests,
  decisions,
  inbox,
  markingLinks,
  outbox,
  resultLinks,
  submissions,
  subscriptionReceipts,
  uploadedFiles,
} from "../schema.ts";
import { assessmentsOf } from "./imported-results.ts";
import { belongsTo } from "./request-owner.ts";
import { isItsEmail, wasSent } from "./result-links.ts";

/** How long a receipt contains file names. */
const fileNamesLifetimeMs = receiptHours * hourMs;

/** The request of one of `forms` with this reference; undefined if there is none. */
export async function findReceived(
  tx: Tx,
  forms: readonly FormName[],
  reference: string,
): Promise<Received | undefined> {
  for (const form of forms) {
    const [found] =
      form === "subscription"
        ? await tx
            .select({ receivedAt: subscriptionReceipts.createdAt })
            .from(subscriptionReceipts)
            .where(eq(subscriptionReceipts.reference, reference))
        : await tx
            .select({ receivedAt: inbox.receivedAt })
            .from(inbox)
            .where(and(eq(inbox.reference, reference), eq(inbox.form, form)));
    if (found) return { form, reference, ...found };
  }
  return undefined;
}

/**
 * The receipt of a request. It names files for a day, and only until marking begins: markers' emails and learners'
 * slips have the request's reference, and the name of a file may be that of a learner.
 */
export async function findReceipt(tx: Tx, received: Received, now: Date): Promise<Receipt> {
  const { form, reference, receivedAt } = received;
  if (form === "subscription") return { ...received, fileCount: 0, files: [] };
  const files = await tx
    .select({ field: uploadedFiles.field, name: uploadedFiles.name, size: uploadedFiles.size })
    .from(uploadedFiles)
    .where(and(belongsTo(tx, uploadedFiles, reference), ne(uploadedFiles.field, scannedPages)))
    // Files that a script sends at once may arrive in another order than the one in which they were chosen.
    .orderBy(sql`coalesce(${uploadedFiles.position}, 0)`, asc(uploadedFiles.id));
  const marking = await markingOf(tx, reference);
  const isFresh = now.getTime() - Date.parse(receivedAt) < fileNamesLifetimeMs;
  return {
    ...received,
    fileCount: files.length,
    files: isFresh && !marking ? files : [],
    ...(marking && { marking }),
  };
}

/** When marking began, and when results that are not revoked were first sent; undefined before marking. */
async function markingOf(tx: Tx, reference: string): Promise<Receipt["marking"]> {
  const [found] = await assessmentsOf(tx, eq(contactRequests.reference, reference));
  if (!found) return undefined;
  const { assessmentId } = found;
  const readyAt = earliest((await sentLinksOf(tx, assessmentId)).map(({ at }) => at));
  const startedAt = earliest([await firstMarkingOf(tx, assessmentId), readyAt]);
  return startedAt === undefined ? undefined : { startedAt, ...(readyAt && { readyAt }) };
}

/** When the first marking link of a class was made, or marks were first imported or decided: the earliest of these. */
async function firstMarkingOf(tx: Tx, assessmentId: number): Promise<string | undefined> {
  const [opened] = await tx
    .select({ at: min(markingLinks.createdAt) })
    .from(markingLinks)
    .where(eq(markingLinks.assessmentId, assessmentId));
  const [marked] = await tx
    .select({ importedAt: min(submissions.processedAt), decidedAt: min(decisions.createdAt) })
    .from(submissions)
    .leftJoin(decisions, eq(decisions.submissionId, submissions.id))
    .where(eq(submissions.assessmentId, assessmentId));
  return earliest([opened?.at, marked?.importedAt, marked?.decidedAt]);
}

/** The earliest time; null and undefined do not count. Undefined if no time is left. */
const earliest = (times: (string | null | undefined)[]): string | undefined =>
  times.flatMap((time) => time ?? []).sort()[0];

/** The educator's links that were sent or handed over, and are not revoked, with their times. */
const sentLinksOf = (tx: Tx, assessmentId: number) =>
  tx
    .select({ at: sql<string>`coalesce(${outbox.sentAt}, ${resultLinks.createdAt})` })
    .from(resultLinks)
    .leftJoin(outbox, isItsEmail)
    .where(
      and(
        eq(resultLinks.assessmentId, assessmentId),
        eq(resultLinks.kind, "decide"),
        isNull(resultLinks.revokedAt),
        wasSent,
      ),
    );
