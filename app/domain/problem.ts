import type { FormName } from "./request.ts";
import type { UploadDraft } from "./upload.ts";

/** Why a post was rejected, for the visitor. The API endpoints send it as the body of every error. */
export interface Problem {
  /** The HTTP status code. */
  status: number;
  /** Stable, for programs: "missing_files", "invalid_fields" … */
  code: string;
  /** The reason as a sentence for people. */
  error: string;
  /** Error messages by field name; the message about a file starts with the file's name. */
  fields: Record<string, string[]>;
  /** Seconds to wait before the next attempt. */
  retryAfter?: number;
  /** Path of the form's page; present if a browser's post came from another site and the form has a page. */
  formPage?: string;
}

/** A form returned to the visitor for correction. */
export interface ReturnedForm {
  form: FormName;
  /** Undefined if the form was posted only to remove a file from its draft. */
  problem: Problem | undefined;
  typed: Record<string, string>;
  draft: UploadDraft | undefined;
}

/** The outcome of a post: a stored request, or what the form needs to be shown again. */
export type Outcome =
  | { received: true; id: number; reference: string }
  | ({ received: false } & Omit<ReturnedForm, "form">);
