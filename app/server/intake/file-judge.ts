import {
  acceptedExtensions,
  type Extension,
  extensionOf,
  fileMessages,
  judgeNameAndSize,
  tooLargeAmong,
} from "../../forms/files.ts";
import { hasHiddenCharacters } from "../../forms/text-rules.ts";

/** A name is data: it is kept and shown, and never becomes a path. */
const maxNameLength = 255;

const mediaTypes: Record<Extension, string> = {
  ".pdf": "application/pdf",
  ".doc": "application/msword",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".txt": "text/plain",
};

/** The first bytes of each kind; text has none. */
const signatures: Partial<Record<Extension, Buffer>> = {
  ".pdf": Buffer.from("%PDF-"),
  ".doc": Buffer.from("D0CF11E0A1B11AE1", "hex"),
  ".docx": Buffer.from("PK\x03\x04"),
};

export type Judgement = { name: string; mediaType: string } | { reason: string };

/**
 * Judges one uploaded file. The client's media type is not asked: the extension says what the file
 * claims to be, and its first bytes must agree.
 * @param size true size in bytes; `bytes` may be cut short where it is over the limit
 */
export function judgeFile(fileName: string, size: number, bytes: Buffer): Judgement {
  const name = baseName(fileName);
  if (hasHiddenCharacters(name)) {
    return { reason: "A file’s name must not contain invisible or control characters" };
  }
  if (name.length > maxNameLength) {
    return { reason: `A file’s name must be ${maxNameLength} characters or fewer` };
  }
  const reason = judgeNameAndSize({ name, size });
  if (reason === fileMessages.tooLarge) return { reason: tooLargeAmong([{ name, size }])! };
  if (reason) return { reason: `${name}: ${reason}` };

  const extension = extensionOf(name)!;
  const kind = acceptedExtensions.find((known) => isKind(known, bytes));
  if (kind === extension) return { name, mediaType: mediaTypes[extension] };
  return {
    reason: `${name}: This is not a ${extension.slice(1).toUpperCase()} file, although its name ends in ${extension}`,
  };
}

/** What is left of `C:\fakepath\exam.pdf` and `../../exam.pdf`. */
function baseName(fileName: string): string {
  return fileName.split(/[\\/]/).at(-1)!.trim();
}

function isKind(extension: Extension, bytes: Buffer): boolean {
  const signature = signatures[extension];
  // The kinds that have a signature come first, so text is what looks like none of them.
  return signature ? bytes.subarray(0, signature.length).equals(signature) : !bytes.includes(0);
}
