/** The subscription to news of the blog. */
import { contactDetails, type TextFields } from "./text-fields.ts";

export const subscriptionFields = { email: contactDetails.email } as const satisfies TextFields;

export const subscriptionMessages = {
  received:
    "We will write to you when there is something new to read. If you get an email with a link first, please open it: it confirms that the address is yours.",
  failed: "Failed to subscribe. Please try again.",
};
