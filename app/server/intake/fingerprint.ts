import { createHash } from "node:crypto";
import { confirmationField } from "../../forms/confirmation.ts";
import type { Classification } from "./classify.ts";
import type { PostedForm } from "./posted-form.ts";
import type { ValidatedTexts } from "./validate-texts.ts";

/**
 * Returns a hash that is equal for posts of a form with the same texts and files in the same order, whether they come
 * from a page, by the API or file by file. The hash of a real post never equals that of a test or of suspected spam.
 */
export function fingerprintOf(
  form: string,
  post: PostedForm,
  { texts, requestType }: ValidatedTexts,
  { isTest, spam }: Pick<Classification, "isTest" | "spam">,
): string {
  const { typed, token, removals, fileParts } = post;
  const confirmation = typed[confirmationField];
  const content = { form, requestType, texts, confirmation, token, removals, fileParts };
  const identity = JSON.stringify({ ...content, isTest, isSpam: spam !== null });
  return createHash("sha256").update(identity).digest("hex");
}
