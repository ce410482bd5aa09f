/** The subscription to news of the blog. */
import { reach, type TextFields, type Texts } from "./text-fields.ts";

export const subscriptionFields = { email: reach.email } as const satisfies TextFields;

export type SubscriptionTexts = Texts<typeof subscriptionFields>;

export const subscriptionMessages = {
  received: "We will write to you when there is something new to read.",
  failed: "Failed to subscribe. Please try again.",
};
