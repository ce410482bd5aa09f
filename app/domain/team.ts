/** The team's page of a request: where a class is taken from the upload to the published marks. */
import type { AuditAction } from "./data-subject.ts";
import type { AssessmentStatus, OpenLink } from "./publication.ts";
import type { Signature } from "./result.ts";

/** A private link to the team's page, before it is stored as its hash. */
export interface NewTeamLink {
  token: string;
  /** Contains the token. */
  url: string;
}

/** A file of a request. */
export interface TeamFile {
  id: number;
  /** The field of the form, or that of pages cut from a scan. */
  field: string;
  name: string;
  size: number;
}

/** What was done about a request. */
export interface TeamEvent {
  /** ISO 8601, UTC. */
  at: string;
  action: AuditAction;
  /** The name that was given on the team's page; null for commands, and for what links record. */
  by: string | null;
}

/** A request as the link to the team's page opens it. */
export interface TeamRequest {
  assessmentId: number;
  reference: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
  /** Of the class. */
  title: string;
  sender: { name: string; email: string; institution: string | null };
  status: AssessmentStatus;
  /** Of the answers of learners who get a grade. */
  progress: { decided: number; total: number };
  /** Present while the marks are signed. */
  signed?: Signature;
  /** The open link of the educator. */
  resultsLink: OpenLink | null;
  /** In the order they were sent. */
  files: TeamFile[];
  /** Newest first. */
  history: TeamEvent[];
}

/** A form of the team's page as it comes back, with what was done or why nothing was. */
export interface TeamReply {
  /** Of the form. */
  intent: string;
  /** The name under which the person acts. */
  by: string;
  /** What was posted, for the form that comes back. */
  typed: Record<string, string>;
  /** What was done, as a sentence. */
  done?: string;
  /** Why nothing was, as a sentence. */
  error?: string;
}
