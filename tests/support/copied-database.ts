import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import Sqlite from "better-sqlite3";
import { is } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "../../db/schema.ts";
import { latestSchemaVersion, makeOldDatabase } from "./database.ts";
import { succeeded } from "./output-of.ts";
import { newDatabase, queryPostgres } from "./postgres.ts";
import { newFolder, runCommand, startServer } from "./server.ts";

/**
 * Copies a file with rows in every table into a PostgreSQL database, and back. Asserts that nothing
 * has changed, and that no server uses an incomplete copy.
 */
export async function copyThereAndBack(t: TestContext): Promise<void> {
  const folder = newFolder(t);
  const file = path.join(folder, "data/rubricon.db");
  fillFile(file);
  const url = await newDatabase(t);
  const copy: Copy = (...args) =>
    runCommand(folder, ["database", "copy", ...args], { RUBRICON_DATABASE_URL: url });
  await copyThere(copy, url);
  await assertIncompleteIsUnused(t, copy, url);
  await copyBack(folder, file, url);
}

type Copy = (...args: string[]) => ReturnType<typeof runCommand>;

async function copyThere(copy: Copy, url: string): Promise<void> {
  const tried = await succeeded(copy("--dry-run", "--json"));
  assert.deepEqual(
    await queryPostgres(url, "SELECT 1 FROM pg_tables WHERE tablename = 'outbox'"),
    [],
    "a dry run creates no tables",
  );
  const copied = await succeeded(copy("--yes", "--json"));
  const report = JSON.parse(copied.out);
  assert.equal(report.rows.contact_requests, rowCount);
  assert.deepEqual(report.rows, JSON.parse(tried.out).rows);
}

async function assertIncompleteIsUnused(t: TestContext, copy: Copy, url: string): Promise<void> {
  // The copy gets the mark of a run that has ended in the middle.
  const setHolder = (value: string) =>
    queryPostgres(url, `UPDATE schema_version SET holder = ${value}`);
  await setHolder("'copy'");
  const env = { RUBRICON_DATABASE_URL: url };
  await assert.rejects(startServer(t, { env }), /incomplete copy/);
  const again = await copy("--yes");
  assert.equal(again.code, 78, "the database is not empty any more");
  assert.match(again.err, /already has data/);
  await setHolder("NULL");
}

async function copyBack(folder: string, file: string, url: string): Promise<void> {
  const env = { RUBRICON_DATABASE_URL: url };
  const back = path.join(folder, "back.db");
  await succeeded(runCommand(folder, ["backup", back, "--json"], env));
  assert.deepEqual(contentOf(back), contentOf(file));
  const restored = await runCommand(folder, ["restore", back, "--yes"], env);
  assert.equal(restored.code, 78);
  assert.match(restored.err, /database copy --from/);
  // How to go back to SQLite: restore the backup where there is no PostgreSQL.
  rmSync(file);
  await succeeded(runCommand(folder, ["restore", back, "--yes"]));
  // The restore adds its own row to the audit.
  const withoutAudit = { audit: [], sqlite_sequence: [] };
  assert.deepEqual(
    { ...contentOf(file), ...withoutAudit },
    { ...contentOf(back), ...withoutAudit },
  );
}

/** More than one batch of rows. */
const rowCount = 600;

/** Fills every table but the leases. All rows with one id refer to each other. */
function fillFile(file: string): void {
  const db = makeOldDatabase(file, latestSchemaVersion);
  db.pragma("foreign_keys = OFF");
  db.exec("BEGIN");
  const tables = Object.values(schema).filter((one) => is(one, SQLiteTable)) as SQLiteTable[];
  for (const table of tables.filter((one) => one !== schema.leases)) {
    const { name, columns } = getTableConfig(table);
    const names = columns.map((column) => column.name);
    const insert = db.prepare(`INSERT INTO ${name} (${names}) VALUES (${names.map(() => "?")})`);
    const count = table === schema.clock ? 1 : rowCount;
    for (let id = 1; id <= count; id += 1) {
      insert.run(columns.map((column, index) => valueIn(column, index, id)));
    }
  }
  // Neither engine gives the numbers of deleted rows again.
  db.exec("DELETE FROM announcements; COMMIT");
  db.close();
}

/** Values of each type that a column may have. */
const values: Record<string, (id: number) => unknown> = {
  SQLiteInteger: (id) => id,
  SQLiteBoolean: (id) => id % 2,
  SQLiteReal: (id) => id / 4,
  SQLiteText: (id) => `Ünï “x”\n\t'"\\ ${id}`,
  SQLiteTextJson: (id) => `[ "a",  "ü ${id}" ]`,
  SQLiteCustomColumn: (id) => new Date(1_790_000_000_000 + id * 997).toISOString(),
  SQLiteBlobBuffer: (id) => bytesOf(id),
};

function valueIn(column: SQLiteColumn, index: number, id: number): unknown {
  // One of two neighbours is null, because a file belongs to one kind of request only.
  if (!column.notNull && (id + index) % 2 === 0) return null;
  if (column === schema.uploadedFiles.size) return bytesOf(id).length;
  if (column === schema.uploadedFiles.sha256) {
    return createHash("sha256").update(bytesOf(id)).digest("hex");
  }
  return values[column.columnType]!(id);
}

/** Sizes of files: around the size of a row of bytes, and the largest. */
const sizes = [0, 1, 262_143, 262_144, 262_145, 2_097_152];

const bytesOf = (id: number) => Buffer.alloc(sizes[id] ?? 3000, `bytes ${id}`);

/** All rows of all tables but the leases, with the highest ids that were given, even to deleted rows. */
function contentOf(file: string): Record<string, unknown[]> {
  const db = new Sqlite(file, { readonly: true });
  try {
    const names = db
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'leases' ORDER BY 1",
      )
      .pluck()
      .all() as string[];
    return Object.fromEntries(
      names.map((name) => {
        const order = name === "sqlite_sequence" ? "name" : "rowid";
        return [name, db.prepare(`SELECT * FROM ${name} ORDER BY ${order}`).raw().all()];
      }),
    );
  } finally {
    db.close();
  }
}
