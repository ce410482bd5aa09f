import type Sqlite from "better-sqlite3";
import type { SchemaState } from "../engine.ts";
import { DatabaseMismatch } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";
import { makeBackup } from "./backup-file.ts";
import { removeBackup, unusedBackupFile } from "./backup-folder.ts";
import { readFrom } from "./existing-file.ts";
import {
  applyMigrations,
  currentSchemaVersion,
  migrationsAfter,
  schemaVersionOf,
} from "./schema-version.ts";

/**
 * Migrates a file to the current schema in one transaction. An existing database is first copied
 * into the backup folder, because an older version of the program cannot read it afterwards.
 * @returns a sentence for the log; undefined for a file that was empty or is up to date
 * @throws DatabaseMismatch if a migration fails; the file is unchanged
 */
export function migrate(client: Sqlite.Database, backupFolder: string): string | undefined {
  const version = schemaVersionOf(client);
  if (version === currentSchemaVersion) return undefined;
  const { name: file } = client;
  const backup = {
    folder: backupFolder,
    databaseFile: file,
    takenAt: new Date(),
    occasion: `before-schema-${currentSchemaVersion}`,
  };
  const copy = version > 0 && unusedBackupFile(backup);
  if (copy) {
    makeFolder(backupFolder, 0o700);
    makeBackup(file, copy);
  }
  try {
    client.transaction(() => applyMigrations(client)).immediate();
  } catch (error) {
    // The file is unchanged, so its copy is deleted; otherwise every attempt would leave another one.
    if (copy) removeBackup(copy);
    throw new DatabaseMismatch(
      `${file} could not be migrated from schema version ${version} to ${currentSchemaVersion}: ${(error as Error).message}. It was not changed.`,
    );
  }
  client.pragma("wal_checkpoint(TRUNCATE)");
  if (!copy) return undefined;
  return `migrated the database from schema version ${version} to ${currentSchemaVersion}; the copy of it is ${copy}`;
}

/**
 * Reads the schema version of a file and the migrations that it lacks.
 * @throws DatabaseMismatch if the file is missing or not this program's, or has a schema that the program cannot read
 */
export function readSchemaState(file: string): SchemaState {
  const schemaVersion = readFrom(file, schemaVersionOf);
  const pending = migrationsAfter(schemaVersion).map(({ name }) => name);
  return { schemaVersion, currentSchemaVersion, pending };
}
