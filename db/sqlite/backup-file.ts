/** Backups. Each is one file, a complete database; the server may be running. */
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type Sqlite from "better-sqlite3";
import { codeOf, DatabaseMismatch, isDamaged } from "../errors.ts";
import { checksumFileOf, unfinishedName } from "./backup-folder.ts";
import { openUnchecked, readFrom } from "./existing-file.ts";

export interface BackupContent {
  requests: number;
  files: number;
  /** Null if no checksum is beside the file; a checksum that does not match is an error. */
  matchesChecksum: true | null;
}

/**
 * Writes a snapshot of a database that may be in use. The file gets its name only when it has been verified and synced.
 * Blocks its thread meanwhile. Callers must check that the database is this program's (see `openUnchecked`).
 * @throws DatabaseMismatch; Error if the file exists
 */
export function makeBackup(databaseFile: string, backupFile: string): BackupContent {
  const unfinished = unfinishedName(backupFile);
  const source = openUnchecked(databaseFile);
  try {
    // SQLite keeps the permissions of an existing empty file.
    closeSync(openSync(unfinished, "wx", 0o600));
    // SQLite's backup API would start again whenever the server writes.
    source.prepare("VACUUM INTO ?").run(unfinished);
    return finishBackup(unfinished, backupFile);
  } finally {
    source.close();
    rmSync(unfinished, { force: true });
  }
}

/**
 * Gives a complete copy its name, once it has been verified and synced, and writes its checksum beside it.
 * @throws DatabaseMismatch; Error if the file exists
 */
export function finishBackup(unfinished: string, backupFile: string): BackupContent {
  const content = verifyBackup(unfinished);
  sync(unfinished);
  const checksumFile = checksumFileOf(backupFile);
  const line = `${sha256Of(unfinished)}  ${path.basename(backupFile)}\n`;
  if (existsSync(backupFile)) {
    throw new Error(`${backupFile} already exists; nothing was overwritten.`);
  }
  renameSync(unfinished, backupFile);
  writeFileSync(checksumFile, line, { mode: 0o600 });
  sync(checksumFile);
  sync(path.dirname(backupFile));
  return { ...content, matchesChecksum: true };
}

/**
 * Checks every page, every foreign key and every byte of every file in a backup; all other content only by the checksum
 * beside it.
 * @throws DatabaseMismatch if the backup is missing, damaged or not this program's, has a trigger, or a schema that
 * this program cannot read
 */
export function verifyBackup(backupFile: string): BackupContent {
  try {
    return readFrom(backupFile, (backup) => {
      const damage = findDamage(backup);
      if (damage) throw new DatabaseMismatch(`${backupFile} is damaged: ${damage}.`);
      const trigger = backup
        .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        .pluck()
        .get();
      // The program creates no triggers, and a trigger could redirect emails after a restore.
      if (trigger !== undefined) {
        throw new DatabaseMismatch(
          `${backupFile} has the trigger ${trigger}, which this program does not create. Drop it if it is yours.`,
        );
      }
      const counts = backup
        .prepare<[], { requests: number; files: number }>(
          "SELECT (SELECT count(*) FROM inbox) AS requests, (SELECT count(*) FROM uploaded_files) AS files",
        )
        .get()!;
      return { ...counts, matchesChecksum: compareChecksum(backupFile) };
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

/**
 * Compares a backup with the checksum beside it.
 * @returns null if there is no checksum
 * @throws DatabaseMismatch if they differ
 */
function compareChecksum(backupFile: string): true | null {
  const checksumFile = checksumFileOf(backupFile);
  if (!existsSync(checksumFile)) return null;
  const [checksum] =
    /^[0-9a-f]{64}\b/.exec(readFileSync(checksumFile, "latin1").toLowerCase()) ?? [];
  if (!checksum) {
    throw new DatabaseMismatch(
      `${checksumFile} has no SHA-256. Delete it to go on without a checksum.`,
    );
  }
  if (checksum === sha256Of(backupFile)) return true;
  throw new DatabaseMismatch(
    `${backupFile} is damaged: it does not match its checksum in ${checksumFile}.`,
  );
}

function sha256Of(file: string): string {
  const hash = createHash("sha256");
  const buffer = Buffer.alloc(1_048_576);
  const descriptor = openSync(file, "r");
  try {
    let bytes: number;
    do {
      bytes = readSync(descriptor, buffer);
      hash.update(buffer.subarray(0, bytes));
    } while (bytes > 0);
  } finally {
    closeSync(descriptor);
  }
  return hash.digest("hex");
}

/** Syncs a file, or a folder after a file in it was renamed, to the disk. */
export function sync(file: string): void {
  const descriptor = openSync(file, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
