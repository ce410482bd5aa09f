/** Emails to addresses that visitors typed. Each operation queues one, or returns false if the address may get none. */
import { and, eq, gt, or } from "drizzle-orm";
import { dayMs } from "../../app/domain/duration.ts";
import type { Email, VisitorEmailLimits } from "../../app/domain/email.ts";
import { mailboxOf, normaliseAddress, type SubscriptionLink } from "../../app/domain/subscriber.ts";
import { countRows, type Tx } from "../operation.ts";
import { outbox, subscriptions } from "../schema.ts";
import { addToOutbox } from "./add-to-outbox.ts";
import { isLike } from "./is-like.ts";
import { takeLease } from "./leases.ts";
import { addSubscriptionLink } from "./subscribers.ts";

/** Tells a visitor that a request was received. */
export async function acknowledge(
  tx: Tx,
  reference: string,
  email: Email & { recipient: string },
  limits: VisitorEmailLimits,
  now: Date,
): Promise<boolean> {
  const recipient = normaliseAddress(email.recipient);
  if (await isLimitReached(tx, "acknowledgement", recipient, limits, now)) return false;
  await addToOutbox(
    tx,
    { ...email, recipient },
    { kind: "acknowledgement", reference, createdAt: now.toISOString(), isOnHold: false },
  );
  return true;
}

/** Asks for the confirmation of a subscription, unless it is confirmed, a test or spam. */
export async function askToConfirm(
  tx: Tx,
  email: Email & { recipient: string },
  { token, link }: SubscriptionLink,
  limits: VisitorEmailLimits,
  now: Date,
): Promise<boolean> {
  const recipient = normaliseAddress(email.recipient);
  const [found] = await tx.select().from(subscriptions).where(eq(subscriptions.email, recipient));
  if (!found || found.confirmedAt || found.spam !== null || found.isTest) return false;
  if (await isLimitReached(tx, "confirmation", recipient, limits, now)) return false;
  const createdAt = now.toISOString();
  await addSubscriptionLink(tx, { subscriptionId: found.id, token, createdAt });
  await addToOutbox(
    tx,
    { ...email, recipient },
    { kind: "confirmation", reference: null, createdAt, isOnHold: false, link },
  );
  return true;
}

async function isLimitReached(
  tx: Tx,
  kind: "acknowledgement" | "confirmation",
  recipient: string,
  limits: VisitorEmailLimits,
  now: Date,
): Promise<boolean> {
  // Locks the lease's row until the transaction ends, so that emails of this kind are counted one after another.
  await takeLease(tx, kind, kind, 0);
  const isRecent = and(
    // This comparison, which every recipient passes, makes the database use the index of emails with a recipient.
    gt(outbox.recipient, ""),
    gt(outbox.createdAt, new Date(now.getTime() - dayMs).toISOString()),
    eq(outbox.kind, kind),
  );
  const toMailbox = await countRows(tx, outbox, and(isRecent, isOfMailbox(mailboxOf(recipient))));
  return toMailbox >= limits.perMailbox || (await countRows(tx, outbox, isRecent)) >= limits.all;
}

/** Selects emails to a mailbox, also under addresses with `+…` before the @. */
function isOfMailbox(mailbox: string) {
  const [, local, domain] = /^(.*)(@.*)$/.exec(mailbox)!;
  return or(eq(outbox.recipient, mailbox), isLike(outbox.recipient, `${local}+`, domain!));
}
