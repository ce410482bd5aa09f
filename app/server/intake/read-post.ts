import { createHash } from "node:crypto";
import { Unavailable } from "#db/errors.ts";
import type { StagedFile, StoredDraft } from "../../domain/upload.ts";
import { confirmationField } from "../../forms/confirmation.ts";
import { type FileField, maxFileBytes } from "../../forms/files.ts";
import { type Form, hasFiles } from "../../forms/form.ts";
import { elapsedField, honeypotField } from "../../forms/machine-fields.ts";
import { Rejection } from "../rejection.ts";
import { type ClientPace, tooLarge } from "./body.ts";
import { newUnpackBudget, type UnpackBudget } from "./docx.ts";
import { type MultipartLimits, type Part, readMultipart } from "./multipart.ts";
import type { IntakeDependencies, Post } from "./post.ts";
import {
  addManifest,
  manifestField,
  nextPosition,
  openUpload,
  type ResumableUpload,
} from "./resumable-upload.ts";
import type { Slot } from "./slots.ts";
import { stageIfValid, type Target } from "./stage-file.ts";
import { maxTextBytes, readApiTexts, readFormTexts } from "./text-body.ts";

/** What a post contained. */
export interface ReadPost {
  /** The texts as typed, by field. */
  typed: Record<string, string>;
  /** The valid files: staged in the database, not yet part of a request or draft. */
  files: StagedFile[];
  /** Error messages about files, by field. */
  fileErrors: Record<string, string[]>;
  /** All files in their order, valid or not. */
  fileParts: { name: string; fileName: string; size: number; sha256: string }[];
  /** The draft token that came with the form. */
  token: string | undefined;
  /**
   * The draft that the token opens; undefined if it has expired, is another form's or made up. Of an
   * upload: its draft, with those of its files that belong to this post.
   */
  draft: StoredDraft | undefined;
  /** Set if the post is part of an upload. */
  upload: ResumableUpload | undefined;
  /** Ids of draft files as sent by Remove buttons, even if they were removed before. */
  removals: string[];
  /** Whether a file was sent in the place of a draft file that is not there. */
  isReplacementLost: boolean;
  /** Ids of draft files that the post removes or replaces. */
  removedIds: number[];
  /** Why the post was not read to its end, or undefined. */
  failure: unknown;
}

type ReadDependencies = Pick<
  IntakeDependencies,
  "store" | "maxStagedBytes" | "activePosts" | "now" | "draftQuota" | "scanner"
>;
type UnreadPost = Pick<
  Post,
  "contentType" | "source" | "from" | "uploadId" | "clientAddress" | "onBytes"
>;

/** A post while it is read; `read` is complete when `readPost` returns it. */
export interface Reading {
  form: Form;
  post: UnreadPost;
  dependencies: ReadDependencies;
  budget: UnpackBudget;
  read: ReadPost;
}

/** Text parts besides the form's own fields. */
const otherFields = ["requestType", honeypotField, elapsedField, confirmationField];
const tokenField = "draft";
const removeField = "remove";
const replacePrefix = "replace-";

/** Far more than the longest field, so that people see the field's own error first. */
const maxPartTextBytes = 64 * 1024;

/**
 * Limits that leave room for all files, a replacement input for each, and some excess files to name
 * in errors.
 */
export function uploadLimits(fileFields: Record<string, FileField>): MultipartLimits {
  const files = Object.values(fileFields).reduce((sum, { max }) => sum + max, 0);
  return { part: maxFileBytes, parts: 2 * files + 46, body: (files + 8) * maxFileBytes };
}

/**
 * Reads a post and stages each valid file as it arrives. Never throws: a failure is part of the
 * result, with all that was staged before it. A post with files is active until its receiver ends it.
 * @param textsOnly skips files, which are part of no result then; needs no upload slot
 * @param slot of a post with files
 */
export async function readPost(
  form: Form,
  post: UnreadPost,
  dependencies: ReadDependencies,
  { textsOnly = false, slot }: { textsOnly?: boolean; slot?: Slot | undefined } = {},
): Promise<ReadPost> {
  const { contentType, source, from } = post;
  const read = emptyPost();
  const reading = { form, post, dependencies, budget: newUnpackBudget(), read };
  const body = { source, pace: paceFor(form), onBytes: post.onBytes, slot };
  try {
    if (!hasFiles(form)) {
      const texts = await (from === "page" ? readFormTexts : readApiTexts)(contentType, body);
      for (const [name, text] of Object.entries(texts)) await addText(reading, name, text);
      return read;
    }
    if (!textsOnly) dependencies.activePosts.add(read);
    if (post.uploadId !== undefined) {
      read.upload = await openUpload(post.uploadId, form, dependencies);
      read.draft = read.upload.draft;
    }
    const limits = uploadLimits(form.fileFields);
    if (textsOnly) limits.part = maxPartTextBytes;
    let textBytes = 0;
    for await (const part of readMultipart(contentType, body, limits)) {
      const { name, fileName, size, bytes } = part;
      if (fileName === undefined) textBytes += size;
      if (textBytes > maxTextBytes) throw tooLarge();
      if (fileName === undefined) await addText(reading, name, decode(bytes));
      else if (!textsOnly && read.failure === undefined && (fileName !== "" || size > 0)) {
        await addFile(reading, part, fileName).catch((error) => {
          if (!(error instanceof Unavailable)) throw error;
          // Read on: texts follow the files, and come back in the form.
          read.failure = error;
        });
      }
    }
  } catch (error) {
    read.failure = error;
  }
  return read;
}

/** A GPRS line is ten times as fast. */
const uploadPace: ClientPace = { maxIdleMs: 30_000, minBytesPerSecond: 500 };

/** A body without files is small: it has a deadline in place of a minimum speed. */
export const textPace: ClientPace = {
  maxIdleMs: 30_000,
  minBytesPerSecond: 0,
  maxTotalMs: 60_000,
};

export const paceFor = (form: Form): ClientPace => (hasFiles(form) ? uploadPace : textPace);

export const emptyPost = (): ReadPost => ({
  typed: {},
  files: [],
  fileErrors: {},
  fileParts: [],
  token: undefined,
  draft: undefined,
  upload: undefined,
  removals: [],
  isReplacementLost: false,
  removedIds: [],
  failure: undefined,
});

/** The valid files of a field: those of the draft that are not removed, then the new ones. */
export function filesOf(
  { draft, removedIds, files }: Pick<ReadPost, "draft" | "removedIds" | "files">,
  field: string,
): StagedFile[] {
  const stored = draft?.files.filter(({ id }) => !removedIds.includes(id)) ?? [];
  return [...stored, ...files]
    .filter((file) => file.field === field)
    .sort((one, other) => (one.position ?? 0) - (other.position ?? 0));
}

async function addText(
  { form, dependencies, read }: Reading,
  name: string,
  text: string,
): Promise<void> {
  if (Object.hasOwn(form.fields, name) || otherFields.includes(name)) {
    read.typed[name] = text;
  } else if (read.upload) {
    if (name === manifestField) addManifest(read.upload, text);
  } else if (name === tokenField && text && hasFiles(form)) {
    read.token = text;
    const draft = await dependencies.store.findDraft(text, form.name, dependencies.now());
    if (draft?.reference === null) read.draft = draft;
  } else if (name === removeField) {
    read.removals.push(text);
    const removed = read.draft?.files.find(({ id }) => id === Number(text));
    if (removed) read.removedIds.push(removed.id);
  }
}

/** @throws Rejection 400 if the form has no such field, Unavailable if the file cannot be staged */
async function addFile(reading: Reading, part: Part, fileName: string): Promise<void> {
  const { form, read } = reading;
  const { name, size, bytes } = part;
  const position = read.upload ? nextPosition(read.upload) : null;
  // The upload has been received as a whole before.
  if (read.upload?.before.reference) return;
  const target = targetOf(name, form, read.draft);
  if (!target) read.isReplacementLost = true;
  const file = target && (await stageIfValid(reading, part, fileName, { ...target, position }));
  const sha256 = file?.sha256 ?? createHash("sha256").update(bytes).digest("hex");
  read.fileParts.push({ name, fileName, size, sha256 });
}

/** What a file is sent for; undefined if the draft no longer has the file that it replaces. */
function targetOf(
  name: string,
  { fileFields }: Form,
  draft: StoredDraft | undefined,
): Omit<Target, "position"> | undefined {
  if (name.startsWith(replacePrefix)) {
    const id = Number(name.slice(replacePrefix.length));
    const replaced = draft?.files.find((file) => file.id === id);
    return replaced && { field: replaced.field, replacedIds: [id] };
  }
  if (!Object.hasOwn(fileFields, name)) {
    throw new Rejection(400, "unknown_field", `The form has no file field called “${name}”.`);
  }
  // In a field for one file, a new file replaces the draft's.
  const outdated =
    fileFields[name]!.max === 1 ? draft?.files.filter(({ field }) => field === name) : undefined;
  return { field: name, replacedIds: outdated?.map(({ id }) => id) ?? [] };
}

function decode(bytes: Buffer): string {
  if (bytes.length > maxPartTextBytes) {
    throw new Rejection(413, "text_too_large", "A text of the form is too long.");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Rejection(400, "malformed", "A text of the form is not UTF-8.");
  }
}
