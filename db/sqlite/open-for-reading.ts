import { existsSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { DatabaseMismatch } from "../errors.ts";
import { nativeBinding } from "./addon.ts";
import { checkFileHeader } from "./file-header.ts";

/**
 * Opens a database or a backup read-only, next to a server that may be writing.
 * @throws DatabaseMismatch if it is missing or not this program's, or has a schema that it cannot
 * read
 */
export function openForReading(file: string): Sqlite.Database {
  checkDatabaseFile(file);
  return openUnchecked(file);
}

/**
 * @throws DatabaseMismatch if the file is missing or not this program's, or has a schema that it
 * cannot read
 */
export function checkDatabaseFile(file: string): void {
  if (!existsSync(file)) throw new DatabaseMismatch(`There is no ${file}.`);
  checkFileHeader(file);
}

/**
 * Opens a database read-only without checking its header, for the server's own file. On POSIX,
 * closing any descriptor of a file releases the process's locks on it, SQLite's too; another
 * program would then treat the server's WAL as abandoned and delete it.
 */
export function openUnchecked(file: string): Sqlite.Database {
  const client = new Sqlite(file, { nativeBinding: addonFor(file), readonly: true });
  client.pragma("trusted_schema = OFF");
  return client;
}

/** better-sqlite3 also accepts a loaded addon, but its types allow only a path. */
export const addonFor = (file: string) => nativeBinding(file) as string | undefined;
