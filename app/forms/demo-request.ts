import { contactFields } from "./contact.ts";
import type { Form } from "./form.ts";
import { contactDetails, type TextFields } from "./text-fields.ts";

const demoRequestFields = {
  fullName: { ...contactFields.name, required: "Full name is required" },
  ...contactDetails,
  message: {
    ...contactFields.message,
    hint: "Your subject and level, how many scripts, and what you would like to see.",
  },
} as const satisfies TextFields;

export const demoRequest = {
  name: "demo-request",
  endpoint: "/api/demo-request",
  label: "Demo request",
  summary: "Ask for a demo",
  fields: demoRequestFields,
  fileFields: {},
  columns: { fullName: "name" },
  impliedType: "demo",
  messages: {
    received: "Thank you. Your request is with us. {aim}",
    failed: "Failed to submit demo request",
  },
  purpose: "to answer you",
  replyTime: "replyHours",
  thanks: {
    title: "Thank you. Your request is with us.",
    promise: "You will hear from us by email. {aim}",
    again: { href: "/#demo", label: "Or send us your own papers meanwhile" },
  },
  email: { subject: "demo request", opening: "A demo request has arrived." },
} as const satisfies Form;
