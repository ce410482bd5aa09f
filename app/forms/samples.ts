/** Made-up posts for the page that tests the forms. */
import type { Form } from "./form.ts";
import type { TextField } from "./text-fields.ts";

/** The texts of a test post. A message contains `time`, so that a second test is not a duplicate. */
export function sampleTexts({ fields, requestTypes }: Form, time: Date): Record<string, string> {
  const texts = Object.entries(fields).map(([name, field]) => [name, sampleText(field, time)]);
  // The last request type: if there are several, it is not the default.
  const requestType = requestTypes?.at(-1);
  return { ...Object.fromEntries(texts), ...(requestType && { requestType }) };
}

function sampleText({ type, label, autoComplete }: TextField, time: Date): string {
  if (type === "email") return "test@forms.example";
  if (type === "tel") return "+27 31 555 0199";
  if (type === "paragraphs") return `A test of the form, sent at ${time.toISOString()}.`;
  return autoComplete === "name" ? "Test Sender" : `${label} of a test`;
}

/** A test post with files, as a multipart body. */
export function sampleUpload(form: Form, time: Date): FormData {
  const body = new FormData();
  for (const [name, text] of Object.entries(sampleTexts(form, time))) body.append(name, text);
  for (const field of Object.keys(form.fileFields)) {
    const text = `The file ${field} of a test, sent at ${time.toISOString()}.\n`;
    body.append(field, new File([text], `test-${field}.txt`, { type: "text/plain" }));
  }
  return body;
}

/** A form's endpoint with the query that marks a post as a test; `sendEmail` also sends its email. */
export const testEndpoint = ({ endpoint }: Form, { sendEmail }: { sendEmail: boolean }) =>
  `${endpoint}?${sendEmail ? "test=mail" : "test"}`;
