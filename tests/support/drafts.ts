/** Files that the server keeps for a form that came back. */
import assert from "node:assert/strict";
import { contact, threeFiles, uploadByPage, uploadForm } from "./upload.ts";

/** The token of the draft in the form of a page, which must have one. */
export function draftToken(html: string): string {
  const token = / name="draft" value="([\w-]+)"/.exec(html)?.[1];
  assert.ok(token, "the page has a draft");
  return token;
}

/** A form as a page with a draft sends it: the token first. */
export function formWithDraft(
  token: string,
  fields: Iterable<[string, string | File]> = uploadForm([]),
): FormData {
  const form = new FormData();
  form.append("draft", token);
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

/** Posts an upload that is rejected for its email address, so that its files become a draft. */
export async function startDraft({ url }: { url: string }, files = threeFiles()) {
  const response = await uploadByPage(url, uploadForm(files, { ...contact, email: "wrong" }));
  assert.equal(response.status, 422);
  const html = await response.text();
  return { html, token: draftToken(html) };
}
