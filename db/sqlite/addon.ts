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
import { AddonNotLoaded, WrongAccount } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";

type AddonUse = { isForReading?: boolean };

interface Loaded {
  addon: object;
  file: string;
}

let loaded: Loaded | undefined;

/**
 * Returns the native addon of better-sqlite3; undefined when run from source, because the library then finds its own.
 * The system cannot load an addon from inside the executable, so it is first written to a folder: `.native` next to the
 * database, or else a temporary one.
 * @param databaseFile undefined for a database in memory
 * @param use.isForReading prefers the temporary folder, unless `.native` exists, so that reading a copy leaves
 * nothing beside it
 * @throws AddonNotLoaded; WrongAccount if root would use another account's folder
 */
export function addonFor(databaseFile?: string, use: AddonUse = {}): string | undefined {
  // better-sqlite3 also accepts a loaded addon, but its types allow only a path.
  return loadOnce(databaseFile, use)?.addon as string | undefined;
}

/**
 * Returns the file that the addon was loaded from; undefined when run from source. Threads must load the same file: two
 * copies of SQLite in one process do not see each other's locks, and corrupt the database.
 * @throws as `addonFor`
 */
export function addonFile(databaseFile: string): string | undefined {
  return loadOnce(databaseFile, {})?.file;
}

/**
 * Root must not work in a folder of another account. That account could hand root another addon, or a link to a file
 * that root would overwrite, and could not use the files that root creates.
 */
function checkOwner(file: string): void {
  const folder = path.dirname(path.resolve(file));
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid ?? 0;
  if (process.getuid?.() !== 0 || owner === 0) return;
  const name = accountName(owner);
  const example = name === undefined ? "" : `: runuser -u ${name} -- COMMAND`;
  throw new WrongAccount(
    `${folder} belongs to another account (uid ${owner}). Run the command under that account, not as root${example}.`,
  );
}

/** The name of a local account; undefined for any other. */
function accountName(uid: number): string | undefined {
  const accounts = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8") : "";
  return accounts
    .split("\n")
    .map((line) => line.split(":"))
    .find(([, , id]) => id === String(uid))?.[0];
}

function loadOnce(databaseFile: string | undefined, use: AddonUse): Loaded | undefined {
  if (databaseFile !== undefined) checkOwner(databaseFile);
  const packaged = path.join(import.meta.dirname, "better_sqlite3.node");
  if (!existsSync(packaged)) return undefined;
  loaded ??= isMainThread
    ? extractAndLoad(readFileSync(packaged), databaseFile, use)
    : load(workerData.addonFile);
  return loaded;
}

function extractAndLoad(
  addon: Buffer,
  databaseFile: string | undefined,
  { isForReading }: AddonUse,
): Loaded {
  const beside = databaseFile && path.join(path.dirname(databaseFile), ".native");
  if (!beside) return loadFirst([() => loadFromTemporary(addon)]);
  const both = [() => writeAndLoad(addon, beside), () => loadFromTemporary(addon)];
  return loadFirst(isForReading && !existsSync(beside) ? both.reverse() : both);
}

/** @throws AddonNotLoaded with the reason of the first attempt, if all fail */
function loadFirst(attempts: (() => Loaded)[]): Loaded {
  const errors: unknown[] = [];
  for (const attempt of attempts) {
    try {
      return attempt();
    } catch (error) {
      errors.push(error);
    }
  }
  const { message } = errors[0] as Error;
  throw new AddonNotLoaded(
    `The native addon of SQLite could not be loaded: ${message}`,
    `if the data folder and ${tmpdir()} are mounted noexec, set TMPDIR to a folder on a disk that is not`,
  );
}

function loadFromTemporary(addon: Buffer): Loaded {
  const folder = mkdtempSync(path.join(tmpdir(), "native-"));
  // Deleted only at exit, because threads that start later load it from here.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return writeAndLoad(addon, folder);
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
