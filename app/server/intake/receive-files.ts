import type { Store } from "#db/store.ts";
import { newReference } from "#server/reference.ts";
import type { Email } from "../../domain/email.ts";
import type { NewRequestWithFiles } from "../../domain/new-request.ts";
import type { Outcome, Problem } from "../../domain/problem.ts";
import type { StagedFile } from "../../domain/upload.ts";
import { confirmationField, noticeVersions } from "../../forms/confirmation.ts";
import type { FileField } from "../../forms/files.ts";
import { maxFileBytes } from "../../forms/files.ts";
import type { TextFields, Texts } from "../../forms/text-fields.ts";
import { type Classification, classificationKey, classify } from "./classify.ts";
import { drain } from "./multipart.ts";
import {
  type IntakeDependencies,
  type IntakeForm,
  type Post,
  type Receiver,
  rejectIfCancelled,
  rejectIfUnavailable,
  type SubmitResult,
  validatorFor,
} from "./post.ts";
import { filesGone, problemOf, validationProblem } from "./problems.ts";
import type { Release } from "./slots.ts";
import { Upload } from "./upload.ts";

export interface FileForm<Fields extends TextFields, FileFieldName extends string>
  extends IntakeForm<Fields> {
  fileFields: Record<FileFieldName, FileField>;
  /** Error message if a required file is missing. */
  missingFiles: string;
  email(validated: ValidatedUpload<Fields, FileFieldName>, dependencies: IntakeDependencies): Email;
  submit(
    store: Store,
    request: NewRequestWithFiles<Texts<Fields>, Record<FileFieldName, StagedFile[]>>,
    now: Date,
  ): SubmitResult;
}

export interface ValidatedUpload<Fields extends TextFields, FileFieldName extends string>
  extends Classification {
  reference: string;
  typed: Texts<Fields>;
  files: Record<FileFieldName, StagedFile[]>;
  receivedAt: Date;
}

/**
 * Limits that leave room for all files, a replacement input for each, and some excess files to name
 * in errors.
 */
export function uploadLimits(fileFields: Record<string, FileField>) {
  const files = Object.values(fileFields).reduce((sum, { max }) => sum + max, 0);
  return { part: maxFileBytes, parts: 2 * files + 46, body: (files + 8) * maxFileBytes };
}

/**
 * Returns the receiver of a form with files. It stages each valid file as it arrives, validates the
 * whole post, and stores the request in one transaction. Of a rejected post nothing stays, except
 * that a page's valid files become an upload draft.
 */
export function receiveFiles<Fields extends TextFields, FileFieldName extends string>(
  form: FileForm<Fields, FileFieldName>,
): Receiver {
  const limits = uploadLimits(form.fileFields);
  const validateTexts = validatorFor(form);
  const fileFieldNames = Object.keys(form.fileFields) as FileFieldName[];

  return async (post, dependencies) => {
    const { contentType, query, signal } = post;
    const body = { source: post.source, pace: dependencies.pace };
    const { store, now } = dependencies;
    const isFromPage = post.from === "page";
    const upload = new Upload({ ...form, limits }, store, dependencies.maxStagedBytes, now);
    let release: Release | undefined;
    try {
      rejectIfUnavailable(post);
      release = await dependencies.takeSlot(post.clientAddress, signal);
      await upload.read(contentType, body);
      const classification = classify(query, upload.typed, dependencies);
      const fingerprint = upload.fingerprint(classificationKey(classification));
      const duplicate = await store.findDuplicate(
        fingerprint,
        duplicatesSince(now(), dependencies),
      );
      if (duplicate) return { received: true, ...duplicate };
      if (isFromPage && upload.isRemoval && !upload.isDraftMissing) {
        return await returnForm(upload, filesProblem(upload), post, dependencies);
      }
      const validated = validate(upload);
      if ("problem" in validated) {
        return await returnForm(upload, validated.problem, post, dependencies);
      }
      rejectIfCancelled(post);
      post.onStoring();
      const submitted = await submit(
        upload,
        validated,
        { ...classification, fingerprint },
        dependencies,
      );
      return { received: true, ...submitted };
    } catch (error) {
      const problem = problemOf(error, form.failed, dependencies.log);
      // Without a slot the body is still unread: read its texts, to return them in the form.
      if (!release && isFromPage) await upload.readTextOnly(contentType, body).catch(() => {});
      release?.();
      if (problem.code !== "stalled") await drain(body, 4 * limits.body);
      // The draft of an earlier post stays as it was.
      const { storedDraft, token, typed } = upload;
      const draft =
        isFromPage && storedDraft
          ? { token: token!, files: storedDraft.files.map(toDraftFile) }
          : undefined;
      return { received: false, problem, typed, draft };
    } finally {
      release?.();
      // If this fails, the cleanup at the next start discards them.
      await store.discardStagedFiles(upload.newFiles.map(({ id }) => id)).catch(() => {});
    }
  };

  async function submit(
    upload: Upload,
    { typed, files }: { typed: Texts<Fields>; files: Record<FileFieldName, StagedFile[]> },
    { fingerprint, ...classification }: Classification & { fingerprint: string },
    dependencies: IntakeDependencies,
  ) {
    const { storedDraft } = upload;
    const reference = newReference();
    const receivedAt = dependencies.now();
    const email = form.email(
      { ...classification, reference, typed, files, receivedAt },
      dependencies,
    );
    const submitted = await form.submit(
      dependencies.store,
      {
        ...classification,
        reference,
        fingerprint,
        typed,
        files,
        draftId: storedDraft?.id,
        noticeVersion: confirmedNotice(upload),
        email,
        duplicatesSince: duplicatesSince(receivedAt, dependencies),
      },
      receivedAt,
    );
    // The files belong to the request now, unless it was a duplicate: do not discard them.
    if (submitted.reference === reference) upload.newFiles = [];
    return submitted;
  }

  /** Returns a rejected form to the visitor. A page gets a draft with the valid files. */
  async function returnForm(
    upload: Upload,
    problem: Problem | undefined,
    { from, clientAddress }: Post,
    dependencies: IntakeDependencies,
  ): Promise<Outcome> {
    const { typed, token, newFiles } = upload;
    const bytes = newFiles.reduce((sum, { size }) => sum + size, 0);
    const keep =
      from === "page" && dependencies.draftQuota.reserve(clientAddress, bytes) ? newFiles : [];
    const files = fileFieldNames
      .flatMap((field) => upload.files(field))
      .filter((file) => keep.includes(file) || !newFiles.includes(file));
    if (from === "api" || (files.length === 0 && upload.removedIds.size === 0)) {
      return { received: false, problem, typed, draft: undefined };
    }
    const change = {
      form: form.name,
      draftId: upload.storedDraft?.id,
      keep: keep.map(({ id }) => id),
      remove: [...upload.removedIds],
    };
    const newToken = await dependencies.store.saveDraft(change, dependencies.now());
    upload.newFiles = newFiles.filter((file) => !keep.includes(file));
    const draft = { token: newToken ?? token!, files: files.map(toDraftFile) };
    return { received: false, problem, typed, draft };
  }

  function validate(
    upload: Upload,
  ): { typed: Texts<Fields>; files: Record<FileFieldName, StagedFile[]> } | { problem: Problem } {
    const { texts, errors } = validateTexts(upload.typed);
    const missingFields = upload.missingFields();
    const fields: Problem["fields"] = {
      ...Object.fromEntries(
        missingFields.map((name) => [
          name,
          [upload.isDraftMissing ? "Please choose the files again" : missingMessage(name)],
        ]),
      ),
      ...upload.fileErrors,
      ...errors,
    };
    if (texts && !upload.isDraftMissing && Object.keys(fields).length === 0) {
      const files = fileFieldNames.map((name) => [name, upload.files(name)]);
      return { typed: texts, files: Object.fromEntries(files) };
    }
    if (missingFields.length > 0) {
      return { problem: { status: 422, code: "missing_files", error: form.missingFiles, fields } };
    }
    if (upload.isDraftMissing) return { problem: { ...filesGone, fields } };
    const code = Object.keys(upload.fileErrors).length > 0 ? "invalid_files" : "invalid_fields";
    return { problem: validationProblem(code, fields) };
  }

  /** Only for required fields, which all have the message. */
  function missingMessage(name: string): string {
    return form.fileFields[name as FileFieldName].missing!;
  }
}

const duplicatesSince = (now: Date, { duplicateMs }: IntakeDependencies) =>
  new Date(now.getTime() - duplicateMs);

const toDraftFile = ({ id, field, name, size }: StagedFile) => ({ id, field, name, size });

/** The notice version that the visitor agreed to, or null; an unknown version counts as none. */
const confirmedNotice = ({ typed }: Upload) =>
  noticeVersions.find((version) => version === typed[confirmationField]) ?? null;

/** The problem with the files alone, ignoring the texts. */
function filesProblem({ fileErrors }: Upload): Problem | undefined {
  return Object.keys(fileErrors).length > 0
    ? validationProblem("invalid_files", fileErrors)
    : undefined;
}
