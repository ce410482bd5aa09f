/** The rubric request: fields, files, labels, limits and messages. */
import { rubricReplyHours } from "../domain/service.ts";
import type { FileField } from "./files.ts";
import { contactDetails, type TextFields, type Texts } from "./text-fields.ts";

export const rubricRequestFields = {
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

export type RubricTexts = Texts<typeof rubricRequestFields>;

export const rubricFileFields = {
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

export type RubricFileField = keyof typeof rubricFileFields;

export const rubricRequestMessages = {
  received: `We'll contact you within ${rubricReplyHours.from}-${rubricReplyHours.to} hours to discuss your rubric requirements.`,
  missingFiles: "Please upload both Assessment Questions and Grading Rubric files to continue",
  failed: "Failed to submit rubric regeneration request",
};

export const rubricRequestToast = {
  title: "Smart Rubric Request Submitted",
  description: rubricRequestMessages.received,
};
