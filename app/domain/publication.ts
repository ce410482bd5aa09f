import type { Email } from "./email.ts";

/** The progress of marking a demo upload. */
export type AssessmentStatus = "pending" | "submitted" | "graded" | "published";

/** The submissions of a demo upload, to be marked. */
export interface MarkingTarget {
  assessmentId: number;
  status: AssessmentStatus;
  /** Names of the submissions' files, in the order they were sent. */
  fileNames: string[];
}

/** The publication of results: a private link, and the email that contains it. */
export interface Publication {
  reference: string;
  token: string;
  /** The full URL, which contains the token. */
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
