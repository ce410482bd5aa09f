import { createHash } from "node:crypto";
import { and, asc, eq, inArray, isNull, lte, sum } from "drizzle-orm";
import { draftLifetimeMs, type NewFile, type StagedFile } from "../../app/domain/upload.ts";
import { FilesGone, Unavailable } from "../errors.ts";
import { deleteRows, type Tx, updateRows } from "../operation.ts";
import { placeholders, prepared } from "../prepared.ts";
import { uploadDrafts, uploadedFiles } from "../schema.ts";
import { belongsTo, type RequestOwner } from "./request-owner.ts";

const { id, field, name, size, sha256, position } = uploadedFiles;
export const stagedColumns = { id, field, name, size, sha256, position };

/** Selects files that belong to no request yet. */
export const isStaged = and(
  isNull(uploadedFiles.contactRequestId),
  isNull(uploadedFiles.rubricRequestId),
);

/**
 * Stores a file that belongs to no request yet. A power failure may lose the file until its request is stored. In an
 * upload's draft, the file replaces the file at its position, and the draft is extended.
 * @param maxBytes maximum size of all staged files together
 * @throws Unavailable if there is no room, FilesGone if the upload's draft was submitted or deleted
 */
export async function stageFile(
  tx: Tx,
  file: NewFile,
  maxBytes: number,
  now: Date,
): Promise<StagedFile> {
  const { buffer, byteOffset, byteLength } = file.bytes;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const digest = createHash("sha256").update(bytes).digest("hex");
  if (file.draft) {
    const same = await takePosition(tx, file, file.draft, digest, now);
    if (same) return same;
  }
  const [staged] = await selectStagedBytes(tx).execute();
  if (Number(staged!.bytes ?? 0) + byteLength > maxBytes) {
    throw new Unavailable("The limit for files that belong to no request yet is reached.");
  }
  const [stored] = await insertFile(tx).execute({
    field: file.field,
    name: file.name,
    mediaType: file.mediaType,
    size: byteLength,
    sha256: digest,
    draftId: file.draft?.id ?? null,
    position: file.draft?.position ?? null,
  });
  await tx.insertBytes(stored!.id, bytes);
  return stored!;
}

const selectStagedBytes = prepared((tx) =>
  tx
    .select({ bytes: sum(uploadedFiles.size) })
    .from(uploadedFiles)
    .where(isStaged)
    .prepare(),
);

const insertFile = prepared((tx) =>
  tx
    .insert(uploadedFiles)
    .values({
      ...placeholders(uploadedFiles, "field,name,mediaType,size,sha256,draftId,position"),
      createdAt: tx.fromNow(0),
    })
    .returning(stagedColumns)
    .prepare(),
);

/**
 * Makes room for a file in the draft of an upload, and extends the draft, even one that expired while the file arrived.
 * @returns the same file, if it has arrived before; otherwise undefined
 * @throws FilesGone if the draft was submitted or deleted
 */
async function takePosition(
  tx: Tx,
  { field: fileField, name: fileName }: NewFile,
  { id: draftId, position: number }: NonNullable<NewFile["draft"]>,
  digest: string,
  now: Date,
): Promise<StagedFile | undefined> {
  const isOpen = and(eq(uploadDrafts.id, draftId), isNull(uploadDrafts.reference));
  const expiresAt = new Date(now.getTime() + draftLifetimeMs).toISOString();
  if ((await updateRows(tx, uploadDrafts, isOpen, { expiresAt })) === 0) {
    throw new FilesGone("The draft of an upload ended while it arrived.");
  }
  const isThere = and(eq(uploadedFiles.draftId, draftId), eq(position, number));
  const [found] = await tx.select(stagedColumns).from(uploadedFiles).where(isThere);
  const isSame = found?.sha256 === digest && found.name === fileName && found.field === fileField;
  if (isSame) return found;
  if (found) await tx.delete(uploadedFiles).where(isThere);
  return undefined;
}

/** Changes the form field of a staged file that replaces a draft's file: the new file gets the field of the old one. */
export async function setFileField(tx: Tx, fileId: number, newField: string): Promise<void> {
  await tx
    .update(uploadedFiles)
    .set({ field: newField })
    .where(and(eq(id, fileId), isStaged));
}

/** Deletes files, such as those of a rejected post, unless they belong to a request by now. */
export async function discardStagedFiles(tx: Tx, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.delete(uploadedFiles).where(and(inArray(uploadedFiles.id, ids), isStaged));
}

/** Deletes staged files that are in no draft and, by the database's clock, at least this old. Returns their number. */
export async function deleteStaleStagedFiles(tx: Tx, minAgeSeconds: number): Promise<number> {
  const isOld = lte(uploadedFiles.createdAt, tx.fromNow(-minAgeSeconds));
  return await deleteRows(tx, uploadedFiles, and(isStaged, isNull(uploadedFiles.draftId), isOld));
}

/**
 * Makes staged files part of a request.
 * @throws FilesGone if one of them is no longer staged
 */
export async function assignFiles(tx: Tx, ids: number[], owner: RequestOwner): Promise<void> {
  if (ids.length === 0) return;
  const areChosen = and(inArray(uploadedFiles.id, ids), isStaged);
  const assigned = await updateRows(tx, uploadedFiles, areChosen, { ...owner, draftId: null });
  if (assigned !== ids.length) {
    throw new FilesGone("A staged file was deleted before its request was stored.");
  }
}

/** The files of a request, in the order they were sent. */
export async function listFiles(tx: Tx, reference: string) {
  return await tx
    .select({ id: uploadedFiles.id, name: uploadedFiles.name })
    .from(uploadedFiles)
    .where(belongsTo(tx, uploadedFiles, reference))
    .orderBy(asc(uploadedFiles.id));
}
