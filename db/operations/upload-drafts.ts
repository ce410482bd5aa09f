import { and, asc, eq, gt, inArray, lte, ne, or } from "drizzle-orm";
import type { NewRequest, StoredRequest } from "../../app/domain/new-request.ts";
import { type DraftChange, draftLifetimeMs, type StoredDraft } from "../../app/domain/upload.ts";
import { countRows, deleteRows, type Tx } from "../operation.ts";
import { uploadDrafts, uploadedFiles } from "../schema.ts";
import { hashOf, newToken } from "../token.ts";
import { findStored } from "./duplicates.ts";
import { isStaged, stagedColumns } from "./uploaded-files.ts";

/** The draft of a token; undefined if there is none, or if it has expired or belongs to another form. */
export async function findDraft(
  tx: Tx,
  token: string,
  form: string,
  now: Date,
): Promise<StoredDraft | undefined> {
  const [draft] = await tx
    .select({ id: uploadDrafts.id, reference: uploadDrafts.reference })
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
  return { ...draft, files };
}

/** The draft of an upload, by the token that its browser made up; created if there is none. */
export async function openDraft(
  tx: Tx,
  token: string,
  form: string,
  now: Date,
): Promise<StoredDraft> {
  const found = await findDraft(tx, token, form, now);
  if (found) return found;
  // Deletes a draft of this token that has expired, or belongs to another form.
  await tx
    .delete(uploadDrafts)
    .where(
      and(
        eq(uploadDrafts.tokenHash, hashOf(token)),
        or(ne(uploadDrafts.form, form), lte(uploadDrafts.expiresAt, now.toISOString())),
      ),
    );
  const id = await addDraft(tx, token, form, now);
  // If there is no id, another server has opened the draft meanwhile.
  return id === undefined
    ? (await findDraft(tx, token, form, now))!
    : { id, files: [], reference: null };
}

/** Locks the draft of an upload. Returns the request that was stored from the draft; undefined if there is none. */
export async function requestOfUpload(
  tx: Tx,
  { draft }: NewRequest,
): Promise<StoredRequest | undefined> {
  if (!draft?.isUpload) return undefined;
  const isThis = eq(uploadDrafts.id, draft.id);
  const { reference } = uploadDrafts;
  const [stored] = await tx.locked(tx.select({ reference }).from(uploadDrafts).where(isThis));
  return stored?.reference ? await findStored(tx, stored.reference) : undefined;
}

/**
 * Ends the draft of a stored request and deletes the files still in it. An upload's draft row stays, with the
 * reference, so that a repeated post finds the request.
 */
export async function endDraft(tx: Tx, { draft }: NewRequest, reference: string): Promise<void> {
  if (!draft) return;
  const isThis = eq(uploadDrafts.id, draft.id);
  if (!draft.isUpload) {
    await tx.delete(uploadDrafts).where(isThis);
    return;
  }
  await tx.update(uploadDrafts).set({ reference }).where(isThis);
  await tx.delete(uploadedFiles).where(eq(uploadedFiles.draftId, draft.id));
}

/** Changes a draft or creates one. Returns the token of a new draft, otherwise undefined. */
export async function saveDraft(
  tx: Tx,
  { form, draftId: oldId, keep, remove }: DraftChange,
  now: Date,
): Promise<string | undefined> {
  const isKnown =
    oldId !== undefined && (await countRows(tx, uploadDrafts, eq(uploadDrafts.id, oldId))) > 0;
  const token = newToken();
  // `addDraft` adds a draft, because none has the new token yet.
  const draftId = isKnown ? oldId : (await addDraft(tx, token, form, now))!;
  await tx
    .update(uploadedFiles)
    .set({ draftId })
    .where(and(inArray(uploadedFiles.id, keep), isStaged));
  await tx
    .delete(uploadedFiles)
    .where(and(inArray(uploadedFiles.id, remove), eq(uploadedFiles.draftId, draftId)));
  return isKnown ? undefined : token;
}

/** Adds a draft. Returns its id; undefined if there is a draft with this token. */
async function addDraft(
  tx: Tx,
  token: string,
  form: string,
  now: Date,
): Promise<number | undefined> {
  const expiresAt = new Date(now.getTime() + draftLifetimeMs).toISOString();
  const [draft] = await tx
    .insert(uploadDrafts)
    .values({ tokenHash: hashOf(token), form, expiresAt })
    .onConflictDoNothing({ target: uploadDrafts.tokenHash })
    .returning({ id: uploadDrafts.id });
  return draft?.id;
}

/** Deletes expired drafts with their files. Returns how many drafts. */
export const deleteExpiredDrafts = (tx: Tx, now: Date): Promise<number> =>
  deleteRows(tx, uploadDrafts, lte(uploadDrafts.expiresAt, now.toISOString()));
