import type { UploadDraft } from "./upload.ts";

/** Why a request was refused, in words for the visitor; the shape of every error answer of the calls. */
export interface Problem {
  status: 400 | 411 | 413 | 415 | 422 | 429 | 500 | 503;
  /** For programs, stable: "missing_files", "invalid_fields" … */
  code: string;
  error: string;
  /** Reasons by field name; a file's reason starts with the file's name. */
  fields: Record<string, string[]>;
  /** Seconds after which it may be tried again. */
  retryAfter?: number;
}

export type Outcome =
  | { received: true; id: number; reference: string }
  | {
      received: false;
      /** Undefined where the form was posted only to remove a held file. */
      problem: Problem | undefined;
      typed: Record<string, string>;
      draft: UploadDraft | undefined;
    };
