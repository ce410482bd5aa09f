import { createHash } from "node:crypto";
import type { Store } from "#db/store.ts";
import type { StagedFile, StoredDraft } from "../../domain/upload.ts";
import { confirmationField } from "../../forms/confirmation.ts";
import type { FileField } from "../../forms/files.ts";
import { elapsedField, honeypotField } from "../../forms/machine-fields.ts";
import type { TextFields } from "../../forms/text-fields.ts";
import { Rejection } from "../rejection.ts";
import type { Body } from "./body.ts";
import { validateFile } from "./file-validation.ts";
import { type Part, readMultipart } from "./multipart.ts";

/** What `Upload` needs to know of a form. */
export interface UploadForm {
  /** A draft token is valid for one form only. */
  name: string;
  fields: TextFields;
  fileFields: Record<string, FileField>;
  limits: { part: number; parts: number; body: number };
}

/** Text parts besides the form's own fields. */
const otherFields = ["requestType", honeypotField, elapsedField, confirmationField];
const tokenField = "draft";
const removeField = "remove";
const replacePrefix = "replace-";

/** Far more than the longest field, so that people see the field's own error first. */
const maxTextBytes = 64 * 1024;

/** The state of an upload while its body is read: texts, errors and staged files. */
export class Upload {
  readonly typed: Record<string, string> = {};
  /** Error messages about files, by field. */
  readonly fileErrors: Record<string, string[]> = {};
  /** Valid files of this post: staged in the database, not yet part of a request or draft. */
  newFiles: StagedFile[] = [];
  /** The draft of an earlier post that the token opens. */
  storedDraft: StoredDraft | undefined;
  token: string | undefined;
  /** A token was sent that opens no draft: expired, of another form, or made up. */
  isDraftMissing = false;
  /** The form was posted to remove a file of the draft, even if it had been removed before. */
  isRemoval = false;
  /** Ids of draft files that this post removes or replaces. */
  readonly removedIds = new Set<number>();

  readonly #form: UploadForm;
  readonly #store: Store;
  readonly #maxStagedBytes: number;
  readonly #now: () => Date;
  readonly #fileCounts: Record<string, number> = {};
  readonly #hash = createHash("sha256");

  constructor(form: UploadForm, store: Store, maxStagedBytes: number, now: () => Date) {
    this.#form = form;
    this.#hash.update(form.name);
    this.#store = store;
    this.#maxStagedBytes = maxStagedBytes;
    this.#now = now;
  }

  /**
   * Reads the whole body and stages each valid file as it arrives.
   * @throws Rejection, Unavailable
   */
  async read(contentType: string, body: Body): Promise<void> {
    for await (const part of readMultipart(contentType, body, this.#form.limits)) {
      if (part.fileName === undefined) await this.#addText(part);
      else if (part.fileName !== "" || part.size > 0) await this.#addFile(part, part.fileName);
    }
  }

  /** Reads only the texts, to return them in a form that could not be accepted. */
  async readTextOnly(contentType: string, body: Body): Promise<void> {
    const limits = { ...this.#form.limits, part: maxTextBytes };
    for await (const part of readMultipart(contentType, body, limits)) {
      if (part.fileName === undefined) await this.#addText(part);
    }
  }

  /**
   * Equal for posts with the same texts and files in the same order, and the same classification.
   */
  fingerprint(classificationKey: boolean[]): string {
    return this.#hash.copy().update(JSON.stringify(classificationKey)).digest("hex");
  }

  /** All valid files of a field: those of the draft that are not removed, then the new ones. */
  files(field: string): StagedFile[] {
    const stored = this.storedDraft?.files.filter(({ id }) => !this.removedIds.has(id)) ?? [];
    return [...stored, ...this.newFiles].filter((file) => file.field === field);
  }

  /** Required file fields with no file in this post or in the draft. */
  missingFields(): string[] {
    return Object.entries(this.#form.fileFields)
      .filter(([, { missing }]) => missing)
      .map(([field]) => field)
      .filter((field) => !this.#fileCounts[field] && this.files(field).length === 0);
  }

  async #addText({ name, bytes }: Part): Promise<void> {
    const text = decode(bytes);
    // The elapsed time differs between two clicks on the same form.
    if (name !== elapsedField) this.#hash.update(JSON.stringify([name, text]));
    if (Object.hasOwn(this.#form.fields, name) || otherFields.includes(name)) {
      this.typed[name] = text;
    } else if (name === tokenField && text) {
      this.token = text;
      this.storedDraft = await this.#store.findDraft(text, this.#form.name, this.#now());
      this.isDraftMissing = !this.storedDraft;
    } else if (name === removeField) {
      const removed = this.storedDraft?.files.find(({ id }) => id === Number(text));
      if (removed) this.removedIds.add(removed.id);
      this.isRemoval = true;
    }
  }

  async #addFile(part: Part, fileName: string): Promise<void> {
    const replacedId = part.name.startsWith(replacePrefix)
      ? Number(part.name.slice(replacePrefix.length))
      : undefined;
    const replacedFile = this.storedDraft?.files.find(({ id }) => id === replacedId);
    // The draft no longer has that file: validation will ask the visitor for all files again.
    if (replacedId !== undefined && !replacedFile) {
      this.#addToFingerprint(part, fileName, digestOf(part));
      return;
    }
    const field = replacedFile?.field ?? part.name;
    if (!Object.hasOwn(this.#form.fileFields, field)) {
      throw new Rejection(400, "unknown_field", `The form has no file field called “${field}”.`);
    }
    const { max } = this.#form.fileFields[field]!;
    this.#fileCounts[field] = (this.#fileCounts[field] ?? 0) + 1;

    const validation = await validateFile(fileName, part.size, part.bytes);
    if ("error" in validation) {
      this.#addToFingerprint(part, fileName, digestOf(part));
      this.#reject(field, validation.error);
      return;
    }
    // In a field for one file, a new file replaces the draft's.
    const outdated =
      max === 1 ? this.storedDraft?.files.filter((file) => file.field === field) : [];
    for (const { id } of replacedFile ? [replacedFile] : (outdated ?? [])) this.removedIds.add(id);
    if (this.files(field).length === max) {
      const error =
        max === 1 ? "Please choose one file only" : `Please choose at most ${max} files`;
      this.#addToFingerprint(part, fileName, digestOf(part));
      if (!this.fileErrors[field]?.includes(error)) this.#reject(field, error);
      return;
    }
    const file = await this.#store.stageFile(
      { field, bytes: part.bytes, ...validation },
      this.#maxStagedBytes,
      this.#now(),
    );
    this.newFiles.push(file);
    this.#addToFingerprint(part, fileName, file.sha256);
  }

  /** To be called for rejected files too. */
  #addToFingerprint({ name, size }: Part, fileName: string, sha256: string): void {
    this.#hash.update(JSON.stringify([name, fileName, size, sha256]));
  }

  #reject(field: string, error: string): void {
    this.fileErrors[field] = [...(this.fileErrors[field] ?? []), error];
  }
}

const digestOf = ({ bytes }: Part) => createHash("sha256").update(bytes).digest("hex");

function decode(bytes: Buffer): string {
  if (bytes.length > maxTextBytes) {
    throw new Rejection(413, "text_too_large", "A text of the form is too long.");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Rejection(400, "malformed", "A text of the form is not UTF-8.");
  }
}
