/** The schema versions of a database file. Each migration leads to the next version, stored as `user_version`. */
import type Sqlite from "better-sqlite3";
import { migrationsIn } from "../migrations.ts";

/** The version of release 1.0.0, to which the first migration leads. */
const firstSchemaVersion = 15;

export const { migrations, currentSchemaVersion, migrationsAfter } = migrationsIn(
  import.meta.glob<string>("./migrations/*.sql", { query: "?raw", import: "default", eager: true }),
  firstSchemaVersion,
);

/** A file's schema version; 0 if it is empty. */
export const schemaVersionOf = (client: Sqlite.Database) =>
  client.pragma("user_version", { simple: true }) as number;

/** Applies the migrations that a file lacks. The caller must begin a transaction, unless the file is new. */
export function applyMigrations(client: Sqlite.Database): void {
  for (const { statements } of migrationsAfter(schemaVersionOf(client))) client.exec(statements);
  client.pragma(`user_version = ${currentSchemaVersion}`);
}
