/** Subscriptions, and the links in emails to subscribers: 128 random bits, stored as a hash. */
import {
  and,
  asc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lt,
  max,
  or,
} from "drizzle-orm";
import type { StoredRequest } from "../../app/domain/new-request.ts";
import {
  type Announcement,
  type NewSubscription,
  normaliseAddress,
  type Subscription,
} from "../../app/domain/subscriber.ts";
import { deleteRows, type Tx } from "../operation.ts";
import {
  announcements,
  outbox,
  subscriptionLinks,
  subscriptionReceipts,
  subscriptions,
} from "../schema.ts";
import { hashOf } from "../token.ts";
import { addToOutbox } from "./add-to-outbox.ts";

/** Stores an address once. Returns a receipt, which does not tell whether the address was known. */
export async function subscribe(
  tx: Tx,
  subscription: NewSubscription,
  now: Date,
): Promise<StoredRequest> {
  const time = now.toISOString();
  const values = { ...subscription, email: normaliseAddress(subscription.email), createdAt: time };
  const added = await tx
    .insert(subscriptions)
    .values(values)
    .onConflictDoNothing({ target: subscriptions.email })
    .returning({ id: subscriptions.id });
  // A post that is neither spam nor a test is a person's consent, whatever came before.
  if (added.length === 0 && subscription.spam === null && !subscription.isTest) {
    await tx
      .update(subscriptions)
      .set({ spam: null, isTest: false, createdAt: time })
      .where(
        and(
          eq(subscriptions.email, values.email),
          or(isNotNull(subscriptions.spam), eq(subscriptions.isTest, true)),
        ),
      );
  }
  const { id, reference } = subscriptionReceipts;
  const [receipt] = await tx
    .insert(subscriptionReceipts)
    .values({ reference: subscription.reference, createdAt: time })
    // The row exists if an earlier commit succeeded although it seemed to fail.
    .onConflictDoUpdate({ target: reference, set: { createdAt: time } })
    .returning({ id, reference });
  return receipt!;
}

const { id: _, fingerprint: __, ...listedColumns } = getTableColumns(subscriptions);

/** All subscriptions, oldest first. */
export async function listSubscriptions(tx: Tx): Promise<Subscription[]> {
  return await tx.select(listedColumns).from(subscriptions).orderBy(asc(subscriptions.id));
}

/** The subscription of an address; undefined if there is none. */
export async function findSubscription(tx: Tx, address: string): Promise<Subscription | undefined> {
  const [found] = await tx
    .select(listedColumns)
    .from(subscriptions)
    .where(eq(subscriptions.email, normaliseAddress(address)));
  return found;
}

/** Stores the link of an email to a subscriber, as a hash. */
export async function addSubscriptionLink(
  tx: Tx,
  { token, ...columns }: { subscriptionId: number; token: string; createdAt: string },
): Promise<void> {
  await tx.insert(subscriptionLinks).values({ ...columns, tokenHash: hashOf(token) });
}

/** The subscription that a token belongs to; undefined if it has ended or the token is unknown. */
export async function findSubscriptionByToken(
  tx: Tx,
  token: string,
): Promise<{ isConfirmed: boolean } | undefined> {
  const found = await subscriptionOf(tx, token);
  return found && { isConfirmed: found.confirmedAt !== null };
}

/** Confirms the subscription of a token. Returns whether there is one. */
export async function confirmSubscription(tx: Tx, token: string, now: Date): Promise<boolean> {
  const found = await subscriptionOf(tx, token);
  if (!found) return false;
  await tx
    .update(subscriptions)
    .set({ confirmedAt: now.toISOString() })
    .where(and(eq(subscriptions.id, found.id), isNull(subscriptions.confirmedAt)));
  return true;
}

/** Deletes the subscription of a token, with its emails. Returns whether there was one. */
export async function unsubscribe(tx: Tx, token: string): Promise<boolean> {
  const found = await subscriptionOf(tx, token);
  if (!found) return false;
  // This delete comes first: it waits for a transaction that is adding an email to this subscriber.
  await tx.delete(subscriptions).where(eq(subscriptions.id, found.id));
  await deleteSubscriberEmails(tx, found.email);
  tx.scrubAfterCommit();
  return true;
}

async function subscriptionOf(tx: Tx, token: string) {
  const { id, email, confirmedAt } = subscriptions;
  const [found] = await tx
    .select({ id, email, confirmedAt })
    .from(subscriptions)
    .innerJoin(subscriptionLinks, eq(subscriptionLinks.subscriptionId, id))
    .where(eq(subscriptionLinks.tokenHash, hashOf(token)));
  return found;
}

/** Deletes the emails about a subscription, sent or not. Returns how many. */
export async function deleteSubscriberEmails(tx: Tx, address: string): Promise<number> {
  const isTheirs = eq(outbox.recipient, normaliseAddress(address));
  const kinds = ["confirmation", "announcement"] as const;
  return await deleteRows(tx, outbox, and(isTheirs, inArray(outbox.kind, kinds)));
}

/**
 * Deletes unconfirmed subscriptions, with their emails, if their last link to confirm was made before a time.
 * Subscriptions that got no such link stay. Returns how many were deleted.
 */
export async function deleteUnconfirmed(tx: Tx, before: Date): Promise<number> {
  const asked = tx
    .select({ id: subscriptionLinks.subscriptionId })
    .from(subscriptionLinks)
    .innerJoin(subscriptions, eq(subscriptions.id, subscriptionLinks.subscriptionId))
    .where(isNull(subscriptions.confirmedAt))
    .groupBy(subscriptionLinks.subscriptionId)
    .having(lt(max(subscriptionLinks.createdAt), before.toISOString()));
  const deleted = await tx
    .delete(subscriptions)
    .where(inArray(subscriptions.id, asked))
    .returning({ email: subscriptions.email });
  for (const { email } of deleted) await deleteSubscriberEmails(tx, email);
  if (deleted.length > 0) tx.scrubAfterCommit();
  return deleted.length;
}

/**
 * Puts the emails about an article into the outbox, for confirmed subscribers; none if it was announced before.
 * @returns the time of that announcement (ISO 8601, UTC); undefined if there was none
 */
export async function announce(
  tx: Tx,
  slug: string,
  emails: Announcement[],
  now: Date,
): Promise<string | undefined> {
  const [earlier] = await tx
    .select({ at: announcements.createdAt })
    .from(announcements)
    .where(eq(announcements.slug, slug));
  if (earlier) return earlier.at;
  const createdAt = now.toISOString();
  let recipients = 0;
  for (const { address, token, link, email, dueAt } of emails) {
    const [found] = await tx
      .select({ id: subscriptions.id })
      .from(subscriptions)
      .where(and(eq(subscriptions.email, address), isNotNull(subscriptions.confirmedAt)));
    // The subscriber has left since the emails were composed.
    if (!found) continue;
    await addSubscriptionLink(tx, { subscriptionId: found.id, token, createdAt });
    // Dated by its due time, because monitoring reports emails that have been pending for long.
    const dueTime = dueAt.toISOString();
    await addToOutbox(
      tx,
      { ...email, recipient: address },
      { kind: "announcement", reference: null, createdAt: dueTime, isOnHold: false, link },
    );
    recipients += 1;
  }
  await tx.insert(announcements).values({ slug, createdAt, recipients });
  return undefined;
}
