/** An address whose owner agreed to receive news of the blog. */
export interface Subscription {
  email: string;
  reference: string;
  /** When consent was given: ISO 8601, UTC. */
  createdAt: string;
  /** Why it is suspected to be spam, or null. */
  spam: string | null;
  isTest: boolean;
}

export type NewSubscription = Omit<Subscription, "createdAt">;

/** Normalises an email address for comparison, and for storing subscriptions. */
export const normaliseAddress = (address: string) => address.trim().toLowerCase();
