import type { Email } from "./email.ts";

/** An address whose owner agreed to receive new articles. */
export interface Subscription {
  email: string;
  reference: string;
  /** When consent was given: ISO 8601, UTC. */
  createdAt: string;
  /** Why the subscription is suspected to be spam, or null. */
  spam: string | null;
  isTest: boolean;
  /** When the owner opened the link that confirms the subscription: ISO 8601, UTC; null before. */
  confirmedAt: string | null;
}

export type NewSubscription = Omit<Subscription, "createdAt" | "confirmedAt">;

/** A link in an email, by which a subscriber confirms or ends the subscription. */
export interface SubscriptionLink {
  /** 128 random bits; the database has its hash. */
  token: string;
  /** Contains the token; stored until the email is sent. */
  link: string;
}

/** The email that brings a new article to one subscriber. */
export interface Announcement extends SubscriptionLink {
  /** The subscriber's address. */
  address: string;
  email: Email;
  /** When the email is due. Announcements are not due all at once, so that other emails need not wait. */
  dueAt: Date;
}

/** Normalises an email address for comparison, and for storing subscriptions. */
export const normaliseAddress = (address: string) => address.trim().toLowerCase();

/** The mailbox of a normalised address: without `+…`, which many mail servers ignore. */
export const mailboxOf = (address: string) => address.replace(/(?<=.)\+.*(?=@)/, "");

/**
 * Whether subscribers get emails, which needs a public URL for the links in them. Without emails no address can be
 * confirmed, so unconfirmed addresses are kept, and the form says so.
 */
export const writesToSubscribers = (settings: {
  mail: object | undefined;
  publicUrl: string | undefined;
}) => settings.mail !== undefined && settings.publicUrl !== undefined;
