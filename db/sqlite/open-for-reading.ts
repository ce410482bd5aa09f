import { existsSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { DatabaseMismatch } from "../errors.ts";
import { nativeBinding } from "./addon.ts";
import { checkFileHeader } from "./file-header.ts";

/**
 * Opens a database or a backup for reading alone, beside whoever writes.
 * @throws WrongDatabase where it is missing, not ours, or a newer program's
 */
export function openForReading(file: string): Sqlite.Database {
  expectDatabase(file);
  return openExpected(file);
}

/** @throws WrongDatabase where it is missing, not ours, or a newer program's */
export function expectDatabase(file: string): void {
  if (!existsSync(file)) throw new DatabaseMismatch(`There is no ${file}.`);
  checkFileHeader(file);
}

/**
 * The same for a file that was judged before, as a server must open its own: to look at the header is to open and
 * close the file, and whoever closes a file takes all locks of the process on it away (POSIX), SQLite's too.
 * Another program then takes the server's log for left behind, and deletes it.
 */
export function openExpected(file: string): Sqlite.Database {
  const client = new Sqlite(file, { nativeBinding: addonFor(file), readonly: true });
  client.pragma("trusted_schema = OFF");
  return client;
}

/** The types know a path only; the library also takes the loaded addon. */
export const addonFor = (file: string) => nativeBinding(file) as string | undefined;
