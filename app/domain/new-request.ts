import type { Email } from "./email.ts";
import type { StagedFile } from "./upload.ts";

/** A validated post, ready to be stored as one request in one transaction. */
export interface NewRequest<Texts> {
  reference: string;
  /** Equal for equal posts. */
  fingerprint: string;
  typed: Texts;
  /** Why it is suspected to be spam, or null. */
  spam: string | null;
  isTest: boolean;
  /** Tells the team of the request. */
  email: Email;
  /** True for suspected spam and most tests: the email is stored and not sent. */
  holdEmail: boolean;
  /** An equal post stored after this time is the same request. */
  duplicatesSince: Date;
}

export interface NewRequestWithFiles<Texts, Files extends Record<string, StagedFile[]>>
  extends NewRequest<Texts> {
  files: Files;
  /** The upload draft that ends with this request. */
  draftId: number | undefined;
  /** Version of the notice that the visitor agreed to, or null. */
  noticeVersion: string | null;
}

/** What a stored request is known by. */
export interface StoredRequest {
  id: number;
  reference: string;
}
