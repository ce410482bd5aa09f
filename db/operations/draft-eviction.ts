import { and, asc, inArray, isNotNull, notInArray, sum } from "drizzle-orm";
import type { Tx } from "../operation.ts";
import { uploadDrafts, uploadedFiles } from "../schema.ts";

/**
 * Deletes the oldest drafts with their files until this many bytes are free.
 * @param draftsInUse ids of drafts to spare: a post that is being received adds to them
 * @returns how many bytes were freed
 */
export async function evictDrafts(tx: Tx, bytes: number, draftsInUse: number[]): Promise<number> {
  const { draftId, size } = uploadedFiles;
  const drafts = await tx
    .select({ id: draftId, bytes: sum(size) })
    .from(uploadedFiles)
    .where(and(isNotNull(draftId), notInArray(draftId, draftsInUse)))
    .groupBy(draftId)
    .orderBy(asc(draftId));
  let freed = 0;
  const evicted: number[] = [];
  for (const draft of drafts) {
    if (freed >= bytes) break;
    freed += Number(draft.bytes);
    evicted.push(draft.id!);
  }
  if (evicted.length > 0) await tx.delete(uploadDrafts).where(inArray(uploadDrafts.id, evicted));
  return freed;
}

/** Deletes the oldest drafts that are not in use until all drafts together fit into `maxBytes`. */
export async function limitDrafts(tx: Tx, maxBytes: number, draftsInUse: number[]): Promise<void> {
  const [drafts] = await tx
    .select({ bytes: sum(uploadedFiles.size) })
    .from(uploadedFiles)
    .where(isNotNull(uploadedFiles.draftId));
  const excess = Number(drafts!.bytes ?? 0) - maxBytes;
  if (excess > 0) await evictDrafts(tx, excess, draftsInUse);
}
