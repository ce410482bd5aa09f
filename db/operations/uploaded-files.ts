import { createHash } from "node:crypto";
import { and, asc, eq, inArray, isNull, lte, or, sum } from "drizzle-orm";
import { FilesGone, Unavailable } from "../errors.ts";
import {
  contactRequests,
  rubricRequests,
  uploadDrafts,
  uploadedFileBytes,
  uploadedFiles,
} from "../schema.ts";
import type { Db } from "../sqlite/open.ts";

export interface StagedFile {
  id: number;
  field: string;
  name: string;
  size: number;
  sha256: string;
}

export const stagedColumns = {
  id: uploadedFiles.id,
  field: uploadedFiles.field,
  name: uploadedFiles.name,
  size: uploadedFiles.size,
  sha256: uploadedFiles.sha256,
};

export const isStaged = and(
  isNull(uploadedFiles.contactRequestId),
  isNull(uploadedFiles.rubricRequestId),
);

/**
 * Keeps a file as it arrives, in a transaction of its own; it belongs to no request yet.
 * @param mostBytes how much may be staged in all
 * @throws Unavailable where that is reached
 */
export async function stageFile(
  db: Db,
  file: { field: string; name: string; mediaType: string; bytes: Uint8Array },
  maxBytes: number,
  now: Date,
): Promise<StagedFile> {
  const { field, name, mediaType } = file;
  const { buffer, byteOffset, byteLength: size } = file.bytes;
  const bytes = Buffer.from(buffer, byteOffset, size);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return withoutSync(db, (tx) => {
    const total = tx
      .select({ bytes: sum(uploadedFiles.size) })
      .from(uploadedFiles)
      .where(isStaged);
    if (Number(total.get()!.bytes ?? 0) + size > maxBytes) {
      throw new Unavailable("Too many files are waiting for their requests.");
    }
    const createdAt = now.toISOString();
    const { id } = tx
      .insert(uploadedFiles)
      .values({ field, name, mediaType, size, sha256, createdAt })
      .returning({ id: uploadedFiles.id })
      .get();
    tx.insert(uploadedFileBytes).values({ fileId: id, bytes }).run();
    return { id, field, name, size, sha256 };
  });
}

/**
 * A transaction that does not wait for the disk. Nobody is thanked for a staged file: the transaction
 * that makes a request of it does wait, and brings all that was logged before it to the disk too.
 */
function withoutSync<Result>(db: Db, work: (tx: Pick<Db, "select" | "insert">) => Result): Result {
  db.$client.pragma("synchronous = NORMAL");
  try {
    return db.transaction(work, { behavior: "immediate" });
  } finally {
    db.$client.pragma("synchronous = FULL");
  }
}

/** Forgets files of a refused request. */
export async function discardStagedFiles(db: Db, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  db.delete(uploadedFiles)
    .where(and(inArray(uploadedFiles.id, ids), isStaged))
    .run();
}

/** Forgets staged files that came before a time and that no token holds: their requests were cut short. Returns how many. */
export async function deleteStaleStagedFiles(db: Db, before: Date): Promise<number> {
  const isOld = lte(uploadedFiles.createdAt, before.toISOString());
  return db
    .delete(uploadedFiles)
    .where(and(isStaged, isNull(uploadedFiles.draftId), isOld))
    .run().changes;
}

/**
 * Gives staged files to their request, inside its transaction.
 * @param stagingId the token's staging, which ends with the request
 * @throws FilesGone where one of them is staged no more
 */
export function ownFiles(
  tx: Pick<Db, "update" | "delete">,
  files: StagedFile[],
  owner: { contactRequestId: number } | { rubricRequestId: number },
  draftId: number | undefined,
): void {
  const ids = files.map(({ id }) => id);
  const owned = tx
    .update(uploadedFiles)
    .set({ ...owner, draftId: null })
    .where(and(inArray(uploadedFiles.id, ids), isStaged))
    .run().changes;
  if (owned !== ids.length) throw new FilesGone("A staged file was gone before its request.");
  if (draftId) tx.delete(uploadDrafts).where(eq(uploadDrafts.id, draftId)).run();
}

/** The condition for the files of the request with a reference, of whichever form. */
export function ownedBy(db: Pick<Db, "select">, reference: string) {
  const { id: contactId, reference: contactReference } = contactRequests;
  const { id: rubricId, reference: rubricReference } = rubricRequests;
  const contact = db.select({ id: contactId }).from(contactRequests);
  const rubric = db.select({ id: rubricId }).from(rubricRequests);
  return or(
    inArray(uploadedFiles.contactRequestId, contact.where(eq(contactReference, reference))),
    inArray(uploadedFiles.rubricRequestId, rubric.where(eq(rubricReference, reference))),
  );
}

export interface StoredFile {
  id: number;
  name: string;
  bytes: Buffer;
}

/** The files of a request with their bytes, one at a time, in the order they were sent. */
export async function* readFilesOf(db: Db, reference: string): AsyncGenerator<StoredFile> {
  const ids = db
    .select({ id: uploadedFiles.id })
    .from(uploadedFiles)
    .where(ownedBy(db, reference))
    .orderBy(asc(uploadedFiles.id))
    .all();
  for (const { id } of ids) {
    const file = db
      .select({ id: uploadedFiles.id, name: uploadedFiles.name, bytes: uploadedFileBytes.bytes })
      .from(uploadedFiles)
      .innerJoin(uploadedFileBytes, eq(uploadedFileBytes.fileId, uploadedFiles.id))
      .where(eq(uploadedFiles.id, id))
      .get();
    if (file) yield file;
  }
}
