import assert from "node:assert/strict";

/** Contact details of a made-up educator. */
export const person = {
  email: "thandi@school.example",
  phone: "+27 31 555 0100",
  institution: "Example High School",
};

export const contactTyped = {
  name: "Thandi Example",
  ...person,
  message: "Do you mark Sesotho essays?",
};

export const demoTyped = {
  fullName: "Thandi Example",
  ...person,
  message: "Grade 12 Accounting, 80 scripts, please.",
};

export const rubricTyped = {
  fullName: "Thandi Example",
  ...person,
  expectedImprovements: "Two markers read row 3 in two ways.",
};

const ownOrigin = (url: string) => ({ Origin: url, "Sec-Fetch-Site": "same-origin" });

/** Posts as a browser without JavaScript does. */
export const postForm = (url: string, path: string, typed: Record<string, string>) =>
  fetch(url + path, {
    method: "POST",
    body: new URLSearchParams(typed),
    redirect: "manual",
    headers: ownOrigin(url),
  });

/** Posts a form with files as a browser without JavaScript does. */
export const postMultipart = (url: string, path: string, body: FormData) =>
  fetch(url + path, { method: "POST", body, redirect: "manual", headers: ownOrigin(url) });

export const postJson = (
  url: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) =>
  fetch(url + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", ...headers },
  });

/** The reference of the request that a post to an endpoint has become. */
export async function referenceIn(response: Response): Promise<string> {
  assert.equal(response.status, 201, await response.clone().text());
  const { reference } = (await response.json()) as { reference: string };
  return reference;
}

export function rubricForm(
  files: Record<string, string> = { assessmentQuestions: "1. Define.", gradingRubric: "2 marks" },
  typed: Record<string, string> = rubricTyped,
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(typed)) form.append(name, value);
  for (const [field, text] of Object.entries(files)) {
    form.append(field, new File([text], `${field}.txt`));
  }
  return form;
}
