/** Consent to news of the blog. */
export interface Subscription {
  email: string;
  reference: string;
  /** When consent was given: ISO 8601, UTC. */
  createdAt: string;
  /** Why it is suspected to be spam, or null. */
  spam: string | null;
  isTest: boolean;
}

export interface NewSubscription {
  email: string;
  reference: string;
  spam: string | null;
  isTest: boolean;
}

/** An email address in the form in which addresses are compared and subscriptions stored. */
export const normalAddress = (address: string) => address.trim().toLowerCase();
