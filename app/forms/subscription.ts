import type { Form } from "./form.ts";
import { contactDetails } from "./text-fields.ts";

/** The subscription to new articles. It is no request, so the team gets no email about it. */
export const subscription = {
  name: "subscription",
  endpoint: "/api/subscription",
  label: "Subscription",
  summary: "Subscribe to new articles",
  fields: { email: contactDetails.email },
  fileFields: {},
  messages: {
    received:
      "We will write to you when there is something new to read. If you get an email with a link first, please open it: it confirms that the address is yours.",
    failed: "Failed to subscribe. Please try again.",
  },
  thanks: {
    title: "Thank you. Your address has arrived.",
    promise:
      "We will write when there is something new to read, and for nothing else. If an email with a link comes first, please open it: it confirms that the address is yours. Each email has a link to unsubscribe.",
    again: { href: "/blog", label: "Back to the articles" },
  },
} as const satisfies Form;

/** What subscribers are told while no email can be sent. */
export const notWritten =
  "At present we send no emails about new articles. We keep your address for when we do.";

/** The form, which promises emails only if they are sent. @param isWrittenTo whether subscribers get emails */
export const subscriptionFor = (isWrittenTo: boolean): Form =>
  isWrittenTo
    ? subscription
    : {
        ...subscription,
        messages: { ...subscription.messages, received: notWritten },
        thanks: { ...subscription.thanks, promise: notWritten },
      };
