/** What the demo upload asks for: fields, labels, limits. How it is judged stands in demo-upload-rules.ts. */
import type { FileField } from "./files.ts";

export const demoUploadFileFields = {
  questionsFile: {
    label: "Questions",
    hint: "The question paper or assignment brief. One file.",
    most: 1,
  },
  rubricFile: {
    label: "Rubric",
    hint: "The rubric or marking memo that the marks come from. One file.",
    most: 1,
  },
  submissionFiles: {
    label: "Learners’ submissions",
    hint: "One file for each learner, up to 50 files.",
    most: 50,
  },
} satisfies Record<string, FileField>;

export type DemoUploadFileField = keyof typeof demoUploadFileFields;

export const isDemoUploadFileField = (name: string): name is DemoUploadFileField =>
  Object.hasOwn(demoUploadFileFields, name);

/** The three kinds of file once all are there. */
export interface DemoUploadFiles<File> {
  questionsFile: File;
  rubricFile: File;
  submissionFiles: File[];
}

export interface DemoUploadContact {
  name: string;
  email: string;
  phone: string;
  institution?: string;
  message: string;
}

/** In the order they are asked. */
export const contactFields = ["name", "email", "phone", "institution", "message"] as const;

export const contactLabels: Record<keyof DemoUploadContact, string> = {
  name: "Full name",
  email: "Email address",
  phone: "Contact number",
  institution: "Institution",
  message: "Message",
};

export const contactMaxLength: Record<keyof DemoUploadContact, number> = {
  name: 100,
  email: 254,
  phone: 40,
  institution: 100,
  message: 5000,
};

export const defaultMessage = (productName: string) =>
  `I would like to see how ${productName} marks these submissions against our rubric.`;
