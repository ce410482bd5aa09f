import Sqlite from "better-sqlite3";
import { DatabaseMismatch } from "../errors.ts";
import { addonFor } from "./addon.ts";
import { currentSchemaVersion, migrationsUpTo, schemaVersionOf } from "./schema-version.ts";

/**
 * Compares a file with what the migrations to its schema version create. A trigger or a view of another
 * origin could change or redirect data.
 * @throws DatabaseMismatch that names the first table, index, view or trigger that differs
 */
export function checkSchema(client: Sqlite.Database): void {
  const file = client.name;
  const expected = expectedObjects(schemaVersionOf(client), file);
  const found = objectsOf(client);
  const [name] = [...found.keys(), ...expected.keys()].filter(
    (key) => found.get(key) !== expected.get(key),
  );
  if (name === undefined) return;
  const label = name.replace(/\p{Cc}/gu, "�");
  let problem = `has a ${label} that differs from the one that this program creates`;
  if (!expected.has(name)) problem = `has the ${label}, which this program has not created`;
  if (!found.has(name)) problem = `lacks the ${label}`;
  throw new DatabaseMismatch(`${file} ${problem}. It was not changed. Restore a backup.`);
}

/** @throws DatabaseMismatch unless the schema is the current one, and as the migrations create it */
export function checkIsCurrent(client: Sqlite.Database): void {
  const version = schemaVersionOf(client);
  if (version !== currentSchemaVersion) {
    throw new DatabaseMismatch(
      `${client.name} has an older schema (version ${version}, this program's is ${currentSchemaVersion}). Start the server once to migrate it.`,
    );
  }
  checkSchema(client);
}

function expectedObjects(version: number, file: string): Map<string, string> {
  const memory = new Sqlite(":memory:", { nativeBinding: addonFor(file, true) });
  try {
    for (const { statements } of migrationsUpTo(version)) memory.exec(statements);
    return objectsOf(memory);
  } finally {
    memory.close();
  }
}

/** The SQL of each object, without SQLite's own tables and the indexes that constraints create. */
function objectsOf(client: Sqlite.Database): Map<string, string> {
  const rows = client
    .prepare<[], { type: string; name: string; sql: string }>(
      `SELECT type, name, sql FROM sqlite_schema
      WHERE sql IS NOT NULL
        AND NOT (type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'))`,
    )
    .all();
  return new Map(rows.map(({ type, name, sql }) => [`${type} "${name}"`, normalised(sql)]));
}

/**
 * Without spaces and the quotes of names, in which versions of SQLite differ when they rename a table.
 * Literals stay as they are.
 */
const normalised = (sql: string) =>
  sql.replace(/'(?:[^']|'')*'|"(\w+)"|`(\w+)`|\[(\w+)\]|\s+/g, (found, ...names) =>
    found.startsWith("'") ? found : (names.slice(0, 3).find(Boolean) ?? ""),
  );
