import type { EmailKind, EmailStatus } from "./email.ts";
import type { AssessmentStatus, OpenLink } from "./publication.ts";
import type { RequestForm } from "./request.ts";

/** A request in a list for the team, in the same format for every form. Times are ISO 8601, UTC. */
export interface ListedRequest {
  reference: string;
  receivedAt: string;
  form: RequestForm;
  /** Null for the rubric form, which does not ask. */
  requestType: string | null;
  name: string;
  email: string;
  phone: string | null;
  institution: string | null;
  message: string;
  /** Number of files. */
  files: number;
  /** Why it is in quarantine, or null. */
  spam: string | null;
  isTest: boolean;
  /** When the visitor agreed that the files may be shared, or null. */
  confirmedAt: string | null;
  /** Version of the notice that the visitor agreed to, or null. */
  noticeVersion: string | null;
  /** Status of the email to the team; null if it was discarded. */
  emailStatus: string | null;
}

/** The value of a column, which may be a text that only some forms have; null if the request has none. */
export const cellOf = (request: ListedRequest, column: string) =>
  (request as unknown as Record<string, string | number | boolean | null>)[column] ?? null;

/** A request with everything that is stored about it, except the bytes of its files. */
export interface RequestRecord {
  request: ListedRequest;
  assessmentStatus: AssessmentStatus | null;
  /** The open private link to its results, or null. */
  resultsLink: OpenLink | null;
  files: { field: string; name: string; mediaType: string; size: number; sha256: string }[];
  emails: {
    kind: EmailKind;
    status: EmailStatus;
    attempts: number;
    lastError: string | null;
    sentAt: string | null;
    /** Null for the team, and for a webhook. */
    recipient: string | null;
  }[];
}
