import type { Email } from "./email.ts";
import type { StagedFile } from "./upload.ts";

/** A validated post, ready to be stored as one request in one transaction. */
export interface NewRequest<Texts> {
  reference: string;
  /** A hash, equal for equal posts. */
  fingerprint: string;
  typed: Texts;
  /** Why it is suspected to be spam, or null. */
  spam: string | null;
  isTest: boolean;
  /** The notification to the team. */
  email: Email;
  /** True for suspected spam and most tests: the email is stored and not sent. */
  holdEmail: boolean;
  /** Whether a webhook tells a receiver of the request. */
  sendsWebhook?: boolean;
  /** An equal post stored after this time is the same request. */
  duplicatesSince: Date;
}

export interface NewRequestWithFiles<Texts, Files extends Record<string, StagedFile[]>>
  extends NewRequest<Texts> {
  files: Files;
  /** The upload draft that ends when the request is stored. */
  draftId: number | undefined;
  /** Whether the draft is an upload's, which remembers its request until it expires. */
  isUpload?: boolean;
  /** Version of the notice that the visitor agreed to, or null. */
  noticeVersion: string | null;
}

/** The identifiers of a stored request: one for the database, one for people. */
export interface StoredRequest {
  id: number;
  reference: string;
}
