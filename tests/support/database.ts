import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";

const migrationFolder = path.join(import.meta.dirname, "../../db/sqlite/migrations");

const migrationFiles = readdirSync(migrationFolder)
  .filter((name) => name.endsWith(".sql"))
  .sort();

export const latestSchemaVersion = migrationFiles.length;

/** A database as a program of an older layout would have left it, for a test to put something in and close. */
export function makeOldDatabase(file: string, layout: number): Sqlite.Database {
  mkdirSync(path.dirname(file), { recursive: true });
  const db = new Sqlite(file);
  db.pragma("page_size = 8192");
  db.pragma("application_id = 0x52756272");
  db.pragma("journal_mode = WAL");
  for (const name of migrationFiles.slice(0, layout)) {
    db.exec(readFileSync(path.join(migrationFolder, name), "utf8"));
  }
  db.pragma(`user_version = ${layout}`);
  return db;
}
