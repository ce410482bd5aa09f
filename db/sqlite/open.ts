import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import { DatabaseInUse, DatabaseMismatch } from "../errors.ts";
import * as schema from "../schema.ts";
import { applicationId, checkFileHeader } from "./file-header.ts";
import { migrate } from "./migrate-file.ts";
import { addonFor } from "./open-for-reading.ts";
import { currentSchemaVersion } from "./schema-version.ts";

/** An open database. Only the files of db/ look inside. */
export type Db = BetterSQLite3Database<typeof schema> & {
  $client: Sqlite.Database;
  /** Held by the one server that works on the file. */
  lock?: Sqlite.Database;
};

/**
 * Each is set and read back at every open: SQLite silently keeps another value where it cannot
 * comply, and synchronous falls back to NORMAL on a WAL file that is opened again.
 */
const pragmas: [name: string, value: string | number, readBack: unknown][] = [
  ["busy_timeout", 2000, 2000],
  ["journal_mode", "WAL", "wal"],
  ["synchronous", "FULL", 2],
  ["foreign_keys", "ON", 1],
  ["trusted_schema", "OFF", 0],
  ["secure_delete", "ON", 1],
  // A running server takes its log over in a thread, long before; after 256 MB whoever writes does it himself.
  ["wal_autocheckpoint", 32_000, 32_000],
  // Under load the log needs a few hundred MB again and again; the thread gives its room back when it is quiet.
  ["journal_size_limit", 536_870_912, 536_870_912],
];

/**
 * Opens the database for the server: creates it where there is none, and brings its schema up to date.
 * @param backupFolder takes a copy of the file as it was before
 * @throws WrongDatabase, DatabaseInUse
 */
export async function openDatabase(file: string, backupFolder: string): Promise<Db> {
  checkFileHeader(file);
  const lock = lockFor(file);
  if (!existsSync(file)) create(file);
  const client = connect(file);
  try {
    await migrate(client, backupFolder);
  } catch (error) {
    client.close();
    lock.close();
    throw error;
  }
  return Object.assign(drizzle({ client, schema }), { lock });
}

/**
 * Opens a database that the server has made, for a command that looks into it.
 * @throws WrongDatabase where it is missing, or an older or newer program's
 */
export async function openExistingDatabase(file: string): Promise<Db> {
  if (!existsSync(file)) {
    throw new DatabaseMismatch(
      `There is no database at ${file}: the server has not run yet, or its data folder is another one.`,
    );
  }
  checkFileHeader(file);
  const client = connect(file);
  const version = client.pragma("user_version", { simple: true });
  if (version !== currentSchemaVersion) {
    client.close();
    throw new DatabaseMismatch(
      `${file} has an older layout (${version}, this program's is ${currentSchemaVersion}). Start the server once to bring it up to date.`,
    );
  }
  return drizzle({ client, schema });
}

/** Reads, and takes the lock that a write would take. Throws where either cannot be done. */
export async function tryWriting(db: Db): Promise<void> {
  db.$client.transaction(() => db.$client.pragma("user_version")).immediate();
}

export async function closeDatabase(db: Db): Promise<void> {
  db.$client.close();
  db.lock?.close();
}

/**
 * Two servers on one file would sweep away each other's staged uploads. The lock is a transaction on
 * an empty file beside the database, because the system ends it however the process ends.
 * @throws DatabaseInUse
 */
export function lockFor(file: string): Sqlite.Database {
  const lock = new Sqlite(`${file}-lock`, { nativeBinding: addonFor(file), timeout: 0 });
  try {
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (!/^SQLITE_(BUSY|LOCKED)/.test((error as { code?: string }).code ?? "")) throw error;
    throw new DatabaseInUse(`Another server is already working with ${file}.`);
  }
}

function connect(file: string): Sqlite.Database {
  const client = new Sqlite(file, { nativeBinding: addonFor(file) });
  try {
    for (const [name, value, readBack] of pragmas) {
      client.pragma(`${name} = ${value}`);
      const actual = client.pragma(name, { simple: true });
      if (actual !== readBack) throw new Error(`SQLite keeps ${name} at ${actual}, not ${value}.`);
    }
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Under another name first: a power failure on the way leaves no file that is half a database. */
function create(file: string): void {
  const unfinished = `${file}.new`;
  rmSync(unfinished, { force: true });
  // SQLite gives its log files the permissions of the database, so they are settled here for all three.
  closeSync(openSync(unfinished, "a", 0o600));
  const client = new Sqlite(unfinished, { nativeBinding: addonFor(file) });
  // A large file takes less time in large pages, a crowd of messages in small ones: the index of their
  // references changes all over, a page for each.
  client.pragma("page_size = 8192");
  client.pragma(`application_id = ${applicationId}`);
  client.close();
  renameSync(unfinished, file);
}
