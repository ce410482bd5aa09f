import { stat, statfs } from "node:fs/promises";
import path from "node:path";

/**
 * Whether the disk of the database has more free space than the minimum.
 * @throws if the database is gone: SQLite would go on writing to the deleted file
 */
export async function hasRoom(databaseFile: string, floorMb: number): Promise<boolean> {
  await stat(databaseFile);
  return hasFreeSpace(path.dirname(databaseFile), floorMb);
}

/** Whether the disk has more free space than the minimum. @throws if the folder is gone */
export async function hasFreeSpace(folder: string, floorMb: number): Promise<boolean> {
  if (floorMb === 0) return true;
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize > floorMb * 1_048_576;
}
