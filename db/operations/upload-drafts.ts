import { createHash, randomBytes } from "node:crypto";
import { and, asc, eq, gt, inArray, lte } from "drizzle-orm";
import { staging, uploadedFiles } from "../schema.ts";
import type { Db } from "../sqlite/open.ts";
import { isStaged, type StagedFile, stagedColumns } from "./uploaded-files.ts";

/** How long a token lives, in milliseconds: an hour. */
export const tokenLife = 60 * 60 * 1000;

export interface Staging {
  id: number;
  files: StagedFile[];
}

/** The files that a token holds, or undefined where the token is none of this form's or has died. */
export async function openStaging(
  db: Db,
  token: string,
  form: string,
  now: Date,
): Promise<Staging | undefined> {
  const held = db
    .select({ id: staging.id })
    .from(staging)
    .where(
      and(
        eq(staging.tokenHash, hashOf(token)),
        eq(staging.form, form),
        gt(staging.expiresAt, now.toISOString()),
      ),
    )
    .get();
  if (!held) return undefined;
  const files = db
    .select(stagedColumns)
    .from(uploadedFiles)
    .where(eq(uploadedFiles.stagingId, held.id))
    .orderBy(asc(uploadedFiles.id))
    .all();
  return { id: held.id, files };
}

/**
 * Puts staged files under a token and forgets others that it held.
 * @param held the staging to add to, or undefined to begin one, as where it is gone
 * @returns a new token's text, or undefined where the old one goes on
 */
export async function holdStagedFiles(
  db: Db,
  change: { form: string; held: number | undefined; keep: number[]; forget: number[] },
  now: Date,
): Promise<string | undefined> {
  const { form, held, keep, forget } = change;
  return db.transaction(
    (tx) => {
      const alive =
        held && tx.select({ id: staging.id }).from(staging).where(eq(staging.id, held)).get()?.id;
      const token = alive ? undefined : randomBytes(16).toString("base64url");
      const stagingId =
        alive ??
        tx
          .insert(staging)
          .values({
            tokenHash: hashOf(token!),
            form,
            expiresAt: new Date(now.getTime() + tokenLife).toISOString(),
          })
          .returning({ id: staging.id })
          .get().id;
      tx.update(uploadedFiles)
        .set({ stagingId })
        .where(and(inArray(uploadedFiles.id, keep), isStaged))
        .run();
      tx.delete(uploadedFiles)
        .where(and(inArray(uploadedFiles.id, forget), eq(uploadedFiles.stagingId, stagingId)))
        .run();
      return token;
    },
    { behavior: "immediate" },
  );
}

/** Forgets what dead tokens hold. Returns how many tokens died. */
export async function sweepStaging(db: Db, now: Date): Promise<number> {
  return db.delete(staging).where(lte(staging.expiresAt, now.toISOString())).run().changes;
}

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
