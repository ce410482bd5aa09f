import { existsSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { DatabaseMismatch } from "../errors.ts";
import { nativeBinding } from "./addon.ts";
import { checkFileHeader } from "./file-header.ts";

/**
 * Opens a database or a backup read-only, next to a server that may be writing.
 * @throws DatabaseMismatch if it is missing or not this program's, or has a schema that it cannot read
 */
export function openForReading(file: string): Sqlite.Database {
  expectDatabase(file);
  return openExpected(file);
}

/** @throws DatabaseMismatch if the file is missing or not this program's, or has a schema that it cannot read */
export function expectDatabase(file: string): void {
  if (!existsSync(file)) throw new DatabaseMismatch(`There is no ${file}.`);
  checkFileHeader(file);
}

/**
 * The same without checking the header, for the server's own file. On POSIX, closing any descriptor of a file
 * drops the process's locks on it, SQLite's too; another program would then treat the server's WAL as abandoned
 * and delete it.
 */
export function openExpected(file: string): Sqlite.Database {
  const client = new Sqlite(file, { nativeBinding: addonFor(file), readonly: true });
  client.pragma("trusted_schema = OFF");
  return client;
}

/** The library takes a loaded addon too; its types only know a path. */
export const addonFor = (file: string) => nativeBinding(file) as string | undefined;
