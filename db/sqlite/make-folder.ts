import { existsSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Makes a folder and those above it that are missing. Node's own recursive mkdir never ends where the system
 * says that a folder is not there although the one above it is, as it does in /proc.
 * @throws the system's error where it cannot be made, or something else bears its name
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const full = path.resolve(folder);
  try {
    mkdirSync(full, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = path.dirname(full);
    if (code === "ENOENT" && !existsSync(above)) {
      makeFolder(above, mode);
      makeFolder(full, mode);
    } else if (code !== "EEXIST" || !isFolder(full)) throw error;
  }
}

const isFolder = (place: string) => statSync(place, { throwIfNoEntry: false })?.isDirectory();
