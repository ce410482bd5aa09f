import { controls, isReadableLine } from "../../domain/characters.ts";
import { storedName } from "../../domain/file-name.ts";
import {
  type Extension,
  extensionOf,
  fileMessages,
  tooLargeAmong,
  wrongTypeAdvice,
} from "../../forms/files.ts";
import { contentError } from "./file-content.ts";

/** Max characters of a file's name. */
const maxNameLength = 255;

const mediaTypes: Record<Extension, string> = {
  ".pdf": "application/pdf",
  ".doc": "application/msword",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".txt": "text/plain",
};

/**
 * Validates one uploaded file: name, size, extension, and content that matches the extension.
 * Ignores the client's media type.
 * @param file its `size` is the true size in bytes; `bytes` may be cut short if it is over the limit
 */
export function validateFile(
  file: { fileName: string; size: number },
  bytes: Buffer,
  maxFileBytes: number,
): { name: string; mediaType: string } | { error: string } {
  const validation = validateNameAndSize(file, maxFileBytes);
  if ("error" in validation) return validation;
  const { name, extension } = validation;
  const error = contentError(extension, bytes);
  return error ? { error: `${name}: ${error}` } : { name, mediaType: mediaTypes[extension] };
}

/** Validates what can be known of a file before its bytes have arrived. */
export function validateNameAndSize(
  { fileName, size }: { fileName: string; size: number },
  maxFileBytes: number,
): { name: string; extension: Extension } | { error: string } {
  const validation = validateName(fileName);
  if ("error" in validation) return validation;
  const { name } = validation;
  const extension = extensionOf(name);
  if (!extension) return { error: `${name}: ${fileMessages.wrongType}${wrongTypeAdvice(name)}` };
  if (size === 0) return { error: `${name}: ${fileMessages.empty}` };
  const tooLarge = tooLargeAmong([{ name, size }], maxFileBytes);
  return tooLarge ? { error: tooLarge } : { name, extension };
}

/** Returns the name of a file as it is stored, or why the name cannot be accepted. */
export function validateName(fileName: string): { name: string } | { error: string } {
  const name = storedName(fileName);
  if (!isReadableLine(name)) {
    return { error: `${shownName(name)}: The name contains characters that cannot be read` };
  }
  return name.length > maxNameLength
    ? { error: `${shownName(name)}: The name is longer than ${maxNameLength} characters` }
    : { name };
}

/** Returns a bad name as an error message shows it: shortened, with � for characters that cannot be shown. */
function shownName(name: string): string {
  const visible = name.replace(controls, "�").replace(/\p{NChar}/gu, "�");
  return visible.length > 60 ? `${visible.slice(0, 60)}…` : visible;
}
