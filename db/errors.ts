/** The errors of the store, as the rest of the program knows them. */

/** The file is not this program's, or has a schema that it cannot read. It was not changed. */
export class DatabaseMismatch extends Error {}

/** Another server is using the database. */
export class DatabaseInUse extends Error {}

/** Temporary: a full disk, a locked or unreachable file, too many staged bytes. */
export class Unavailable extends Error {}

/** Staged files no longer exist: their draft has expired, or another post has used it. */
export class FilesGone extends Error {}

const known = { DatabaseMismatch, DatabaseInUse, Unavailable, FilesGone };

/** An error as it is sent between threads. */
export interface SentError {
  kind: keyof typeof known | "other";
  message: string;
  stack: string | undefined;
}

export function sendable(error: unknown): SentError {
  const { message, stack } = causeOf(error) as Error;
  const kind = (Object.keys(known) as (keyof typeof known)[]).find(
    (name) => error instanceof known[name],
  );
  if (kind) return { kind, message, stack };
  return { kind: isTemporary(error) ? "Unavailable" : "other", message, stack };
}

export function received({ kind, message, stack }: SentError): Error {
  const error = kind === "other" ? new Error(message) : new known[kind](message);
  if (stack) error.stack = stack;
  return error;
}

/** Whether SQLite reports a temporary condition. Drizzle may have wrapped the error. */
export function isTemporary(error: unknown): boolean {
  const { code } = causeOf(error) as { code?: unknown };
  return (
    typeof code === "string" && /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY)/.test(code)
  );
}

/** Whether SQLite may not write: another account's file, a read-only disk. */
export function isWriteDenied(error: unknown): boolean {
  const { code } = causeOf(error) as { code?: unknown };
  return typeof code === "string" && /^SQLITE_(CANTOPEN|READONLY)/.test(code);
}

/** The cause of a Drizzle error, whose own message quotes what was being stored. */
export const causeOf = (error: unknown) =>
  error instanceof Error && error.cause ? error.cause : error;
