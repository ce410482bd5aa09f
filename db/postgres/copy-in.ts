/** Copies a database file into a PostgreSQL database. */
import { createHash } from "node:crypto";
import type Sqlite from "better-sqlite3";
import type { ClientBase } from "pg";
import { DatabaseMismatch } from "../errors.ts";
import { checkIsCurrent, openForReading } from "../sqlite/existing-file.ts";
import { withServerLock } from "../sqlite/restore-file.ts";
import { sqliteRows } from "../sqlite/rows.ts";
import {
  batchesOf,
  type CopiedTable,
  copiedTables,
  filesTable,
  keyOf,
  type Row,
  type RowSource,
} from "../table-rows.ts";
import { type DatabaseAddress, describeAddress } from "./address.ts";
import { checkVersionIsCurrent, connectOnce } from "./open.ts";
import { insertRows, postgresRows } from "./rows.ts";
import { copyHolder, migrate, readSchemaVersion } from "./schema-migration.ts";
import { insertParts } from "./tx.ts";

export interface Copied {
  rows: Record<string, number>;
  files: number;
  bytes: number;
}

/**
 * Copies all rows and files, and verifies each of them. No server uses the copy before it is complete.
 * @param options.isDryRun only counts, and checks that the copy could begin
 * @throws DatabaseMismatch, DatabaseInUse, Unavailable
 */
export async function copyIntoServer(
  databaseFile: string,
  address: DatabaseAddress,
  { isDryRun }: { isDryRun: boolean },
): Promise<Copied> {
  const source = openForReading(databaseFile);
  try {
    checkIsCurrent(source);
    checkHasBytes(source);
    const rows = sqliteRows(source);
    const run = () =>
      connectOnce(address, async (client) => {
        await checkTarget(client, address);
        if (!isDryRun) await copy(rows, client);
        return await countAll(rows);
      });
    return await (isDryRun ? run() : withServerLock(databaseFile, run));
  } finally {
    source.close();
  }
}

/** @throws DatabaseMismatch if a file's row has no bytes. The program stores and deletes both together. */
function checkHasBytes(source: Sqlite.Database): void {
  const id = source
    .prepare(
      "SELECT id FROM uploaded_files WHERE NOT EXISTS (SELECT 1 FROM uploaded_file_bytes WHERE file_id = id)",
    )
    .pluck()
    .get();
  if (id === undefined) return;
  throw new DatabaseMismatch(
    `${source.name} lacks the bytes of file ${id}. Restore a backup that has them, or purge its request.`,
  );
}

async function copy(source: RowSource, client: ClientBase): Promise<void> {
  await migrate(client);
  await client.query("UPDATE schema_version SET holder = $1 WHERE id = 1", [copyHolder]);
  // A server that started on the empty database has written this table's only row. The copied row has the same key.
  await client.query("DELETE FROM clock");
  for (const table of copiedTables) await copyTable(source, client, table);
  await copyFiles(source, client);
  for (const table of copiedTables) await setDeferred(source, client, table);
  await setSequences(source, client);
  await verify(source, postgresRows(client));
  await client.query("UPDATE schema_version SET holder = NULL, copied_at = now() WHERE id = 1");
}

/** @throws DatabaseMismatch if the database has data, or another schema than this program's */
async function checkTarget(client: ClientBase, address: DatabaseAddress): Promise<void> {
  const version = await readSchemaVersion(client);
  if (!version) return;
  checkVersionIsCurrent(version, address);
  const target = postgresRows(client);
  for (const table of copiedTables) {
    // A server writes a row into clock when it first starts, so that row is no data.
    if (table.name === "clock" || (await target.countRows(table)) === 0) continue;
    throw new DatabaseMismatch(
      `${describeAddress(address)} already has data (${table.name}), perhaps of a copy that was interrupted. Drop it, and create an empty database.`,
    );
  }
}

/** If `work` fails, the caller must end the connection, which rolls the transaction back. */
const withTransaction = async (client: ClientBase, work: () => Promise<void>) => {
  await client.query("BEGIN");
  await work();
  await client.query("COMMIT");
};

async function copyTable(source: RowSource, client: ClientBase, table: CopiedTable): Promise<void> {
  for await (const batch of batchesOf(source, table)) {
    await withTransaction(client, () => insertRows(client, table, batch));
  }
}

async function copyFiles(source: RowSource, client: ClientBase): Promise<void> {
  for await (const batch of batchesOf(source, filesTable)) {
    // `checkHasBytes` has found the bytes of every file.
    for (const id of batch.map(keyOf)) await insertParts(client, id, (await source.readBytes(id))!);
  }
}

/** Sets the columns that `insertRows` left null. By now, all rows to which they refer are there. */
async function setDeferred(
  source: RowSource,
  client: ClientBase,
  table: CopiedTable,
): Promise<void> {
  const { name, columns, deferred } = table;
  if (deferred.length === 0) return;
  const indexes = deferred.map((column) => columns.indexOf(column));
  const changes = deferred.map((column, index) => `${column} = $${index + 2}`).join(", ");
  for await (const batch of batchesOf(source, table)) {
    await withTransaction(client, async () => {
      for (const row of batch) {
        const values = indexes.map((index) => row[index]);
        if (values.every((value) => value === null)) continue;
        await client.query(`UPDATE ${name} SET ${changes} WHERE id = $1`, [keyOf(row), ...values]);
      }
    });
  }
}

/** Sets the sequence of each table to the last key given, so that keys of deleted rows are not given again. */
async function setSequences(source: RowSource, client: ClientBase): Promise<void> {
  for (const table of copiedTables) {
    const last = table.hasAutoIncrement ? await source.lastKeyGiven(table) : 0;
    if (last > 0) await client.query("SELECT setval($1, $2)", [`${table.name}_id_seq`, last]);
  }
}

const fileCell = (row: Row, column: string) => row[filesTable.columns.indexOf(column)];

async function countAll(source: RowSource): Promise<Copied> {
  const rows: Record<string, number> = {};
  for (const table of copiedTables) rows[table.name] = await source.countRows(table);
  let bytes = 0;
  for await (const batch of batchesOf(source, filesTable)) {
    for (const row of batch) bytes += fileCell(row, "size") as number;
  }
  return { rows, files: rows[filesTable.name]!, bytes };
}

/** Compares every row, and every file with its checksum. @throws DatabaseMismatch if one differs */
async function verify(source: RowSource, target: RowSource): Promise<void> {
  for (const table of copiedTables) await verifyRows(source, target, table);
  for await (const batch of batchesOf(source, filesTable)) {
    for (const row of batch) {
      const copied = await target.readBytes(keyOf(row));
      const digest = copied && createHash("sha256").update(copied).digest("hex");
      if (digest !== fileCell(row, "sha256")) throw differs(`file ${keyOf(row)}`);
    }
  }
}

async function verifyRows(source: RowSource, target: RowSource, table: CopiedTable): Promise<void> {
  for await (const batch of batchesOf(source, table)) {
    const copied = await target.readRows(table, keyOf(batch[0]!) - 1);
    const isSame = JSON.stringify(copied.slice(0, batch.length)) === JSON.stringify(batch);
    if (!isSame) throw differs(table.name);
  }
  const isComplete = (await source.countRows(table)) === (await target.countRows(table));
  if (!isComplete) throw differs(table.name);
}

const differs = (what: string) =>
  new DatabaseMismatch(
    `The copy of ${what} differs from the file: it was changed while or after it was copied. Drop the database, create it again, and repeat the copy.`,
  );
