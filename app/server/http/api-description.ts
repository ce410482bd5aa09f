/** The OpenAPI document of the endpoints, made from the form definitions by which posts are validated. */

import { allForms } from "../../forms/all-forms.ts";
import { confirmationField, noticeVersions } from "../../forms/confirmation.ts";
import { acceptedExtensions, type FileField } from "../../forms/files.ts";
import { type Form, hasFiles } from "../../forms/form.ts";
import type { TextField } from "../../forms/text-fields.ts";
import { buildVersion } from "../build.ts";

/** Example values of a made-up educator, by the name of a field or else by its type. */
const examples: Record<string, string> & Record<TextField["type"], string> = {
  name: "Thandi Example",
  fullName: "Thandi Example",
  institution: "Example High School",
  expectedImprovements: "Two markers read row 3 in two ways.",
  text: "An example",
  email: "thandi@school.example",
  tel: "+27 31 555 0100",
  paragraphs: "Do you mark Sesotho essays?",
};

const exampleText = (name: string, type: TextField["type"]) => examples[name] ?? examples[type];

/** Returns an OpenAPI 3.1 document. @param origin scheme and host of the site */
export function describeApi(
  productName: string,
  { origin, maxFileBytes }: { origin: string; maxFileBytes: number },
): object {
  const paths = allForms.map((form) => [form.endpoint, { post: operationOf(form, maxFileBytes) }]);
  return {
    openapi: "3.1.1",
    info: {
      title: `${productName} forms`,
      version: buildVersion,
      description:
        "Every form of the site as an endpoint. A form sent twice within ten minutes is one request: both responses have the same reference.",
    },
    servers: [{ url: origin }],
    security: [],
    tags: [{ name: "forms", description: "What visitors send to the team." }],
    paths: Object.fromEntries(paths),
    components: { schemas: { Received: receivedSchema, Problem: problemSchema } },
  };
}

function operationOf(form: Form, maxFileBytes: number) {
  const schema = schemaOf(form, maxFileBytes);
  const content = { schema, ...(!hasFiles(form) && { example: exampleOf(form) }) };
  const types = hasFiles(form)
    ? ["multipart/form-data"]
    : ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"];
  return {
    operationId: form.name,
    tags: ["forms"],
    summary: form.summary,
    requestBody: {
      required: true,
      content: Object.fromEntries(types.map((type) => [type, content])),
    },
    responses: {
      201: response("Stored; `message` says what comes next.", "Received"),
      303: {
        description: "Stored, and the Accept header prefers text/html: the URL of the receipt.",
        headers: { Location: { schema: { type: "string" } } },
      },
      422: response("A text or a file is missing or not valid; nothing is stored.", "Problem"),
      429: response("Sent too often from this address; see Retry-After.", "Problem"),
      default: response("Rejected; nothing is stored.", "Problem"),
    },
  };
}

const response = (description: string, schema: "Received" | "Problem") => ({
  description,
  content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
});

function schemaOf(
  { fields, fileFields, requestTypes = [], asksToConfirm }: Form,
  maxFileBytes: number,
) {
  const files = Object.entries<FileField>(fileFields);
  const texts = Object.entries<TextField>(fields);
  const required = [
    ...texts.filter(([, field]) => field.required),
    ...files.filter(([, field]) => field.missing),
  ].map(([field]) => field);
  const properties = {
    ...Object.fromEntries(texts.map(([id, field]) => [id, textSchema(id, field)])),
    ...Object.fromEntries(files.map(([id, field]) => [id, fileSchema(field, maxFileBytes)])),
    ...(requestTypes.length > 0 && {
      requestType: { type: "string", enum: requestTypes, default: requestTypes[0] },
    }),
    ...(asksToConfirm && { [confirmationField]: confirmationSchema }),
  };
  return { type: "object", required, properties };
}

const textSchema = (name: string, { label, type, min = 1, max, required, hint }: TextField) => ({
  type: "string",
  title: label,
  ...(hint && { description: hint }),
  ...(type === "email" && { format: "email" }),
  ...(required && { minLength: min }),
  maxLength: max,
  examples: [exampleText(name, type)],
});

function fileSchema({ label, hint, max }: FileField, maxFileBytes: number) {
  const size = `${acceptedExtensions.join(", ")}; at most ${maxFileBytes} bytes`;
  const file = { type: "string", contentMediaType: "application/octet-stream" };
  const description = `${hint} ${size} each.`;
  if (max === 1) return { ...file, title: label, description };
  return { type: "array", title: label, description, minItems: 1, maxItems: max, items: file };
}

const confirmationSchema = {
  type: "string",
  enum: noticeVersions,
  description: "Confirms the notice of this date: the sender may share the learners' work.",
};

const exampleOf = ({ fields }: Form) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { type }]) => [name, exampleText(name, type)]),
  );

const receivedSchema = {
  type: "object",
  required: ["message", "id", "reference"],
  properties: {
    message: { type: "string", description: "For the sender." },
    id: { type: "integer" },
    reference: { type: "string", examples: ["L2RC-8GW7-47EW"] },
  },
};

const problemSchema = {
  type: "object",
  required: ["error", "code", "fields"],
  properties: {
    error: { type: "string", description: "For people." },
    code: { type: "string", description: "For programs; stable.", examples: ["invalid_fields"] },
    fields: {
      type: "object",
      description: "Error messages by field.",
      additionalProperties: { type: "array", items: { type: "string" } },
    },
  },
};
