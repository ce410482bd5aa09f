import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isMainThread, workerData } from "node:worker_threads";
import { DatabaseMismatch } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";

interface Loaded {
  addon: object;
  file: string;
}

let loaded: Loaded | undefined;

/**
 * Returns the native addon for the database in a file, see `nativeBinding`.
 * @throws DatabaseMismatch if root would use another account's folder
 */
export function addonFor(databaseFile: string): string | undefined {
  checkOwner(databaseFile);
  return nativeBinding(databaseFile);
}

/**
 * Returns the native addon of better-sqlite3; undefined when run from source, because the library
 * then finds its own. The system cannot load an addon from inside the executable, so it is first
 * written to `.native` next to the database, or else to a temporary folder.
 */
export function nativeBinding(databaseFile?: string): string | undefined {
  // better-sqlite3 also accepts a loaded addon, but its types allow only a path.
  return find(databaseFile)?.addon as string | undefined;
}

/**
 * Returns the file that the addon was loaded from. Threads must load the same file: two copies of
 * SQLite in one process do not see each other's locks, and corrupt the database.
 */
export function addonFile(databaseFile: string): string | undefined {
  return find(databaseFile)?.file;
}

/**
 * Root must not work in a folder of another account: that account could hand it another addon, or
 * a link to a file that it would overwrite, and could not use the files that root creates.
 */
function checkOwner(file: string): void {
  const folder = path.dirname(path.resolve(file));
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid ?? 0;
  if (process.getuid?.() !== 0 || owner === 0) return;
  throw new DatabaseMismatch(
    `${folder} belongs to another account (uid ${owner}). Run the command under that account, not as root.`,
  );
}

function find(databaseFile: string | undefined): Loaded | undefined {
  const packaged = path.join(import.meta.dirname, "better_sqlite3.node");
  if (!existsSync(packaged)) return undefined;
  loaded ??= isMainThread
    ? extractAndLoad(readFileSync(packaged), databaseFile)
    : load(workerData.addonFile);
  return loaded;
}

function extractAndLoad(addon: Buffer, databaseFile: string | undefined): Loaded {
  let reason: unknown;
  try {
    if (databaseFile) return writeAndLoad(addon, path.join(path.dirname(databaseFile), ".native"));
  } catch (error) {
    reason = error;
  }
  const folder = mkdtempSync(path.join(tmpdir(), "native-"));
  // Deleted only at exit, because threads that start later load it from here.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  try {
    return writeAndLoad(addon, folder);
  } catch (error) {
    const { message } = (reason ?? error) as Error;
    throw new Error(`The native addon of SQLite could not be loaded: ${message}`);
  }
}

function writeAndLoad(addon: Buffer, folder: string): Loaded {
  const file = path.join(folder, "better_sqlite3.node");
  makeFolder(folder, 0o700);
  if (!existsSync(file) || !readFileSync(file).equals(addon)) {
    // Write and rename, because another process may have loaded the old file.
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
