import { existsSync, linkSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { DatabaseInUse, isLocked } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";
import { addonFor } from "./addon.ts";
import { makeBackup, sync } from "./backup-file.ts";
import { checksumFileOf, setAsideOccasion, unusedBackupFile } from "./backup-folder.ts";
import { checkFileHeader } from "./existing-file.ts";
import { lockFor } from "./open.ts";

/**
 * Runs `work` with the server's lock taken, so that no server can start on the database. Creates the data folder.
 * @throws DatabaseInUse if a server is running
 */
export async function withServerLock<Result>(
  databaseFile: string,
  work: () => Promise<Result>,
): Promise<Result> {
  makeFolder(path.dirname(databaseFile), 0o700);
  const lock = lockFor(databaseFile);
  try {
    return await work();
  } finally {
    lock.close();
  }
}

/**
 * Replaces the database atomically with a verified copy of a backup. Call it inside `withServerLock`.
 * @returns the file to which the old database or, without it, its WAL was moved; undefined if there was neither
 * @param backupFile a database of this program, as `verifyBackup` checks
 * @throws DatabaseMismatch if the backup is damaged, DatabaseInUse if another program has the database open
 */
export function restore(backupFile: string, databaseFile: string, now: Date): string | undefined {
  const { dir, name } = path.parse(databaseFile);
  const copy = path.join(dir, `${name}.restoring`);
  // These files were left by a restore that was killed.
  for (const leftover of readdirSync(dir)) {
    if (leftover.startsWith(path.basename(copy))) rmSync(path.join(dir, leftover));
  }
  makeBackup(backupFile, copy);
  rmSync(checksumFileOf(copy));
  try {
    recordRestore(copy, now);
    const asideName = { folder: dir, databaseFile, takenAt: now, occasion: setAsideOccasion };
    const aside = unusedBackupFile(asideName);
    setAside(databaseFile, aside);
    renameSync(copy, databaseFile);
    sync(dir);
    return [aside, `${aside}-wal`].find((file) => existsSync(file));
  } finally {
    rmSync(copy, { force: true });
  }
}

/** Records the restore in the audit table, by columns that every accepted schema version has. */
function recordRestore(file: string, now: Date): void {
  const client = new Sqlite(file, { nativeBinding: addonFor(file) });
  try {
    client
      .prepare("INSERT INTO audit (created_at, action) VALUES (?, 'backup restored')")
      .run(now.toISOString());
  } finally {
    client.close();
  }
}

/**
 * Gives the database a second name, and moves its WAL to that name. If the WAL stayed, even without the old database,
 * SQLite would apply it to the restored database and damage that.
 */
function setAside(databaseFile: string, aside: string): void {
  if (existsSync(databaseFile)) {
    checkpointIfIntact(databaseFile);
    linkSync(databaseFile, aside);
  }
  if (existsSync(`${databaseFile}-wal`)) renameSync(`${databaseFile}-wal`, `${aside}-wal`);
  rmSync(`${databaseFile}-shm`, { force: true });
}

/** Checkpoints the WAL of an intact database of this program. Leaves any other file unchanged. */
function checkpointIfIntact(databaseFile: string): void {
  try {
    checkFileHeader(databaseFile);
  } catch {
    return;
  }
  const file = new Sqlite(databaseFile, { nativeBinding: addonFor(databaseFile) });
  try {
    file.pragma("journal_mode = DELETE");
  } catch (error) {
    if (isLocked(error)) {
      throw new DatabaseInUse(`Another program has ${databaseFile} open. Close it first.`);
    }
  } finally {
    file.close();
  }
}
