import { and, asc, eq, isNotNull, or } from "drizzle-orm";
import type { StoredRequest } from "../../app/domain/new-request.ts";
import {
  type NewSubscription,
  normaliseAddress,
  type Subscription,
} from "../../app/domain/subscription.ts";
import type { Tx } from "../operation.ts";
import { subscriptionReceipts, subscriptions } from "../schema.ts";

/** Stores an address once. The receipt does not tell whether it was known. */
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
    // It is there if a commit that seemed to fail has succeeded.
    .onConflictDoUpdate({ target: reference, set: { createdAt: time } })
    .returning({ id, reference });
  return receipt!;
}

const { email, reference, createdAt, spam, isTest, confirmedAt } = subscriptions;
const columns = { email, createdAt, reference, spam, isTest, confirmedAt };

/** Oldest first. */
export async function listSubscriptions(tx: Tx): Promise<Subscription[]> {
  return await tx.select(columns).from(subscriptions).orderBy(asc(subscriptions.id));
}

export async function findSubscription(tx: Tx, address: string): Promise<Subscription | undefined> {
  const [found] = await tx
    .select(columns)
    .from(subscriptions)
    .where(eq(subscriptions.email, normaliseAddress(address)));
  return found;
}
