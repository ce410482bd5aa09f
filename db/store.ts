/**
 * Everything that the program stores and reads, in domain types. The server, its jobs and the commands use
 * this interface; db/operations/ implements it once, over an engine such as db/sqlite/.
 *
 * Each call is one transaction: it happens as a whole or not at all. Times are passed in (`now`), so that
 * nothing here reads a clock. Any call may throw Unavailable (errors.ts).
 */
import type {
  Email,
  EmailStatus,
  ListedEmail,
  OutboxEmail,
  SpamOfDay,
} from "../app/domain/email.ts";
import type { NewRequest, NewRequestWithFiles, StoredRequest } from "../app/domain/new-request.ts";
import type { MarkingTarget, OpenLink, Publication } from "../app/domain/publication.ts";
import type { Receipt } from "../app/domain/receipt.ts";
import type { FormName } from "../app/domain/request.ts";
import type { ListedRequest, RequestRecord } from "../app/domain/request-record.ts";
import type { Results } from "../app/domain/result.ts";
import type { AuditAction, Deleted, Subject } from "../app/domain/subject.ts";
import type { NewSubscription, Subscription } from "../app/domain/subscription.ts";
import type { DraftChange, NewFile, StagedFile, StoredDraft } from "../app/domain/upload.ts";
import type { ContactTexts } from "../app/forms/contact.ts";
import type { DemoUploadFileField, DemoUploadTexts } from "../app/forms/demo-upload.ts";
import type { RubricFileField, RubricTexts } from "../app/forms/rubric-request.ts";

/** The operations that every engine has. */
export interface Operations {
  // Posts. Each stores the request with its files and its email. An equal post stored since
  // `duplicatesSince` is returned instead, and nothing is stored.
  submitContactRequest(
    form: "contact" | "demo-request",
    requestType: string,
    request: NewRequest<ContactTexts>,
    now: Date,
  ): Promise<StoredRequest>;
  /** @throws FilesGone if a staged file no longer exists */
  submitDemoUpload(
    request: NewRequestWithFiles<DemoUploadTexts, Record<DemoUploadFileField, StagedFile[]>>,
    now: Date,
  ): Promise<StoredRequest>;
  /** @throws FilesGone if a staged file no longer exists */
  submitRubricRequest(
    request: NewRequestWithFiles<RubricTexts, Record<RubricFileField, StagedFile[]>>,
    now: Date,
  ): Promise<StoredRequest>;
  /** Stores an address once; subscribing again returns the first reference. */
  subscribe(subscription: NewSubscription, now: Date): Promise<StoredRequest>;
  /** The request that an equal post has made since a time, if any. */
  findDuplicate(fingerprint: string, since: Date): Promise<StoredRequest | undefined>;

  // Files on their way in.
  /**
   * Stores a file that belongs to no request yet. A power failure may lose it until its request is stored.
   * @param maxStagedBytes limit for all staged files together
   * @throws Unavailable at that limit
   */
  stageFile(file: NewFile, maxStagedBytes: number, now: Date): Promise<StagedFile>;
  /** Deletes files of a rejected post. */
  discardStagedFiles(ids: number[]): Promise<void>;
  /** Deletes staged files from before a time that no draft keeps. Returns how many. */
  deleteStaleStagedFiles(before: Date): Promise<number>;
  /** The draft that a token opens; undefined if it has expired, is another form's or never existed. */
  findDraft(token: string, form: string, now: Date): Promise<StoredDraft | undefined>;
  /** Returns the token of a new draft; undefined if an existing one was extended. */
  saveDraft(change: DraftChange, now: Date): Promise<string | undefined>;
  /** Deletes expired drafts with their files. Returns how many drafts. */
  deleteExpiredDrafts(now: Date): Promise<number>;

  // Requests.
  /** The receipt of one of some forms; with file names only for a day after it was sent. */
  findReceipt(
    forms: readonly FormName[],
    reference: string,
    now: Date,
  ): Promise<Receipt | undefined>;
  /** Newest first. */
  listRequests(): Promise<ListedRequest[]>;
  findRequest(reference: string, now: Date): Promise<RequestRecord | undefined>;
  /** References of the requests received before a time. */
  findRequestsBefore(date: Date): Promise<string[]>;
  /** The files of a request, in the order they were sent. */
  listFiles(reference: string): Promise<{ id: number; name: string }[]>;
  readFile(id: number): Promise<Buffer | undefined>;
  /** Takes a request out of quarantine and releases its email. Returns whether it was in quarantine. */
  releaseFromQuarantine(reference: string, now: Date): Promise<boolean>;

  // Results.
  /** What is to be marked under a reference; undefined for a request without submissions. */
  findMarkingTarget(reference: string): Promise<MarkingTarget | undefined>;
  /**
   * Stores the marks of an assessment. Earlier marks are kept apart, and their link is revoked.
   * @returns whether there were earlier marks
   */
  importResults(assessmentId: number, results: Results, now: Date): Promise<boolean>;
  /** @returns the link that was open already, with nothing changed; undefined if this one was published */
  publishResults(
    assessmentId: number,
    publication: Publication,
    now: Date,
  ): Promise<OpenLink | undefined>;
  /** Returns whether anything was published. */
  revokeResults(assessmentId: number, now: Date): Promise<boolean>;
  /** The results that a token opens; undefined if it is unknown, expired or revoked. */
  findResults(token: string, now: Date): Promise<Results | undefined>;

  // The outbox.
  /** The pending email that has been due for longest. */
  nextDueEmail(now: Date): Promise<OutboxEmail | undefined>;
  /** When the next pending email is due. */
  nextDueTime(): Promise<Date | undefined>;
  /** When the oldest pending email was composed: ISO 8601, UTC. */
  oldestPendingEmail(): Promise<string | undefined>;
  countEmails(): Promise<Record<EmailStatus, number>>;
  markSent(email: OutboxEmail, now: Date): Promise<void>;
  /** Records a failed attempt. Without a next attempt the email has failed. */
  markFailed(
    email: OutboxEmail,
    reason: string,
    nextAttempt: Date | undefined,
    now: Date,
  ): Promise<void>;
  /** Fails pending emails whose private link has expired. Returns their references. */
  failExpiredLinks(now: Date): Promise<string[]>;
  /** Newest first. */
  listEmails(includesSent: boolean): Promise<ListedEmail[]>;
  /**
   * Makes pending and failed emails due at once. Those whose private link is gone are left alone.
   * @param ids undefined is all of them
   * @returns ids of the emails that are due now
   */
  retryEmails(ids: number[] | undefined, now: Date): Promise<number[]>;
  /**
   * Deletes emails; a spam report only becomes "discarded", or it would be composed again. Results whose
   * link was in an unsent email are no longer published. Returns the ids that existed.
   */
  discardEmails(ids: number[], now: Date): Promise<number[]>;
  /** Past days with requests in quarantine that no spam report covers yet. */
  findUnreportedSpam(now: Date): Promise<SpamOfDay[]>;
  /** Puts the spam report of a day into the outbox. */
  reportSpam(day: string, email: Email, now: Date): Promise<void>;

  // Subscriptions.
  /** Oldest first. */
  listSubscriptions(): Promise<Subscription[]>;
  findSubscription(email: string): Promise<Subscription | undefined>;

  // Retention and erasure.
  /** Deletes requests received before a time, with their files and emails. Returns how many. */
  deleteRequestsBefore(date: Date): Promise<number>;
  findSubject(address: string): Promise<Subject>;
  /** References of requests whose message contains an address. */
  findMentions(address: string): Promise<string[]>;
  /** Begins an entry in the audit table. Returns its id. */
  openAudit(action: AuditAction, now: Date): Promise<number>;
  /** Deletes a request with its files and emails, and adds what was deleted to an audit entry. */
  eraseRequest(reference: string, auditId: number): Promise<Deleted>;
  /** Deletes a subscription, and adds it to an audit entry. */
  eraseSubscription(address: string, auditId: number): Promise<Deleted>;

  /** Takes the lock that a write would take, and releases it. Throws if the database cannot be written. */
  tryWriting(): Promise<void>;
}

/** A store as the server uses it. */
export interface Store extends Operations {
  close(): Promise<void>;
}

/** A store as a command uses it, next to a server that may be running. */
export interface CommandStore extends Store {
  /**
   * Makes sure that deleted rows can no longer be read in the database's files.
   * @param vacuum whether to rewrite the whole file; without it, unused pages may keep parts of deleted rows
   * @throws Unavailable while another program reads an old state, or if the disk is full
   */
  scrub(options: { vacuum: boolean }): Promise<void>;
}
