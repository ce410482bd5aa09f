import {
  type Extension,
  extensionOf,
  fileMessages,
  tooLargeAmong,
  validateNameAndSize,
} from "../../forms/files.ts";
import { hasHiddenCharacters, hiddenCharacters } from "../../forms/text-rules.ts";
import { faultIn } from "./file-content.ts";

/** A name is data: it is kept and shown, and never becomes a path. */
const maxNameLength = 255;

const mediaTypes: Record<Extension, string> = {
  ".pdf": "application/pdf",
  ".doc": "application/msword",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".txt": "text/plain",
};

export type FileValidation = { name: string; mediaType: string } | { reason: string };

/**
 * Judges one uploaded file. The client's media type is not asked: the extension says what the file
 * claims to be, and its content must agree.
 * @param size true size in bytes; `bytes` may be cut short where it is over the limit
 */
export async function validateFile(
  fileName: string,
  size: number,
  bytes: Buffer,
): Promise<FileValidation> {
  const name = baseName(fileName);
  if (hasHiddenCharacters(name)) {
    return { reason: `${shown(name)}: The name contains invisible or control characters` };
  }
  if (name.length > maxNameLength) {
    return { reason: `${shown(name)}: The name is longer than ${maxNameLength} characters` };
  }
  const reason = validateNameAndSize({ name, size });
  if (reason === fileMessages.tooLarge) return { reason: tooLargeAmong([{ name, size }])! };
  if (reason) return { reason: `${name}: ${reason}` };

  const extension = extensionOf(name)!;
  const fault = await faultIn(extension, bytes);
  return fault ? { reason: `${name}: ${fault}` } : { name, mediaType: mediaTypes[extension] };
}

/** A name that cannot be shown as it is: what is invisible in it made visible, and not all of it. */
function shown(name: string): string {
  const visible = name.replace(hiddenCharacters, "�");
  return visible.length > 60 ? `${visible.slice(0, 60)}…` : visible;
}

/** What is left of `C:\fakepath\exam.pdf` and `../../exam.pdf`. */
function baseName(fileName: string): string {
  return fileName.split(/[\\/]/).at(-1)!.trim();
}
