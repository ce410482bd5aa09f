import type Sqlite from "better-sqlite3";
import { DatabaseMismatch } from "../errors.ts";
import { checkSchema } from "./check-schema.ts";
import { openForReading } from "./open-for-reading.ts";
import { currentSchemaVersion, schemaVersionOf } from "./schema-version.ts";

/**
 * Opens a database or a backup read-only, to copy its rows.
 * @throws DatabaseMismatch if it is missing, or its schema is not the current one
 */
export function openCurrentFile(file: string): Sqlite.Database {
  const client = openForReading(file);
  try {
    checkSchema(client, file);
    const version = schemaVersionOf(client);
    if (version === currentSchemaVersion) return client;
    throw new DatabaseMismatch(
      `${file} has schema version ${version}, this program's is ${currentSchemaVersion}. Start a server on the file once to migrate it.`,
    );
  } catch (error) {
    client.close();
    throw error;
  }
}
