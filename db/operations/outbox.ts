import { randomUUIDv7 } from "node:crypto";
import { and, asc, count, eq, gt, inArray, isNull, lte } from "drizzle-orm";
import type {
  Email,
  EmailKind,
  EmailStatus,
  FailedAttempt,
  OutboxEmail,
  SummedUpRequest,
} from "../../app/domain/email.ts";
import type { Tx } from "../operation.ts";
import { placeholders, prepared } from "../prepared.ts";
import { inbox, outbox } from "../schema.ts";

interface OutboxEntry {
  kind: EmailKind;
  /** Null if it is about no request. */
  reference: string | null;
  /** The day of a spam report. */
  reportDay?: string;
  createdAt: string;
  /** When it is due; default: at once. */
  nextAttemptAt?: string;
  isOnHold: boolean;
  /** The private link of the email, stored only until the email is sent or has failed. */
  link?: string;
  resultLinkId?: number;
}

/** Adds an email to the outbox, in the transaction that causes it. Returns its id. */
export async function addToOutbox(tx: Tx, email: Email, entry: OutboxEntry): Promise<number> {
  const { isOnHold, ...columns } = entry;
  const [added] = await insertEmail(tx).execute({
    recipient: null,
    reportDay: null,
    link: null,
    resultLinkId: null,
    nextAttemptAt: entry.createdAt,
    ...email,
    ...columns,
    status: isOnHold ? "on hold" : "pending",
    // UUIDs of version 7 sort by time, so the unique index grows at its end.
    messageId: randomUUIDv7(),
  });
  return added!.id;
}

const insertEmail = prepared((tx) =>
  tx
    .insert(outbox)
    .values(
      placeholders(
        "kind",
        "subject",
        "body",
        "replyTo",
        "status",
        "reference",
        "reportDay",
        "messageId",
        "createdAt",
        "nextAttemptAt",
        "recipient",
        "link",
        "resultLinkId",
      ),
    )
    .returning({ id: outbox.id })
    .prepare(),
);

export async function nextDueEmail(tx: Tx, now: Date): Promise<OutboxEmail | undefined> {
  const [email] = await tx
    .select()
    .from(outbox)
    .where(and(eq(outbox.status, "pending"), lte(outbox.nextAttemptAt, now.toISOString())))
    .orderBy(asc(outbox.nextAttemptAt), asc(outbox.id))
    .limit(1);
  return email;
}

export async function nextDueTime(tx: Tx): Promise<Date | undefined> {
  const [next] = await tx
    .select({ at: outbox.nextAttemptAt })
    .from(outbox)
    .where(eq(outbox.status, "pending"))
    .orderBy(asc(outbox.nextAttemptAt))
    .limit(1);
  return next && new Date(next.at);
}

export async function oldestPendingEmail(tx: Tx): Promise<string | undefined> {
  const [oldest] = await tx
    .select({ at: outbox.createdAt })
    .from(outbox)
    .where(and(eq(outbox.status, "pending"), isNull(outbox.acceptedBy)))
    .orderBy(asc(outbox.createdAt))
    .limit(1);
  return oldest?.at;
}

export async function countEmails(tx: Tx): Promise<Record<EmailStatus, number>> {
  const counts = await tx
    .select({ status: outbox.status, n: count() })
    .from(outbox)
    .groupBy(outbox.status);
  return {
    ...{ pending: 0, "on hold": 0, sent: 0, failed: 0, discarded: 0, "summed up": 0 },
    ...Object.fromEntries(counts.map(({ status, n }) => [status, n])),
  };
}

export async function markSent(tx: Tx, email: OutboxEmail, now: Date): Promise<void> {
  await tx
    .update(outbox)
    .set({
      status: "sent",
      sentAt: now.toISOString(),
      attempts: email.attempts + 1,
      lastError: null,
      acceptedBy: null,
      link: null,
    })
    .where(eq(outbox.id, email.id));
  if (email.link) tx.scrubAfterCommit();
}

export async function markFailed(
  tx: Tx,
  email: OutboxEmail,
  { reason, acceptedBy, nextAttempt }: FailedAttempt,
  now: Date,
): Promise<void> {
  const isAccepted = acceptedBy.length > 0;
  const last = isAccepted
    ? ({ status: "sent", sentAt: now.toISOString(), link: null } as const)
    : ({ status: "failed", link: null } as const);
  await tx
    .update(outbox)
    .set({
      attempts: email.attempts + 1,
      firstAttemptAt: email.firstAttemptAt ?? now.toISOString(),
      lastError: reason,
      acceptedBy: isAccepted ? acceptedBy : null,
      ...(nextAttempt ? { nextAttemptAt: nextAttempt.toISOString() } : last),
    })
    .where(eq(outbox.id, email.id));
  if (email.link && !nextAttempt) tx.scrubAfterCommit();
}

export async function sumUpDueEmails(
  tx: Tx,
  summary: Email,
  dueAt: Date,
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
    .set({ status: "summed up", summaryId })
    .where(
      and(
        eq(outbox.status, "pending"),
        lte(outbox.nextAttemptAt, time),
        eq(outbox.kind, "request"),
        isNull(outbox.acceptedBy),
      ),
    );
}

/** The summary that is not due yet. */
async function findPendingSummary(tx: Tx, time: string): Promise<number | undefined> {
  const [found] = await tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(
        eq(outbox.status, "pending"),
        gt(outbox.nextAttemptAt, time),
        eq(outbox.kind, "summary"),
        eq(outbox.attempts, 0),
      ),
    );
  return found?.id;
}

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
