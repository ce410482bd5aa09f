import { closeSync, openSync, readSync, statSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { AccessDenied, codeOf, DatabaseMismatch, NewerSchema, UnusableFile } from "../errors.ts";
import { addonFor } from "./addon.ts";
import { currentSchemaVersion, schemaVersionOf } from "./schema-version.ts";

/** The `application_id` in the header of every database of this program: "Rubr" in ASCII. */
export const applicationId = 0x52756272;

/**
 * Checks the header of a file, without SQLite, which may change a file by opening it. Migrations end with a checkpoint,
 * so the header's version is up to date.
 * @returns whether there is a file
 * @throws AccessDenied; DatabaseMismatch if it is not this program's, or has a schema that this program cannot read
 */
export function checkFileHeader(file: string): boolean {
  const header = headerOf(file);
  if (!header) return false;
  checkHeader(file, header);
  return true;
}

function checkHeader(file: string, header: Buffer): void {
  // SQLite's header has user_version at offset 60, and application_id at 68.
  const isOurs =
    header.length === 100 &&
    header.toString("latin1", 0, 16) === "SQLite format 3\0" &&
    header.readUInt32BE(68) === applicationId;
  if (!isOurs) throw new UnusableFile(`${file} is not a database of this program`);
  const version = header.readUInt32BE(60);
  if (version > currentSchemaVersion) {
    throw new NewerSchema(
      `${file} was written by a newer version of this program (schema version ${version}; this one supports up to ${currentSchemaVersion})`,
    );
  }
}

/** @throws DatabaseMismatch if the schema is older than this program's */
export function checkIsCurrent(client: Sqlite.Database): void {
  const version = schemaVersionOf(client);
  if (version === currentSchemaVersion) return;
  throw new DatabaseMismatch(
    `${client.name} has an older schema (version ${version}, this program's is ${currentSchemaVersion}). Start the server once to migrate it.`,
  );
}

/** The first 100 bytes of a file; undefined if there is none. */
function headerOf(file: string): Buffer | undefined {
  let descriptor: number;
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) return undefined;
    if (!found.isFile()) throw new DatabaseMismatch(`${file} is not a file.`);
    descriptor = openSync(file, "r");
  } catch (error) {
    if (codeOf(error) !== "EACCES") throw error;
    throw new AccessDenied(
      `This account may not read ${file} (EACCES). Run the command under the account of the server.`,
    );
  }
  try {
    const header = Buffer.alloc(100);
    return header.subarray(0, readSync(descriptor, header, 0, 100, 0));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Opens a database or a backup read-only, next to a server that may be writing. Not for a file that this process has
 * open: closing a descriptor of it releases SQLite's locks.
 * @throws DatabaseMismatch if it is missing or not this program's, or has a schema that this program cannot read
 */
export function openForReading(file: string): Sqlite.Database {
  if (!checkFileHeader(file)) throw new DatabaseMismatch(`There is no ${file}.`);
  return openUnchecked(file);
}

/** Opens a database or a backup like `openForReading`, and closes it after `work`. */
export function readFrom<Result>(file: string, work: (client: Sqlite.Database) => Result): Result {
  const client = openForReading(file);
  try {
    return work(client);
  } finally {
    client.close();
  }
}

/**
 * Opens a database read-only without checking its header, for the server's own file. On POSIX,
 * closing any descriptor of a file releases the process's locks on it, SQLite's too; another
 * program would then treat the server's WAL as abandoned and delete it.
 */
export function openUnchecked(file: string): Sqlite.Database {
  const client = new Sqlite(file, {
    nativeBinding: addonFor(file, { isForReading: true }),
    readonly: true,
  });
  client.pragma("trusted_schema = OFF");
  return client;
}
