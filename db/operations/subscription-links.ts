/** Links in emails to subscribers: 128 random bits, stored as a hash. */
import { and, eq, inArray, isNotNull, isNull, lt } from "drizzle-orm";
import { type Announcement, normaliseAddress } from "../../app/domain/subscription.ts";
import type { Tx } from "../operation.ts";
import { announcements, outbox, subscriptionLinks, subscriptions } from "../schema.ts";
import { hashOf } from "../token.ts";
import { addToOutbox } from "./add-to-outbox.ts";

export async function addSubscriptionLink(
  tx: Tx,
  { token, ...columns }: { subscriptionId: number; token: string; createdAt: string },
): Promise<void> {
  await tx.insert(subscriptionLinks).values({ ...columns, tokenHash: hashOf(token) });
}

/** The subscription of a link in an email; undefined if it has ended. */
export async function findSubscriptionByToken(
  tx: Tx,
  token: string,
): Promise<{ isConfirmed: boolean } | undefined> {
  const found = await subscriptionOf(tx, token);
  return found && { isConfirmed: found.confirmedAt !== null };
}

/** Returns whether the token is that of a subscription. */
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
  await deleteSubscriberEmails(tx, found.email);
  await tx.delete(subscriptions).where(eq(subscriptions.id, found.id));
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
  const deleted = await tx
    .delete(outbox)
    .where(
      and(
        eq(outbox.recipient, normaliseAddress(address)),
        inArray(outbox.kind, ["confirmation", "announcement"]),
      ),
    )
    .returning({ id: outbox.id });
  return deleted.length;
}

/** Deletes subscriptions from before a time whose link was never opened. Returns how many. */
export async function deleteUnconfirmed(tx: Tx, before: Date): Promise<number> {
  const asked = tx
    .select({ id: subscriptionLinks.subscriptionId })
    .from(subscriptionLinks)
    .innerJoin(subscriptions, eq(subscriptions.id, subscriptionLinks.subscriptionId))
    .where(
      and(isNull(subscriptions.confirmedAt), lt(subscriptions.createdAt, before.toISOString())),
    );
  const deleted = await tx
    .delete(subscriptions)
    .where(inArray(subscriptions.id, asked))
    .returning({ email: subscriptions.email });
  for (const { email } of deleted) await deleteSubscriberEmails(tx, email);
  if (deleted.length > 0) tx.scrubAfterCommit();
  return deleted.length;
}

/**
 * Puts the emails about an article into the outbox, for subscribers that are confirmed.
 * @returns when it was announced before; undefined if it was not
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
    // The subscriber has left meanwhile.
    if (!found) continue;
    await addSubscriptionLink(tx, { subscriptionId: found.id, token, createdAt });
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
