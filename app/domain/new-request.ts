import type { Email } from "./email.ts";
import type { NewTeamLink } from "./team.ts";
import type { StagedFile } from "./upload.ts";

/** A validated post, ready to be stored as one request in one transaction. */
export interface NewRequest {
  reference: string;
  /** A hash, equal for equal posts. */
  fingerprint: string;
  /** The typed texts, by column. */
  texts: Record<string, string | undefined>;
  /** Null for the rubric form, which does not ask. */
  requestType: string | null;
  /** The staged files, by field. */
  files: Record<string, StagedFile[]>;
  /**
   * The upload draft that ends when the request is stored, and whether it is of an upload by script. Such a draft keeps
   * the request's reference until it expires.
   */
  draft?: { id: number; isUpload: boolean } | undefined;
  /** Version of the notice that the visitor agreed to, or null. */
  noticeVersion: string | null;
  /** Why the post is suspected to be spam, or null. */
  spam: string | null;
  isTest: boolean;
  /** The notification to the team. */
  email: Email;
  /** The link to the team's page; missing if the email has no such link. */
  teamLink?: NewTeamLink | undefined;
  /** True for suspected spam and most tests: the email is stored and not sent. */
  isOnHold: boolean;
  /** Whether a webhook tells a receiver of the request. */
  sendsWebhook?: boolean;
  /** An equal post stored after this time is the same request. */
  duplicatesSince: Date;
}

/** The identifiers of a stored request: one for the database, one for people. */
export interface StoredRequest {
  id: number;
  reference: string;
}
