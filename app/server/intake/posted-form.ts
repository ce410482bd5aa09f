import { createHash } from "node:crypto";
import { Unavailable } from "#db/store.ts";
import { idIn } from "../../domain/row-id.ts";
import type { StagedFile, StoredDraft } from "../../domain/upload.ts";
import { asksToConfirmField, confirmationField } from "../../forms/confirmation.ts";
import { type Form, hasFiles } from "../../forms/form.ts";
import { elapsedField, filesField, honeypotField } from "../../forms/machine-fields.ts";
import { Rejection } from "../rejection.ts";
import { malformed, uploadPace } from "./body.ts";
import { type FilePart, readApiTexts, readFormWithFiles, readTexts } from "./form-body.ts";
import type { IntakeDependencies, Post } from "./intake.ts";
import { stageIfValid } from "./staging.ts";

/** A file of a post, as it was sent. */
interface PostedFile {
  field: string;
  /** The id of the draft's file that this file replaces; undefined if it replaces none. */
  replacedId: number | undefined;
  fileName: string;
  size: number;
  sha256: string;
  /** Undefined if the file is not valid. */
  staged: StagedFile | undefined;
  error: string | undefined;
}

/** What a post contained. */
export interface PostedForm {
  /** The texts as typed, by field. */
  typed: Record<string, string>;
  /** All files in their order, valid or not. */
  fileParts: Omit<PostedFile, "staged" | "error">[];
  /** The valid files: staged in the database, not yet part of a request or draft. */
  files: StagedFile[];
  /** Valid files that have no place in the form. */
  excessFiles: StagedFile[];
  /** Error messages about files, by field. */
  fileErrors: Record<string, string[]>;
  /** The draft token that came with the form. */
  token: string | undefined;
  /**
   * For a post that brings files: the draft that `token` opens; undefined if that is another form's, has expired or has
   * become a request.
   *
   * For the last post of an upload by script: the upload's draft, which may have become a request. It has only the
   * files that the post lists, in the order of that list.
   */
  draft: StoredDraft | undefined;
  /** Whether the post ends an upload by script. */
  endsUpload: boolean;
  /** Whether the post refers to files that are no longer stored. */
  areFilesGone: boolean;
  /** Ids of draft files that Remove buttons sent. Some of the files may have been removed before. */
  removals: string[];
  /** Ids of draft files that the post removes or replaces. */
  removedIds: number[];
  /** Why the post was not read to its end, or undefined. */
  failure: unknown;
}

/** A post of which nothing was read. */
export const emptyForm = (): PostedForm => ({
  typed: {},
  fileParts: [],
  files: [],
  excessFiles: [],
  fileErrors: {},
  token: undefined,
  draft: undefined,
  endsUpload: false,
  areFilesGone: false,
  removals: [],
  removedIds: [],
  failure: undefined,
});

/** Text parts besides the form's own fields. */
const otherFields = [
  "requestType",
  honeypotField,
  elapsedField,
  asksToConfirmField,
  confirmationField,
];
const tokenField = "draft";
const removeField = "remove";

/** Whether a post brings files: forms with files do, except the last post of an upload by script. */
export const bringsFiles = (form: Form, post: Pick<Post, "upload">): boolean =>
  hasFiles(form) && post.upload === undefined;

/**
 * Reads a post and stages each valid file as it arrives. Never throws: a failure is part of the
 * result, with all that was staged before it.
 * @param textsOnly skips the files: the result has none of them, and no upload slot is needed
 */
export async function readPost(
  form: Form,
  post: Post,
  dependencies: IntakeDependencies,
  { textsOnly = false }: { textsOnly?: boolean } = {},
): Promise<PostedForm> {
  const { contentType, source, from, upload } = post;
  const posted = emptyForm();
  const parts: PostedFile[] = [];
  try {
    if (!bringsFiles(form, post)) {
      const texts = await (from === "page" ? readTexts(post) : readApiTexts(post));
      takeTexts(form, posted, Object.entries(texts));
      if (upload) {
        const listed = { token: upload.token, listed: texts[filesField] };
        await takeUpload(form, posted, listed, dependencies);
      }
      return posted;
    }
    const maxFileBytes = textsOnly ? 0 : dependencies.maxFileBytes;
    const onFile = async (part: FilePart) => {
      if (textsOnly || posted.failure !== undefined) return;
      const file = await readFile(form, part, dependencies).catch((error) => {
        if (!(error instanceof Unavailable)) throw error;
        // Read on: texts follow the files, and come back in the form.
        posted.failure = error;
      });
      if (file) parts.push(file);
    };
    const body = { source, pace: uploadPace };
    const formData = await readFormWithFiles(contentType, body, { maxFileBytes, onFile });
    takeTexts(form, posted, [...formData] as [string, string][]);
    await takeDraft(form, posted, dependencies);
    await takeFiles(form, posted, parts, dependencies);
  } catch (error) {
    posted.failure = error;
    posted.excessFiles.push(...parts.flatMap(({ staged }) => staged ?? []));
    posted.files = [];
  }
  return posted;
}

/**
 * Validates and stages a file; undefined for an empty file input.
 * @throws Rejection 400 if the form has no such field, Unavailable if the file cannot be staged
 */
async function readFile(
  { fileFields }: Form,
  { field, fileName, size, bytes }: FilePart,
  dependencies: IntakeDependencies,
): Promise<PostedFile | undefined> {
  if (fileName === "" && size === 0) return undefined;
  // A replacement gets the field of the file that it replaces once the draft is read.
  const [, id] = /^replace-(\d+)$/.exec(field) ?? [];
  if (id === undefined && !Object.hasOwn(fileFields, field)) {
    throw new Rejection(400, "unknown_field", `The form has no file field called “${field}”.`);
  }
  const file = { field, replacedId: id === undefined ? undefined : Number(id), fileName, size };
  const result = await stageIfValid(file, bytes, dependencies);
  if ("error" in result) {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { ...file, sha256, staged: undefined, error: result.error };
  }
  return { ...file, sha256: result.sha256, staged: result, error: undefined };
}

function takeTexts(form: Form, posted: PostedForm, texts: [string, string][]): void {
  for (const [name, text] of texts) {
    if (Object.hasOwn(form.fields, name) || otherFields.includes(name)) posted.typed[name] = text;
    else if (name === tokenField && text && hasFiles(form)) posted.token = text;
    else if (name === removeField) posted.removals.push(text);
  }
}

/** Finds the draft that a form came with, and what its Remove buttons took out. */
async function takeDraft(
  form: Form,
  posted: PostedForm,
  { store, now }: Pick<IntakeDependencies, "store" | "now">,
): Promise<void> {
  if (posted.token === undefined) return;
  const draft = await store.findDraft(posted.token, form.name, now());
  if (!draft || draft.reference !== null) return;
  posted.draft = draft;
  const removed = draft.files.filter(({ id }) => posted.removals.includes(String(id)));
  posted.removedIds.push(...removed.map(({ id }) => id));
}

/** Finds the draft of an upload by script, with the files whose ids its last post lists, in the order of that list. */
async function takeUpload(
  form: Form,
  posted: PostedForm,
  { token, listed = "" }: { token: string; listed: string | undefined },
  { store, now }: Pick<IntakeDependencies, "store" | "now">,
): Promise<void> {
  const ids = listed === "" ? [] : listed.split(",").map(idIn);
  if (ids.includes(undefined)) throw malformed();
  const draft = await store.findDraft(token, form.name, now());
  const files = ids.flatMap((id) => draft?.files.find((file) => file.id === id) ?? []);
  posted.endsUpload = true;
  posted.draft = draft && { ...draft, files };
  posted.areFilesGone = new Set(files).size < ids.length;
  posted.fileParts = files.map(({ field, name: fileName, size, sha256 }) => {
    return { field, replacedId: undefined, fileName, size, sha256 };
  });
  for (const field of Object.keys(form.fileFields)) {
    if (validFilesIn(posted, field).length > form.fileFields[field]!.max) {
      posted.fileErrors[field] = [tooManyError(form, field)];
    }
  }
}

/** Adds the files of a post to `posted`, once its draft is known: as valid, as excess, or as an error of a field. */
async function takeFiles(
  form: Form,
  posted: PostedForm,
  parts: PostedFile[],
  { store }: Pick<IntakeDependencies, "store">,
): Promise<void> {
  for (const { staged, error, ...part } of parts) {
    posted.fileParts.push(part);
    const place = placeOf(part, form, posted.draft);
    if (!place) {
      posted.areFilesGone = true;
      if (staged) posted.excessFiles.push(staged);
      continue;
    }
    const { field, replacedIds } = place;
    if (!staged) {
      addFileError(posted, field, error!);
      continue;
    }
    posted.removedIds.push(...replacedIds);
    if (validFilesIn(posted, field).length < form.fileFields[field]!.max) {
      if (field !== staged.field) await store.setFileField(staged.id, field);
      posted.files.push({ ...staged, field });
      continue;
    }
    posted.excessFiles.push(staged);
    const tooMany = tooManyError(form, field);
    if (!posted.fileErrors[field]?.includes(tooMany)) addFileError(posted, field, tooMany);
  }
}

function addFileError({ fileErrors }: PostedForm, field: string, error: string): void {
  fileErrors[field] = [...(fileErrors[field] ?? []), error];
}

const tooManyError = ({ fileFields }: Form, field: string) => {
  const { max } = fileFields[field]!;
  return max === 1 ? "Please choose one file only" : `Please choose at most ${max} files`;
};

/**
 * Returns the field of a file, and the ids of the draft's files that it replaces; undefined if the file that it should
 * replace is gone.
 */
function placeOf(
  { field, replacedId }: Pick<PostedFile, "field" | "replacedId">,
  { fileFields }: Form,
  draft: StoredDraft | undefined,
): { field: string; replacedIds: number[] } | undefined {
  if (replacedId !== undefined) {
    const replaced = draft?.files.find(({ id }) => id === replacedId);
    return replaced && { field: replaced.field, replacedIds: [replacedId] };
  }
  // In a field for one file, a new file replaces the draft's.
  const replaced = fileFields[field]!.max === 1 ? draft?.files : undefined;
  const ids = replaced?.filter((file) => file.field === field).map(({ id }) => id);
  return { field, replacedIds: ids ?? [] };
}

/** Returns the valid files of a field: those of the draft that are not removed, then the new ones. */
export function validFilesIn(
  { draft, removedIds, files }: Pick<PostedForm, "draft" | "removedIds" | "files">,
  field: string,
): StagedFile[] {
  const stored = draft?.files.filter(({ id }) => !removedIds.includes(id)) ?? [];
  return [...stored, ...files].filter((file) => file.field === field);
}
