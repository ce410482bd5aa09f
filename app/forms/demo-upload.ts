/** The demo upload: fields, files, labels, limits and messages. */
import { maxSubmissions, replyHours } from "../domain/service.ts";
import { contactFields } from "./contact.ts";
import { type FileField, fileMessages } from "./files.ts";
import type { TextFields, Texts } from "./text-fields.ts";

export const demoUploadFields = {
  ...contactFields,
  message: {
    ...contactFields.message,
    min: 10,
    required: "Please provide more details about your interest in the product",
    hint: "What the class wrote, and what you would like to find out. At least 10 characters.",
  },
} as const satisfies TextFields;

export type DemoUploadTexts = Texts<typeof demoUploadFields>;

export const demoUploadFileFields = {
  questionsFile: {
    label: "Questions",
    hint: "The question paper or assignment brief. One file.",
    max: 1,
    missing: "Please choose the questions file",
  },
  rubricFile: {
    label: "Rubric",
    hint: "The rubric or marking memo that the marks come from. One file.",
    max: 1,
    missing: "Please choose the rubric file",
  },
  submissionFiles: {
    label: "Learners’ submissions",
    hint: `One file for each learner, up to ${maxSubmissions} files.`,
    max: maxSubmissions,
    missing: "Please choose at least one submission",
    isHandwritten: true,
  },
} as const satisfies Record<string, FileField>;

export type DemoUploadFileField = keyof typeof demoUploadFileFields;

export const demoUploadMessages = {
  received: `Thank you. We have your files and will reply within ${replyHours} hours.`,
  missingFiles: fileMessages.missing,
  failed: "Something went wrong on our side. Please try again.",
};

export const defaultMessage = (productName: string) =>
  `I would like to see how ${productName} marks these submissions against our rubric.`;
