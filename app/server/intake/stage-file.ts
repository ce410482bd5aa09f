import type { NewFile, StagedFile } from "../../domain/upload.ts";
import { validateFile } from "./file-validation.ts";
import type { Part } from "./multipart.ts";
import type { IntakeDependencies } from "./post.ts";
import { filesOf, type Reading } from "./read-post.ts";

const harmful =
  "The virus scanner found something harmful in this file. Please check your computer, and send a clean copy";

export interface Target {
  field: string;
  /** Ids of the draft files whose place a valid file takes. */
  replacedIds: number[];
  /** Its position in the upload, if it is part of one. */
  position: number | null;
}

/**
 * Validates a file, has it scanned and stages it; what is wrong with it is added to the post's errors.
 * @throws Unavailable if it cannot be scanned or staged
 */
export async function stageIfValid(
  reading: Reading,
  { size, bytes }: Part,
  fileName: string,
  { field, replacedIds, position }: Target,
): Promise<StagedFile | undefined> {
  const { form, budget, dependencies, read } = reading;
  const { max } = form.fileFields[field]!;
  const errors = read.fileErrors[field] ?? [];
  const validation = await validateFile(fileName, size, bytes, budget);
  if (!("error" in validation) && (await dependencies.scanner?.finds(bytes))) {
    read.fileErrors[field] = [...errors, `${validation.name}: ${harmful}`];
    return undefined;
  }
  if ("error" in validation) {
    read.fileErrors[field] = [...errors, validation.error];
    return undefined;
  }
  read.removedIds.push(...replacedIds);
  if (filesOf(read, field).length === max) {
    const error = max === 1 ? "Please choose one file only" : `Please choose at most ${max} files`;
    if (!errors.includes(error)) read.fileErrors[field] = [...errors, error];
    return undefined;
  }
  return await stage(reading, { field, bytes, ...validation }, position);
}

/** Stages a valid file: in the draft of its upload, if there is one with room for it. */
async function stage(
  { post: { clientAddress }, dependencies, read }: Reading,
  file: NewFile,
  position: number | null,
): Promise<StagedFile> {
  const { store, maxStagedBytes, now, draftQuota } = dependencies;
  const limit = { maxBytes: maxStagedBytes, draftsInUse: draftsInUse(dependencies) };
  const { upload } = read;
  const hasRoom = draftQuota.left(clientAddress) >= file.bytes.byteLength;
  if (!upload || position === null || !hasRoom) {
    const staged = await store.stageFile(file, limit, now());
    read.files.push(staged);
    return staged;
  }
  const { id, before, draft } = upload;
  const target = { draftId: draft.id, position };
  const staged = await store.stageFile({ ...file, upload: target }, limit, now());
  draft.files = [...draft.files.filter(({ id }) => id !== staged.id), staged];
  const inDraft = new Map([...before.files, ...draft.files].map((one) => [one.id, one]));
  draftQuota.keep(id, clientAddress, bytesOf([...inDraft.values()]));
  return staged;
}

export const bytesOf = (files: StagedFile[]) => files.reduce((sum, { size }) => sum + size, 0);

/** Ids of the drafts that posts in progress have opened. */
export const draftsInUse = ({ activePosts }: Pick<IntakeDependencies, "activePosts">): number[] =>
  [...activePosts].flatMap(({ draft }) => draft?.id ?? []);
