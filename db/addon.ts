import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { makeFolder } from "./make-folder.ts";

let loaded: object | undefined;

/**
 * better-sqlite3's compiled half. From source it finds its own (undefined). In the executable it lies
 * inside the snapshot, where the system cannot load it: it is written to `.native` beside the database,
 * or to a temp folder where that one is read-only or may not hold programs, or where there is none.
 */
export function nativeBinding(databaseFile?: string): object | undefined {
  const packaged = path.join(import.meta.dirname, "better_sqlite3.node");
  if (!existsSync(packaged)) return undefined;
  loaded ??= loadOutsideSnapshot(readFileSync(packaged), databaseFile);
  return loaded;
}

function loadOutsideSnapshot(addon: Buffer, databaseFile: string | undefined): object {
  let reason: unknown;
  try {
    if (databaseFile) return load(addon, path.join(path.dirname(databaseFile), ".native"));
  } catch (error) {
    reason = error;
  }
  const folder = mkdtempSync(path.join(tmpdir(), "native-"));
  try {
    return load(addon, folder);
  } catch (error) {
    const { message } = (reason ?? error) as Error;
    throw new Error(`SQLite's native part could not be loaded: ${message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function load(addon: Buffer, folder: string): object {
  const file = path.join(folder, "better_sqlite3.node");
  makeFolder(folder, 0o700);
  if (!existsSync(file) || !readFileSync(file).equals(addon)) {
    // By way of a rename, because another process may have the old file loaded.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, addon, { mode: 0o700 });
    renameSync(unfinished, file);
  }
  const holder = { exports: {} };
  process.dlopen(holder, file);
  return holder.exports;
}
