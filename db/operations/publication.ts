import { and, eq } from "drizzle-orm";
import type { Results } from "../../app/domain/result.ts";
import { assessments } from "../schema.ts";
import type { Db } from "../sqlite/open.ts";
import { readResults } from "./marks.ts";
import { addToOutbox, type Email } from "./outbox.ts";
import {
  addLink,
  assessmentBehind,
  type OpenLink,
  openLinkOf,
  withdrawLinks,
} from "./result-links.ts";

export interface Publication {
  reference: string;
  token: string;
  /** The whole address, which holds the token. */
  link: string;
  email: Email;
  expiresAt: Date;
  /** True where the letter is written but not sent. */
  holdEmail: boolean;
}

/**
 * Publishes the marks of an assessment: a link to them and the letter that brings it, in one transaction.
 * @returns the link that was open already, with nothing changed; undefined where this one is published
 */
export async function publishResults(
  db: Db,
  assessmentId: number,
  publication: Publication,
  now: Date,
): Promise<OpenLink | undefined> {
  const { reference, token, link, email, expiresAt, holdEmail } = publication;
  const createdAt = now.toISOString();
  return db.transaction(
    (tx) => {
      const open = openLinkOf(tx, assessmentId, now);
      if (open) return open;
      withdrawLinks(tx, assessmentId, createdAt);
      const resultLinkId = addLink(tx, {
        assessmentId,
        token,
        createdAt,
        expiresAt: expiresAt.toISOString(),
      });
      addToOutbox(db, email, reference, createdAt, holdEmail, { link, resultLinkId });
      tx.update(assessments)
        .set({ status: "published" })
        .where(eq(assessments.id, assessmentId))
        .run();
      return undefined;
    },
    { behavior: "immediate" },
  );
}

/** Withdraws what was published. Returns whether anything was. */
export async function revokeResults(db: Db, assessmentId: number, now: Date): Promise<boolean> {
  return db.transaction((tx) => withdraw(tx, assessmentId, now), { behavior: "immediate" });
}

/** The same, to be called inside a transaction. */
export function withdraw(
  tx: Pick<Db, "select" | "update" | "delete">,
  assessmentId: number,
  now: Date,
): boolean {
  const links = withdrawLinks(tx, assessmentId, now.toISOString());
  const { changes } = tx
    .update(assessments)
    .set({ status: "graded" })
    .where(and(eq(assessments.id, assessmentId), eq(assessments.status, "published")))
    .run();
  return links + changes > 0;
}

/** The marks that a link opens, or undefined. */
export async function findResults(db: Db, token: string, now: Date): Promise<Results | undefined> {
  const assessmentId = assessmentBehind(db, token, now);
  return assessmentId === undefined ? undefined : readResults(db, assessmentId);
}
