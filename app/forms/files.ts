/** Rules for uploaded files that need only name, size and first bytes; the server checks the rest too. */
import { counted } from "../domain/counted.ts";

const megabyte = 1_048_576;

export const acceptedExtensions = [".pdf", ".doc", ".docx", ".txt"] as const;
export type Extension = (typeof acceptedExtensions)[number];

export const fileMessages = {
  missing: "Missing files - Please upload all required files before processing",
  wrongType: "Invalid file type: Please upload PDF, DOC, DOCX, or TXT files only.",
  tooLarge: "File size too large",
  empty: "The file is empty",
};

/** Returns a space and how to send a class list, if one of the rejected files may be a list; otherwise "". */
export const wrongTypeAdvice = (...names: string[]): string =>
  names.some((name) => /\.(csv|xlsx?|ods)$/i.test(name))
    ? " A class list is taken as PDF or TXT."
    : "";

/** A file field of a form: its texts and how many files it takes. */
export interface FileField {
  label: string;
  hint: string;
  max: number;
  /** Error message if no file was sent. Without it the field is optional. */
  missing?: string;
  /** The files are often on paper at first, so the picker says how to scan them. */
  isHandwritten?: true;
}

/** The first bytes of each type, as Latin-1. Plain text has none. */
export const fileSignatures = {
  ".pdf": "%PDF-",
  ".doc": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
  ".docx": "PK\x03\x04",
};

export const wrongContent = (extension: Extension): string =>
  `This is not a ${extension.slice(1).toUpperCase()} file, although its name ends in ${extension}`;

export const notPlainText = "This is not plain text. Please save it as text in UTF-8";

/**
 * The error in a file's first bytes, or undefined.
 * @param start the first eight bytes, as Latin-1
 */
export function signatureError(extension: Extension, start: string): string | undefined {
  const type = Object.entries(fileSignatures).find(([, bytes]) => start.startsWith(bytes))?.[0];
  if (extension === ".txt" && !type) {
    // After a byte order mark of UTF-16, zeros are part of the text.
    const isBinary = start.includes("\0") && !/^(\xff\xfe|\xfe\xff)/.test(start);
    return isBinary ? notPlainText : undefined;
  }
  // Word wraps an encrypted .docx in a compound file, which begins as a .doc does.
  const isRight = type === extension || (extension === ".docx" && type === ".doc");
  return isRight ? undefined : wrongContent(extension);
}

/** Whether nothing of a name can be seen but dots. U+2800, an empty Braille pattern, is invisible, but no `\s`. */
const isBlankName = (name: string): boolean => /^[\s.\u2800]*$/.test(name);

/** The accepted extension of a name; undefined if the name has no such extension, or nothing before it. */
export function extensionOf(name: string): Extension | undefined {
  const lower = name.toLowerCase();
  const found = acceptedExtensions.find((extension) => lower.endsWith(extension));
  return found && !isBlankName(name.slice(0, -found.length)) ? found : undefined;
}

/** The error about files over the size limit, "File size too large: a.pdf, b.pdf"; undefined if no file is over it. */
export function tooLargeAmong(
  files: Iterable<{ name: string; size: number }>,
  maxFileBytes: number,
): string | undefined {
  const names = [...files].filter((file) => file.size > maxFileBytes).map((file) => file.name);
  return names.length > 0 ? `${fileMessages.tooLarge}: ${names.join(", ")}` : undefined;
}

/** The advice on scanning scripts for a form: faint pencil stays readable in grey, not in black and white. */
export const scanAdvice = (maxFileBytes: number): string =>
  `Scan in grey at 200 dpi, or at 150 dpi if a file is over ${maxFileBytes / megabyte} MB`;

/** Says how large files over the limit are, and how to make them smaller. */
export function tooLargeAdvice(
  files: { name: string; size: number }[],
  maxFileBytes: number,
): string {
  const [first, ...more] = files.map(({ name, size }) => `${name} is ${formatBytes(size)}`);
  const others = more.length > 2 ? [`${more.length} others are too large as well`] : more;
  return `${[first, ...others].join(", ")}; the limit is ${maxFileBytes / megabyte} MB. ${scanAdvice(maxFileBytes)}.`;
}

export const bytesOf = (files: { size: number }[]) =>
  files.reduce((sum, { size }) => sum + size, 0);

/** The number and size of files, for people: "35 files, 41 MB". */
export const amountOf = (files: { size: number }[]): string =>
  `${counted(files.length, "file")}, ${formatBytes(bytesOf(files))}`;

/**
 * A size for people: "812 kB", "1.9 MB", "41 MB". Rounded up; a megabyte is 1,048,576 bytes, as in the limit
 * on files.
 */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  if (bytes <= 1023 * 1024) return `${Math.ceil(bytes / 1024)} kB`;
  const megabytes = bytes / megabyte;
  return megabytes > 10
    ? `${Math.ceil(megabytes)} MB`
    : `${(Math.ceil(megabytes * 10) / 10).toFixed(1)} MB`;
}
