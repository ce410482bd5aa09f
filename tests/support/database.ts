import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";

const migrationFolder = path.join(import.meta.dirname, "../../db/sqlite/migrations");

const migrationFiles = readdirSync(migrationFolder)
  .filter((name) => name.endsWith(".sql"))
  .sort();

/** The schema of release 1.0.0, which the first migration creates. */
export const baselineVersion = 15;

export const latestSchemaVersion = baselineVersion + migrationFiles.length - 1;

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
  const count = Math.max(0, schemaVersion - baselineVersion + 1);
  for (const name of migrationFiles.slice(0, count)) {
    db.exec(readFileSync(path.join(migrationFolder, name), "utf8"));
  }
  db.pragma(`user_version = ${schemaVersion}`);
  return db;
}

/** A request as release 1.0.0 stored it, on both engines. */
export const insertRequest = `INSERT INTO contact_requests (name, email, phone, message, created_at, reference)
  VALUES ('Thandi Example', 'thandi@school.example', '+27', 'Hello', '${new Date().toISOString()}', 'ABCD-EFGH-JKMN')`;
