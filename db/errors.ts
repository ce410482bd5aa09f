/** The errors that the store throws, and how they are sent between threads. */
import { capitalised } from "../app/domain/capitalised.ts";

/** The database is missing, damaged or not this program's, or has a schema that this program cannot use. */
export class DatabaseMismatch extends Error {}

/** A file that cannot be used and was left unchanged. Sent between threads as a DatabaseMismatch. */
export class UnusableFile extends DatabaseMismatch {
  problem: string;

  constructor(problem: string) {
    super(`${problem}. It was not changed.`);
    this.problem = problem;
  }
}

/** A newer version of this program has written the file. */
export class NewerSchema extends UnusableFile {}

/** This account may not read the file or its folder. */
export class AccessDenied extends DatabaseMismatch {}

/** The folder belongs to another account, and root must not use it. */
export class WrongAccount extends DatabaseMismatch {}

/** SQLite's native addon cannot be loaded from any folder. Sent between threads as a DatabaseMismatch. */
export class AddonNotLoaded extends DatabaseMismatch {
  reason: string;
  remedy: string;

  constructor(reason: string, remedy: string) {
    super(`${reason}. ${capitalised(remedy)}.`);
    this.reason = reason;
    this.remedy = remedy;
  }
}

/** Another program, usually the server, is using the database. */
export class DatabaseInUse extends Error {}

/** A temporary failure, such as a full disk or a database server that is gone. */
export class Unavailable extends Error {}

/** Staged files no longer exist: they or their draft have expired, or another post has used them. */
export class FilesGone extends Error {}

// Subclasses first: the first class that fits is sent.
const errorTypes = {
  AccessDenied,
  WrongAccount,
  DatabaseMismatch,
  DatabaseInUse,
  Unavailable,
  FilesGone,
};

export interface SentError {
  kind: keyof typeof errorTypes | "other";
  message: string;
  stack: string | undefined;
}

/** Turns an error into data for `postMessage`. */
export function sendable(error: unknown): SentError {
  const { message, stack } = causeOf(error) as Error;
  const kind = (Object.keys(errorTypes) as (keyof typeof errorTypes)[]).find(
    (name) => error instanceof errorTypes[name],
  );
  if (kind) return { kind, message, stack };
  if (isDamaged(error)) {
    return { kind: "DatabaseMismatch", message: `The database is damaged: ${message}.`, stack };
  }
  return { kind: isTemporary(error) ? "Unavailable" : "other", message, stack };
}

/** Turns the data back into an error of the class that `kind` names. */
export function received({ kind, message, stack }: SentError): Error {
  const error = kind === "other" ? new Error(message) : new errorTypes[kind](message);
  if (stack) error.stack = stack;
  return error;
}

export const isTemporary = (error: unknown) =>
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY)/.test(codeOf(error));

/** Whether SQLite could not get a lock, because another connection has it. */
export const isLocked = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

/** Whether SQLite may not write: another account's file, a read-only disk. */
export const isWriteDenied = (error: unknown) => /^SQLITE_(CANTOPEN|READONLY)/.test(codeOf(error));

export const isDamaged = (error: unknown) => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));

/** The code that SQLite, PostgreSQL or the system gave an error, even if Drizzle wraps the error; empty without one. */
export function codeOf(error: unknown): string {
  const { code } = causeOf(error) as { code?: unknown };
  return typeof code === "string" ? code : "";
}

/** Unwraps a Drizzle error, whose own message quotes the values to be stored. */
export const causeOf = (error: unknown) =>
  error instanceof Error && error.cause ? error.cause : error;
