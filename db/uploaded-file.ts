import { createHash } from "node:crypto";
import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Db } from "./open.ts";
import { uploadedFileBytes, uploadedFiles } from "./schema.ts";

export interface StagedFile {
  id: number;
  field: string;
  name: string;
  size: number;
}

/** Keeps a file as it arrives, in a transaction of its own; it belongs to no request yet. */
export async function stageFile(
  db: Db,
  file: { field: string; name: string; mediaType: string; bytes: Buffer },
  now: Date,
): Promise<StagedFile> {
  const { field, name, mediaType, bytes } = file;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return db.transaction(
    (tx) => {
      const { id } = tx
        .insert(uploadedFiles)
        .values({
          field,
          name,
          mediaType,
          size: bytes.length,
          sha256,
          createdAt: now.toISOString(),
        })
        .returning({ id: uploadedFiles.id })
        .get();
      tx.insert(uploadedFileBytes).values({ fileId: id, bytes }).run();
      return { id, field, name, size: bytes.length };
    },
    { behavior: "immediate" },
  );
}

/** Forgets files of a refused request. */
export async function discardStagedFiles(db: Db, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  db.delete(uploadedFiles)
    .where(and(inArray(uploadedFiles.id, ids), isStaged))
    .run();
}

/** Forgets every staged file: at start, all of them are left over from requests that were cut short. Returns how many. */
export async function sweepStagedFiles(db: Db): Promise<number> {
  return db.delete(uploadedFiles).where(isStaged).run().changes;
}

export interface StoredFile {
  name: string;
  bytes: Buffer;
}

/** The files of a contact request with their bytes, one at a time, in the order they were sent. */
export async function* readFilesOf(db: Db, contactRequestId: number): AsyncGenerator<StoredFile> {
  const ids = db
    .select({ id: uploadedFiles.id })
    .from(uploadedFiles)
    .where(eq(uploadedFiles.contactRequestId, contactRequestId))
    .orderBy(asc(uploadedFiles.id))
    .all();
  for (const { id } of ids) {
    const file = db
      .select({ name: uploadedFiles.name, bytes: uploadedFileBytes.bytes })
      .from(uploadedFiles)
      .innerJoin(uploadedFileBytes, eq(uploadedFileBytes.fileId, uploadedFiles.id))
      .where(eq(uploadedFiles.id, id))
      .get();
    if (file) yield file;
  }
}

const isStaged = and(isNull(uploadedFiles.contactRequestId), isNull(uploadedFiles.rubricRequestId));
