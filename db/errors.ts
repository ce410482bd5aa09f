/** What may go wrong with the database, as the rest of the program knows it. */

/** The file is not ours, or written by a newer program. It has not been touched. */
export class DatabaseMismatch extends Error {}

/** Another server works on this database. */
export class DatabaseInUse extends Error {}

/** It passes: a full disk, a locked or unreachable file, too many staged bytes. */
export class Unavailable extends Error {}

/** Staged files are not there any more: their token died, or was used by another post meanwhile. */
export class FilesGone extends Error {}

const known = { DatabaseMismatch, DatabaseInUse, Unavailable, FilesGone };

/** An error as it crosses from the writer's thread. */
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
  return { kind: passes(error) ? "Unavailable" : "other", message, stack };
}

export function received({ kind, message, stack }: SentError): Error {
  const error = kind === "other" ? new Error(message) : new known[kind](message);
  if (stack) error.stack = stack;
  return error;
}

/** SQLite's errors that are nobody's fault and go away. Drizzle may have wrapped them. */
export function passes(error: unknown): boolean {
  const { code } = causeOf(error) as { code?: unknown };
  return (
    typeof code === "string" && /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY)/.test(code)
  );
}

/** What is behind an error of Drizzle's, whose message quotes what was being stored. */
export const causeOf = (error: unknown) =>
  error instanceof Error && error.cause ? error.cause : error;
