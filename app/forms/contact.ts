/** The contact form: fields, labels, limits and messages. */
import { contactDetails, type TextFields, type Texts } from "./text-fields.ts";

export const contactFields = {
  name: {
    label: "Full name",
    type: "text",
    max: 100,
    required: "Name is required",
    autoComplete: "name",
  },
  ...contactDetails,
  message: {
    label: "Message",
    type: "paragraphs",
    max: 5000,
    required: "Message is required",
  },
} as const satisfies TextFields;

export type ContactTexts = Texts<typeof contactFields>;

export const contactMessages = {
  received: "Thank you. Your message is with us.",
  missing: "Missing fields - Please fill in all required fields",
  failed: "Failed to send message. Please try again.",
};

/** Accepted values of `requestType`; the first is the default. */
export const contactRequestTypes = ["contact", "demo", "general"] as const;
