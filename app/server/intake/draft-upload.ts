/** An upload by script: one request for each file, into the draft of a token that the browser made. */
import { FilesGone, Unavailable } from "#db/store.ts";
import type { Problem } from "../../domain/problem.ts";
import type { FileUpload, StoredDraft, UploadStatus } from "../../domain/upload.ts";
import { bytesOf } from "../../forms/files.ts";
import type { Form } from "../../forms/form.ts";
import { Rejection } from "../rejection.ts";
import { drain, isCutOff, readBody, uploadPace } from "./body.ts";
import type { IntakeDependencies, Post } from "./intake.ts";
import { problemOf, validationProblem } from "./problems.ts";
import { stageIfValid } from "./staging.ts";

/**
 * `isRepeated`: the file has arrived before, so its body is unread. `isCrowded`: other uploads wait, so the upload is
 * to ask for its turn before the next file.
 */
export type FileOutcome =
  | { id: number; isRepeated: boolean; isCrowded: boolean }
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
    const staged = same ?? (await readAndStage(form, post, { file, draft }, dependencies));
    return "error" in staged
      ? { problem: validationProblem("invalid_files", { [file.field]: [staged.error] }) }
      : { id: staged.id, isRepeated: same !== undefined, isCrowded: turns.isCrowded() };
  } catch (error) {
    if (!isCutOff(error)) await drain({ source, pace: uploadPace }, 2 * maxFileBytes);
    return { problem: problemOf(error, form.messages.failed, log) };
  }
}

/**
 * Reads a file and stages it in its draft. Opens the draft only once the file has a place and room, so that a file
 * rejected unread leaves nothing behind.
 */
async function readAndStage(
  form: Form,
  { clientAddress, signal, source, length }: Post,
  { file, draft }: { file: FileUpload; draft: StoredDraft | undefined },
  dependencies: IntakeDependencies,
) {
  const { field, name: fileName, number, token } = file;
  const { store, hasFreeSpace, scanner, draftLimit, turns, maxFileBytes, now } = dependencies;
  if (!(await hasFreeSpace())) {
    throw new Unavailable("Less disk space is free than must stay free.");
  }
  await scanner?.check();
  const release = await turns.take(clientAddress, signal, { token, length });
  try {
    const others = draft?.files.filter(({ position }) => position !== number) ?? [];
    const bytes = bytesOf(others) + Math.min(length, maxFileBytes);
    const counted = { token, form: form.name, client: clientAddress, bytes };
    await draftLimit.checkRoom(counted, dependencies);
    draftLimit.count(counted, now());
    const { id } = await store.openDraft(token, form.name, now());
    const body = { source, pace: uploadPace };
    const isTooLarge = length > maxFileBytes;
    // A file that is too large is rejected by its size alone, so its bytes are not kept.
    if (isTooLarge) await drain(body, 2 * maxFileBytes);
    const arrived = isTooLarge ? Buffer.alloc(0) : await readBody(body, maxFileBytes);
    const target = { id, position: number };
    return await stageIfValid({ field, fileName, size: length }, arrived, dependencies, target);
  } finally {
    release();
  }
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
