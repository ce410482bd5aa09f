import type { Email } from "./email.ts";

/** How far the marking of a demo upload is. */
export type AssessmentStatus = "pending" | "submitted" | "graded" | "published";

/** What a marker has to know of a demo upload. */
export interface MarkingTarget {
  assessmentId: number;
  status: AssessmentStatus;
  /** Names of the submissions' files, in the order they were sent. */
  fileNames: string[];
}

/** Results on their way to the educator: a private link, and the email that brings it. */
export interface Publication {
  reference: string;
  token: string;
  /** The whole URL, which contains the token. */
  link: string;
  email: Email;
  expiresAt: Date;
  /** True for tests: the email is stored and not sent. */
  holdEmail: boolean;
}

/** A private link that can be opened. Times are ISO 8601, UTC. */
export interface OpenLink {
  createdAt: string;
  expiresAt: string;
}
