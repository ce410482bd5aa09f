import { chownSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { DatabaseInUse } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";
import { makeBackup, sync } from "./backup-file.ts";
import { setAsideOccasion } from "./backup-folder.ts";
import { backupName } from "./backup-name.ts";
import { checkFileHeader } from "./file-header.ts";
import { lockFor } from "./open.ts";
import { addonFor, expectDatabase } from "./open-for-reading.ts";

/**
 * Runs work on a database while no server can start on it.
 * @throws DatabaseInUse if a server is running
 */
export async function withServerStopped<Result>(
  databaseFile: string,
  work: () => Promise<Result>,
): Promise<Result> {
  makeFolder(path.dirname(databaseFile), 0o700);
  const lock = lockStoppedServer(databaseFile);
  try {
    return await work();
  } finally {
    lock.close();
  }
}

/**
 * Replaces the database by a copy of a verified backup, atomically: at every moment there is either the old file
 * or the new one. Call it inside `withServerStopped`.
 * @returns where the old database is now; undefined if there was none
 * @throws DatabaseMismatch if the backup is damaged, DatabaseInUse if another program has the database open
 */
export async function restore(
  backupFile: string,
  databaseFile: string,
  now: Date,
): Promise<string | undefined> {
  const { dir, name } = path.parse(databaseFile);
  const copy = path.join(dir, `${name}.restoring`);
  expectDatabase(backupFile);
  await makeBackup(backupFile, copy);
  try {
    const hadOne = existsSync(databaseFile);
    ownLike(hadOne ? databaseFile : dir, copy);
    const aside = path.join(dir, backupName(databaseFile, now, setAsideOccasion));
    if (hadOne) setAside(databaseFile, aside);
    renameSync(copy, databaseFile);
    sync(dir);
    return hadOne ? aside : undefined;
  } finally {
    rmSync(copy, { force: true });
  }
}

function lockStoppedServer(databaseFile: string) {
  try {
    return lockFor(databaseFile);
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    throw new DatabaseInUse(`A server is using ${databaseFile}. Stop it first.`);
  }
}

/** If run as root, gives the file to the account that owns the model. */
function ownLike(model: string, file: string): void {
  const { uid, gid } = statSync(model);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}

/** Gives the database a second name, and moves its WAL there: SQLite would apply it to the next file under the first name. */
function setAside(databaseFile: string, aside: string): void {
  foldWal(databaseFile);
  linkSync(databaseFile, aside);
  if (existsSync(`${databaseFile}-wal`)) renameSync(`${databaseFile}-wal`, `${aside}-wal`);
  rmSync(`${databaseFile}-shm`, { force: true });
}

/** Checkpoints the WAL of a sound database of this program. Any other file is left as it is, with its WAL. */
function foldWal(databaseFile: string): void {
  try {
    checkFileHeader(databaseFile);
  } catch {
    return;
  }
  const file = new Sqlite(databaseFile, { nativeBinding: addonFor(databaseFile) });
  try {
    file.pragma("journal_mode = DELETE");
  } catch (error) {
    if (/^SQLITE_(BUSY|LOCKED)/.test((error as { code?: string }).code ?? "")) {
      throw new DatabaseInUse(`Another program has ${databaseFile} open. Close it first.`);
    }
  } finally {
    file.close();
  }
}
