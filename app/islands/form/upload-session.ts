import type { UploadDraft } from "../../domain/upload.ts";
import type { FileField } from "../../forms/files.ts";
import { elapsedField } from "../../forms/machine-fields.ts";

/** One upload, however often it is sent: the server keeps its files under this secret token. */
export interface UploadSession {
  token: string;
  /** The files' numbers in the upload, by field and identity. */
  numbers: Map<string, number>;
  /** The server's ids of the files that have arrived, by their numbers. */
  arrived: Map<number, number>;
  /** Whether sending has begun, so that files may have arrived that this page does not know of. */
  wasSent: boolean;
  /** The content of the last post, which may have got no response. */
  posted?: string;
}

export interface OutgoingFile {
  field: string;
  file: File;
  number: number;
}

/** A form as it is sent: its texts, new files, and files of a draft that it keeps. */
export interface Outgoing {
  texts: [name: string, text: string][];
  files: OutgoingFile[];
  kept: UploadDraft["files"];
}

/** @param token the token of the page's draft, which the upload continues; by default 128 random bits */
export const newUploadSession = (token = randomToken()): UploadSession => ({
  token,
  numbers: new Map(),
  arrived: new Map(),
  wasSent: false,
});

/** Identifies a file within its field; the same file chosen again has the same identity. */
export const identityOf = ({ name, size, lastModified }: File) => `${name} ${size} ${lastModified}`;

/** Separates a form into texts and files, and gives each new file its number. */
export function outgoingOf(
  form: FormData,
  { numbers }: UploadSession,
  draft: UploadDraft | undefined,
  fileFields: Record<string, FileField>,
): Outgoing {
  const replaced = new Set<number>();
  const files = [...form].flatMap(([name, file]) => {
    // A picker without a chosen file posts a file without a name.
    if (!(file instanceof File && file.name)) return [];
    const target = draft?.files.find(({ id }) => name === `replace-${id}`);
    if (target) replaced.add(target.id);
    const field = target?.field ?? name;
    const key = `${field} ${identityOf(file)}`;
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return [{ field, file, number: numbers.get(key)! }];
  });
  const isReplaced = ({ id, field }: { id: number; field: string }) =>
    replaced.has(id) ||
    (fileFields[field]?.max === 1 && files.some((file) => file.field === field));
  const texts = [...form].filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[0] !== "draft",
  );
  return { texts, files, kept: draft?.files.filter((file) => !isReplaced(file)) ?? [] };
}

/** Returns a text that is equal for equal posts. It lacks the elapsed time, which only the first post has. */
export const contentOf = ({ texts, files, kept }: Outgoing): string =>
  JSON.stringify([
    texts.filter(([name]) => name !== elapsedField),
    files.map(({ number }) => number),
    kept.map(({ id }) => id),
  ]);

/** Returns 128 random bits in hexadecimal. A site without TLS is no secure context, and so has no crypto.randomUUID. */
export function randomToken(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
