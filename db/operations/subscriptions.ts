import { and, asc, eq, isNotNull, or } from "drizzle-orm";
import { subscriptions } from "../schema.ts";
import { atomically } from "../sqlite/atomically.ts";
import type { Db } from "../sqlite/open.ts";
import type { Submitted } from "./duplicates.ts";
import { plainAddress } from "./erasure.ts";

/** Keeps an address once. Somebody who subscribes again gets the first reference again. */
export async function subscribe(
  db: Db,
  subscription: { email: string; reference: string; spam: string | null; isTest: boolean },
  now: Date,
): Promise<Submitted> {
  const email = plainAddress(subscription.email);
  const { id, reference } = subscriptions;
  return atomically(db, (tx) => {
    const known = tx
      .select({ id, reference })
      .from(subscriptions)
      .where(eq(subscriptions.email, email))
      .get();
    if (known) {
      // A clean post is a person's consent, whatever came in under the address before.
      if (subscription.spam === null && !subscription.isTest) {
        tx.update(subscriptions)
          .set({ spam: null, isTest: false, createdAt: now.toISOString() })
          .where(
            and(
              eq(subscriptions.id, known.id),
              or(isNotNull(subscriptions.spam), eq(subscriptions.isTest, true)),
            ),
          )
          .run();
      }
      return known;
    }
    return tx
      .insert(subscriptions)
      .values({ ...subscription, email, createdAt: now.toISOString() })
      .returning({ id, reference })
      .get();
  });
}

export type Subscription = typeof subscriptions.$inferSelect;

/** All subscriptions, oldest first. */
export async function listSubscriptions(db: Db): Promise<Subscription[]> {
  return db.select().from(subscriptions).orderBy(asc(subscriptions.id)).all();
}

/** The subscription of an address, however it is typed, or undefined. */
export async function findSubscription(db: Db, email: string): Promise<Subscription | undefined> {
  return db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.email, plainAddress(email)))
    .get();
}
