import Sqlite from "better-sqlite3";
import { DatabaseMismatch } from "../errors.ts";
import { addonFor } from "./addon.ts";
import { migrationsUpTo, schemaVersionOf } from "./schema-version.ts";

interface SchemaObject {
  type: string;
  name: string;
  sql: string;
}

/**
 * Compares every table, index, view and trigger of a file with those that the migrations to its
 * schema version create. A trigger or a view of another origin could change or redirect data.
 * @throws DatabaseMismatch that names the first difference
 */
export function checkSchema(client: Sqlite.Database, file: string): void {
  const version = schemaVersionOf(client);
  const expected = expectedObjects(version, file);
  const found = objectsOf(client);
  for (const { type, name, sql } of found) {
    const known = expected.find((object) => object.type === type && object.name === name);
    const label = `${type} ${JSON.stringify(name).replace(/\p{Cc}/gu, "�")}`;
    if (!known) {
      throw new DatabaseMismatch(
        `${file} has the ${label}, which this program has not created. It was not changed. Drop it, or restore a backup that does not have it.`,
      );
    }
    if (normalised(known.sql) !== normalised(sql)) {
      throw new DatabaseMismatch(
        `${file} has a ${label} that differs from the one that this program creates. It was not changed. Restore a backup.`,
      );
    }
  }
  const missing = expected.find(
    ({ type, name }) => !found.some((object) => object.type === type && object.name === name),
  );
  if (missing) {
    throw new DatabaseMismatch(
      `${file} lacks the ${missing.type} "${missing.name}". It was not changed. Restore a backup.`,
    );
  }
}

function expectedObjects(version: number, file: string): SchemaObject[] {
  const memory = new Sqlite(":memory:", { nativeBinding: addonFor(file, true) });
  try {
    for (const { statements } of migrationsUpTo(version)) memory.exec(statements);
    return objectsOf(memory);
  } finally {
    memory.close();
  }
}

/** Without SQLite's own tables and the indexes that a table's constraints create. */
const objectsOf = (client: Sqlite.Database) =>
  client
    .prepare<[], SchemaObject>(
      `SELECT type, name, sql FROM sqlite_schema
      WHERE sql IS NOT NULL
        AND NOT (type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'))`,
    )
    .all();

/**
 * Without spaces and the quotes of names, in which versions of SQLite differ when they rename a table.
 * Literals stay as they are.
 */
const normalised = (sql: string) =>
  sql.replace(/'(?:[^']|'')*'|"(\w+)"|`(\w+)`|\[(\w+)\]|\s+/g, (found, ...names) =>
    found.startsWith("'") ? found : (names.slice(0, 3).find(Boolean) ?? ""),
  );
