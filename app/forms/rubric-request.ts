import type { FileField } from "./files.ts";
import type { Form } from "./form.ts";
import { contactDetails, type TextFields } from "./text-fields.ts";

const rubricRequestFields = {
  fullName: {
    label: "Full Name",
    type: "text",
    max: 100,
    required: "Full name is required",
    autoComplete: "name",
  },
  email: { ...contactDetails.email, label: "Email Address" },
  phone: { ...contactDetails.phone, label: "Contact Number" },
  institution: contactDetails.institution,
  expectedImprovements: {
    label: "Expected Improvements",
    type: "paragraphs",
    max: 5000,
    required: "Please describe what improvements you're looking for",
    hint: "Where markers disagree, which criteria are vague, what the memo leaves out.",
  },
} as const satisfies TextFields;

const rubricFileFields = {
  assessmentQuestions: {
    label: "Assessment Questions",
    hint: "The question paper or assignment brief.",
    max: 1,
    missing: "Please choose the assessment questions file",
  },
  gradingRubric: {
    label: "Grading Rubric",
    hint: "The rubric as you use it today.",
    max: 1,
    missing: "Please choose the grading rubric file",
  },
  markingMemo: {
    label: "Marking Memo",
    hint: "The memo or marking guideline, if there is one.",
    max: 1,
  },
} as const satisfies Record<string, FileField>;

export const rubricRequest = {
  name: "rubric-request",
  endpoint: "/api/rubric-regeneration",
  label: "Rubric request with files",
  summary: "Ask for a smart rubric",
  fields: rubricRequestFields,
  fileFields: rubricFileFields,
  columns: { fullName: "name", expectedImprovements: "message" },
  messages: {
    received: "We'll contact you {within} to discuss your rubric requirements.",
    missingFiles: "Please upload both Assessment Questions and Grading Rubric files to continue",
    failed: "Failed to submit rubric regeneration request",
  },
  purpose: "to work on your rubric and to answer you",
  replyTime: "rubricReplyHours",
  thanks: {
    title: "Thank you. Your rubric is with us.",
    promise: "We will contact you to discuss your rubric requirements. {aim}",
    again: { href: "/latest-feature#upload", label: "Send another rubric" },
  },
  email: {
    subject: "rubric request",
    opening: "A request for the smart rubric service has arrived.",
  },
} as const satisfies Form;
