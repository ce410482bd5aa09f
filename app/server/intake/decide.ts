import type { Problem } from "../../domain/problem.ts";
import type { StagedFile } from "../../domain/upload.ts";
import { confirmationErrors } from "../../forms/confirmation.ts";
import { type Form, hasFiles } from "../../forms/form.ts";
import { lacksRequiredText, type TextFields, type Texts } from "../../forms/text-fields.ts";
import { Rejection } from "../rejection.ts";
import type { Post } from "./intake.ts";
import { type PostedForm, validFilesIn } from "./posted-form.ts";
import { filesGone, tooQuick, validationProblem } from "./problems.ts";
import type { ValidatedTexts } from "./validate-texts.ts";

/** What to do with a post. */
export type PostDecision =
  | {
      kind: "accept";
      texts: Texts<TextFields>;
      /** All files of the request, by field. */
      files: Record<string, StagedFile[]>;
    }
  | {
      kind: "return form";
      /** Undefined if the form was posted only to remove a file from its draft. */
      problem: Problem | undefined;
      draft: DraftPlan | undefined;
    }
  | { kind: "reject"; error: unknown };

/** How the draft of a returned form changes. */
interface DraftPlan {
  /** New files to keep. */
  keep: StagedFile[];
  /** Ids of draft files to delete. */
  remove: number[];
  /** All files of the changed draft, in the order of the form's fields. */
  files: StagedFile[];
}

export interface Circumstances {
  from: Post["from"];
  /** Whether the client has disconnected. */
  isCancelled: boolean;
  /** Whether the visitor is asked to send the form again, because it came faster than people type. */
  asksAgain: boolean;
}

/** Returns what to do with a post. Has no side effects. */
export function decide(
  form: Form,
  posted: PostedForm,
  validated: ValidatedTexts,
  { from, isCancelled, asksAgain }: Circumstances,
): PostDecision {
  if (posted.failure !== undefined) return { kind: "reject", error: posted.failure };
  if (posted.endsUpload && posted.areFilesGone) {
    return { kind: "return form", problem: filesGone, draft: undefined };
  }
  const draft = from === "page" ? planDraft(form, posted) : undefined;
  if (from === "page" && posted.removals.length > 0 && !isDraftGone(posted)) {
    return { kind: "return form", problem: filesProblem(posted), draft };
  }
  const checked = checkPost(form, posted, validated);
  if ("problem" in checked) return { kind: "return form", problem: checked.problem, draft };
  if (asksAgain) return { kind: "return form", problem: tooQuick, draft };
  // Only uploads have a Cancel button; a message counts as sent once all of it has arrived.
  if (isCancelled && hasFiles(form)) {
    return { kind: "reject", error: new Rejection(400, "cancelled", "The upload was cancelled.") };
  }
  const files = Object.keys(form.fileFields).map((field) => [field, validFilesIn(posted, field)]);
  return { kind: "accept", texts: checked.texts, files: Object.fromEntries(files) };
}

/** Whether a draft token was sent that opens no draft. */
export const isDraftGone = ({ token, draft }: PostedForm): boolean =>
  token !== undefined && draft === undefined;

/** The problem with the files alone, ignoring the texts. */
const filesProblem = ({ fileErrors }: PostedForm): Problem | undefined =>
  Object.keys(fileErrors).length > 0 ? validationProblem("invalid_files", fileErrors) : undefined;

/** Returns the texts if they, the files and the confirmation are valid; otherwise the problem. */
function checkPost(
  form: Form,
  posted: PostedForm,
  { texts, errors }: ValidatedTexts,
): { texts: Texts<TextFields> } | { problem: Problem } {
  const missing = Object.entries(form.fileFields).flatMap(([field, { missing: message }]) => {
    if (!message || !isWithoutFile(posted, field)) return [];
    return [[field, [isDraftGone(posted) ? "Please choose the files again" : message]]];
  });
  const unconfirmed = form.asksToConfirm ? confirmationErrors(posted.typed) : {};
  const fields = {
    ...Object.fromEntries(missing),
    ...posted.fileErrors,
    ...errors,
    ...unconfirmed,
  };
  if (missing.length > 0) {
    const error = form.messages.missingFiles!;
    return { problem: { status: 422, code: "missing_files", error, fields } };
  }
  if (isDraftGone(posted) || posted.areFilesGone) return { problem: { ...filesGone, fields } };
  if (texts && Object.keys(fields).length === 0) return { texts };
  const hasFileErrors = Object.keys(posted.fileErrors).length > 0;
  const problem = validationProblem(hasFileErrors ? "invalid_files" : "invalid_fields", fields);
  const { missingTexts } = form.messages;
  return missingTexts && lacksRequiredText(form.fields, posted.typed)
    ? { problem: { ...problem, error: missingTexts } }
    : { problem };
}

/** Whether a field has neither a valid nor an invalid file. */
const isWithoutFile = (posted: PostedForm, field: string): boolean =>
  !posted.fileErrors[field] && validFilesIn(posted, field).length === 0;

/** Returns how the draft of a returned form changes; undefined if the form has no files and loses none. */
function planDraft(form: Form, posted: PostedForm): DraftPlan | undefined {
  const files = Object.keys(form.fileFields).flatMap((field) => validFilesIn(posted, field));
  if (files.length === 0 && posted.removedIds.length === 0) return undefined;
  return { keep: posted.files, remove: posted.removedIds, files };
}
