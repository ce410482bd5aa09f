/** All forms. An island imports only its own form, so that a browser loads no other. */
import type { FormName } from "../domain/request.ts";
import { contact } from "./contact.ts";
import { demoRequest } from "./demo-request.ts";
import { demoUpload } from "./demo-upload.ts";
import { columnOf, type Form } from "./form.ts";
import { rubricRequest } from "./rubric-request.ts";
import { subscription } from "./subscription.ts";

export const definitions = {
  contact,
  "demo-request": demoRequest,
  "demo-upload": demoUpload,
  "rubric-request": rubricRequest,
  subscription,
} as const satisfies { [Name in FormName]: Form & { name: Name } };

export const forms: Readonly<Record<FormName, Form>> = definitions;

export const allForms: readonly Form[] = Object.values(forms);

/** The forms whose posts are requests to the team. */
export const requestForms = allForms.filter(({ email }) => email);

/** The names of the columns for the fields of `requestForms`. */
export const textColumns: readonly string[] = [
  ...new Set(
    requestForms.flatMap((form) => Object.keys(form.fields).map((field) => columnOf(form, field))),
  ),
];
