/** Publishes the marks of a class, and withdraws them. */
import { newToken } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import type { MarkingTarget, OpenLink, Publication } from "../../domain/publication.ts";
import type { ListedRequest } from "../../domain/request-record.ts";
import { linkDays } from "../../domain/service.ts";
import type { OpenWork } from "../../results/open-work.ts";
import { linkOrigin } from "../config/link-origin.ts";
import { senderOf } from "../config/load-config.ts";
import { reopenedEmail, resultsEmail } from "../email/compose.ts";
import {
  afterDays,
  type ClassWork,
  inQuarantine,
  isWorkError,
  linkEnd,
  noPublicUrl,
  requestOfClass,
  type Work,
  type WorkError,
  workError,
} from "./class-work.ts";
import { type Actor, teamNoticeOf } from "./team-notice.ts";

/** A class with the progress of its marking. */
type MarkedClass = ClassWork & Pick<MarkingTarget, "status">;

/** What `publishClass` needs: `preparePublishing` returns it. */
interface Publishing {
  request: ListedRequest;
  link: Pick<Publication, "token" | "link" | "expiresAt">;
  openWork: OpenWork;
}

/** Prepares the desk of a class. Returns a new link and the work that is left, or why the marks cannot be published. */
export async function preparePublishing(
  work: Work,
  classWork: MarkedClass,
): Promise<Publishing | WorkError> {
  const request = await requestOfClass(work, classWork);
  const link = newResultsLink(work, classWork, request);
  if (isWorkError(link)) return link;
  await work.store.prepareDesk(classWork.assessmentId);
  return { request, link, openWork: await work.store.findOpenWork(classWork.assessmentId) };
}

/**
 * Publishes the marks of a class, and queues the rendering of files that are not rendered yet.
 * @returns the link that was open already, which stays as it is; null if the marks are published now
 */
export async function publishClass(
  { store, config, now, by }: Work,
  { assessmentId, reference }: ClassWork,
  { request, link, openWork }: Publishing,
): Promise<OpenLink | null> {
  const { complete, items } = openWork;
  const { name: educator, email: recipient, isTest: isOnHold } = request;
  // `preparePublishing` returns an error for a class without marks, so there are results.
  const { submissions, signed } = (await store.findImportedResults(assessmentId))!;
  const email = resultsEmail({
    reference,
    recipient,
    sender: educator,
    reviewers: config.brand.reviewers,
    submissions,
    isSigned: signed !== undefined,
    complete,
    problemPages: items.filter(({ kind }) => kind === "problem page").length,
    expiresAt: link.expiresAt,
    ...senderOf(config),
  });
  const publication = { ...link, reference, email, sender: educator, isOnHold };
  const open = await store.publishResults(assessmentId, publication, now);
  if (!open) await store.openAudit("results published", now, reference, by);
  return open ?? null;
}

/** Returns a link that is not stored yet, or why the class gets none. */
function newResultsLink(
  { config, now }: Work,
  { reference, status }: MarkedClass,
  { spam, receivedAt }: ListedRequest,
): Publishing["link"] | WorkError {
  const { retentionDays } = config;
  const origin = linkOrigin(config);
  if (status === "pending" || status === "submitted") {
    return workError("no marks", `Request ${reference} has no marks yet.`);
  }
  if (spam) return inQuarantine({ reference });
  if (!origin) return noPublicUrl();
  const deletedAt = afterDays(new Date(receivedAt), retentionDays);
  const expiresAt = linkEnd(afterDays(now, linkDays), deletedAt);
  if (expiresAt <= now) {
    return workError(
      "too old",
      `Request ${reference} is older than ${counted(retentionDays, "day")}, after which requests are deleted.`,
    );
  }
  const token = newToken();
  return { token, link: `${origin}/?results=${token}#demo`, expiresAt };
}

/** Makes a link that only reads the marks; the database has only its hash. */
export async function shareCopy(
  work: Work,
  classWork: MarkedClass,
): Promise<Pick<Publication, "link" | "expiresAt"> | WorkError> {
  const { store, now, by } = work;
  const request = await requestOfClass(work, classWork);
  const made = newResultsLink(work, classWork, request);
  if (isWorkError(made)) return made;
  const { token, link, expiresAt } = made;
  await store.shareResults(classWork.assessmentId, { token, sender: request.name, expiresAt }, now);
  await store.openAudit("reading copy shared", now, classWork.reference, by);
  return { link, expiresAt };
}

const marksChanged = "marks changed";

/** Ends the links to the marks, reading copies too. Returns whether anything changed. */
export async function withdrawClass(actor: Actor, classWork: ClassWork): Promise<boolean> {
  const { store, now, by } = actor;
  const notice = teamNoticeOf(actor, classWork, {
    what: marksChanged,
    done: "the marks of a request were withdrawn: the links to them are closed",
  });
  const isWithdrawn = await store.revokeResults(classWork.assessmentId, now, notice);
  if (isWithdrawn) await store.openAudit("results revoked", now, classWork.reference, by);
  return isWithdrawn;
}

/** Ends the signature, so that marks can be changed again. Returns whether there was one. */
export async function reopenClass(work: Work, classWork: ClassWork): Promise<boolean> {
  const { store, config, now, by } = work;
  const { reference } = classWork;
  const { email: recipient, isTest: isOnHold } = await requestOfClass(work, classWork);
  const email = reopenedEmail({ reference, recipient, at: now, ...senderOf(config) });
  const notice = teamNoticeOf(work, classWork, {
    what: marksChanged,
    done: "the marks of a request were reopened: the educator can change them and has to sign again",
  });
  const toEducator = { email, reference, isOnHold };
  const isReopened = await store.reopenResults(classWork.assessmentId, now, toEducator, notice);
  if (isReopened) await store.openAudit("results reopened", now, reference, by);
  return isReopened;
}

/** Ends the links that only read the marks. Returns how many were open. */
export async function endCopies({ store, now, by }: Actor, classWork: ClassWork): Promise<number> {
  const count = await store.revokeReadingCopies(classWork.assessmentId, now);
  if (count > 0) await store.openAudit("reading copies revoked", now, classWork.reference, by);
  return count;
}
