import type { SubmissionWithFiles } from "#db/operations/new-request.ts";
import type { Letter } from "#db/operations/outbox.ts";
import type { StagedFile } from "#db/operations/uploaded-files.ts";
import { newReference } from "#db/reference.ts";
import type { Store } from "#db/store.ts";
import type { Outcome, Problem } from "../../context.ts";
import { confirmationField, noticeVersions } from "../../forms/confirmation.ts";
import type { FileField } from "../../forms/files.ts";
import { maxFileBytes } from "../../forms/files.ts";
import type { TextFields, Texts } from "../../forms/text-fields.ts";
import { kindOf, type Mark, markOf } from "./classify.ts";
import { drain } from "./multipart.ts";
import {
  type IntakeForm,
  type IntakeWorld,
  judgeOf,
  type Post,
  type Receive,
  refuseCancelled,
  refuseForNow,
  type SubmitResult,
} from "./post.ts";
import { filesGone, invalid, problemOf } from "./rejection.ts";
import type { Release } from "./slots.ts";
import { Upload } from "./upload.ts";

export interface FileForm<Fields extends TextFields, FileName extends string>
  extends IntakeForm<Fields> {
  fileFields: Record<FileName, FileField>;
  /** Heads the problem where a required file is missing. */
  missingFiles: string;
  letter(judged: JudgedUpload<Fields, FileName>, world: IntakeWorld): Letter;
  submit(
    store: Store,
    submission: SubmissionWithFiles<Texts<Fields>, Record<FileName, StagedFile[]>>,
    now: Date,
  ): SubmitResult;
}

export interface JudgedUpload<Fields extends TextFields, FileName extends string> extends Mark {
  reference: string;
  typed: Texts<Fields>;
  files: Record<FileName, StagedFile[]>;
  receivedAt: Date;
}

/** How much of a form is read: all its files, an input for each that may be replaced, and some to be refused by name. */
export function uploadLimits(fileFields: Record<string, FileField>) {
  const files = Object.values(fileFields).reduce((sum, { most }) => sum + most, 0);
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
  const judgeTexts = judgeOf(form);
  const fileNames = Object.keys(form.fileFields) as FileName[];

  return async (post, world) => {
    const { contentType, query, signal } = post;
    const body = { source: post.source, pace: world.pace };
    const { store, now } = world;
    const hold = post.from === "page";
    const upload = new Upload({ ...form, limits }, store, world.mostStagedBytes, now);
    let release: Release | undefined;
    try {
      refuseForNow(post);
      release = await world.takeSlot(post.sender, signal);
      await upload.read(contentType, body);
      const mark = markOf(query, upload.typed, world);
      const fingerprint = upload.fingerprint(kindOf(mark));
      const repeat = await store.findRepeat(fingerprint, repeatsSince(now(), world));
      if (repeat) return { received: true, ...repeat };
      if (hold && upload.isRemoval && !upload.tokenIsDead) {
        return await comeBack(upload, filesProblem(upload), post, world);
      }
      const judged = judge(upload);
      if ("problem" in judged) {
        return await comeBack(upload, judged.problem, post, world);
      }
      refuseCancelled(post);
      post.onStoring();
      const submitted = await submit(upload, judged, { ...mark, fingerprint }, world);
      return { received: true, ...submitted };
    } catch (error) {
      const problem = problemOf(error, form.failed, world.log);
      // Whoever found no slot has sent a text worth giving back; a form that cannot be read has not.
      if (!release && hold) await upload.readTextOnly(contentType, body).catch(() => {});
      release?.();
      if (problem.code !== "stalled") await drain(body, 4 * limits.body);
      // What the token held before, it still holds.
      const { staging, token, typed } = upload;
      const held =
        hold && staging ? { token: token!, files: staging.files.map(forPage) } : undefined;
      return { received: false, problem, typed, held };
    } finally {
      release?.();
      // Where even this fails, the sweep at the next start does it.
      await store.discardStagedFiles(upload.arrived.map(({ id }) => id)).catch(() => {});
    }
  };

  async function submit(
    upload: Upload,
    { typed, files }: { typed: Texts<Fields>; files: Record<FileName, StagedFile[]> },
    { fingerprint, ...mark }: Mark & { fingerprint: string },
    world: IntakeWorld,
  ) {
    const { staging } = upload;
    const reference = newReference();
    const receivedAt = world.now();
    const letter = form.letter({ ...mark, reference, typed, files, receivedAt }, world);
    const submitted = await form.submit(
      world.store,
      {
        ...mark,
        reference,
        fingerprint,
        typed,
        files,
        stagingId: staging?.id,
        noticeVersion: confirmedNotice(upload),
        letter,
        repeatsSince: repeatsSince(receivedAt, world),
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
    { from, sender }: Post,
    world: IntakeWorld,
  ): Promise<Outcome> {
    const { typed, token, arrived } = upload;
    const bytes = arrived.reduce((sum, { size }) => sum + size, 0);
    const keep = from === "page" && world.heldShare.take(sender, bytes) ? arrived : [];
    const files = fileNames
      .flatMap((field) => upload.files(field))
      .filter((file) => keep.includes(file) || !arrived.includes(file));
    if (from === "call" || (files.length === 0 && upload.dropped.size === 0)) {
      return { received: false, problem, typed, held: undefined };
    }
    const change = {
      form: form.name,
      held: upload.staging?.id,
      keep: keep.map(({ id }) => id),
      forget: [...upload.dropped],
    };
    const newToken = await world.store.holdStagedFiles(change, world.now());
    upload.arrived = arrived.filter((file) => !keep.includes(file));
    const held = { token: newToken ?? token!, files: files.map(forPage) };
    return { received: false, problem, typed, held };
  }

  function judge(
    upload: Upload,
  ): { typed: Texts<Fields>; files: Record<FileName, StagedFile[]> } | { problem: Problem } {
    const { texts, errors } = judgeTexts(upload.typed);
    const missing = upload.missing();
    const fields: Problem["fields"] = {
      ...Object.fromEntries(
        missing.map((name) => [
          name,
          [upload.tokenIsDead ? "Please choose the files again" : messageFor(name)],
        ]),
      ),
      ...upload.reasons,
      ...errors,
    };
    if (texts && !upload.tokenIsDead && Object.keys(fields).length === 0) {
      const files = fileNames.map((name) => [name, upload.files(name)]);
      return { typed: texts, files: Object.fromEntries(files) };
    }
    if (missing.length > 0) {
      return { problem: { status: 422, code: "missing_files", error: form.missingFiles, fields } };
    }
    if (upload.tokenIsDead) return { problem: { ...filesGone, fields } };
    const code = Object.keys(upload.reasons).length > 0 ? "invalid_files" : "invalid_fields";
    return { problem: invalid(code, fields) };
  }

  /** Only fields that have such a message can be missing. */
  function messageFor(name: string): string {
    return form.fileFields[name as FileName].missing!;
  }
}

const repeatsSince = (now: Date, { repeatMs }: IntakeWorld) => new Date(now.getTime() - repeatMs);

const forPage = ({ id, field, name, size }: StagedFile) => ({ id, field, name, size });

/** The wording that was confirmed, or null; what is none of them confirms nothing. */
const confirmedNotice = ({ typed }: Upload) =>
  noticeVersions.find((version) => version === typed[confirmationField]) ?? null;

/** What is wrong with the files alone. */
function filesProblem({ reasons }: Upload): Problem | undefined {
  return Object.keys(reasons).length > 0 ? invalid("invalid_files", reasons) : undefined;
}
