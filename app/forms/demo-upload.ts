import { counted } from "../domain/counted.ts";
import { maxSubmissions } from "../domain/service.ts";
import { contactFields } from "./contact.ts";
import { type FileField, fileMessages } from "./files.ts";
import type { Form } from "./form.ts";
import type { TextFields } from "./text-fields.ts";

const demoUploadFields = {
  ...contactFields,
  message: {
    ...contactFields.message,
    min: 10,
    required: "Please provide more details about your interest in the product",
    hint: "What the class wrote, and what you would like to find out. At least 10 characters.",
  },
} as const satisfies TextFields;

const demoUploadFileFields = {
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
    hint: `One file for each learner, up to ${maxSubmissions} files, with numbers in place of names.`,
    max: maxSubmissions,
    missing: "Please choose at least one submission",
    isHandwritten: true,
  },
} as const satisfies Record<string, FileField>;

export const demoUpload = {
  name: "demo-upload",
  endpoint: "/api/demo-request-with-files",
  label: "Demo upload with files",
  summary: "Send files for a demo",
  fields: demoUploadFields,
  fileFields: demoUploadFileFields,
  requestTypes: ["demo"],
  messages: {
    received: "Thank you. Your files are with us. {aim}",
    missingFiles: fileMessages.missing,
    failed: "Something went wrong on our side. Please try again.",
  },
  purpose: "to mark the files and to answer you",
  replyTime: "replyHours",
  hasResults: true,
  asksToConfirm: true,
  thanks: {
    title: "Thank you. Your files are with us.",
    promise: "You will hear from us by email. {aim}",
    next: "The email has a private link: the class on one page, each learner with marks and comments, slips and files to take away. To ask for more, reply to it.",
    again: { href: "/#demo", label: "Send another set" },
  },
  email: {
    subject: "demo upload",
    opening: "A demo upload has arrived.",
    details: ({ submissionFiles = [] }) => counted(submissionFiles.length, "submission"),
  },
} as const satisfies Form;

export const defaultMessage = (productName: string) =>
  `I would like to see how ${productName} marks these submissions against our rubric.`;
