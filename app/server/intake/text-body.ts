import { MaxFilesExceededError, parseFormData } from "@mjackson/form-data-parser";
import { Rejection } from "../rejection.ts";
import { type Body, readBody } from "./body.ts";
import { asRejection, multipartBoundary } from "./multipart.ts";

/**
 * Twice the longest form in its longest encoding, so that people see the field's own error first:
 * 5,494 characters of nine bytes when percent-encoded.
 */
export const maxTextBytes = 128 * 1024;

const maxFields = 40;

/**
 * Reads a browser's post of a form without files: urlencoded or multipart.
 * @throws Rejection 415, 413, 400
 */
export async function readFormTexts(type: string, body: Body): Promise<Record<string, string>> {
  const isUrlEncoded = /^application\/x-www-form-urlencoded(; ?charset=utf-8)?$/i.test(type);
  // Checked strictly here: with other spellings the parser would not apply its limits.
  const canonical = isUrlEncoded
    ? "application/x-www-form-urlencoded"
    : `multipart/form-data; boundary="${multipartBoundary(type)}"`;
  const bytes = await readBody(body, maxTextBytes);
  const request = new Request("http://form.invalid", {
    method: "POST",
    headers: { "Content-Type": canonical },
    body: isUrlEncoded ? withoutPlus(bytes) : bytes,
  });
  const limits = {
    maxFiles: 0,
    maxFileSize: maxTextBytes,
    maxHeaderSize: 4096,
    maxParts: maxFields,
    maxTotalSize: maxTextBytes,
  };
  const form = await parseFormData(request, limits).catch((error) => {
    throw error instanceof MaxFilesExceededError ? takesNoFiles() : asRejection(error);
  });
  return Object.fromEntries(form) as Record<string, string>;
}

/** Writes `+` as `%20`: URLSearchParams takes seconds and megabytes for a body full of `+`. */
const withoutPlus = (bytes: Uint8Array) =>
  new Uint8Array(
    Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll("+", "%20"), "latin1"),
  );

/**
 * Reads a post to an endpoint of a form without files: JSON, or what an HTML form sends.
 * @throws Rejection 415, 413, 400
 */
export function readApiTexts(type: string, body: Body): Promise<Record<string, string>> {
  return (isFormType(type) ? readFormTexts : readJsonTexts)(type, body);
}

const takesNoFiles = () => new Rejection(400, "unknown_field", "The form takes no files.");

/** Whether a Content-Type is that of an HTML form. */
export const isFormType = (type: string) =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type);

/**
 * Reads an API post: a JSON object of strings, in which null means not given.
 * @throws Rejection 415, 413, 400
 */
async function readJsonTexts(type: string, body: Body): Promise<Record<string, string>> {
  if (!/^application\/json(; ?charset=utf-8)?$/i.test(type)) {
    throw new Rejection(
      415,
      "wrong_content_type",
      "Please send application/json, application/x-www-form-urlencoded or multipart/form-data.",
    );
  }
  const bytes = await readBody(body, maxTextBytes);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Rejection(400, "malformed", "The body is not valid JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Rejection(400, "malformed", "Please send a JSON object.");
  }
  const given = Object.entries(value).filter(([, text]) => text !== null);
  const wrong = given.find(([, text]) => typeof text !== "string");
  if (wrong) throw new Rejection(400, "malformed", "Every value of the object must be a string.");
  return Object.fromEntries(given);
}
