import { existsSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Creates a folder and its missing parents. Node's recursive mkdir never returns where the system reports a folder
 * as missing although its parent exists, as in /proc.
 * @throws the system's error
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

const isFolder = (file: string) => statSync(file, { throwIfNoEntry: false })?.isDirectory();
