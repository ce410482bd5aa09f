/**
 * The interface of the store, in domain types, for the server, its jobs and the commands.
 * db/operations/ implements it on top of an engine such as db/sqlite/.
 *
 * Each call is one transaction. The current time is passed in (`now`): the store reads no clock.
 * Any call may throw Unavailable (errors.ts).
 */
import type { ClockReading, ClockState } from "../app/domain/clock.ts";
import type { NewRequest, NewRequestWithFiles, StoredRequest } from "../app/domain/new-request.ts";
import type { MarkingTarget, OpenLink, Publication } from "../app/domain/publication.ts";
import type { Receipt } from "../app/domain/receipt.ts";
import type { FormName } from "../app/domain/request.ts";
import type { ListedRequest, RequestRecord } from "../app/domain/request-record.ts";
import type { Results } from "../app/domain/result.ts";
import type { AuditAction, DeletedCounts, Subject } from "../app/domain/subject.ts";
import type { NewSubscription, Subscription } from "../app/domain/subscription.ts";
import type {
  DraftChange,
  NewFile,
  StagedFile,
  StagingLimit,
  StoredDraft,
} from "../app/domain/upload.ts";
import type { ContactTexts } from "../app/forms/contact.ts";
import type { DemoUploadFileField, DemoUploadTexts } from "../app/forms/demo-upload.ts";
import type { RubricFileField, RubricTexts } from "../app/forms/rubric-request.ts";
import type { OutboxOperations } from "./outbox-operations.ts";
import type { SubscriberOperations } from "./subscriber-operations.ts";

/** The operations of every store, whatever its engine. */
export interface Operations extends OutboxOperations, SubscriberOperations {
  // Posts. Each stores the request with its files and its email. If an equal post has been stored
  // since `duplicatesSince`, returns that request and stores nothing.
  submitContactRequest(
    form: "contact" | "demo-request",
    requestType: string,
    request: NewRequest<ContactTexts>,
    now: Date,
  ): Promise<StoredRequest>;
  /**
   * Returns the first request of an upload that is submitted again.
   * @throws FilesGone if a staged file no longer exists
   */
  submitDemoUpload(
    request: NewRequestWithFiles<DemoUploadTexts, Record<DemoUploadFileField, StagedFile[]>>,
    now: Date,
  ): Promise<StoredRequest>;
  /** As submitDemoUpload. */
  submitRubricRequest(
    request: NewRequestWithFiles<RubricTexts, Record<RubricFileField, StagedFile[]>>,
    now: Date,
  ): Promise<StoredRequest>;
  /** Stores an address once. The receipt does not tell whether it was known. */
  subscribe(subscription: NewSubscription, now: Date): Promise<StoredRequest>;
  /** The request with this fingerprint that was stored after `since`, if any. */
  findDuplicate(fingerprint: string, since: Date): Promise<StoredRequest | undefined>;
  /** The identifiers of a request with files. */
  findStored(reference: string): Promise<StoredRequest | undefined>;

  // Staged files and upload drafts.
  /**
   * Stores a file that belongs to no request yet. A power failure may lose it until its request is
   * stored. Takes the room of the oldest drafts if there is no other. In an upload it takes the place of
   * the file with its position, and extends the draft.
   * @throws Unavailable if there is no room, FilesGone if the upload's draft has expired
   */
  stageFile(file: NewFile, limit: StagingLimit, now: Date): Promise<StagedFile>;
  /** Deletes files of a rejected post. */
  discardStagedFiles(ids: number[]): Promise<void>;
  /**
   * Deletes staged files of this age that are in no draft, by the database's clock. Returns how many.
   */
  deleteStaleStagedFiles(minAgeSeconds: number): Promise<number>;
  /** The draft of a token; undefined if it has expired, is another form's or never existed. */
  findDraft(token: string, form: string, now: Date): Promise<StoredDraft | undefined>;
  /** The draft of an upload, by the id that its browser made up; created if there is none. */
  openUpload(uploadId: string, form: string, now: Date): Promise<StoredDraft>;
  /** Changes a draft or creates one. Returns the token of a new draft, otherwise undefined. */
  saveDraft(change: DraftChange, now: Date): Promise<string | undefined>;
  /** Deletes the oldest drafts that are not in use until all drafts together fit into `maxBytes`. */
  limitDrafts(maxBytes: number, draftsInUse: number[]): Promise<void>;
  /** Deletes expired drafts with their files. Returns how many drafts. */
  deleteExpiredDrafts(now: Date): Promise<number>;

  // Requests.
  /** The receipt of a request from one of `forms`. It contains file names only for a day. */
  findReceipt(
    forms: readonly FormName[],
    reference: string,
    now: Date,
  ): Promise<Receipt | undefined>;
  /** Newest first. */
  listRequests(): Promise<ListedRequest[]>;
  /** The references of all requests, newest first. */
  listReferences(): Promise<string[]>;
  /** Requests by their references, in the same order; unknown ones are left out. */
  findRequests(references: string[], now: Date): Promise<RequestRecord[]>;
  findRequest(reference: string, now: Date): Promise<RequestRecord | undefined>;
  /** References of the requests received before a time. */
  findRequestsBefore(date: Date): Promise<string[]>;
  /** The files of a request, in the order they were sent. */
  listFiles(reference: string): Promise<{ id: number; name: string }[]>;
  readFile(id: number): Promise<Buffer | undefined>;
  /** References of the requests that have files, except those in quarantine. */
  listRequestsWithFiles(): Promise<string[]>;
  /**
   * Takes a request out of quarantine and releases its email. Returns whether it was in quarantine.
   */
  releaseFromQuarantine(reference: string, now: Date): Promise<boolean>;

  // Results.
  /** The work to be marked for a request; undefined if the request has no submissions. */
  findMarkingTarget(reference: string): Promise<MarkingTarget | undefined>;
  /** The marks of an assessment, published or not; undefined before the first import. */
  findImportedResults(assessmentId: number): Promise<Results | undefined>;
  /**
   * Stores the marks of an assessment. Earlier marks are archived, and their link is revoked.
   * @returns whether there were earlier marks
   */
  importResults(assessmentId: number, results: Results, now: Date): Promise<boolean>;
  /**
   * Stores results in which a person has decided a mark. Links to them stay open.
   * @param before the results that were decided on; if others are stored by now, nothing is changed
   * @returns whether they were stored
   */
  storeDecidedMark(assessmentId: number, before: Results, after: Results): Promise<boolean>;
  /**
   * Publishes the results of an assessment, unless a link to them is open already.
   * @returns the link that was open already; undefined if these results were published
   */
  publishResults(
    assessmentId: number,
    publication: Publication,
    now: Date,
  ): Promise<OpenLink | undefined>;
  /** Revokes the links to the results. Returns whether they had been published. */
  revokeResults(assessmentId: number, now: Date): Promise<boolean>;
  /** The results that a token opens; undefined if it is unknown, expired or revoked. */
  findResults(token: string, now: Date): Promise<Results | undefined>;

  // Subscriptions.
  /** Oldest first. */
  listSubscriptions(): Promise<Subscription[]>;
  findSubscription(email: string): Promise<Subscription | undefined>;

  // Retention and erasure.
  /**
   * Compares the system's clock with what is known about time, and remembers it. Once a clock is
   * confirmed, corrects the dates that a wrong one has given to requests and emails.
   * @returns its state, and the highest confirmed time
   */
  readClock(reading: ClockReading): Promise<{ state: ClockState; confirmedAt: Date }>;
  /** The number of requests received before a time, and of all requests. */
  countRequests(before: Date): Promise<{ old: number; all: number }>;
  /**
   * Deletes requests received before a time, with their files and emails, at most `max` of them, and
   * records how many in the audit table. Returns the number; if it is less than `max`, everything else
   * of that age is deleted too.
   */
  deleteRequestsBefore(date: Date, max: number, now: Date): Promise<number>;
  findSubject(address: string): Promise<Subject>;
  /** Rows of a table by their ids, as the database stores them, with the columns' SQL names. */
  readRows(table: string, ids: number[]): Promise<Record<string, unknown>[]>;
  /** References of requests whose message contains an address. */
  findMentions(address: string): Promise<string[]>;
  /**
   * Adds an entry to the audit table, for the counts of what is deleted next. Returns its id.
   * @param reference the request that it is about, if it is about one that stays
   */
  openAudit(action: AuditAction, now: Date, reference?: string): Promise<number>;
  /** Deletes a request with its files and emails, and adds their numbers to an audit entry. */
  eraseRequest(reference: string, auditId: number): Promise<DeletedCounts>;
  /** Deletes a subscription, and counts it in an audit entry. */
  eraseSubscription(address: string, auditId: number): Promise<DeletedCounts>;

  /**
   * Takes work that one server at a time does, for some seconds. The holder prolongs its own lease.
   * @returns whether it was free
   */
  takeLease(name: string, holder: string, seconds: number): Promise<boolean>;

  /** Makes sure that a write can be committed. Throws if it cannot, within two seconds. */
  tryWriting(): Promise<void>;
}

/** A measured value, for monitoring. */
export interface Measurement {
  /** For example database_bytes. */
  name: string;
  type: "counter" | "gauge";
  help: string;
  /** Labels are empty for a single value. */
  values: [label: string, value: number][];
}

/** A store that can be closed. */
export interface Store extends Operations {
  close(): Promise<void>;
}

/** The store of a server. */
export interface ServerStore extends Store {
  /** The state of its connections, if it has any. */
  measure(): Promise<Measurement[]>;
}

/** The store of a command. The server may be running. */
export interface CommandStore extends Store {
  /**
   * Makes sure that deleted rows can no longer be read in the database's file. A database server
   * keeps them until it reclaims their room.
   * @param vacuum whether to rewrite the whole file; otherwise unused pages may contain parts of
   * deleted rows
   * @throws Unavailable while another program reads an old state, or if the disk is full
   */
  scrub(options: { vacuum: boolean }): Promise<void>;
}
