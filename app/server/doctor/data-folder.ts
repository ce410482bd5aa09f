import { accessSync, constants, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import path from "node:path";
import { nearestExisting } from "../config/nearest-folder.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

export function checkDataFolder({ dataDir }: Settings): Finding[] {
  const place = nearestExisting(dataDir);
  if (!statSync(place).isDirectory()) {
    const remedy = `set ${variableOf("DATA_DIR")} to a folder, or move the file away`;
    return [fail("data folder", `${place} is a file`, remedy)];
  }
  try {
    if (place === dataDir) tryWriting(dataDir);
    else accessSync(place, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const remedy =
      code === "ENOSPC"
        ? "make room on its disk"
        : `give it to the account that the program runs under (chown), or set ${variableOf("DATA_DIR")} to another one`;
    return [fail("data folder", `${place} cannot be written: ${code}`, remedy)];
  }
  return place === dataDir
    ? [ok("data folder", dataDir)]
    : [
        warn(
          "data folder",
          `there is no ${dataDir} yet`,
          `nothing, if the program has never run; else set ${variableOf("DATA_DIR")}`,
        ),
      ];
}

/** Below the floor nothing is taken in; a backup needs as much room as the database. */
export async function checkDisk({
  dataDir,
  databaseFile,
  diskFloorMb,
  backups,
}: Settings): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(nearestExisting(dataDir));
  const free = Math.floor((bavail * bsize) / 1_048_576);
  if (free <= diskFloorMb) {
    return [
      fail(
        "disk",
        `${free} MB are free, forms need more than ${diskFloorMb}`,
        `make room, or lower ${variableOf("DISK_FLOOR_MB")}`,
      ),
    ];
  }
  const size = existsSync(databaseFile) ? statSync(databaseFile).size / 1_048_576 : 0;
  if (backups.everyMs > 0 && free <= size + diskFloorMb) {
    return [
      warn(
        "disk",
        `${free} MB are free, a backup needs ${Math.ceil(size + diskFloorMb)}`,
        `make room, or keep fewer backups (${variableOf("BACKUPS_KEPT")})`,
      ),
    ];
  }
  return [ok("disk", `${free} MB are free`)];
}

/** Being allowed to is not enough: the disk may be full or read-only. */
function tryWriting(folder: string): void {
  const file = path.join(folder, `.doctor-${process.pid}`);
  try {
    writeFileSync(file, "?", { flag: "wx", mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}
