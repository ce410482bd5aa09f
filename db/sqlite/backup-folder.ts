/** The folder of scheduled backups, whose file names contain the time, as in 2026-11-21T03-00-00Z. */
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { codeOf, received, type SentError } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";
import type { BackupContent } from "./backup-file.ts";
import { startSqliteThread } from "./start-thread.ts";

interface Backup {
  file: string;
  takenAt: Date;
}

interface BackupName {
  folder: string;
  databaseFile: string;
  takenAt: Date;
  /** Part of the file name, such as before-restore; undefined for a scheduled backup. */
  occasion: string | undefined;
}

/** Returns an unused path for a backup, named by its time, or by the first later second whose name is free. */
export function unusedBackupFile(backup: BackupName): string {
  const { folder, databaseFile, takenAt, occasion } = backup;
  const time = takenAt.toISOString().replace(/\.\d+Z$/, "Z");
  const name = [path.basename(databaseFile, ".db"), occasion, time.replaceAll(":", "-")];
  const file = path.join(folder, `${name.filter(Boolean).join("-")}.db`);
  if (!existsSync(file)) return file;
  return unusedBackupFile({ ...backup, takenAt: new Date(takenAt.getTime() + 1000) });
}

const timeInName = /-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db$/;
/** The beginning of the name of a folder beside the database, in which `backup -` makes its copy. */
export const printedBackupPrefix = "printed-backup-";

/** Matches the name of a scheduled backup that was being written. */
const unfinishedInName = /-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db\..*unfinished$/;

/** Returns a new path, different at each call, for a backup that is being written. */
export const unfinishedName = (backupFile: string) => `${backupFile}.${randomUUID()}.unfinished`;

/** The file beside a backup with its SHA-256, in the format of sha256sum. */
export const checksumFileOf = (backupFile: string) => `${backupFile}.sha256`;

export function removeBackup(backupFile: string): void {
  for (const file of [backupFile, checksumFileOf(backupFile)]) rmSync(file, { force: true });
}

/** The files in a folder whose names end like those of backups, newest first. Empty if the folder does not exist. */
export function listBackups(folder: string): Backup[] {
  return namesIn(folder)
    .flatMap((name) => {
      const [, day, hours, minutes, seconds] = timeInName.exec(name) ?? [];
      const takenAt = new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
      return Number.isNaN(takenAt.getTime()) ? [] : [{ file: path.join(folder, name), takenAt }];
    })
    .sort((a, b) => b.takenAt.getTime() - a.takenAt.getTime());
}

/** The newest backup up to `now`; undefined if there is none. A backup with a later time is from a wrong clock. */
export const newestBackup = (folder: string, now: Date): Backup | undefined =>
  listBackups(folder).find(({ takenAt }) => takenAt <= now);

interface NewBackup {
  folder: string;
  keepCount: number;
  now: Date;
  /** Part of the file name; undefined for a scheduled backup. */
  occasion: string | undefined;
  signal: AbortSignal;
}

/**
 * Makes a verified backup, then deletes all but the newest `keepCount` backups, and databases set aside by a restore
 * that are older than these. First deletes what an earlier server has not finished: all unfinished files with the name
 * of a scheduled backup, even one that a command is writing.
 * @throws DatabaseMismatch, Unavailable; Error if `signal` aborts the backup
 */
export async function addBackup(
  databaseFile: string,
  { folder, keepCount, now, occasion, signal }: NewBackup,
): Promise<BackupContent> {
  makeFolder(folder, 0o700);
  for (const name of namesIn(folder)) {
    if (unfinishedInName.test(name)) rmSync(path.join(folder, name));
  }
  const backupFile = unusedBackupFile({ folder, databaseFile, takenAt: now, occasion });
  const content = await backupInThread({ databaseFile, backupFile }, signal);
  deleteOld(databaseFile, { folder, keepCount, now });
  return content;
}

function deleteOld(
  databaseFile: string,
  { folder, keepCount, now }: Pick<NewBackup, "folder" | "keepCount" | "now">,
): void {
  const made = listBackups(folder);
  // Names with a later time come from a wrong clock. Those backups are deleted first, and not the backup just made.
  const isLater = ({ takenAt }: Backup) => takenAt > now;
  const all = [...made.filter((one) => !isLater(one)), ...made.filter(isLater)];
  for (const { file } of all.slice(keepCount)) removeBackup(file);
  const oldest = all[keepCount - 1];
  // If the oldest backup has a wrong, later time, every database set aside would count as older and be deleted.
  if (!oldest || isLater(oldest)) return;
  for (const { file, takenAt } of listSetAside(databaseFile)) {
    if (takenAt >= oldest.takenAt) continue;
    rmSync(file);
    rmSync(`${file}-wal`, { force: true });
  }
}

/** Part of the name of a database that a restore has set aside, next to its replacement. */
export const setAsideOccasion = "before-restore";

export interface DatabaseCopy extends Backup {
  /** When the copy is deleted if backups continue as scheduled; undefined if it stays. */
  expiresAt: Date | undefined;
}

/**
 * Lists the backups, the databases set aside, and other data in their folders: .db files, unfinished copies, and WALs
 * without a database.
 */
export function listCopies(
  databaseFile: string,
  { folder, keepCount, intervalMs }: { folder: string; keepCount: number; intervalMs: number },
  now: Date,
): DatabaseCopy[] {
  const backups = listBackups(folder);
  const newest = newestBackup(folder, now)?.takenAt ?? now;
  // A backup with a later time is from a wrong clock, and is deleted first, like the oldest.
  const timeOf = ({ takenAt }: Backup) => (takenAt > now ? 0 : takenAt.getTime());
  const expiring = [...backups, ...listSetAside(databaseFile)].map((copy) => {
    const newer = backups.filter((one) => timeOf(one) > timeOf(copy)).length;
    const time = newest.getTime() + Math.max(1, keepCount - newer) * intervalMs;
    return { ...copy, expiresAt: intervalMs === 0 ? undefined : new Date(time) };
  });
  const known = new Set([databaseFile, ...expiring.map(({ file }) => file)]);
  const dataFolder = path.dirname(databaseFile);
  // `backup -` leaves such a folder behind if it is killed while it copies.
  const printed = namesIn(dataFolder).filter((name) => name.startsWith(printedBackupPrefix));
  const folders = [folder, dataFolder, ...printed.map((name) => path.join(dataFolder, name))];
  const others = folders.flatMap(dataFilesIn).filter(({ file }) => !known.has(file));
  return [...expiring, ...others.map((copy) => ({ ...copy, expiresAt: undefined }))];
}

function dataFilesIn(folder: string): Backup[] {
  const files = namesIn(folder).map((name) => path.join(folder, name));
  return files.filter(hasDatabaseName).flatMap((file) => {
    // A symbolic link may point to a file that is gone.
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? [{ file, takenAt: found.mtime }] : [];
  });
}

/** Whether a file is a database, a backup or restore that is being written, or the WAL of a database that is gone. */
const hasDatabaseName = (file: string) =>
  /\.(db|unfinished|restoring)$/.test(file) ||
  (file.endsWith(".db-wal") && !existsSync(file.slice(0, -"-wal".length)));

function listSetAside(databaseFile: string): Backup[] {
  const { dir, name } = path.parse(databaseFile);
  const start = path.join(dir, `${name}-${setAsideOccasion}-`);
  return listBackups(dir).filter(({ file }) => file.startsWith(start));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

async function backupInThread(
  files: { databaseFile: string; backupFile: string },
  signal: AbortSignal,
): Promise<BackupContent> {
  const worker = startSqliteThread("backup-thread", files);
  const end = () => worker.terminate();
  signal.addEventListener("abort", end, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      worker.once("message", (message: { content: BackupContent } | { error: SentError }) =>
        "error" in message ? reject(received(message.error)) : resolve(message.content),
      );
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the backup thread was terminated")));
    });
  } finally {
    signal.removeEventListener("abort", end);
  }
}
