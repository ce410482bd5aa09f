import { and, asc, eq, gt, inArray, lte } from "drizzle-orm";
import { type DraftChange, draftLifetimeMs, type StoredDraft } from "../../app/domain/upload.ts";
import type { Tx } from "../operation.ts";
import { uploadDrafts, uploadedFiles } from "../schema.ts";
import { hashOf, newToken } from "../token.ts";
import { isStaged, stagedColumns } from "./uploaded-files.ts";

export async function findDraft(
  tx: Tx,
  token: string,
  form: string,
  now: Date,
): Promise<StoredDraft | undefined> {
  const [draft] = await tx
    .select({ id: uploadDrafts.id })
    .from(uploadDrafts)
    .where(
      and(
        eq(uploadDrafts.tokenHash, hashOf(token)),
        eq(uploadDrafts.form, form),
        gt(uploadDrafts.expiresAt, now.toISOString()),
      ),
    );
  if (!draft) return undefined;
  const files = await tx
    .select(stagedColumns)
    .from(uploadedFiles)
    .where(eq(uploadedFiles.draftId, draft.id))
    .orderBy(asc(uploadedFiles.id));
  return { id: draft.id, files };
}

export async function saveDraft(
  tx: Tx,
  change: DraftChange,
  now: Date,
): Promise<string | undefined> {
  const { form, keep, remove } = change;
  const existing = await existingDraft(tx, change.draftId);
  const token = existing === undefined ? newToken() : undefined;
  const draftId = existing ?? (await addDraft(tx, token!, form, now));
  await tx
    .update(uploadedFiles)
    .set({ draftId })
    .where(and(inArray(uploadedFiles.id, keep), isStaged));
  await tx
    .delete(uploadedFiles)
    .where(and(inArray(uploadedFiles.id, remove), eq(uploadedFiles.draftId, draftId)));
  return token;
}

async function existingDraft(tx: Tx, id: number | undefined): Promise<number | undefined> {
  if (id === undefined) return undefined;
  const [draft] = await tx
    .select({ id: uploadDrafts.id })
    .from(uploadDrafts)
    .where(eq(uploadDrafts.id, id));
  return draft?.id;
}

async function addDraft(tx: Tx, token: string, form: string, now: Date): Promise<number> {
  const expiresAt = new Date(now.getTime() + draftLifetimeMs).toISOString();
  const [draft] = await tx
    .insert(uploadDrafts)
    .values({ tokenHash: hashOf(token), form, expiresAt })
    .returning({ id: uploadDrafts.id });
  return draft!.id;
}

export async function deleteExpiredDrafts(tx: Tx, now: Date): Promise<number> {
  const deleted = await tx
    .delete(uploadDrafts)
    .where(lte(uploadDrafts.expiresAt, now.toISOString()))
    .returning({ id: uploadDrafts.id });
  return deleted.length;
}
