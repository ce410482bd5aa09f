import { closeSync, openSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { addonFor } from "./addon.ts";
import { applicationId } from "./existing-file.ts";

/** Creates a file of this program without tables, for the account alone. The caller closes it. */
export function createFile(file: string): Sqlite.Database {
  // SQLite gives the -wal and -shm files the permissions of the database.
  closeSync(openSync(file, "wx", 0o600));
  const client = new Sqlite(file, { nativeBinding: addonFor(file) });
  // Measured: larger pages make uploads faster, smaller ones make many small posts faster (docs/benchmarks.md).
  client.pragma("page_size = 8192");
  client.pragma(`application_id = ${applicationId}`);
  return client;
}
