import { chownSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { DatabaseInUse } from "../errors.ts";
import { makeBackup, sync } from "./backup-file.ts";
import { setAsideOccasion } from "./backup-folder.ts";
import { backupName } from "./backup-name.ts";
import { checkFileHeader } from "./file-header.ts";
import { makeFolder } from "./make-folder.ts";
import { lockFor } from "./open.ts";
import { addonFor, expectDatabase } from "./open-for-reading.ts";

/**
 * Holds the data folder against every server while something is done with its database.
 * @throws DatabaseInUse
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
 * Puts a copy of a backup that was found sound in the place of the database, in one step: at every moment there is the old one or
 * the new one, whole. To be called while nobody serves.
 * @returns where the old database lies now; undefined where there was none
 * @throws WrongDatabase where the backup is not sound, DatabaseInUse where another program has the database open
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
    throw new DatabaseInUse(`A server works with ${databaseFile}. Stop it first.`);
  }
}

/** The server's account may read what root has restored. */
function ownLike(model: string, file: string): void {
  const { uid, gid } = statSync(model);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}

/** Gives a database a second name, and takes its log away from under the first: SQLite would apply it to the next file there. */
function setAside(databaseFile: string, aside: string): void {
  foldWal(databaseFile);
  linkSync(databaseFile, aside);
  if (existsSync(`${databaseFile}-wal`)) renameSync(`${databaseFile}-wal`, `${aside}-wal`);
  rmSync(`${databaseFile}-shm`, { force: true });
}

/** Brings the log into a file that is ours and sound; any other is kept as it is, with its log beside it. */
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
