/** The folder of scheduled backups. Each has the time it was taken at in its name, as in 2026-11-21T03-00-00Z. */
import { readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { received, type SentError } from "../errors.ts";
import { type BackupContent, makeBackup, unfinishedEnding } from "./backup-file.ts";
import { backupName, timeInName } from "./backup-name.ts";
import { makeFolder } from "./make-folder.ts";
import { startThread } from "./thread.ts";

export interface Backup {
  file: string;
  takenAt: Date;
}

/** Those in a folder, newest first; none where there is no folder. */
export function listBackups(folder: string): Backup[] {
  return namesIn(folder)
    .flatMap((name) => {
      const takenAt = timeInName(name);
      return takenAt ? [{ file: path.join(folder, name), takenAt }] : [];
    })
    .sort((a, b) => b.takenAt.getTime() - a.takenAt.getTime());
}

/**
 * Makes a verified backup, and removes the oldest over a number, what is older still of what restores have
 * put aside, and what was left unfinished.
 * @param signal ends it before its time
 * @throws WrongDatabase, Unavailable
 */
export async function addBackup(
  databaseFile: string,
  folder: string,
  kept: number,
  now: Date,
  signal: AbortSignal,
): Promise<BackupContent> {
  makeFolder(folder, 0o700);
  for (const name of namesIn(folder)) {
    if (name.endsWith(unfinishedEnding)) rmSync(path.join(folder, name));
  }
  const backupFile = path.join(folder, backupName(databaseFile, now));
  const content = import.meta.env.DEV
    ? await makeBackup(databaseFile, backupFile)
    : await inThread({ databaseFile, backupFile }, signal);
  const all = listBackups(folder);
  for (const { file } of all.slice(kept)) rmSync(file);
  for (const { file, takenAt } of listSetAside(databaseFile)) {
    const oldest = all[kept - 1];
    if (!oldest || takenAt >= oldest.takenAt) continue;
    rmSync(file);
    rmSync(`${file}-wal`, { force: true });
  }
  return content;
}

/** What a database was called that a restore has put aside; it lies beside the one that took its place. */
export const setAsideOccasion = "before-restore";

export interface Copy extends Backup {
  /** When it is deleted, if backups go on being made; undefined where none are. */
  expiresAt: Date | undefined;
}

/** Everything that a database may be restored from and that lies with it, those that somebody put there too. */
export function listCopies(
  databaseFile: string,
  { folder, kept, everyMs }: { folder: string; kept: number; everyMs: number },
  now: Date,
): Copy[] {
  const backups = listBackups(folder);
  const newest = backups[0]?.takenAt ?? now;
  const aging = [...backups, ...listSetAside(databaseFile)].map((copy) => {
    const newer = backups.filter(({ takenAt }) => takenAt > copy.takenAt).length;
    const time = newest.getTime() + Math.max(1, kept - newer) * everyMs;
    return { ...copy, expiresAt: everyMs === 0 ? undefined : new Date(time) };
  });
  const known = new Set([databaseFile, ...aging.map(({ file }) => file)]);
  const others = [folder, path.dirname(databaseFile)]
    .flatMap((place) => namesIn(place).map((name) => path.join(place, name)))
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

async function inThread(
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
      worker.once("exit", () => reject(new Error("the backup's thread was ended")));
    });
  } finally {
    signal.removeEventListener("abort", end);
  }
}
