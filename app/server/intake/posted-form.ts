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
}

/** A posted file that is staged, or why it is not valid. */
interface ReadFile {
  posted: PostedFile;
  result: StagedFile | { error: string };
}

/** What a post contained. */
export interface PostedForm {
  /** The texts as typed, by field. */
  typed: Record<string, string>;
  /** All files in their order, valid or not. */
  fileParts: PostedFile[];
  /** The valid files: staged in the database, not yet part of a request or draft. */
  files: StagedFile[];
  /** Valid files that have no place in the form. */
  excessFiles: StagedFile[];
  /** Error messages about files, by field. */
  fileErrors: Record<string, string[]>;
  /** The draft token that came with the form. */
  token: string | undefined;
  /**
   * The draft that `token` opens; undefined if it is another form's, has expired or has become a request. For the last
   * post of an upload by script, the upload's draft with only the listed files; it may have become a request.
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

/** Whether a post brings files: the last post of an upload by script brings none. */
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
  const files: ReadFile[] = [];
  try {
    if (!bringsFiles(form, post)) {
      const texts = await (from === "page" ? readTexts(post) : readApiTexts(post));
      Object.assign(posted, textsFor(form, Object.entries(texts)));
      if (upload) {
        const ids = idsIn(texts[filesField]);
        Object.assign(posted, await findUploaded(form, upload.token, ids, dependencies));
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
      if (file) files.push(file);
    };
    const body = { source, pace: uploadPace };
    const texts = await readFormWithFiles(contentType, body, { maxFileBytes, onFile });
    Object.assign(posted, textsFor(form, texts));
    Object.assign(posted, await findDraft(form, posted, dependencies));
    return await placeFiles(form, posted, files, dependencies);
  } catch (failure) {
    const staged = files.flatMap(({ result }) => ("error" in result ? [] : result));
    return { ...posted, failure, excessFiles: staged };
  }
}

/**
 * Validates and stages a file; undefined for an empty file input.
 * @throws Rejection 400 if the form has no such field, Unavailable if the file cannot be staged
 */
async function readFile(
  { fileFields }: Form,
  { field, fileName, size, bytes }: FilePart,
  dependencies: IntakeDependencies,
): Promise<ReadFile | undefined> {
  if (fileName === "" && size === 0) return undefined;
  // Once the draft is read, a replacement gets the field of the file that it replaces.
  const [, id] = /^replace-(\d+)$/.exec(field) ?? [];
  if (id === undefined && !Object.hasOwn(fileFields, field)) {
    throw new Rejection(400, "unknown_field", `The form has no file field called “${field}”.`);
  }
  const file = { field, replacedId: id === undefined ? undefined : Number(id), fileName, size };
  const result = await stageIfValid(file, bytes, dependencies);
  const sha256 =
    "error" in result ? createHash("sha256").update(bytes).digest("hex") : result.sha256;
  return { posted: { ...file, sha256 }, result };
}

/** Returns the typed texts that a form takes, its draft token and its removals. */
function textsFor(
  form: Form,
  texts: [string, string][],
): Pick<PostedForm, "typed" | "token" | "removals"> {
  const isTyped = (name: string) => Object.hasOwn(form.fields, name) || otherFields.includes(name);
  const sentIn = (field: string) => texts.flatMap(([name, text]) => (name === field ? text : []));
  return {
    typed: Object.fromEntries(texts.filter(([name]) => isTyped(name))),
    token: hasFiles(form) ? sentIn(tokenField).findLast((token) => token !== "") : undefined,
    removals: sentIn(removeField),
  };
}

/** Finds the draft that a form came with, and which of its files Remove buttons took out. */
async function findDraft(
  form: Form,
  { token, removals }: Pick<PostedForm, "token" | "removals">,
  { store, now }: Pick<IntakeDependencies, "store" | "now">,
): Promise<Partial<PostedForm>> {
  if (token === undefined) return {};
  const draft = await store.findDraft(token, form.name, now());
  if (!draft || draft.reference !== null) return {};
  const ids = draft.files.map(({ id }) => id);
  return { draft, removedIds: ids.filter((id) => removals.includes(String(id))) };
}

/** @throws Rejection 400 unless a text is a list of ids, which may be empty */
function idsIn(list = ""): number[] {
  return list === ""
    ? []
    : list.split(",").map((text) => {
        const id = idIn(text);
        if (id === undefined) throw malformed();
        return id;
      });
}

/** Finds the draft of an upload by script, with the files whose ids its last post lists, in the order of that list. */
async function findUploaded(
  form: Form,
  token: string,
  ids: number[],
  { store, now }: Pick<IntakeDependencies, "store" | "now">,
): Promise<Partial<PostedForm>> {
  const draft = await store.findDraft(token, form.name, now());
  const byId = new Map(draft?.files.map((file) => [file.id, file]));
  const files = ids.flatMap((id) => byId.get(id) ?? []);
  const crowded = Object.keys(form.fileFields).filter(
    (name) => files.filter(({ field }) => field === name).length > form.fileFields[name]!.max,
  );
  return {
    endsUpload: true,
    draft: draft && { ...draft, files },
    areFilesGone: new Set(files).size < ids.length,
    fileParts: files.map(({ field, name: fileName, size, sha256 }) => {
      return { field, replacedId: undefined, fileName, size, sha256 };
    }),
    fileErrors: Object.fromEntries(crowded.map((field) => [field, [tooManyError(form, field)]])),
  };
}

/** Sorts the files of a post into valid files, excess files and errors. The post's draft must have been read. */
async function placeFiles(
  form: Form,
  post: PostedForm,
  read: ReadFile[],
  { store }: Pick<IntakeDependencies, "store">,
): Promise<PostedForm> {
  const { files, excessFiles, fileErrors } = emptyForm();
  const fileParts = read.map(({ posted }) => posted);
  const removedIds = [...post.removedIds];
  const placed = { ...post, fileParts, files, excessFiles, fileErrors, removedIds };
  const addError = (field: string, error: string) => {
    fileErrors[field] = [...(fileErrors[field] ?? []), error];
  };
  for (const { posted, result } of read) {
    const place = placeOf(posted, form, post.draft);
    if (!place) {
      placed.areFilesGone = true;
      if (!("error" in result)) excessFiles.push(result);
      continue;
    }
    const { field, replacedIds } = place;
    if ("error" in result) {
      addError(field, result.error);
      continue;
    }
    removedIds.push(...replacedIds);
    if (validFilesIn(placed, field).length < form.fileFields[field]!.max) {
      if (field !== result.field) await store.setFileField(result.id, field);
      files.push({ ...result, field });
      continue;
    }
    excessFiles.push(result);
    const tooMany = tooManyError(form, field);
    if (!fileErrors[field]?.includes(tooMany)) addError(field, tooMany);
  }
  return placed;
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
