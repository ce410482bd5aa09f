import { existsSync } from "node:fs";
import path from "node:path";

/**
 * Returns the file name of a backup, which contains the time.
 * @param occasion for a backup that was not scheduled, as in before-restore
 */
export function backupName(databaseFile: string, takenAt: Date, occasion?: string): string {
  const time = takenAt
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(":", "-");
  return `${[path.basename(databaseFile, ".db"), occasion, time].filter(Boolean).join("-")}.db`;
}

/** Returns a file for a backup; if the second is taken, with the next one that is free. */
export function unusedBackupFile(
  folder: string,
  databaseFile: string,
  takenAt: Date,
  occasion: string,
): string {
  const file = path.join(folder, backupName(databaseFile, takenAt, occasion));
  const nextSecond = new Date(takenAt.getTime() + 1000);
  return existsSync(file) ? unusedBackupFile(folder, databaseFile, nextSecond, occasion) : file;
}

export const unfinishedSuffix = ".unfinished";

/** Whether a name is that of a backup with a time in its name that was being written. */
export function isUnfinishedBackup(name: string): boolean {
  const [finished] = /^.*Z\.db(?=\.)/.exec(name) ?? [];
  return name.endsWith(unfinishedSuffix) && timeInName(finished ?? "") !== undefined;
}

/** Returns the time in the name of a backup; undefined for any other name. */
export function timeInName(name: string): Date | undefined {
  const time = /-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db$/.exec(name);
  if (!time) return undefined;
  const [, day, hours, minutes, seconds] = time;
  return new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
}
