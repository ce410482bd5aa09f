import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isMainThread, workerData } from "node:worker_threads";
import { makeFolder } from "../make-folder.ts";

interface Loaded {
  addon: object;
  file: string;
}

let loaded: Loaded | undefined;

/**
 * The native part of better-sqlite3. Undefined when run from source, where the library finds its own. In the
 * executable it is inside the snapshot, from which the system cannot load it, so it is written to `.native` next
 * to the database, or to a temporary folder if that is impossible or there is no database.
 */
export function nativeBinding(databaseFile?: string): object | undefined {
  return find(databaseFile)?.addon;
}

/**
 * The file it was loaded from. Threads must load the same file: two copies of SQLite in one process do not see
 * each other's locks and corrupt each other's work.
 */
export function addonFile(databaseFile: string): string | undefined {
  return find(databaseFile)?.file;
}

function find(databaseFile: string | undefined): Loaded | undefined {
  const packaged = path.join(import.meta.dirname, "better_sqlite3.node");
  if (!existsSync(packaged)) return undefined;
  loaded ??= isMainThread
    ? loadOutsideSnapshot(readFileSync(packaged), databaseFile)
    : load(workerData.addonFile);
  return loaded;
}

function loadOutsideSnapshot(addon: Buffer, databaseFile: string | undefined): Loaded {
  let reason: unknown;
  try {
    if (databaseFile) return writeAndLoad(addon, path.join(path.dirname(databaseFile), ".native"));
  } catch (error) {
    reason = error;
  }
  const folder = mkdtempSync(path.join(tmpdir(), "native-"));
  // Kept until exit: threads that start later load it from here.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  try {
    return writeAndLoad(addon, folder);
  } catch (error) {
    const { message } = (reason ?? error) as Error;
    throw new Error(`SQLite's native part could not be loaded: ${message}`);
  }
}

function writeAndLoad(addon: Buffer, folder: string): Loaded {
  const file = path.join(folder, "better_sqlite3.node");
  makeFolder(folder, 0o700);
  if (!existsSync(file) || !readFileSync(file).equals(addon)) {
    // Renamed into place, because another process may have the old file loaded.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, addon, { mode: 0o700 });
    renameSync(unfinished, file);
  }
  return load(file);
}

function load(file: string): Loaded {
  const holder = { exports: {} };
  process.dlopen(holder, file);
  return { addon: holder.exports, file };
}
