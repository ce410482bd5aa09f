import { accessSync, constants, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import path from "node:path";
import { nearestExisting } from "../config/nearest-folder.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { minFreeMb } from "../disk-space.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

export function checkDataFolder({ dataDir }: Settings): Finding[] {
  const folder = nearestExisting(dataDir);
  if (!statSync(folder).isDirectory()) {
    const remedy = `set ${variableOf("DATA_DIR")} to a folder, or move the file away`;
    return [fail("data folder", `${folder} is a file`, remedy)];
  }
  try {
    if (folder === dataDir) tryWriting(dataDir);
    else accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const remedy =
      code === "ENOSPC"
        ? "free some space on its disk"
        : `give it to the account that the program runs under (chown), or set ${variableOf("DATA_DIR")} to another folder`;
    return [fail("data folder", `${folder} cannot be written: ${code}`, remedy)];
  }
  return folder === dataDir
    ? [ok("data folder", dataDir)]
    : [
        warn(
          "data folder",
          `${dataDir} does not exist yet`,
          `nothing if the server has never run; otherwise set ${variableOf("DATA_DIR")}`,
        ),
      ];
}

/** Checks that the server can write into the drop folder, if one is set. */
export function checkDropFolder({ dropFolder }: Settings): Finding[] {
  if (dropFolder === undefined) return [];
  try {
    tryWriting(dropFolder);
    return [ok("drop folder", dropFolder)];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const remedy =
      "give it to the account that the program runs under (chown), and allow it in the unit (ReadWritePaths)";
    return [fail("drop folder", `${dropFolder} cannot be written: ${code}`, remedy)];
  }
}

/**
 * Checks that the disk has space for posts, and for a backup, which is as large as the database.
 */
export async function checkDisk({ dataDir, databaseFile, backups }: Settings): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(nearestExisting(dataDir));
  const free = Math.floor((bavail * bsize) / 1_048_576);
  if (free <= minFreeMb) {
    return [
      fail("disk", `${free} MB free; forms need more than ${minFreeMb} MB`, "free some space"),
    ];
  }
  const size = existsSync(databaseFile) ? statSync(databaseFile).size / 1_048_576 : 0;
  if (backups.intervalMs > 0 && free <= size + minFreeMb) {
    return [
      warn(
        "disk",
        `${free} MB free; a backup needs ${Math.ceil(size + minFreeMb)} MB`,
        `free some space, or keep fewer backups (${variableOf("BACKUPS_KEPT")})`,
      ),
    ];
  }
  return [ok("disk", `${free} MB free`)];
}

/** Writes a file: checking permissions is not enough, because the disk may be full or read-only. */
function tryWriting(folder: string): void {
  const file = path.join(folder, `.doctor-${process.pid}`);
  try {
    writeFileSync(file, "?", { flag: "wx", mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}
