import type { Email } from "./outbox.ts";
import type { StagedFile } from "./uploaded-files.ts";

/** What every form brings to its final transaction, after which "thank you" is true. */
export interface Submission<Typed> {
  reference: string;
  /** The same for the same post. */
  fingerprint: string;
  typed: Typed;
  /** Why it is suspected to be spam, or null. */
  spam: string | null;
  isTest: boolean;
  email: Email;
  /** The same post since then is the same request. */
  duplicatesSince: Date;
  /** True where the letter is written but not sent: suspected spam, and most tests. */
  holdEmail: boolean;
}

/** The same with files, which are staged already. */
export interface SubmissionWithFiles<Typed, Files extends Record<string, StagedFile[]>>
  extends Submission<Typed> {
  files: Files;
  /** The token's staging, which ends with the request. */
  draftId: number | undefined;
  /** Of the notice that the sender confirmed, or null. */
  noticeVersion: string | null;
}
