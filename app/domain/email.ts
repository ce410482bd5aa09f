/** What an entry of the outbox is about, and who gets it. */
export const emailKinds = [
  /** To the team: a request was received. */
  "request",
  /** No email: tells another program that a request arrived or that marks were signed. */
  "webhook",
  /** To the educator: the link to the results. */
  "results",
  /** To the team: requests that are suspected spam. */
  "spam report",
  /** To the team: several requests in one email. */
  "summary",
  /** To the team: the educator signed the marks. */
  "signed",
  /** To the educator: the link to the results ends soon. */
  "reminder",
  /** To the educator: the team reopened the marks. */
  "reopened",
  /** To the team: what was done on the team's page, and by whom. */
  "team action",
  /** To a marker: the link to the marking desk. */
  "marking",
  /** To the sender: the request was received. */
  "acknowledgement",
  /** To a subscriber: the link that confirms the subscription. */
  "confirmation",
  /** To a subscriber: a new article. */
  "announcement",
] as const;
export type EmailKind = (typeof emailKinds)[number];

/** How an entry of the outbox is sent. */
export type Channel = "email" | "webhook";

/**
 * How many emails of one kind, acknowledgements or confirmations, anyone can cause by typing an address into
 * a form, within 24 hours.
 */
export interface VisitorEmailLimits {
  perMailbox: number;
  all: number;
}

/**
 * "pending": to be sent. "on hold": not sent unless released (suspected spam and tests). "sent": has an error if some
 * recipients were rejected. "failed": no further attempts. "discarded": a spam report that a command has discarded.
 * "summed up": a summary names the request instead.
 */
export type EmailStatus = "pending" | "on hold" | "sent" | "failed" | "discarded" | "summed up";

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

/** An email or webhook in the outbox, with the state of its delivery. Times are ISO 8601, UTC. */
export interface OutboxEmail {
  id: number;
  kind: EmailKind;
  /** Reference of the request that the entry is about; null if it is about none. */
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
  /** The recipients that have the email if the mail server rejected others, otherwise null. */
  acceptedBy: string[] | null;
  /** Names the attempt that is sending the entry; null without such an attempt. */
  lease: string | null;
}

/** An email in a list for operators: without its body and without the private link. */
export type ListedEmail = Omit<
  OutboxEmail,
  "body" | "link" | "messageId" | "firstAttemptAt" | "acceptedBy" | "lease"
>;

/** A failed attempt to send an email to some or all of its recipients. */
export interface FailedAttempt {
  reason: string;
  /** The recipients that have the email, from this attempt or an earlier one. */
  acceptedBy: string[];
  /** Undefined if there will be no other attempt. */
  nextAttempt: Date | undefined;
}

/** A request that a summary names. */
export interface SummedUpRequest {
  reference: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
  form: string;
  isTest: boolean;
}

/** The number of requests that were quarantined on one day. */
export interface DailySpam {
  /** For example 2026-11-21, UTC. */
  day: string;
  count: number;
}
