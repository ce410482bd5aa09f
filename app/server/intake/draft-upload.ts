/** An upload by script: one request for each file, into the draft of a token that the browser made. */
import { FilesGone, Unavailable } from "#db/store.ts";
import type { Problem } from "../../domain/problem.ts";
import type { FileUpload, StagedFile, StoredDraft, UploadStatus } from "../../domain/upload.ts";
import { bytesOf } from "../../forms/files.ts";
import type { Form } from "../../forms/form.ts";
import { Rejection } from "../rejection.ts";
import { drain, isCutOff, readBody, uploadPace } from "./body.ts";
import { validateNameAndSize } from "./file-validation.ts";
import type { IntakeDependencies, Post } from "./intake.ts";
import { problemOf, validationProblem } from "./problems.ts";
import { stageIfValid } from "./staging.ts";

export type FileOutcome =
  | {
      id: number;
      /** Whether the file had arrived before, so that its body is unread. */
      isRepeated: boolean;
      /** Whether other uploads wait. If so, this upload asks for its turn before its next file. */
      isCrowded: boolean;
    }
  | { problem: Problem };

/**
 * Receives one file of an upload by script. A valid file replaces an earlier one with the same number. But if field,
 * name and size are the same too, the file has arrived before: the earlier one stays, and the body is not read.
 */
export async function receiveFile(
  form: Form,
  post: Post,
  file: FileUpload,
  dependencies: IntakeDependencies,
): Promise<FileOutcome> {
  const { store, turns, now, log, maxFileBytes } = dependencies;
  const { source, length } = post;
  try {
    if (!Object.hasOwn(form.fileFields, file.field)) {
      throw new Rejection(400, "unknown_field", `The form has no file field “${file.field}”.`);
    }
    const draft = await store.findDraft(file.token, form.name, now());
    if (draft?.reference) throw new FilesGone("The request of this upload is stored.");
    const same = draft?.files.find(
      ({ position, field, name, size }) =>
        position === file.number && field === file.field && name === file.name && size === length,
    );
    const staged = same ?? (await readInTurn({ form, post, file, draft }, dependencies));
    return "error" in staged
      ? { problem: validationProblem("invalid_files", { [file.field]: [staged.error] }) }
      : { id: staged.id, isRepeated: same !== undefined, isCrowded: turns.isCrowded() };
  } catch (error) {
    if (!isCutOff(error)) await drain({ source, pace: uploadPace }, 2 * maxFileBytes);
    return { problem: problemOf(error, form.messages.failed, log) };
  }
}

interface Arriving {
  form: Form;
  post: Post;
  file: FileUpload;
  /** The draft of the upload; undefined before its first file. */
  draft: StoredDraft | undefined;
}

/** Waits for the upload's turn, then reads and stages a file. Discards a file with a wrong name or size. */
async function readInTurn(
  arriving: Arriving,
  dependencies: IntakeDependencies,
): Promise<StagedFile | { error: string }> {
  const { hasFreeSpace, scanner, turns, maxFileBytes } = dependencies;
  const { post, file } = arriving;
  const { clientAddress, signal, source, length } = post;
  if (!(await hasFreeSpace())) {
    throw new Unavailable("Less disk space is free than must stay free.");
  }
  await scanner?.check();
  const release = await turns.take(clientAddress, signal, { token: file.token, length });
  try {
    const validation = validateNameAndSize({ fileName: file.name, size: length }, maxFileBytes);
    if (!("error" in validation)) return await readIntoDraft(arriving, dependencies);
    await drain({ source, pace: uploadPace }, 2 * maxFileBytes);
    return validation;
  } finally {
    release();
  }
}

/** @throws Rejection 503, before the draft is opened, if the client's drafts have no room for the file */
async function readIntoDraft(
  { form, post, file, draft }: Arriving,
  dependencies: IntakeDependencies,
) {
  const { store, draftLimit, maxFileBytes, now } = dependencies;
  const { field, name: fileName, number, token } = file;
  const { clientAddress: client, source, length } = post;
  const others = draft?.files.filter(({ position }) => position !== number) ?? [];
  const counted = { token, form: form.name, client, bytes: bytesOf(others) + length };
  await draftLimit.checkRoom(counted, dependencies);
  draftLimit.count(counted, now());
  const { id } = await store.openDraft(token, form.name, now());
  const bytes = await readBody({ source, pace: uploadPace }, maxFileBytes);
  const target = { id, position: number };
  return await stageIfValid({ field, fileName, size: bytes.length }, bytes, dependencies, target);
}

/** Returns what has arrived of an upload by script: the files, or the reference of the request once that is stored. */
export async function findUpload(
  form: Form,
  token: string,
  { store, now }: Pick<IntakeDependencies, "store" | "now">,
): Promise<UploadStatus> {
  const draft = await store.findDraft(token, form.name, now());
  const files = draft?.files.map(({ id, position }) => ({ id, number: position })) ?? [];
  return { files, reference: draft?.reference ?? null };
}
