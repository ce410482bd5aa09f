import { closeSync, openSync, readSync, statSync } from "node:fs";
import { AccessDenied, codeOf, DatabaseMismatch } from "../errors.ts";
import { currentSchemaVersion, firstSchemaVersion } from "./schema-version.ts";

/** The `application_id` in the header of every database of this program: "Rubr" in ASCII. */
export const applicationId = 0x52756272;

/**
 * Whether a file exists.
 * @throws AccessDenied if this account may not enter its folder
 */
export function databaseExists(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw accessDenied(file, error);
  }
}

function accessDenied(file: string, error: unknown): unknown {
  if (codeOf(error) !== "EACCES") return error;
  return new AccessDenied(
    `This account may not read ${file} (EACCES). Run the command under the account of the server.`,
  );
}

/**
 * Checks the header of a file, without SQLite, which may change a file by opening it. Migrations
 * end with a checkpoint, so the header's version is up to date. A missing file passes.
 * @throws DatabaseMismatch if it is not this program's, or has a schema that this program cannot
 * read
 */
export function checkFileHeader(file: string): void {
  if (!databaseExists(file)) return;
  const header = readHeader(file);
  if (
    header.length < 100 ||
    header.toString("latin1", 0, 16) !== "SQLite format 3\0" ||
    header.readUInt32BE(68) !== applicationId
  ) {
    throw new DatabaseMismatch(`${file} is not a database of this program. It was not changed.`);
  }
  const version = header.readUInt32BE(60);
  if (version > currentSchemaVersion) {
    throw new DatabaseMismatch(
      `${file} was written by a newer version of this program (schema version ${version}; this one supports up to ${currentSchemaVersion}). It was not changed.`,
    );
  }
  if (version > 0 && version < firstSchemaVersion) {
    throw new DatabaseMismatch(
      `${file} was written by a development build before the first release (schema version ${version}), which this program cannot migrate. It was not changed.`,
    );
  }
}

function readHeader(file: string): Buffer {
  const descriptor = openOrThrow(file);
  try {
    const header = Buffer.alloc(100);
    return header.subarray(0, readSync(descriptor, header, 0, 100, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** @throws AccessDenied if this account may not read the file */
function openOrThrow(file: string): number {
  try {
    return openSync(file, "r");
  } catch (error) {
    throw accessDenied(file, error);
  }
}
