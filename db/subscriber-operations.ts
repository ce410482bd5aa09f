/** The part of the store that is about emails to visitors and subscribers. */
import type { Email, VisitorEmailLimits } from "../app/domain/email.ts";
import type { Announcement, SubscriptionLink } from "../app/domain/subscription.ts";

export interface SubscriberOperations {
  /** The subscription of a link in an email; undefined if it has ended. */
  findSubscriptionByToken(token: string): Promise<{ isConfirmed: boolean } | undefined>;
  /** Returns whether the token is that of a subscription. */
  confirmSubscription(token: string, now: Date): Promise<boolean>;
  /** Deletes the subscription of a token, with its emails. Returns whether there was one. */
  unsubscribe(token: string): Promise<boolean>;
  /** Deletes subscriptions from before a time whose link was never opened. Returns how many. */
  deleteUnconfirmed(before: Date): Promise<number>;
  /**
   * Puts the emails about an article into the outbox, for subscribers that are confirmed.
   * @returns when it was announced before; undefined if it was not
   */
  announce(slug: string, emails: Announcement[], now: Date): Promise<string | undefined>;

  // Emails to visitors. Each returns whether the email is in the outbox: not if a limit is reached.
  /** Tells a visitor that a request was received. */
  acknowledge(
    reference: string,
    email: Email & { recipient: string },
    limits: VisitorEmailLimits,
    now: Date,
  ): Promise<boolean>;
  /** Asks for the confirmation of a subscription, unless it is confirmed, a test or spam. */
  askToConfirm(
    email: Email & { recipient: string },
    link: SubscriptionLink,
    limits: VisitorEmailLimits,
    now: Date,
  ): Promise<boolean>;
}
