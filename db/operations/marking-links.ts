/** Private links to the marking desk: 256 random bits, stored as a hash. */
import { isDeepStrictEqual } from "node:util";
import { and, asc, count, eq, inArray, isNotNull, isNull, max, ne } from "drizzle-orm";
import type {
  AddedLink,
  ListedMarkingLink,
  MarkingLink,
  NewMarkingLink,
} from "../../app/domain/desk.ts";
import type { Email } from "../../app/domain/email.ts";
import { deleteRows, pick, type Tx } from "../operation.ts";
import {
  assessmentSubmissions,
  assessments,
  contactRequests,
  decisions,
  markingLinks,
  outbox,
} from "../schema.ts";
import { hashOf } from "../token.ts";
import { addToOutbox } from "./add-to-outbox.ts";
import { queueClassJob } from "./class-jobs.ts";
import { isOwnUpload, lockAssessment } from "./class-rows.ts";
import { hideProposals } from "./desk-class.ts";
import { isOpen } from "./result-links.ts";

/** The email that brings a marking link, with the link itself. */
export interface MarkingEmail {
  email: Email;
  link: string;
  reference: string;
  /** True for tests: the email is stored and not sent. */
  isOnHold: boolean;
}

/** Adds a marking link, unless its token was used before, or the marker was emailed an open link for the same work. */
export async function addMarkingLink(
  tx: Tx,
  assessmentId: number,
  wanted: NewMarkingLink,
  mail: MarkingEmail | undefined,
  now: Date,
): Promise<AddedLink> {
  await lockAssessment(tx, assessmentId);
  const same = mail
    ? await findEmailedLink(tx, assessmentId, wanted, mail.email.recipient!, now)
    : await findOpenLink(tx, assessmentId, wanted.token, now);
  if (same) return { outcome: "open already", ...same };
  if (await markingLinkOf(tx, wanted.token, now)) return { outcome: "ended" };
  return await storeMarkingLink(tx, assessmentId, wanted, mail, now);
}

/**
 * Stores a marking link, puts its email, if any, into the outbox, hides the proposals of its blind learners, and has
 * the class rendered. A second marker's link is not stored if another second marker has an open link to some of the
 * same answers. The caller has locked the class.
 */
export async function storeMarkingLink(
  tx: Tx,
  assessmentId: number,
  { token, marker, expiresAt, blindLearners, ...columns }: NewMarkingLink,
  mail: MarkingEmail | undefined,
  now: Date,
): Promise<AddedLink> {
  const createdAt = now.toISOString();
  if (columns.tolerance !== null) {
    const by = await findSecondMarker(tx, assessmentId, columns, now);
    if (by !== undefined) return { outcome: "second marker", by };
  }
  await queueClassJob(tx, assessmentId, now);
  const [added] = await tx
    .insert(markingLinks)
    .values({
      ...columns,
      assessmentId,
      markerName: marker,
      email: mail?.email.recipient ?? null,
      tokenHash: hashOf(token),
      createdAt,
      expiresAt: expiresAt.toISOString(),
    })
    .returning({ id: markingLinks.id });
  if (mail) {
    const { email, link, reference, isOnHold } = mail;
    const entry = { kind: "marking" as const, reference, createdAt, isOnHold, link };
    await addToOutbox(tx, email, { ...entry, markingLinkId: added!.id });
  }
  if (!blindLearners) return { outcome: "stored" };
  return { outcome: "stored", hidden: await hideProposals(tx, assessmentId, blindLearners) };
}

/** The open link with this token; undefined if there is none. */
export async function findOpenLink(tx: Tx, assessmentId: number, token: string, now: Date) {
  const { tokenHash, expiresAt } = markingLinks;
  const [found] = await tx
    .select({ expiresAt })
    .from(markingLinks)
    .where(and(eq(tokenHash, hashOf(token)), isOpenIn(assessmentId, now)));
  return found;
}

/** Selects the open links of a class. */
const isOpenIn = (assessmentId: number, now: Date) =>
  and(eq(markingLinks.assessmentId, assessmentId), isOpen(markingLinks, now));

/** The open link for the same work that was emailed to the marker; undefined if its email failed or is gone. */
async function findEmailedLink(
  tx: Tx,
  assessmentId: number,
  wanted: Pick<NewMarkingLink, "marker" | "questions" | "learners" | "tolerance">,
  recipient: string,
  now: Date,
) {
  const { questions, learners, tolerance, expiresAt } = markingLinks;
  const ofMarker = await tx
    .select({ questions, learners, tolerance, expiresAt })
    .from(markingLinks)
    .innerJoin(outbox, eq(outbox.markingLinkId, markingLinks.id))
    .where(
      and(
        eq(markingLinks.email, recipient),
        eq(markingLinks.markerName, wanted.marker),
        isOpenIn(assessmentId, now),
        ne(outbox.status, "failed"),
      ),
    );
  return ofMarker.find((link) =>
    (["questions", "learners", "tolerance"] as const).every((name) =>
      isDeepStrictEqual(link[name], wanted[name]),
    ),
  );
}

/** The name of a second marker with an open link to some of the same answers; undefined if there is none. */
async function findSecondMarker(
  tx: Tx,
  assessmentId: number,
  wanted: Pick<NewMarkingLink, "questions" | "learners">,
  now: Date,
): Promise<string | undefined> {
  const { markerName: by, questions, learners, tolerance } = markingLinks;
  const others = await tx
    .select({ by, questions, learners })
    .from(markingLinks)
    .where(and(isNotNull(tolerance), isOpenIn(assessmentId, now)));
  return others.find(
    (one) => overlap(one.questions, wanted.questions) && overlap(one.learners, wanted.learners),
  )?.by;
}

/** Whether two parts of a class have something in common; null is the whole class. */
const overlap = <One>(one: readonly One[] | null, other: readonly One[] | null): boolean =>
  one === null || other === null || one.some((each) => other.includes(each));

const linkColumns = {
  ...pick(markingLinks, "id", "assessmentId"),
  marker: markingLinks.markerName,
  ...pick(markingLinks, "email", "questions", "learners", "showsNames", "tolerance"),
  ...pick(markingLinks, "createdAt", "expiresAt", "openedAt", "revokedAt"),
  reference: contactRequests.reference,
  receivedAt: contactRequests.createdAt,
};

const linkRows = (tx: Tx) =>
  tx
    .select(linkColumns)
    .from(markingLinks)
    .innerJoin(assessments, eq(assessments.id, markingLinks.assessmentId))
    .innerJoin(assessmentSubmissions, isOwnUpload)
    .innerJoin(contactRequests, eq(contactRequests.id, assessmentSubmissions.contactId));

type LinkRow = Awaited<ReturnType<typeof linkRows>>[number];

function stateOf({ revokedAt, expiresAt }: LinkRow, now: Date): MarkingLink["state"] {
  if (revokedAt !== null) return "closed";
  return expiresAt > now.toISOString() ? "open" : "expired";
}

/** A link without the id of its assessment and the marker's address, which people who open the link must not see. */
function toLink(
  { assessmentId: _, email: __, revokedAt, ...row }: LinkRow,
  state: MarkingLink["state"],
) {
  return { ...row, state };
}

/** The link of a token, open or not, with its assessment; undefined if the token is unknown. */
export async function markingLinkOf(tx: Tx, token: string, now: Date) {
  const [row] = await linkRows(tx).where(eq(markingLinks.tokenHash, hashOf(token)));
  if (!row) return undefined;
  return { assessmentId: row.assessmentId, link: toLink(row, stateOf(row, now)) };
}

/** The open link of a class with this id; undefined if there is none. */
export async function openMarkingLinkOf(tx: Tx, assessmentId: number, linkId: number, now: Date) {
  const isThis = eq(markingLinks.id, linkId);
  const [row] = await linkRows(tx).where(and(isThis, isOpenIn(assessmentId, now)));
  return row;
}

/** The marking links of one request, or of all requests, oldest first. */
export async function listMarkingLinks(
  tx: Tx,
  assessmentId: number | undefined,
  now: Date,
): Promise<ListedMarkingLink[]> {
  const isOfClass =
    assessmentId === undefined ? undefined : eq(markingLinks.assessmentId, assessmentId);
  const rows = await linkRows(tx).where(isOfClass).orderBy(asc(markingLinks.id));
  const ids = rows.map(({ id }) => id);
  const work = await tx
    .select({ id: decisions.markingLinkId, n: count(), last: max(decisions.createdAt) })
    .from(decisions)
    .where(tx.isOneOf(decisions.markingLinkId, ids))
    .groupBy(decisions.markingLinkId);
  const workUnder = new Map(work.map((one) => [one.id, one]));
  return rows.map((row) => {
    const done = workUnder.get(row.id);
    return {
      ...toLink(row, stateOf(row, now)),
      email: row.email,
      decisions: done?.n ?? 0,
      lastDecisionAt: done?.last ?? null,
    };
  });
}

/**
 * Closes the links of a request, those of one marker, or one link, and deletes their unsent emails. Decisions and
 * drafts stay. Returns the markers' names, once for each link that was open.
 * @param markerOrId a marker's name or a link's id; undefined for all links
 */
export async function closeMarkingLinks(
  tx: Tx,
  assessmentId: number,
  markerOrId: string | number | undefined,
  now: Date,
): Promise<string[]> {
  await lockAssessment(tx, assessmentId);
  const closed = await tx
    .update(markingLinks)
    .set({ revokedAt: now.toISOString() })
    .where(
      and(
        eq(markingLinks.assessmentId, assessmentId),
        typeof markerOrId === "string" ? eq(markingLinks.markerName, markerOrId) : undefined,
        typeof markerOrId === "number" ? eq(markingLinks.id, markerOrId) : undefined,
        isNull(markingLinks.revokedAt),
      ),
    )
    .returning(pick(markingLinks, "id", "markerName", "expiresAt"));
  const ids = closed.map(({ id }) => id);
  const isUnsent = and(inArray(outbox.markingLinkId, ids), ne(outbox.status, "sent"));
  // The deleted emails contain the link, so they must not stay readable in the WAL.
  if ((await deleteRows(tx, outbox, isUnsent)) > 0) tx.scrubAfterCommit();
  return closed.filter((one) => one.expiresAt > now.toISOString()).map((one) => one.markerName);
}
