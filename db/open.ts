import { closeSync, existsSync, openSync, readSync, renameSync, rmSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import { nativeBinding } from "./addon.ts";
import { DatabaseInUse, WrongDatabase } from "./errors.ts";
import * as schema from "./schema.ts";

/** An open database. Only the files of db/ look inside. */
export type Db = BetterSQLite3Database<typeof schema> & {
  $client: Sqlite.Database;
  /** Held by the one server that works on the file. */
  lock?: Sqlite.Database;
};

/** Written into every file's header; "Rubr" in ASCII. */
const applicationId = 0x52756272;

const migrations = Object.entries(
  import.meta.glob<string>("./migrations/*.sql", { query: "?raw", import: "default", eager: true }),
)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([, statements]) => statements);

/** What `user_version` is once all migrations have been applied. */
export const layoutVersion = migrations.length;

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
  // 32 MB of log are taken over into the file at a time; it may grow to twice that while somebody reads.
  ["wal_autocheckpoint", 2000, 2000],
  ["journal_size_limit", 67_108_864, 67_108_864],
];

/**
 * Opens the database for the server: creates it where there is none, and brings its schema up to date.
 * @throws WrongDatabase, DatabaseInUse
 */
export async function openDatabase(file: string): Promise<Db> {
  refuseStranger(file);
  const lock = lockFor(file);
  if (!existsSync(file)) create(file);
  const client = connect(file);
  migrate(client);
  return Object.assign(drizzle({ client, schema }), { lock });
}

/**
 * Opens a database that the server has made, for a command that looks into it.
 * @throws WrongDatabase where it is missing, or an older or newer program's
 */
export async function openExistingDatabase(file: string): Promise<Db> {
  if (!existsSync(file)) throw new WrongDatabase(`There is no database at ${file} yet.`);
  refuseStranger(file);
  const client = connect(file);
  const version = client.pragma("user_version", { simple: true });
  if (version !== layoutVersion) {
    client.close();
    throw new WrongDatabase(
      `${file} has an older layout (${version}, this program's is ${layoutVersion}). Start the server once to bring it up to date.`,
    );
  }
  return drizzle({ client, schema });
}

/**
 * Opens a database or a backup for reading alone, beside whoever writes.
 * @throws WrongDatabase where it is missing, not ours, or a newer program's
 */
export function openForReading(file: string): Sqlite.Database {
  if (!existsSync(file)) throw new WrongDatabase(`There is no ${file}.`);
  refuseStranger(file);
  const client = new Sqlite(file, { nativeBinding: addonFor(file), readonly: true });
  client.pragma("trusted_schema = OFF");
  return client;
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
 * Judges the file by its header alone, without SQLite, because opening a file may already change it.
 * Migrations end with a checkpoint, so the header's version is the true one.
 */
function refuseStranger(file: string): void {
  const header = readHeader(file);
  if (!existsSync(file)) return;
  if (
    header.length < 100 ||
    header.toString("latin1", 0, 16) !== "SQLite format 3\0" ||
    header.readUInt32BE(68) !== applicationId
  ) {
    throw new WrongDatabase(`${file} is not a database of this program. It was left as it is.`);
  }
  const version = header.readUInt32BE(60);
  if (version > layoutVersion) {
    throw new WrongDatabase(
      `${file} was written by a newer version of this program (layout ${version}, this one knows ${layoutVersion}). It was left as it is.`,
    );
  }
}

function readHeader(file: string): Buffer {
  if (!existsSync(file)) return Buffer.alloc(0);
  const descriptor = openSync(file, "r");
  try {
    const header = Buffer.alloc(100);
    return header.subarray(0, readSync(descriptor, header, 0, 100, 0));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Two servers on one file would sweep away each other's staged uploads. The lock is a transaction on
 * an empty file beside the database, because the system ends it however the process ends.
 */
function lockFor(file: string): Sqlite.Database {
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
  // Most of the file is uploads of up to 2 MB: in large pages they take fewer of them, and less time.
  client.pragma("page_size = 16384");
  client.pragma(`application_id = ${applicationId}`);
  client.close();
  renameSync(unfinished, file);
}

/** The types know a path only; the library also takes the loaded addon. */
const addonFor = (file: string) => nativeBinding(file) as string | undefined;

function migrate(client: Sqlite.Database): void {
  const version = () => client.pragma("user_version", { simple: true }) as number;
  if (version() === layoutVersion) return;
  client
    .transaction(() => {
      for (const statements of migrations.slice(version())) client.exec(statements);
      client.pragma(`user_version = ${layoutVersion}`);
    })
    .immediate();
  client.pragma("wal_checkpoint(TRUNCATE)");
}
