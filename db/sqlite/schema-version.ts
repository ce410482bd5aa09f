/** The schema versions of a database file. Each migration leads to the next version, stored as `user_version`. */
import type Sqlite from "better-sqlite3";

export interface Migration {
  /** For example 0000_baseline. */
  name: string;
  statements: string;
}

/** All migrations, in order. */
export const migrations: Migration[] = Object.entries(
  import.meta.glob<string>("./migrations/*.sql", { query: "?raw", import: "default", eager: true }),
)
  .map(([file, statements]) => ({ name: /(\w+)\.sql$/.exec(file)![1]!, statements }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

/** The version of release 1.0.0, to which the first migration leads. Files of lower versions are rejected. */
export const firstSchemaVersion = 15;

/** The version that this program works with. */
export const currentSchemaVersion = firstSchemaVersion + migrations.length - 1;

/** A file's schema version; 0 if it is empty. */
export const schemaVersionOf = (client: Sqlite.Database) =>
  client.pragma("user_version", { simple: true }) as number;

/** The migrations from a version to the current one; all of them for an empty file (version 0). */
export const migrationsAfter = (version: number): Migration[] =>
  migrations.slice(version === 0 ? 0 : version - firstSchemaVersion + 1);

/** Applies the migrations that a file lacks. The caller does so in a transaction, unless the file is new. */
export function applyMigrations(client: Sqlite.Database): void {
  for (const { statements } of migrationsAfter(schemaVersionOf(client))) client.exec(statements);
  client.pragma(`user_version = ${currentSchemaVersion}`);
}
