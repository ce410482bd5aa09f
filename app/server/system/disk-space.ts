import { stat, statfs } from "node:fs/promises";
import path from "node:path";

/** With less free space, posts of forms are rejected. A backup needs as much in addition to its own size. */
export const minFreeMb = 100;

/**
 * Whether the disk of the database has more free space than the minimum.
 * @throws if the database is gone: SQLite would go on writing to the deleted file
 */
export async function hasRoom(databaseFile: string): Promise<boolean> {
  await stat(databaseFile);
  return hasFreeSpace(path.dirname(databaseFile), minFreeMb);
}

/** Whether a folder's disk has more than `megabytes` of free space. @throws if the folder is gone */
export async function hasFreeSpace(folder: string, megabytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize > megabytes * 1_048_576;
}
