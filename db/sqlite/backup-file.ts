/** Backups. Each is one file, a complete database; the server may be running. */
import { createHash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import type Sqlite from "better-sqlite3";
import { codeOf, DatabaseMismatch, isDamaged } from "../errors.ts";
import { unfinishedName } from "./backup-folder.ts";
import { openUnchecked, readFrom } from "./existing-file.ts";

/** The contents of a verified backup. */
export interface BackupContent {
  requests: number;
  files: number;
}

/**
 * Writes a snapshot of a database that may be in use. The file gets its name only when it has been
 * verified and synced. Blocks its thread meanwhile. Callers must check that the database is this
 * program's (see `openUnchecked`).
 * @throws DatabaseMismatch; Error if the file exists
 */
export function makeBackup(databaseFile: string, backupFile: string): BackupContent {
  const unfinished = unfinishedName(backupFile);
  const source = openUnchecked(databaseFile);
  try {
    // SQLite keeps the permissions of an existing empty file.
    closeSync(openSync(unfinished, "wx", 0o600));
    // Not SQLite's backup API, which starts again whenever the server writes.
    source.prepare("VACUUM INTO ?").run(unfinished);
    return finishBackup(unfinished, backupFile);
  } finally {
    source.close();
    rmSync(unfinished, { force: true });
  }
}

/**
 * Gives a complete copy its name, once it has been verified and synced.
 * @throws DatabaseMismatch; Error if the file exists
 */
export function finishBackup(unfinished: string, backupFile: string): BackupContent {
  const content = verifyBackup(unfinished);
  sync(unfinished);
  if (existsSync(backupFile))
    throw new Error(`${backupFile} already exists; nothing was overwritten.`);
  renameSync(unfinished, backupFile);
  sync(path.dirname(backupFile));
  return content;
}

/**
 * Checks every page, every foreign key and every byte of every file in a backup.
 * @throws DatabaseMismatch if it is not this program's, or is truncated or damaged
 */
export function verifyBackup(backupFile: string): BackupContent {
  try {
    return readFrom(backupFile, (backup) => {
      const damage = findDamage(backup);
      if (damage) throw new DatabaseMismatch(`${backupFile} is damaged: ${damage}.`);
      return backup
        .prepare<[], BackupContent>(
          "SELECT (SELECT count(*) FROM inbox) AS requests, (SELECT count(*) FROM uploaded_files) AS files",
        )
        .get()!;
    });
  } catch (error) {
    const isMissingTable = codeOf(error) === "SQLITE_ERROR";
    if (!isDamaged(error) && !isMissingTable) throw error;
    throw new DatabaseMismatch(`${backupFile} is damaged: ${(error as Error).message}.`);
  }
}

/** Describes the first error found in a backup; undefined if it is intact. */
function findDamage(backup: Sqlite.Database): string | undefined {
  const found = backup.pragma("integrity_check(1)", { simple: true });
  if (found !== "ok") return String(found).replace(/\s+/g, " ");
  if ((backup.pragma("foreign_key_check") as unknown[]).length > 0)
    return "a foreign key has no target";
  const files = backup.prepare<[], { id: number; sha256: string; bytes: Buffer | null }>(
    "SELECT id, sha256, bytes FROM uploaded_files LEFT JOIN uploaded_file_bytes ON file_id = id",
  );
  for (const { id, sha256, bytes } of files.iterate()) {
    const isWhole = bytes && createHash("sha256").update(bytes).digest("hex") === sha256;
    if (!isWhole) return `file ${id} does not match its checksum`;
  }
  return undefined;
}

export function sync(file: string): void {
  const descriptor = openSync(file, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
