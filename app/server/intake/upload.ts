import { createHash } from "node:crypto";
import type { StoredDraft } from "#db/operations/upload-drafts.ts";
import type { StagedFile } from "#db/operations/uploaded-files.ts";
import type { Store } from "#db/store.ts";
import { confirmationField } from "../../forms/confirmation.ts";
import type { FileField } from "../../forms/files.ts";
import { elapsedField, honeypotField } from "../../forms/machine-fields.ts";
import type { TextFields } from "../../forms/text-fields.ts";
import type { Body } from "./body.ts";
import { validateFile } from "./file-validation.ts";
import { type Part, readMultipart } from "./multipart.ts";
import { Rejection } from "./rejection.ts";

/** A form with files, as its intake must know it. */
export interface UploadForm {
  /** Tokens are good for one form. */
  name: string;
  fields: TextFields;
  fileFields: Record<string, FileField>;
  limits: { part: number; parts: number; body: number };
}

/** Text parts besides those that the form asks for. */
const otherFields = ["requestType", honeypotField, elapsedField, confirmationField];
const tokenField = "draft";
const removeField = "remove";
const replacePrefix = "replace-";

/** Well over the longest text a field takes, so that its own message is what people meet. */
const maxTextBytes = 64 * 1024;

/** One upload on its way in: what has come so far, what is wrong with it, and what is staged for it. */
export class Upload {
  readonly typed: Record<string, string> = {};
  /** What is wrong with files, by field. */
  readonly reasons: Record<string, string[]> = {};
  /** Files of this very request that passed; they are the database's, and nobody's yet. */
  arrived: StagedFile[] = [];
  /** What the visitor's token holds from an earlier post. */
  storedDraft: StoredDraft | undefined;
  token: string | undefined;
  /** A token was sent that holds nothing: died, of another form, or made up. */
  draftIsGone = false;
  /** The form was posted to remove a held file, be it there or gone already. */
  isRemoval = false;
  /** Ids of held files that are not wanted any more. */
  readonly dropped = new Set<number>();

  readonly #form: UploadForm;
  readonly #store: Store;
  readonly #maxStagedBytes: number;
  readonly #now: () => Date;
  readonly #sent: Record<string, number> = {};
  readonly #hash = createHash("sha256");

  constructor(form: UploadForm, store: Store, maxStagedBytes: number, now: () => Date) {
    this.#form = form;
    this.#hash.update(form.name);
    this.#store = store;
    this.#maxStagedBytes = maxStagedBytes;
    this.#now = now;
  }

  /** Reads the body to its end, keeping each good file as it arrives. Throws what ends the reading. */
  async read(contentType: string, body: Body): Promise<void> {
    for await (const part of readMultipart(contentType, body, this.#form.limits)) {
      if (part.fileName === undefined) await this.#takeText(part);
      else if (part.fileName !== "" || part.size > 0) await this.#takeFile(part, part.fileName);
    }
  }

  /** Reads the body for its text alone: for a visitor who has to come again and should not type again. */
  async readTextOnly(contentType: string, body: Body): Promise<void> {
    const limits = { ...this.#form.limits, part: maxTextBytes };
    for await (const part of readMultipart(contentType, body, limits)) {
      if (part.fileName === undefined) await this.#takeText(part);
    }
  }

  /** The same for the same post of the same kind: its texts and files, in their order. */
  fingerprint(kind: boolean[]): string {
    return this.#hash.copy().update(JSON.stringify(kind)).digest("hex");
  }

  /** All good files: those held from before that are still wanted, then those that came now. */
  files(field: string): StagedFile[] {
    const stored = this.storedDraft?.files.filter(({ id }) => !this.dropped.has(id)) ?? [];
    return [...stored, ...this.arrived].filter((file) => file.field === field);
  }

  /** Required fields for which nothing was sent and nothing is held. */
  missing(): string[] {
    return Object.entries(this.#form.fileFields)
      .filter(([, { missing }]) => missing)
      .map(([field]) => field)
      .filter((field) => !this.#sent[field] && this.files(field).length === 0);
  }

  async #takeText({ name, bytes }: Part): Promise<void> {
    const text = decode(bytes);
    // Time differs between two clicks that mean the same.
    if (name !== elapsedField) this.#hash.update(JSON.stringify([name, text]));
    if (Object.hasOwn(this.#form.fields, name) || otherFields.includes(name)) {
      this.typed[name] = text;
    } else if (name === tokenField && text) {
      this.token = text;
      this.storedDraft = await this.#store.findDraft(text, this.#form.name, this.#now());
      this.draftIsGone = !this.storedDraft;
    } else if (name === removeField) {
      const removed = this.storedDraft?.files.find(({ id }) => id === Number(text));
      if (removed) this.dropped.add(removed.id);
      this.isRemoval = true;
    }
  }

  async #takeFile(part: Part, fileName: string): Promise<void> {
    const replaced = part.name.startsWith(replacePrefix)
      ? Number(part.name.slice(replacePrefix.length))
      : undefined;
    const old = this.storedDraft?.files.find(({ id }) => id === replaced);
    // What a dead token held cannot be replaced; the visitor is asked for all files again.
    if (replaced !== undefined && !old) {
      this.#addToFingerprint(part, fileName, digestOf(part));
      return;
    }
    const field = old?.field ?? part.name;
    if (!Object.hasOwn(this.#form.fileFields, field)) {
      throw new Rejection(400, "unknown_field", `The form has no file field called “${field}”.`);
    }
    const { max } = this.#form.fileFields[field]!;
    this.#sent[field] = (this.#sent[field] ?? 0) + 1;

    const validation = await validateFile(fileName, part.size, part.bytes);
    if ("reason" in validation) {
      this.#addToFingerprint(part, fileName, digestOf(part));
      this.#reject(field, validation.reason);
      return;
    }
    // A field that takes one file takes the latest.
    const outdated =
      max === 1 ? this.storedDraft?.files.filter((file) => file.field === field) : [];
    for (const { id } of old ? [old] : (outdated ?? [])) this.dropped.add(id);
    if (this.files(field).length === max) {
      const reason =
        max === 1 ? "Please choose one file only" : `Please choose at most ${max} files`;
      this.#addToFingerprint(part, fileName, digestOf(part));
      if (!this.reasons[field]?.includes(reason)) this.#reject(field, reason);
      return;
    }
    const file = await this.#store.stageFile(
      { field, bytes: part.bytes, ...validation },
      this.#maxStagedBytes,
      this.#now(),
    );
    this.arrived.push(file);
    this.#addToFingerprint(part, fileName, file.sha256);
  }

  /** Every file counts for the fingerprint, those that are refused too. */
  #addToFingerprint({ name, size }: Part, fileName: string, sha256: string): void {
    this.#hash.update(JSON.stringify([name, fileName, size, sha256]));
  }

  #reject(field: string, reason: string): void {
    this.reasons[field] = [...(this.reasons[field] ?? []), reason];
  }
}

const digestOf = ({ bytes }: Part) => createHash("sha256").update(bytes).digest("hex");

function decode(bytes: Buffer): string {
  if (bytes.length > maxTextBytes) {
    throw new Rejection(413, "text_too_large", "A text of the form is longer than it may be.");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Rejection(400, "malformed", "A text of the form is not UTF-8.");
  }
}
