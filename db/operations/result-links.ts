/** Private links to marks: 128 random bits, kept as a hash. */
import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, inArray, isNull, lte, ne, or } from "drizzle-orm";
import { outbox, resultLinks } from "../schema.ts";
import type { Db } from "../sqlite/open.ts";

export const newToken = () => randomBytes(16).toString("base64url");

export interface OpenLink {
  createdAt: string;
  expiresAt: string;
}

/** Returns its id. */
export function addLink(
  tx: Pick<Db, "insert">,
  link: { assessmentId: number; token: string; createdAt: string; expiresAt: string },
): number {
  const { token, ...row } = link;
  return tx
    .insert(resultLinks)
    .values({ ...row, tokenHash: hashOf(token) })
    .returning({ id: resultLinks.id })
    .get().id;
}

/**
 * The link that can be opened, if any. One whose letter was given up has reached nobody, and does not count;
 * one whose letter was sent and is deleted does.
 */
export function openLinkOf(
  db: Pick<Db, "select">,
  assessmentId: number,
  now: Date,
): OpenLink | undefined {
  const { createdAt, expiresAt } = resultLinks;
  return db
    .select({ createdAt, expiresAt })
    .from(resultLinks)
    .leftJoin(outbox, eq(outbox.resultLinkId, resultLinks.id))
    .where(
      and(
        eq(resultLinks.assessmentId, assessmentId),
        isOpen(now),
        or(isNull(outbox.id), ne(outbox.status, "failed")),
      ),
    )
    .get();
}

/** The assessment that a link opens. Unknown, expired and withdrawn are the same: undefined. */
export function assessmentBehind(
  db: Pick<Db, "select">,
  token: string,
  now: Date,
): number | undefined {
  return db
    .select({ id: resultLinks.assessmentId })
    .from(resultLinks)
    .where(and(eq(resultLinks.tokenHash, hashOf(token)), isOpen(now)))
    .get()?.id;
}

/** Closes all links of an assessment, and takes back a letter that has not been sent, or never will be. Returns how many links. */
export function withdrawLinks(
  tx: Pick<Db, "select" | "update" | "delete">,
  assessmentId: number,
  time: string,
): number {
  const links = tx
    .select({ id: resultLinks.id })
    .from(resultLinks)
    .where(eq(resultLinks.assessmentId, assessmentId));
  tx.delete(outbox)
    .where(and(inArray(outbox.resultLinkId, links), ne(outbox.status, "sent")))
    .run();
  return tx
    .update(resultLinks)
    .set({ revokedAt: time })
    .where(and(eq(resultLinks.assessmentId, assessmentId), isNull(resultLinks.revokedAt)))
    .run().changes;
}

/** The assessments whose links are brought by some letters that have not been sent. */
export function assessmentsAwaiting(tx: Pick<Db, "select">, emailIds: number[]): number[] {
  return tx
    .select({ id: resultLinks.assessmentId })
    .from(resultLinks)
    .innerJoin(outbox, eq(outbox.resultLinkId, resultLinks.id))
    .where(and(inArray(outbox.id, emailIds), ne(outbox.status, "sent")))
    .all()
    .map(({ id }) => id);
}

/** Gives up the letters whose links have ended before they could be sent. Returns the requests they are of. */
export async function failExpiredLinks(db: Db, now: Date): Promise<string[]> {
  const ended = db
    .select({ id: resultLinks.id })
    .from(resultLinks)
    .where(lte(resultLinks.expiresAt, now.toISOString()));
  return db
    .update(outbox)
    .set({ status: "failed", lastError: "its link has ended", link: null })
    .where(and(eq(outbox.status, "pending"), inArray(outbox.resultLinkId, ended)))
    .returning({ reference: outbox.reference })
    .all()
    .map(({ reference }) => reference);
}

const isOpen = (now: Date) =>
  and(isNull(resultLinks.revokedAt), gt(resultLinks.expiresAt, now.toISOString()));

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
