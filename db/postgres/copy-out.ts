/** Copies a PostgreSQL database into a database file: a backup that needs no database server. */
import { rmSync } from "node:fs";
import type { ClientBase } from "pg";
import { type BackupContent, finishBackup } from "../sqlite/backup-file.ts";
import { unfinishedName } from "../sqlite/backup-folder.ts";
import { createFile } from "../sqlite/create-file.ts";
import { insertRows } from "../sqlite/rows.ts";
import { applyMigrations } from "../sqlite/schema-version.ts";
import {
  batchesOf,
  type CopiedTable,
  copiedTables,
  filesTable,
  keyOf,
  type RowSource,
} from "../table-rows.ts";
import type { DatabaseAddress } from "./address.ts";
import { using } from "./hosts.ts";
import { openExistingDatabase } from "./open.ts";
import { postgresRows } from "./rows.ts";

/**
 * Writes one state of the database into a file, and verifies it. Servers may be running.
 * @throws DatabaseMismatch, Unavailable; Error if the file exists
 */
export async function copyIntoFile(
  address: DatabaseAddress,
  backupFile: string,
): Promise<BackupContent> {
  const unfinished = unfinishedName(backupFile);
  const database = await openExistingDatabase(address);
  try {
    await using(await database.connect(), async (client) => {
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      await copy(client, unfinished);
      await client.query("COMMIT");
    });
    return finishBackup(unfinished, backupFile);
  } finally {
    await database.close();
    rmSync(unfinished, { force: true });
  }
}

type DatabaseFile = ReturnType<typeof createFile>;

/** Sets the last key that a table has given, even to a row since deleted; 0 if the table has given no key. */
function setLastKey(target: DatabaseFile, table: string, last: number): void {
  target.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(table);
  if (last === 0) return;
  target.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(table, last);
}

async function copy(client: ClientBase, file: string): Promise<void> {
  const source = postgresRows(client);
  const target = createFile(file);
  try {
    target.pragma("journal_mode = MEMORY");
    target.pragma("synchronous = OFF");
    // Foreign keys are checked by `finishBackup`, when all rows are there.
    target.pragma("foreign_keys = OFF");
    applyMigrations(target);
    for (const table of copiedTables) await copyTable(source, target, table);
  } finally {
    target.close();
  }
}

async function copyTable(source: RowSource, target: DatabaseFile, table: CopiedTable) {
  for await (const rows of batchesOf(source, table)) {
    target.exec("BEGIN");
    insertRows(target, table, rows);
    if (table === filesTable) await copyBytes(source, target, rows.map(keyOf));
    target.exec("COMMIT");
  }
  if (table.hasAutoIncrement) setLastKey(target, table.name, await source.lastKeyGiven(table));
}

async function copyBytes(source: RowSource, target: DatabaseFile, fileIds: number[]) {
  const insert = target.prepare("INSERT INTO uploaded_file_bytes (file_id, bytes) VALUES (?, ?)");
  for (const id of fileIds) insert.run(id, await source.readBytes(id));
}
