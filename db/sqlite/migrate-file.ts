import { rmSync } from "node:fs";
import path from "node:path";
import type Sqlite from "better-sqlite3";
import { DatabaseMismatch } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";
import { makeBackup } from "./backup-file.ts";
import { backupName } from "./backup-name.ts";
import { openForReading } from "./open-for-reading.ts";
import { currentSchemaVersion, migrationsAfter } from "./schema-version.ts";

/**
 * Migrates a file to the current schema: all missing steps in one transaction, or none. A file with data is
 * copied into the backup folder first, because an older program cannot read it afterwards.
 * @throws DatabaseMismatch if a step fails; the file is unchanged
 */
export async function migrate(client: Sqlite.Database, backupFolder: string): Promise<void> {
  const version = versionOf(client);
  if (version === currentSchemaVersion) return;
  const { name: file } = client;
  const name = backupName(file, new Date(), `before-schema-${currentSchemaVersion}`);
  const copy = path.join(backupFolder, name);
  if (version > 0) {
    makeFolder(backupFolder, 0o700);
    await makeBackup(file, copy);
  }
  try {
    client
      .transaction(() => {
        for (const { statements } of migrationsAfter(version)) client.exec(statements);
        client.pragma(`user_version = ${currentSchemaVersion}`);
      })
      .immediate();
  } catch (error) {
    // The file is unchanged, and every further attempt would leave another copy.
    rmSync(copy, { force: true });
    throw new DatabaseMismatch(
      `${file} could not be migrated from schema version ${version} to ${currentSchemaVersion}: ${(error as Error).message}. It was not changed.`,
    );
  }
  client.pragma("wal_checkpoint(TRUNCATE)");
}

export interface SchemaState {
  /** The file's. */
  schemaVersion: number;
  /** The program's. */
  currentSchemaVersion: number;
  /** Names of the migrations that the next start will apply, in order. */
  pending: string[];
}

/** @throws DatabaseMismatch if the file is missing or not this program's, or has a schema that it cannot read */
export async function readSchemaState(file: string): Promise<SchemaState> {
  const client = openForReading(file);
  try {
    const schemaVersion = versionOf(client);
    const pending = migrationsAfter(schemaVersion).map(({ name }) => name);
    return { schemaVersion, currentSchemaVersion, pending };
  } finally {
    client.close();
  }
}

const versionOf = (client: Sqlite.Database) =>
  client.pragma("user_version", { simple: true }) as number;
