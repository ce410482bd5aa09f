import type { Form } from "./form.ts";
import { contactDetails, type TextFields } from "./text-fields.ts";

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

export const contact = {
  name: "contact",
  endpoint: "/api/contact",
  label: "Contact message",
  summary: "Send a message",
  fields: contactFields,
  fileFields: {},
  requestTypes: ["contact", "demo", "general"],
  messages: {
    received: "Thank you. Your message is with us.",
    missingTexts: "Missing fields - Please fill in all required fields",
    failed: "Failed to send message. Please try again.",
  },
  purpose: "to answer you",
  thanks: {
    title: "Thank you. Your message is with us.",
    promise: "We will write back to you by email.",
    again: { href: "/contact", label: "Send another message" },
  },
  email: { subject: "message", opening: "A message has arrived through the contact form." },
} as const satisfies Form;
