/** Pages as a browser without JavaScript reads them, and forms as it fills them in and posts them. */
import assert from "node:assert/strict";
import { postOf, sendRequest } from "./send-request.ts";

export interface HtmlForm {
  action: string;
  html: string;
  /** The inputs and textareas that the form posts unchanged, by name; selects are left out. */
  fields: Record<string, string>;
  /** The form's submit buttons: names and values. */
  buttons: { name: string; value: string }[];
  /** Whether browsers send the form in parts; otherwise they percent-encode it. */
  isMultipart: boolean;
}

/** The forms of a page that are posted. */
export const formsIn = (html: string): HtmlForm[] =>
  [...html.matchAll(/<form[^>]* action="([^"]*)"[^>]*>(.*?)<\/form>/gs)]
    .filter(([form]) => /^<form[^>]* method="post"/.test(form))
    .map(([form, action, inner]) => ({
      action: decoded(action!),
      html: inner!,
      fields: fieldsIn(inner!),
      buttons: tagsIn(inner!, "button").map(({ name = "", value = "" }) => ({ name, value })),
      isMultipart: /^<form[^>]* enctype="multipart\/form-data"/i.test(form),
    }));

/**
 * The form of a page that is posted with an intent, by a button or a field.
 * @param question the value of its field `question`, where a page has several forms of the intent
 * @throws AssertionError if the page has no such form
 */
export function formOf(html: string, intent: string, question?: string): HtmlForm {
  const found = formsIn(html).find(
    ({ buttons, fields }) =>
      [...buttons.map(({ value }) => value), fields.intent].includes(intent) &&
      (question === undefined || fields.question === question),
  );
  return found ?? assert.fail(`no form to ${intent} ${question ?? ""}`);
}

function fieldsIn(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { name, type = "text", value, checked } of tagsIn(html, "input")) {
    const isLeftOut = ["checkbox", "radio"].includes(type) && checked === undefined;
    if (name && !isLeftOut) fields[name] = value ?? (type === "checkbox" ? "on" : "");
  }
  for (const [, name, text] of html.matchAll(
    /<textarea[^>]* name="([^"]*)"[^>]*>(.*?)<\/textarea>/gs,
  )) {
    fields[name!] = decoded(text!);
  }
  return fields;
}

/** The attributes of each tag of this name. */
const tagsIn = (html: string, tag: string): Record<string, string>[] =>
  [...html.matchAll(new RegExp(`<${tag}\\b([^>]*)>`, "g"))].map(([, attributes]) =>
    Object.fromEntries(
      [...attributes!.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [
        name!,
        decoded(value ?? ""),
      ]),
    ),
  );

const entities: Record<string, string> = { amp: "&", quot: '"', lt: "<", gt: ">", "#x27": "'" };
const decoded = (text: string) =>
  text.replace(/&(amp|quot|lt|gt|#x27);/g, (_, name: string) => entities[name]!);

/** The words of a page, between single spaces. */
export const wordsOf = (html: string) =>
  html
    .replace(/<(script|style|head)\b.*?<\/\1>/gs, " ")
    .replace(/<!--.*?-->/gs, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

/** The text of a page, with quotes; what else is escaped stays so. */
export const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'");

/** The text of each cell of a table or a row. */
export const cellsOf = (html: string) =>
  [...html.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => textOf(cell!));

/** Asserts that a page shows an error beside the field with this id, and names no other field as wrong. */
export function assertErrorAt(html: string, id: string, error: string) {
  const fields = ["input", "textarea"].flatMap((tag) => tagsIn(html, tag));
  const wrong = fields.filter((field) => field["aria-invalid"]);
  assert.deepEqual(
    wrong.map((field) => field.id),
    [id],
  );
  const { "aria-describedby": describedBy = "" } = wrong[0]!;
  assert.ok(describedBy.split(" ").includes(`${id}-error`), describedBy);
  const shown = html.slice(html.indexOf(` id="${id}-error"`)).slice(0, 200);
  assert.ok(textOf(shown).includes(error), shown);
}

/** Posts a form with some fields filled in, by the button of an intent; without one if `intent` is undefined. */
export async function postForm(
  url: string,
  { action, fields, isMultipart }: HtmlForm,
  intent: string | undefined,
  filled: Record<string, string> = {},
) {
  const posted = { ...fields, ...filled, ...(intent !== undefined && { intent }) };
  const form = isMultipart ? new FormData() : new URLSearchParams();
  for (const [name, text] of Object.entries(posted)) form.set(name, text);
  const encoded = new Response(form);
  const headers = {
    "Content-Type": encoded.headers.get("Content-Type")!.replace(/;\s*charset.*/i, ""),
  };
  return sendRequest(url, action, postOf(await encoded.text(), headers));
}
