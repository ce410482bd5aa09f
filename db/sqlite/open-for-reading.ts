import Sqlite from "better-sqlite3";
import { DatabaseMismatch } from "../errors.ts";
import { addonFor } from "./addon.ts";
import { checkSchema } from "./check-schema.ts";
import { checkFileHeader, databaseExists } from "./file-header.ts";
import { currentSchemaVersion, schemaVersionOf } from "./schema-version.ts";

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

/**
 * @throws DatabaseMismatch if the file is missing or not this program's, or has a schema that it
 * cannot read
 */
export function checkDatabaseFile(file: string): void {
  if (!databaseExists(file)) throw new DatabaseMismatch(`There is no ${file}.`);
  checkFileHeader(file);
}

/**
 * Opens a database read-only without checking its header, for the server's own file. On POSIX,
 * closing any descriptor of a file releases the process's locks on it, SQLite's too; another
 * program would then treat the server's WAL as abandoned and delete it.
 */
export function openUnchecked(file: string): Sqlite.Database {
  const client = new Sqlite(file, { nativeBinding: addonFor(file, true), readonly: true });
  client.pragma("trusted_schema = OFF");
  return client;
}
