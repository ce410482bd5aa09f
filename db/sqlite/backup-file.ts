/** Backups: one file each that can stand in for the database, made while the server runs. */
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import type Sqlite from "better-sqlite3";
import { DatabaseMismatch } from "../errors.ts";
import { openExpected, openForReading } from "./open-for-reading.ts";

/** What was found in a sound backup. */
export interface BackupContent {
  requests: number;
  files: number;
}

/**
 * Writes a backup of a database as it stands at this moment, beside whatever goes on in it. The name is
 * given to it only once it has been verified and lies on the disk. A file of that name is replaced.
 * It takes as long as the disk does and keeps its thread busy. Whose file it is, is not asked here (`openExpected`).
 * @throws WrongDatabase
 */
export async function makeBackup(databaseFile: string, backupFile: string): Promise<BackupContent> {
  const unfinished = `${backupFile}${unfinishedEnding}`;
  const source = openExpected(databaseFile);
  try {
    rmSync(unfinished, { force: true });
    // SQLite keeps the permissions of an empty file that is there.
    closeSync(openSync(unfinished, "a", 0o600));
    // Not SQLite's backup call: that begins anew whenever the server writes.
    source.prepare("VACUUM INTO ?").run(unfinished);
    const content = await verifyBackup(unfinished);
    sync(unfinished);
    renameSync(unfinished, backupFile);
    sync(path.dirname(backupFile));
    return content;
  } finally {
    source.close();
    rmSync(unfinished, { force: true });
  }
}

export const unfinishedEnding = ".unfinished";

/**
 * Looks at every page, every reference and every byte of every file in a backup.
 * @throws WrongDatabase where it is not ours, a newer program's, cut short or changed
 */
export async function verifyBackup(backupFile: string): Promise<BackupContent> {
  const backup = openForReading(backupFile);
  try {
    const fault = faultIn(backup);
    if (fault) throw new DatabaseMismatch(`${backupFile} is damaged: ${fault}.`);
    const count = (table: string) =>
      backup.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
    return {
      requests: count("contact_requests") + count("rubric_requests"),
      files: count("uploaded_files"),
    };
  } catch (error) {
    // "Error" is a table that should be there.
    if (!/^SQLITE_(CORRUPT|NOTADB|ERROR)/.test((error as { code?: string }).code ?? ""))
      throw error;
    throw new DatabaseMismatch(`${backupFile} is damaged: ${(error as Error).message}.`);
  } finally {
    backup.close();
  }
}

function faultIn(backup: Sqlite.Database): string | undefined {
  const found = backup.pragma("integrity_check(1)", { simple: true });
  if (found !== "ok") return String(found).replace(/\s+/g, " ");
  if ((backup.pragma("foreign_key_check") as unknown[]).length > 0)
    return "a reference leads nowhere";
  const files = backup.prepare<[], { id: number; sha256: string; bytes: Buffer | null }>(
    "SELECT id, sha256, bytes FROM uploaded_files LEFT JOIN uploaded_file_bytes ON file_id = id",
  );
  for (const { id, sha256, bytes } of files.iterate()) {
    const isWhole = bytes && createHash("sha256").update(bytes).digest("hex") === sha256;
    if (!isWhole) return `file ${id} is not what was uploaded`;
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
