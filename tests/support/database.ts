import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";

const migrationFolder = path.join(import.meta.dirname, "../../db/sqlite/migrations");

const migrationFiles = readdirSync(migrationFolder)
  .filter((name) => name.endsWith(".sql"))
  .sort();

/** Lower versions were those of development builds; the first migration leads to the next one (see schema-version.ts). */
const lastDevelopmentVersion = 14;

export const latestSchemaVersion = lastDevelopmentVersion + migrationFiles.length;

/**
 * Creates a database as a program with an older schema version would have left it; 0 is a file without tables.
 * The caller closes it.
 */
export function makeOldDatabase(file: string, schemaVersion: number): Sqlite.Database {
  mkdirSync(path.dirname(file), { recursive: true });
  const db = new Sqlite(file);
  db.pragma("page_size = 8192");
  db.pragma("application_id = 0x52756272");
  db.pragma("journal_mode = WAL");
  const count = Math.max(0, schemaVersion - lastDevelopmentVersion);
  for (const name of migrationFiles.slice(0, count)) {
    db.exec(readFileSync(path.join(migrationFolder, name), "utf8"));
  }
  db.pragma(`user_version = ${schemaVersion}`);
  return db;
}
