/** Made-up posts for the page that tests the forms. */
import type { FormName } from "../domain/request.ts";

export const sampleForms: { form: FormName; label: string; hasFiles: boolean }[] = [
  { form: "contact", label: "Contact message", hasFiles: false },
  { form: "demo-request", label: "Demo request", hasFiles: false },
  { form: "demo-upload", label: "Demo upload with files", hasFiles: true },
  { form: "rubric-request", label: "Rubric request with files", hasFiles: true },
  { form: "subscription", label: "Subscription", hasFiles: false },
];

const email = "test@forms.example";

/** The texts of a test post. They contain `time`, so that a second test is not a duplicate. */
export function sampleTexts(form: FormName, time: Date): Record<string, string> {
  const contactDetails = { email, phone: "+27 31 555 0199", institution: "Test of the forms" };
  const message = `A test of the form, sent at ${time.toISOString()}.`;
  switch (form) {
    case "contact":
      return { name: "Test Sender", ...contactDetails, message, requestType: "general" };
    case "demo-request":
      return { fullName: "Test Sender", ...contactDetails, message };
    case "demo-upload":
      return { name: "Test Sender", ...contactDetails, message, requestType: "demo" };
    case "rubric-request":
      return { fullName: "Test Sender", ...contactDetails, expectedImprovements: message };
    case "subscription":
      return { email };
  }
}

/** A test post with files, as a multipart body. */
export function sampleUpload(form: FormName, time: Date): FormData {
  const body = new FormData();
  for (const [name, text] of Object.entries(sampleTexts(form, time))) body.append(name, text);
  const files: Record<string, string> =
    form === "demo-upload"
      ? { questionsFile: "questions", rubricFile: "rubric", submissionFiles: "submission" }
      : { assessmentQuestions: "questions", gradingRubric: "rubric", markingMemo: "memo" };
  for (const [field, name] of Object.entries(files)) {
    const text = `The ${name} of a test, sent at ${time.toISOString()}.\n`;
    body.append(field, new File([text], `test-${name}.txt`, { type: "text/plain" }));
  }
  return body;
}

/**
 * An endpoint's URL with the query that marks a post as a test; `sendEmail` also sends its email.
 */
export const testEndpoint = (endpoint: string, sendEmail: boolean) =>
  `${endpoint}?${sendEmail ? "test=mail" : "test"}`;
