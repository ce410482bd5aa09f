/** The subject of an email in the outbox: a request, published results or quarantined spam. */
export type EmailKind = "request" | "results" | "spam report";

/**
 * "on hold": not sent unless released (suspected spam and tests). "failed": no further attempts.
 */
export type EmailStatus = "pending" | "on hold" | "sent" | "failed" | "discarded";

/** An email before it is added to the outbox. */
export interface Email {
  subject: string;
  /** Plain text. */
  body: string;
  /** One validated address. */
  replyTo: string;
  /** One validated address; without it the email goes to the team. */
  recipient?: string;
}

/** An email in the outbox, with the state of its delivery. Times are ISO 8601, UTC. */
export interface OutboxEmail {
  id: number;
  kind: EmailKind;
  /** The request that it is about; null for a spam report. */
  reference: string | null;
  messageId: string;
  subject: string;
  body: string;
  recipient: string | null;
  replyTo: string;
  /** The private link that replaces the placeholder in the body when the email is sent. */
  link: string | null;
  status: EmailStatus;
  attempts: number;
  nextAttemptAt: string;
  firstAttemptAt: string | null;
  lastError: string | null;
  createdAt: string;
  sentAt: string | null;
}

/** An email in a list for operators: without its body and without the private link. */
export type ListedEmail = Omit<OutboxEmail, "body" | "link" | "messageId" | "firstAttemptAt">;

/** The number of requests that were quarantined on one day. */
export interface DailySpam {
  /** For example 2026-11-21, UTC. */
  day: string;
  count: number;
}
