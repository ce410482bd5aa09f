import { createHash, randomBytes } from "node:crypto";
import { and, asc, eq, gt, inArray, lte } from "drizzle-orm";
import { uploadDrafts, uploadedFiles } from "../schema.ts";
import type { Db } from "../sqlite/open.ts";
import { isStaged, type StagedFile, stagedColumns } from "./uploaded-files.ts";

/** How long a token lives, in milliseconds: an hour. */
export const draftLifetimeMs = 60 * 60 * 1000;

export interface StoredDraft {
  id: number;
  files: StagedFile[];
}

/** The files that a token holds, or undefined where the token is none of this form's or has died. */
export async function findDraft(
  db: Db,
  token: string,
  form: string,
  now: Date,
): Promise<StoredDraft | undefined> {
  const draft = db
    .select({ id: uploadDrafts.id })
    .from(uploadDrafts)
    .where(
      and(
        eq(uploadDrafts.tokenHash, hashOf(token)),
        eq(uploadDrafts.form, form),
        gt(uploadDrafts.expiresAt, now.toISOString()),
      ),
    )
    .get();
  if (!draft) return undefined;
  const files = db
    .select(stagedColumns)
    .from(uploadedFiles)
    .where(eq(uploadedFiles.draftId, draft.id))
    .orderBy(asc(uploadedFiles.id))
    .all();
  return { id: draft.id, files };
}

/**
 * Puts staged files under a token and forgets others that it held.
 * @param held the staging to add to, or undefined to begin one, as where it is gone
 * @returns a new token's text, or undefined where the old one goes on
 */
export async function saveDraft(
  db: Db,
  change: { form: string; draftId: number | undefined; keep: number[]; remove: number[] },
  now: Date,
): Promise<string | undefined> {
  const { form, keep, remove } = change;
  return db.transaction(
    (tx) => {
      const alive =
        change.draftId &&
        tx
          .select({ id: uploadDrafts.id })
          .from(uploadDrafts)
          .where(eq(uploadDrafts.id, change.draftId))
          .get()?.id;
      const token = alive ? undefined : randomBytes(16).toString("base64url");
      const draftId =
        alive ??
        tx
          .insert(uploadDrafts)
          .values({
            tokenHash: hashOf(token!),
            form,
            expiresAt: new Date(now.getTime() + draftLifetimeMs).toISOString(),
          })
          .returning({ id: uploadDrafts.id })
          .get().id;
      tx.update(uploadedFiles)
        .set({ draftId })
        .where(and(inArray(uploadedFiles.id, keep), isStaged))
        .run();
      tx.delete(uploadedFiles)
        .where(and(inArray(uploadedFiles.id, remove), eq(uploadedFiles.draftId, draftId)))
        .run();
      return token;
    },
    { behavior: "immediate" },
  );
}

/** Forgets what dead tokens hold. Returns how many tokens died. */
export async function deleteExpiredDrafts(db: Db, now: Date): Promise<number> {
  return db.delete(uploadDrafts).where(lte(uploadDrafts.expiresAt, now.toISOString())).run()
    .changes;
}

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
