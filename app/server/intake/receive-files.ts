import type { SubmissionWithFiles } from "#db/operations/new-request.ts";
import type { Email } from "#db/operations/outbox.ts";
import type { StagedFile } from "#db/operations/uploaded-files.ts";
import { newReference } from "#db/reference.ts";
import type { Store } from "#db/store.ts";
import type { Outcome, Problem } from "../../domain/problem.ts";
import { confirmationField, noticeVersions } from "../../forms/confirmation.ts";
import type { FileField } from "../../forms/files.ts";
import { maxFileBytes } from "../../forms/files.ts";
import type { TextFields, Texts } from "../../forms/text-fields.ts";
import { type Classification, classify, kindOf } from "./classify.ts";
import { drain } from "./multipart.ts";
import {
  type IntakeDependencies,
  type IntakeForm,
  type Post,
  type Receive,
  rejectIfCancelled,
  rejectIfUnavailable,
  type SubmitResult,
  validatorFor,
} from "./post.ts";
import { filesGone, invalid, problemOf } from "./rejection.ts";
import type { Release } from "./slots.ts";
import { Upload } from "./upload.ts";

export interface FileForm<Fields extends TextFields, FileName extends string>
  extends IntakeForm<Fields> {
  fileFields: Record<FileName, FileField>;
  /** Heads the problem where a required file is missing. */
  missingFiles: string;
  email(validated: ValidatedUpload<Fields, FileName>, dependencies: IntakeDependencies): Email;
  submit(
    store: Store,
    submission: SubmissionWithFiles<Texts<Fields>, Record<FileName, StagedFile[]>>,
    now: Date,
  ): SubmitResult;
}

export interface ValidatedUpload<Fields extends TextFields, FileName extends string>
  extends Classification {
  reference: string;
  typed: Texts<Fields>;
  files: Record<FileName, StagedFile[]>;
  receivedAt: Date;
}

/** How much of a form is read: all its files, an input for each that may be replaced, and some to be refused by name. */
export function uploadLimits(fileFields: Record<string, FileField>) {
  const files = Object.values(fileFields).reduce((sum, { max }) => sum + max, 0);
  return { part: maxFileBytes, parts: 2 * files + 46, body: (files + 8) * maxFileBytes };
}

/**
 * The intake of a form with files: each file is kept as it arrives, all of it is judged, and one
 * transaction makes a request of it. A refused upload leaves nothing behind, unless it came from a page:
 * then its good files are held under a token.
 */
export function receiveFiles<Fields extends TextFields, FileName extends string>(
  form: FileForm<Fields, FileName>,
): Receive {
  const limits = uploadLimits(form.fileFields);
  const validateTexts = validatorFor(form);
  const fileNames = Object.keys(form.fileFields) as FileName[];

  return async (post, dependencies) => {
    const { contentType, query, signal } = post;
    const body = { source: post.source, pace: dependencies.pace };
    const { store, now } = dependencies;
    const hold = post.from === "page";
    const upload = new Upload({ ...form, limits }, store, dependencies.maxStagedBytes, now);
    let release: Release | undefined;
    try {
      rejectIfUnavailable(post);
      release = await dependencies.takeSlot(post.clientAddress, signal);
      await upload.read(contentType, body);
      const classification = classify(query, upload.typed, dependencies);
      const fingerprint = upload.fingerprint(kindOf(classification));
      const duplicate = await store.findDuplicate(
        fingerprint,
        duplicatesSince(now(), dependencies),
      );
      if (duplicate) return { received: true, ...duplicate };
      if (hold && upload.isRemoval && !upload.draftIsGone) {
        return await comeBack(upload, filesProblem(upload), post, dependencies);
      }
      const validated = validate(upload);
      if ("problem" in validated) {
        return await comeBack(upload, validated.problem, post, dependencies);
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
      // Whoever found no slot has sent a text worth giving back; a form that cannot be read has not.
      if (!release && hold) await upload.readTextOnly(contentType, body).catch(() => {});
      release?.();
      if (problem.code !== "stalled") await drain(body, 4 * limits.body);
      // What the token held before, it still holds.
      const { storedDraft, token, typed } = upload;
      const draft =
        hold && storedDraft ? { token: token!, files: storedDraft.files.map(forPage) } : undefined;
      return { received: false, problem, typed, draft };
    } finally {
      release?.();
      // Where even this fails, the sweep at the next start does it.
      await store.discardStagedFiles(upload.arrived.map(({ id }) => id)).catch(() => {});
    }
  };

  async function submit(
    upload: Upload,
    { typed, files }: { typed: Texts<Fields>; files: Record<FileName, StagedFile[]> },
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
    // They are the request's now, and no longer ours to discard.
    if (submitted.reference === reference) upload.arrived = [];
    return submitted;
  }

  /** The form goes back to the visitor; that of a page with its good files, held until it comes again. */
  async function comeBack(
    upload: Upload,
    problem: Problem | undefined,
    { from, clientAddress }: Post,
    dependencies: IntakeDependencies,
  ): Promise<Outcome> {
    const { typed, token, arrived } = upload;
    const bytes = arrived.reduce((sum, { size }) => sum + size, 0);
    const keep =
      from === "page" && dependencies.draftQuota.take(clientAddress, bytes) ? arrived : [];
    const files = fileNames
      .flatMap((field) => upload.files(field))
      .filter((file) => keep.includes(file) || !arrived.includes(file));
    if (from === "api" || (files.length === 0 && upload.dropped.size === 0)) {
      return { received: false, problem, typed, draft: undefined };
    }
    const change = {
      form: form.name,
      draftId: upload.storedDraft?.id,
      keep: keep.map(({ id }) => id),
      remove: [...upload.dropped],
    };
    const newToken = await dependencies.store.saveDraft(change, dependencies.now());
    upload.arrived = arrived.filter((file) => !keep.includes(file));
    const draft = { token: newToken ?? token!, files: files.map(forPage) };
    return { received: false, problem, typed, draft };
  }

  function validate(
    upload: Upload,
  ): { typed: Texts<Fields>; files: Record<FileName, StagedFile[]> } | { problem: Problem } {
    const { texts, errors } = validateTexts(upload.typed);
    const missing = upload.missing();
    const fields: Problem["fields"] = {
      ...Object.fromEntries(
        missing.map((name) => [
          name,
          [upload.draftIsGone ? "Please choose the files again" : messageFor(name)],
        ]),
      ),
      ...upload.reasons,
      ...errors,
    };
    if (texts && !upload.draftIsGone && Object.keys(fields).length === 0) {
      const files = fileNames.map((name) => [name, upload.files(name)]);
      return { typed: texts, files: Object.fromEntries(files) };
    }
    if (missing.length > 0) {
      return { problem: { status: 422, code: "missing_files", error: form.missingFiles, fields } };
    }
    if (upload.draftIsGone) return { problem: { ...filesGone, fields } };
    const code = Object.keys(upload.reasons).length > 0 ? "invalid_files" : "invalid_fields";
    return { problem: invalid(code, fields) };
  }

  /** Only fields that have such a message can be missing. */
  function messageFor(name: string): string {
    return form.fileFields[name as FileName].missing!;
  }
}

const duplicatesSince = (now: Date, { duplicateMs }: IntakeDependencies) =>
  new Date(now.getTime() - duplicateMs);

const forPage = ({ id, field, name, size }: StagedFile) => ({ id, field, name, size });

/** The wording that was confirmed, or null; what is none of them confirms nothing. */
const confirmedNotice = ({ typed }: Upload) =>
  noticeVersions.find((version) => version === typed[confirmationField]) ?? null;

/** What is wrong with the files alone. */
function filesProblem({ reasons }: Upload): Problem | undefined {
  return Object.keys(reasons).length > 0 ? invalid("invalid_files", reasons) : undefined;
}
