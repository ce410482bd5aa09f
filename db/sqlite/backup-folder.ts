/** The folder of scheduled backups, whose file names contain the time, as in 2026-11-21T03-00-00Z. */
import { readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { received, type SentError } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";
import { type BackupContent, unfinishedEnding } from "./backup-file.ts";
import { backupName, timeInName } from "./backup-name.ts";
import { startThread } from "./thread.ts";

export interface Backup {
  file: string;
  takenAt: Date;
}

/** The backups in a folder, newest first. Empty if the folder does not exist. */
export function listBackups(folder: string): Backup[] {
  return namesIn(folder)
    .flatMap((name) => {
      const takenAt = timeInName(name);
      return takenAt ? [{ file: path.join(folder, name), takenAt }] : [];
    })
    .sort((a, b) => b.takenAt.getTime() - a.takenAt.getTime());
}

/**
 * Makes a verified backup, then deletes the backups beyond a number, the databases that restores have set aside
 * and that are older than those, and unfinished backups.
 * @param signal aborts it
 * @throws DatabaseMismatch, Unavailable
 */
export async function addBackup(
  databaseFile: string,
  folder: string,
  keepCount: number,
  now: Date,
  signal: AbortSignal,
): Promise<BackupContent> {
  makeFolder(folder, 0o700);
  for (const name of namesIn(folder)) {
    if (name.endsWith(unfinishedEnding)) rmSync(path.join(folder, name));
  }
  const backupFile = path.join(folder, backupName(databaseFile, now));
  const content = await backupInThread({ databaseFile, backupFile }, signal);
  const all = listBackups(folder);
  for (const { file } of all.slice(keepCount)) rmSync(file);
  for (const { file, takenAt } of listSetAside(databaseFile)) {
    const oldest = all[keepCount - 1];
    if (!oldest || takenAt >= oldest.takenAt) continue;
    rmSync(file);
    rmSync(`${file}-wal`, { force: true });
  }
  return content;
}

/** In the name of a database that a restore has set aside, next to the one that replaced it. */
export const setAsideOccasion = "before-restore";

export interface Copy extends Backup {
  /** When it will be deleted if backups continue; undefined if none are scheduled. */
  expiresAt: Date | undefined;
}

/** Every file next to the database or in the backup folder that it could be restored from. */
export function listCopies(
  databaseFile: string,
  { folder, keepCount, intervalMs }: { folder: string; keepCount: number; intervalMs: number },
  now: Date,
): Copy[] {
  const backups = listBackups(folder);
  const newest = backups[0]?.takenAt ?? now;
  const aging = [...backups, ...listSetAside(databaseFile)].map((copy) => {
    const newer = backups.filter(({ takenAt }) => takenAt > copy.takenAt).length;
    const time = newest.getTime() + Math.max(1, keepCount - newer) * intervalMs;
    return { ...copy, expiresAt: intervalMs === 0 ? undefined : new Date(time) };
  });
  const known = new Set([databaseFile, ...aging.map(({ file }) => file)]);
  const others = [folder, path.dirname(databaseFile)]
    .flatMap((parent) => namesIn(parent).map((name) => path.join(parent, name)))
    .filter((file) => file.endsWith(".db") && !known.has(file))
    .map((file) => ({ file, takenAt: statSync(file).mtime, expiresAt: undefined }));
  return [...aging, ...others];
}

function listSetAside(databaseFile: string): Backup[] {
  const { dir, name } = path.parse(databaseFile);
  const start = path.join(dir, `${name}-${setAsideOccasion}-`);
  return listBackups(dir).filter(({ file }) => file.startsWith(start));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

async function backupInThread(
  files: { databaseFile: string; backupFile: string },
  signal: AbortSignal,
): Promise<BackupContent> {
  const worker = startThread("backup-thread", files);
  const end = () => worker.terminate();
  signal.addEventListener("abort", end, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      worker.once("message", ({ content, error }: { content: BackupContent; error?: SentError }) =>
        error ? reject(received(error)) : resolve(content),
      );
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the backup thread was terminated")));
    });
  } finally {
    signal.removeEventListener("abort", end);
  }
}
