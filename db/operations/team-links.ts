/** Private links to the team's page of a request: 256 random bits, stored as a hash, one for each request. */
import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { NewTeamLink } from "../../app/domain/team.ts";
import { deleteRows, type Tx } from "../operation.ts";
import {
  assessmentSubmissions,
  assessments,
  contactRequests,
  outbox,
  teamLinks,
} from "../schema.ts";
import { hashOf } from "../token.ts";
import { isOwnUpload } from "./class-rows.ts";

export async function addTeamLink(
  tx: Tx,
  contactRequestId: number,
  { token }: NewTeamLink,
  createdAt: string,
): Promise<void> {
  await tx.insert(teamLinks).values({ contactRequestId, tokenHash: hashOf(token), createdAt });
}

/** Selects uploads of classes that are no tests and not in quarantine: only these requests have a team's page. */
const hasPage = and(
  eq(contactRequests.form, "demo-upload"),
  eq(contactRequests.isTest, false),
  isNull(contactRequests.spam),
);

/**
 * Replaces the link to the team's page, also in the email about the request while that email is unsent and has a link.
 * @returns whether the request has such a page
 */
export async function replaceTeamLink(
  tx: Tx,
  reference: string,
  link: NewTeamLink,
  now: Date,
): Promise<boolean> {
  const isThis = and(eq(contactRequests.reference, reference), hasPage);
  // Of two links made at once, the second waits for the first and replaces it.
  const [request] = await tx.locked(
    tx.select({ id: contactRequests.id }).from(contactRequests).where(isThis),
  );
  if (!request) return false;
  await endLink(tx, request.id, link.url);
  await addTeamLink(tx, request.id, link, now.toISOString());
  return true;
}

/** Closes the link to the team's page. Returns whether the page had a link. */
export async function closeTeamLink(tx: Tx, reference: string): Promise<boolean> {
  const [request] = await tx
    .select({ id: contactRequests.id })
    .from(contactRequests)
    .where(eq(contactRequests.reference, reference));
  return request !== undefined && (await endLink(tx, request.id, null));
}

/**
 * Deletes the link to the team's page. Returns whether there was one.
 * @param url the link that an unsent email gets in its place; null for none
 */
async function endLink(tx: Tx, contactRequestId: number, url: string | null): Promise<boolean> {
  await tx
    .update(outbox)
    .set({ link: url })
    .where(
      and(
        eq(outbox.contactRequestId, contactRequestId),
        eq(outbox.kind, "request"),
        isNotNull(outbox.link),
      ),
    );
  const isOfRequest = eq(teamLinks.contactRequestId, contactRequestId);
  tx.scrubAfterCommit();
  return (await deleteRows(tx, teamLinks, isOfRequest)) > 0;
}

const { reference, name, email, institution, createdAt: receivedAt } = contactRequests;

/** The request of a token; undefined if the token is unknown or closed, or the request has no page any more. */
export async function teamLinkOf(tx: Tx, token: string) {
  const [found] = await tx
    .select({
      contactRequestId: contactRequests.id,
      reference,
      receivedAt,
      sender: { name, email, institution },
      assessmentId: assessments.id,
      status: assessments.status,
    })
    .from(teamLinks)
    .innerJoin(contactRequests, eq(contactRequests.id, teamLinks.contactRequestId))
    .innerJoin(assessmentSubmissions, eq(assessmentSubmissions.contactId, contactRequests.id))
    .innerJoin(assessments, isOwnUpload)
    .where(and(eq(teamLinks.tokenHash, hashOf(token)), hasPage));
  return found;
}
