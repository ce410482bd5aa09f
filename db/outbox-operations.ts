/** The part of the store that is about emails and webhooks on their way. The channel is "email" if none is given. */
import type {
  Channel,
  DailySpam,
  Email,
  EmailStatus,
  FailedAttempt,
  ListedEmail,
  OutboxEmail,
  SummedUpRequest,
} from "../app/domain/email.ts";

export interface OutboxOperations {
  /**
   * The pending email that has been due for longest, leased: no other server gets it for five minutes
   * unless it is marked.
   */
  takeDueEmail(now: Date, channel?: Channel): Promise<OutboxEmail | undefined>;
  /** Leases the email for further five minutes. Returns false if the lease was lost. */
  renewLease(email: OutboxEmail): Promise<boolean>;
  /** When the next pending email that no server is sending is due. */
  nextDueTime(channel?: Channel): Promise<Date | undefined>;
  /**
   * When the oldest pending email that no recipient has was composed: ISO 8601, UTC.
   */
  oldestPendingEmail(channel?: Channel): Promise<string | undefined>;
  countEmails(channel?: Channel): Promise<Record<EmailStatus, number>>;
  /** Returns false, and changes nothing, if the lease was lost. */
  markSent(email: OutboxEmail, now: Date): Promise<boolean>;
  /**
   * Records a failed attempt. After the last one the email's status is "failed"; "sent" if some
   * recipients have it. Returns false, and changes nothing, if the lease was lost.
   */
  markFailed(email: OutboxEmail, attempt: FailedAttempt, now: Date): Promise<boolean>;
  /**
   * Takes the emails about requests that are due, and that no recipient has, out of the outbox: a
   * summary names them. `summary` is put into the outbox unless one is pending that is not due yet.
   * @param options.taken the due email that the caller has leased, if any
   */
  sumUpDueEmails(
    options: { summary: Email; dueAt: Date; taken?: OutboxEmail },
    now: Date,
  ): Promise<void>;
  /** The requests that a summary names, oldest first. */
  listSummedUp(summaryId: number): Promise<SummedUpRequest[]>;
  /** Fails pending emails whose private link has expired. Returns their references. */
  failExpiredLinks(now: Date): Promise<string[]>;
  /** Newest first. Without `includesSent`, only those that some recipient has not got. */
  listEmails(includesSent: boolean): Promise<ListedEmail[]>;
  /**
   * Makes emails due at once that are pending, have failed or were rejected for some recipients,
   * except those that are being sent and those whose private link was deleted.
   * @param ids all emails if undefined
   * @returns ids of the emails that are due now
   */
  retryEmails(ids: number[] | undefined, now: Date): Promise<number[]>;
  /**
   * Deletes emails, except those that are being sent. A spam report only becomes "discarded": if it
   * were deleted, it would be composed again. Results whose link was in an unsent email are no
   * longer published. Returns the ids of the deleted ones.
   */
  discardEmails(ids: number[], now: Date): Promise<number[]>;
  /** Past days with requests in quarantine that no spam report covers yet. */
  findUnreportedSpam(now: Date): Promise<DailySpam[]>;
  /** Puts the spam report of a day into the outbox. */
  reportSpam(day: string, email: Email, now: Date): Promise<void>;
}
