import { randomUUIDv7 } from "node:crypto";
import { and, asc, count, eq, lte } from "drizzle-orm";
import type { Email, EmailKind, EmailStatus, OutboxEmail } from "../../app/domain/email.ts";
import type { Tx } from "../operation.ts";
import { placeholders, prepared } from "../prepared.ts";
import { outbox } from "../schema.ts";

interface OutboxEntry {
  kind: EmailKind;
  /** Null for a spam report. */
  reference: string | null;
  /** The day of a spam report. */
  reportDay?: string;
  createdAt: string;
  isOnHold: boolean;
  /** The private link of the email, stored only until the email is sent or has failed. */
  link?: string;
  resultLinkId?: number;
}

/** Adds an email to the outbox, in the transaction that causes it. */
export async function addToOutbox(tx: Tx, email: Email, entry: OutboxEntry): Promise<void> {
  const { isOnHold, ...columns } = entry;
  await insertEmail(tx).execute({
    recipient: null,
    reportDay: null,
    link: null,
    resultLinkId: null,
    ...email,
    ...columns,
    status: isOnHold ? "on hold" : "pending",
    // UUIDs of version 7 sort by time, so the unique index grows at its end.
    messageId: randomUUIDv7(),
    nextAttemptAt: entry.createdAt,
  });
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
    .where(eq(outbox.status, "pending"))
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
    ...{ pending: 0, "on hold": 0, sent: 0, failed: 0, discarded: 0 },
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
      link: null,
    })
    .where(eq(outbox.id, email.id));
  if (email.link) tx.scrubAfterCommit();
}

export async function markFailed(
  tx: Tx,
  email: OutboxEmail,
  reason: string,
  nextAttempt: Date | undefined,
  now: Date,
): Promise<void> {
  await tx
    .update(outbox)
    .set({
      attempts: email.attempts + 1,
      firstAttemptAt: email.firstAttemptAt ?? now.toISOString(),
      lastError: reason,
      ...(nextAttempt
        ? { nextAttemptAt: nextAttempt.toISOString() }
        : { status: "failed", link: null }),
    })
    .where(eq(outbox.id, email.id));
  if (email.link && !nextAttempt) tx.scrubAfterCommit();
}
