import { existsSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Creates a folder and its missing parents. With `recursive: true`, mkdirSync never returns if the system reports
 * ENOENT although the parent exists, as in /proc.
 * @throws the system's error
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const fullPath = path.resolve(folder);
  try {
    mkdirSync(fullPath, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = path.dirname(fullPath);
    if (code === "ENOENT" && !existsSync(parent)) {
      makeFolder(parent, mode);
      makeFolder(fullPath, mode);
    } else if (code !== "EEXIST" || !isFolder(fullPath)) throw error;
  }
}

const isFolder = (file: string) => statSync(file, { throwIfNoEntry: false })?.isDirectory();
