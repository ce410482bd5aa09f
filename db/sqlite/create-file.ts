import { closeSync, openSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { addonFor } from "./addon.ts";
import { applicationId } from "./file-header.ts";
import { currentSchemaVersion, migrations } from "./schema-version.ts";

/**
 * Creates a file with empty tables, for rows that are verified and synced when all are there. The
 * caller closes it.
 */
export function createEmptyFile(file: string): Sqlite.Database {
  closeSync(openSync(file, "wx", 0o600));
  const client = new Sqlite(file, { nativeBinding: addonFor(file) });
  client.pragma("page_size = 8192");
  client.pragma(`application_id = ${applicationId}`);
  client.pragma("journal_mode = MEMORY");
  client.pragma("synchronous = OFF");
  client.pragma("foreign_keys = OFF");
  for (const { statements } of migrations) client.exec(statements);
  client.pragma(`user_version = ${currentSchemaVersion}`);
  return client;
}
