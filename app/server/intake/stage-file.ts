import type { NewFile, StagedFile } from "../../domain/upload.ts";
import { draftsInUse, type Reading } from "./read-post.ts";

/** Stages a valid file: in the draft of its upload, if there is one with room for it. */
export async function stage(
  { post: { clientAddress }, dependencies, read }: Reading,
  file: NewFile,
  position: number | null,
): Promise<StagedFile> {
  const { store, maxStagedBytes, now, draftQuota } = dependencies;
  const limit = { maxBytes: maxStagedBytes, draftsInUse: draftsInUse(dependencies) };
  const { draft } = read;
  const size = file.bytes.byteLength;
  if (!draft || position === null || draftQuota.left(clientAddress) < size) {
    const staged = await store.stageFile(file, limit, now());
    read.files.push(staged);
    return staged;
  }
  const upload = { draftId: draft.id, position };
  const staged = await store.stageFile({ ...file, upload }, limit, now());
  draftQuota.add(clientAddress, size);
  draft.files = [...draft.files.filter(({ id }) => id !== staged.id), staged];
  return staged;
}
