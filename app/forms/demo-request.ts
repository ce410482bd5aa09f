/** The demo request: fields, labels, limits and messages. */
import { replyHours } from "../domain/service.ts";
import { contactFields } from "./contact.ts";
import { contactDetails, type TextFields } from "./text-fields.ts";

export const demoRequestFields = {
  fullName: { ...contactFields.name, required: "Full name is required" },
  ...contactDetails,
  message: {
    ...contactFields.message,
    hint: "Your subject and level, how many scripts, and what you would like to see.",
  },
} as const satisfies TextFields;

export const demoRequestMessages = {
  received: `Thank you. We will be in touch within ${replyHours} hours.`,
  failed: "Failed to submit demo request",
};
