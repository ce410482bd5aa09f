import { createHash, randomBytes } from "node:crypto";
import { referenceIn } from "./forms.ts";

export const maxFileBytes = 2_097_152;

/** Valid texts of a demo upload, from a made-up educator. */
export const contact = {
  name: "Thandi Example",
  email: "thandi@school.example",
  phone: "+27 31 555 0100",
  institution: "Example High School",
  message: "Grade 11 Life Sciences, one class of eight.",
};

/** Bytes that pass as a PDF: exactly `size` of them, random between header and end marker. */
export function pdf(size = 1000): Buffer {
  const head = Buffer.from("%PDF-1.7\n%");
  const tail = Buffer.from("\n%%EOF\n");
  return Buffer.concat([head, randomBytes(size - head.length - tail.length), tail]);
}

export const txt = (text: string) => Buffer.from(text);

export interface UploadedFile {
  field: "questionsFile" | "rubricFile" | "submissionFiles";
  name: string;
  bytes: Buffer;
}

export const threeFiles = (): [UploadedFile, UploadedFile, UploadedFile] => [
  { field: "questionsFile", name: "questions.pdf", bytes: pdf() },
  { field: "rubricFile", name: "rubric.txt", bytes: txt("1.1 two marks for the definition") },
  { field: "submissionFiles", name: "learner-01.pdf", bytes: pdf() },
];

/** Submissions of the maximum size. */
export const largeFiles = (count: number): UploadedFile[] =>
  Array.from({ length: count }, (_, number) => ({
    field: "submissionFiles",
    name: `${number}.pdf`,
    bytes: pdf(maxFileBytes),
  }));

export function uploadForm(
  files: UploadedFile[] = threeFiles(),
  typed: Record<string, string> = contact,
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(typed)) form.append(name, value);
  form.append("requestType", "demo");
  for (const { field, name, bytes } of files) {
    form.append(field, new File([new Uint8Array(bytes)], name));
  }
  return form;
}

/** Posts a demo upload to the API endpoint. */
export const uploadByApi = (url: string, form: FormData, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/demo-request-with-files`, { method: "POST", body: form, headers });

/** Uploads by the API endpoint. Returns the reference. */
export const uploaded = async ({ url }: { url: string }, ...sent: Parameters<typeof uploadForm>) =>
  referenceIn(await uploadByApi(url, uploadForm(...sent)));

/** Posts as a browser without JavaScript does. */
export const uploadByPage = (url: string, form: FormData) =>
  fetch(`${url}/?index&form=demo-upload`, {
    method: "POST",
    body: form,
    redirect: "manual",
    headers: { Origin: url, "Sec-Fetch-Site": "same-origin" },
  });

export const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
