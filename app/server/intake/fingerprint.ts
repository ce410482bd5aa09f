import { createHash } from "node:crypto";
import type { StagedFile } from "../../domain/upload.ts";
import { confirmationField } from "../../forms/confirmation.ts";
import type { Classification } from "./classify.ts";
import type { ReadPost } from "./read-post.ts";
import type { ResumableUpload } from "./resumable-upload.ts";
import type { ValidatedTexts } from "./validate-texts.ts";

/**
 * Equal for posts of a form with the same texts and files in the same order, whether they come from a
 * page or by the API. A real post never equals a test or suspected spam.
 */
export function fingerprintOf(
  form: string,
  post: ReadPost,
  { texts, requestType }: ValidatedTexts,
  { isTest, spam }: Pick<Classification, "isTest" | "spam">,
): string {
  const { typed, token, removals, upload, files } = post;
  const fileParts = upload ? uploadedParts(upload, files) : post.fileParts;
  const confirmation = typed[confirmationField];
  const content = { form, requestType, texts, confirmation, token, removals, fileParts };
  const identity = JSON.stringify({ ...content, isTest, isSpam: spam !== null });
  return createHash("sha256").update(identity).digest("hex");
}

/** The files of an upload as one post would send them. */
function uploadedParts({ draft }: ResumableUpload, files: StagedFile[]): ReadPost["fileParts"] {
  return [...draft.files, ...files]
    .sort((one, other) => (one.position ?? 0) - (other.position ?? 0))
    .map(({ field, name, size, sha256 }) => ({ name: field, fileName: name, size, sha256 }));
}
