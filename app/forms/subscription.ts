/** The subscription to news of the blog. */
import { reach, type TextFields } from "./text-fields.ts";

export const subscriptionFields = { email: reach.email } as const satisfies TextFields;

export const subscriptionMessages = {
  received: "We will write to you when there is something new to read.",
  failed: "Failed to subscribe. Please try again.",
};
