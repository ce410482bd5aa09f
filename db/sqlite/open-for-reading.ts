import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { codeOf, DatabaseMismatch, Unavailable } from "../errors.ts";
import { addonFor } from "./addon.ts";
import { checkFileHeader, databaseExists } from "./file-header.ts";

/** Node reads no larger file at once. */
const maxReadBytes = 2 ** 31 - 1;

/**
 * Opens a database or a backup read-only, next to a server that may be writing.
 * @throws DatabaseMismatch if it is missing or not this program's, or has a schema that it cannot
 * read
 */
export function openForReading(file: string): Sqlite.Database {
  checkDatabaseFile(file);
  return openUnchecked(file);
}

/**
 * @throws DatabaseMismatch if the file is missing or not this program's, or has a schema that it
 * cannot read
 */
export function checkDatabaseFile(file: string): void {
  if (!databaseExists(file)) throw new DatabaseMismatch(`There is no ${file}.`);
  checkFileHeader(file);
}

/**
 * Opens a database read-only without checking its header, for the server's own file. On POSIX,
 * closing any descriptor of a file releases the process's locks on it, SQLite's too; another
 * program would then treat the server's WAL as abandoned and delete it.
 */
export function openUnchecked(file: string): Sqlite.Database {
  const needsCopy = isOnReadOnlyDisk(file) && !existsSync(`${file}-shm`);
  const client = new Sqlite(needsCopy ? readWhole(file) : file, {
    nativeBinding: addonFor(file, true),
    readonly: true,
  });
  client.pragma("trusted_schema = OFF");
  return client;
}

/** Whether the file is on a disk that is mounted read-only. */
export function isOnReadOnlyDisk(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return false;
  } catch (error) {
    return codeOf(error) === "EROFS";
  }
}

/**
 * Returns a closed database as bytes that SQLite opens in memory. From the file it could not be read:
 * SQLite shares a WAL's index through a file next to it, which cannot be created.
 * @throws Unavailable if a WAL has changes that the file lacks, or the file is too large
 */
function readWhole(file: string): Buffer {
  const { size } = statSync(file);
  const walBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (walBytes > 0 || size > maxReadBytes) {
    const reason = walBytes > 0 ? "has not been closed properly" : "is larger than 2 GB";
    throw new Unavailable(
      `${file} is on a read-only disk and ${reason}. Copy it${walBytes > 0 ? ` with ${file}-wal` : ""} to another disk.`,
    );
  }
  const bytes = readFileSync(file);
  // The file format's versions for writing and reading: 2 needs a WAL, 1 does not.
  return bytes.fill(1, 18, 20);
}
