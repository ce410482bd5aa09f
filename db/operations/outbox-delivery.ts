/** Delivery of the emails and webhooks in the outbox. The channel is "email" if none is given. */
import { randomUUID } from "node:crypto";
import { and, asc, count, eq, gt, inArray, isNull, lte, ne, or } from "drizzle-orm";
import type {
  Channel,
  Email,
  EmailStatus,
  FailedAttempt,
  OutboxEmail,
  SummedUpRequest,
} from "../../app/domain/email.ts";
import { type Tx, updateRows } from "../operation.ts";
import { inbox, outbox } from "../schema.ts";
import { addToOutbox } from "./add-to-outbox.ts";
import { isFree } from "./leases.ts";

/** Several times the interval at which a server renews a lease (email/attempt.ts): a late renewal does not lose it. */
const leaseSeconds = 5 * 60;

const isOfChannel = (channel: Channel) =>
  channel === "webhook" ? eq(outbox.kind, "webhook") : ne(outbox.kind, "webhook");

/**
 * Leases the pending email that has been due for longest; undefined if none is due. No other server gets it for five
 * minutes, unless this server records its outcome earlier.
 */
export async function takeDueEmail(
  tx: Tx,
  now: Date,
  channel: Channel = "email",
): Promise<OutboxEmail | undefined> {
  const isDue = and(
    isOfChannel(channel),
    eq(outbox.status, "pending"),
    lte(outbox.nextAttemptAt, now.toISOString()),
    isFree(tx, outbox),
  );
  // Another server may lease the first emails between the two statements, so several are tried.
  const due = await tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(isDue)
    .orderBy(asc(outbox.nextAttemptAt), asc(outbox.id))
    .limit(8);
  for (const { id } of due) {
    const [taken] = await tx
      .update(outbox)
      .set({ lease: randomUUID(), leasedUntil: tx.fromNow(leaseSeconds) })
      .where(and(eq(outbox.id, id), isDue))
      .returning();
    if (taken) return taken;
  }
  return undefined;
}

/** Leases the email for another five minutes. Returns false if the lease was lost. */
export async function renewLease(tx: Tx, email: OutboxEmail): Promise<boolean> {
  const leasedUntil = tx.fromNow(leaseSeconds);
  return (await updateRows(tx, outbox, isLeasedAs(email), { leasedUntil })) > 0;
}

const isLeasedAs = ({ id, lease }: OutboxEmail) =>
  and(eq(outbox.id, id), lease === null ? isNull(outbox.lease) : eq(outbox.lease, lease));

/** When the next pending email is due, apart from emails that a server is sending; undefined if there is none. */
export async function nextDueTime(tx: Tx, channel: Channel = "email"): Promise<Date | undefined> {
  const [next] = await tx
    .select({ at: outbox.nextAttemptAt })
    .from(outbox)
    .where(and(isOfChannel(channel), eq(outbox.status, "pending"), isFree(tx, outbox)))
    .orderBy(asc(outbox.nextAttemptAt))
    .limit(1);
  return next && new Date(next.at);
}

/** The ISO 8601 time in UTC of the oldest pending email that has reached no recipient; undefined if there is none. */
export async function oldestPendingEmail(
  tx: Tx,
  channel: Channel = "email",
): Promise<string | undefined> {
  const [oldest] = await tx
    .select({ at: outbox.createdAt })
    .from(outbox)
    .where(and(isOfChannel(channel), eq(outbox.status, "pending"), isNull(outbox.acceptedBy)))
    .orderBy(asc(outbox.createdAt))
    .limit(1);
  return oldest?.at;
}

/** The number of emails, or of webhooks, by their status. */
export async function countEmails(
  tx: Tx,
  channel: Channel = "email",
): Promise<Record<EmailStatus, number>> {
  const counts = await tx
    .select({ status: outbox.status, n: count() })
    .from(outbox)
    .where(isOfChannel(channel))
    .groupBy(outbox.status);
  return {
    pending: 0,
    "on hold": 0,
    sent: 0,
    failed: 0,
    discarded: 0,
    "summed up": 0,
    ...Object.fromEntries(counts.map(({ status, n }) => [status, n])),
  };
}

/** Records that an email was sent. Returns false, and changes nothing, if the lease was lost. */
export async function markSent(tx: Tx, email: OutboxEmail, now: Date): Promise<boolean> {
  const marked = await updateRows(tx, outbox, isLeasedAs(email), {
    status: "sent",
    sentAt: now.toISOString(),
    attempts: email.attempts + 1,
    lastError: null,
    acceptedBy: null,
    link: null,
    lease: null,
    leasedUntil: null,
  });
  if (email.link) tx.scrubAfterCommit();
  return marked > 0;
}

/**
 * Records a failed attempt. After the last one the email's status is "failed", or "sent" if some recipients have the
 * email. Returns false, and changes nothing, if the lease was lost.
 */
export async function markFailed(
  tx: Tx,
  email: OutboxEmail,
  { reason, acceptedBy, nextAttempt }: FailedAttempt,
  now: Date,
): Promise<boolean> {
  const isAccepted = acceptedBy.length > 0;
  const last = isAccepted
    ? ({ status: "sent", sentAt: now.toISOString(), link: null } as const)
    : ({ status: "failed", link: null } as const);
  const marked = await updateRows(tx, outbox, isLeasedAs(email), {
    attempts: email.attempts + 1,
    firstAttemptAt: email.firstAttemptAt ?? now.toISOString(),
    lastError: reason,
    acceptedBy: isAccepted ? acceptedBy : null,
    lease: null,
    leasedUntil: null,
    ...(nextAttempt ? { nextAttemptAt: nextAttempt.toISOString() } : last),
  });
  if (email.link && !nextAttempt) tx.scrubAfterCommit();
  return marked > 0;
}

/**
 * Sums up the due emails about requests, except emails that a recipient has: a summary names the requests instead.
 * Adds `summary` to the outbox, unless `findPendingSummary` finds a summary that can still change.
 * @param options.taken the due email that the caller has leased, if any
 */
export async function sumUpDueEmails(
  tx: Tx,
  { summary, dueAt, taken }: { summary: Email; dueAt: Date; taken?: OutboxEmail },
  now: Date,
): Promise<void> {
  const time = now.toISOString();
  const summaryId =
    (await findPendingSummary(tx, time)) ??
    (await addToOutbox(tx, summary, {
      kind: "summary",
      reference: null,
      createdAt: time,
      nextAttemptAt: dueAt.toISOString(),
      isOnHold: false,
    }));
  await tx
    .update(outbox)
    .set({ status: "summed up", summaryId, lease: null, leasedUntil: null, link: null })
    .where(
      and(
        eq(outbox.status, "pending"),
        lte(outbox.nextAttemptAt, time),
        eq(outbox.kind, "request"),
        isNull(outbox.acceptedBy),
        or(isFree(tx, outbox), taken && isLeasedAs(taken)),
      ),
    );
  // The links to the team's pages were deleted from the emails, and must not stay readable in the WAL.
  tx.scrubAfterCommit();
}

/** The id of the pending summary that is not due yet and was never attempted; undefined if there is none. */
async function findPendingSummary(tx: Tx, time: string): Promise<number | undefined> {
  const isNext = and(
    eq(outbox.status, "pending"),
    gt(outbox.nextAttemptAt, time),
    eq(outbox.kind, "summary"),
    eq(outbox.attempts, 0),
    // A server whose clock is ahead may be sending the summary.
    isFree(tx, outbox),
  );
  const [found] = await tx.locked(tx.select({ id: outbox.id }).from(outbox).where(isNext));
  return found?.id;
}

/** The requests that a summary names, oldest first. */
export async function listSummedUp(tx: Tx, summaryId: number): Promise<SummedUpRequest[]> {
  const { reference, receivedAt, form, isTest } = inbox;
  const summedUp = tx
    .select({ reference: outbox.reference })
    .from(outbox)
    .where(eq(outbox.summaryId, summaryId));
  return await tx
    .select({ reference, receivedAt, form, isTest })
    .from(inbox)
    .where(inArray(reference, summedUp))
    .orderBy(asc(receivedAt));
}
