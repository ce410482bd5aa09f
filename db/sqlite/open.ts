import { closeSync, openSync, renameSync, rmSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { codeOf, DatabaseInUse, DatabaseMismatch, isLocked } from "../errors.ts";
import { addonFor } from "./addon.ts";
import { Connection } from "./connection.ts";
import { createFile } from "./create-file.ts";
import { checkFileHeader, checkIsCurrent } from "./existing-file.ts";
import { migrate } from "./migrate-file.ts";

/**
 * The pragmas that are set and read back at every open: SQLite silently keeps another value if it cannot comply, and
 * better-sqlite3 reopens a WAL file with synchronous=NORMAL.
 */
const pragmas: [name: string, value: string | number, readBack: unknown][] = [
  ["busy_timeout", 2000, 2000],
  ["journal_mode", "WAL", "wal"],
  ["synchronous", "FULL", 2],
  ["foreign_keys", "ON", 1],
  ["trusted_schema", "OFF", 0],
  ["secure_delete", "ON", 1],
  // In pages: 8 MB. Rarer checkpoints make other writers wait longer, more frequent ones gain nothing
  // (docs/benchmarks.md).
  ["wal_autocheckpoint", 1000, 1000],
  // 64 MB: a WAL that grew beside a long reader is truncated to this.
  ["journal_size_limit", 67_108_864, 67_108_864],
];

/**
 * Opens the database for the server: creates the file if it is missing, and migrates its schema.
 * @param backupFolder takes a copy of the file before it is migrated
 * @param onMigrated called with a sentence for the log if an older file was migrated
 * @throws DatabaseMismatch, DatabaseInUse; SQLite's own errors
 */
export function openDatabase(
  file: string,
  backupFolder: string,
  onMigrated: (note: string) => void = () => {},
): Connection {
  const exists = checkFileHeader(file);
  const lock = lockFor(file);
  try {
    if (!exists) create(file);
    const client = connect(file);
    try {
      const migrated = migrate(client, backupFolder);
      if (migrated) onMigrated(migrated);
      endLeases(client);
      return new Connection(client, lock);
    } catch (error) {
      client.close();
      throw error;
    }
  } catch (error) {
    lock.close();
    throw error;
  }
}

/**
 * Opens an existing database for a command. The server may be running.
 * @throws DatabaseMismatch if it is missing, is not this program's, or has an older or newer schema
 */
export function openExistingDatabase(file: string): Connection {
  if (!checkFileHeader(file)) {
    throw new DatabaseMismatch(
      `There is no database at ${file}. Either the server has not run yet, or it uses another data folder.`,
    );
  }
  const client = connect(file);
  try {
    checkIsCurrent(client);
    return new Connection(client);
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Ends the leases of a server that was not closed. This server's lock proves that the other no longer runs. */
function endLeases(client: Sqlite.Database): void {
  client.exec(
    `DELETE FROM leases;
    UPDATE outbox SET lease = NULL, leased_until = NULL WHERE lease IS NOT NULL;
    UPDATE class_jobs SET lease = NULL, leased_until = NULL`,
  );
}

/**
 * Takes the server's lock: two servers on one file would delete each other's staged uploads. The lock is a transaction
 * on an empty file next to the database, so it ends with the process, even in a crash.
 * @throws DatabaseInUse; as `addonFor`
 */
export function lockFor(file: string): Sqlite.Database {
  // `addonFor` comes first: it throws if root would write into another account's folder.
  const nativeBinding = addonFor(file);
  createPrivate(`${file}-lock`);
  const lock = new Sqlite(`${file}-lock`, { nativeBinding, timeout: 0 });
  try {
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (!isLocked(error)) throw error;
    throw new DatabaseInUse(`A server is using ${file}. Stop it first.`);
  }
}

/** Creates an empty file for the account alone, unless it exists. */
function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function connect(file: string): Sqlite.Database {
  const client = new Sqlite(file, { nativeBinding: addonFor(file) });
  try {
    for (const [name, value, readBack] of pragmas) {
      client.pragma(`${name} = ${value}`);
      const actual = client.pragma(name, { simple: true });
      if (actual !== readBack)
        throw new Error(`SQLite did not set ${name} to ${value}; it is ${actual}.`);
    }
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Creates the file under another name first, so that a power failure leaves no partial database. */
function create(file: string): void {
  const unfinished = `${file}.new`;
  rmSync(unfinished, { force: true });
  createFile(unfinished).close();
  renameSync(unfinished, file);
}
