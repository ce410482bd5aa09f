/** Rules for uploaded files that need only name and size; the server checks the content too. */

export const maxFileBytes = 2_097_152;
export const acceptedExtensions = [".pdf", ".doc", ".docx", ".txt"] as const;
export type Extension = (typeof acceptedExtensions)[number];

export const fileMessages = {
  missing: "Missing files - Please upload all required files before processing",
  wrongType: "Invalid file type: Please upload PDF, DOC, DOCX, or TXT files only.",
  tooLarge: "File size too large",
  empty: "The file is empty",
};

/** A file field of a form: its texts and how many files it takes. */
export interface FileField {
  label: string;
  hint: string;
  max: number;
  /** Error message if no file was sent. Without it the field is optional. */
  missing?: string;
}

/** The accepted extension of a name; undefined if there is none, or nothing in front of it. */
export function extensionOf(name: string): Extension | undefined {
  const lower = name.toLowerCase();
  const found = acceptedExtensions.find((extension) => lower.endsWith(extension));
  return found && /[^\s.\u2800]/.test(name.slice(0, -found.length)) ? found : undefined;
}

/**
 * The error about files over the size limit, for example "File size too large: a.pdf, b.pdf";
 * undefined if there are none.
 */
export function tooLargeAmong(files: Iterable<{ name: string; size: number }>): string | undefined {
  const names = [...files].filter((file) => file.size > maxFileBytes).map((file) => file.name);
  return names.length > 0 ? `${fileMessages.tooLarge}: ${names.join(", ")}` : undefined;
}

/** The error in a file's name or size, or undefined. */
export function validateNameAndSize(file: { name: string; size: number }): string | undefined {
  if (!extensionOf(file.name)) return fileMessages.wrongType;
  if (file.size > maxFileBytes) return fileMessages.tooLarge;
  if (file.size === 0) return fileMessages.empty;
  return undefined;
}

/**
 * A size for people: "812 kB", "1.9 MB". Rounded up; a megabyte is 1,048,576 bytes, as in the limit
 * of 2 MB.
 */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  if (bytes <= 1023 * 1024) return `${Math.ceil(bytes / 1024)} kB`;
  return `${(Math.ceil((bytes / 1_048_576) * 10) / 10).toFixed(1)} MB`;
}
