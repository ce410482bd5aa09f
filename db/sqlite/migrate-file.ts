import { rmSync } from "node:fs";
import path from "node:path";
import type Sqlite from "better-sqlite3";
import { DatabaseMismatch } from "../errors.ts";
import { makeBackup } from "./backup-file.ts";
import { backupName } from "./backup-name.ts";
import { makeFolder } from "./make-folder.ts";
import { openForReading } from "./open-for-reading.ts";
import { currentSchemaVersion, migrations } from "./schema-version.ts";

/**
 * Brings a file to this program's layout: all that is missing in one transaction, or nothing. What holds
 * data is copied to the folder of backups first, since an older program cannot read the file afterwards.
 * @throws WrongDatabase where a step fails; the file is as it was
 */
export async function migrate(client: Sqlite.Database, backupFolder: string): Promise<void> {
  const schemaVersion = schemaVersionOf(client);
  if (schemaVersion === currentSchemaVersion) return;
  const { name: file } = client;
  const name = backupName(file, new Date(), `before-schema-${currentSchemaVersion}`);
  const copy = path.join(backupFolder, name);
  if (schemaVersion > 0) {
    makeFolder(backupFolder, 0o700);
    await makeBackup(file, copy);
  }
  try {
    client
      .transaction(() => {
        for (const { statements } of migrations.slice(schemaVersion)) client.exec(statements);
        client.pragma(`user_version = ${currentSchemaVersion}`);
      })
      .immediate();
  } catch (error) {
    // Nothing has changed, and every new attempt to start would leave another one.
    rmSync(copy, { force: true });
    throw new DatabaseMismatch(
      `${file} could not be brought from schema version ${schemaVersion} to ${currentSchemaVersion}: ${(error as Error).message}. It is as it was.`,
    );
  }
  client.pragma("wal_checkpoint(TRUNCATE)");
}

export interface SchemaState {
  /** Of the file. */
  schemaVersion: number;
  currentSchemaVersion: number;
  /** Migrations that the next start will apply, in their order. */
  pending: string[];
}

/** @throws WrongDatabase where the file is missing, not ours, or a newer program's */
export async function readSchemaState(file: string): Promise<SchemaState> {
  const client = openForReading(file);
  try {
    const schemaVersion = schemaVersionOf(client);
    return {
      schemaVersion,
      currentSchemaVersion,
      pending: migrations.slice(schemaVersion).map(({ name }) => name),
    };
  } finally {
    client.close();
  }
}

const schemaVersionOf = (client: Sqlite.Database) =>
  client.pragma("user_version", { simple: true }) as number;
