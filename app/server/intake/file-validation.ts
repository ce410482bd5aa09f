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

/** Max characters of a file's name. File systems limit its bytes instead, so `safeName` shortens names for paths. */
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
 * @param size true size in bytes; `bytes` may be cut short if it is over the limit
 */
export function validateFile(
  { fileName, size }: { fileName: string; size: number },
  bytes: Buffer,
  maxFileBytes: number,
): { name: string; mediaType: string } | { error: string } {
  const { error: badName, name } = checkName(fileName);
  if (badName) return { error: badName };
  const extension = extensionOf(name);
  if (!extension) return { error: `${name}: ${fileMessages.wrongType}${wrongTypeAdvice(name)}` };
  const tooLarge = tooLargeAmong([{ name, size }], maxFileBytes);
  if (tooLarge) return { error: tooLarge };
  const error = size === 0 ? fileMessages.empty : contentError(extension, bytes);
  return error ? { error: `${name}: ${error}` } : { name, mediaType: mediaTypes[extension] };
}

/** Returns the name of a file as it is stored, with an error message if the name cannot be accepted. */
export function checkName(fileName: string): { name: string; error?: string } {
  const name = storedName(fileName);
  if (!isReadableLine(name)) {
    return { name, error: `${shownName(name)}: The name contains characters that cannot be read` };
  }
  return name.length > maxNameLength
    ? {
        name,
        error: `${shownName(name)}: The name is longer than ${maxNameLength} characters`,
      }
    : { name };
}

/** Returns a bad name as an error message shows it: shortened, with � for characters that cannot be shown. */
function shownName(name: string): string {
  const visible = name.replace(controls, "�").replace(/\p{NChar}/gu, "�");
  return visible.length > 60 ? `${visible.slice(0, 60)}…` : visible;
}
