/** Copies a database file into a PostgreSQL database. */
import { createHash } from "node:crypto";
import type { ClientBase } from "pg";
import { DatabaseMismatch } from "../errors.ts";
import { openCurrentFile } from "../sqlite/open-current-file.ts";
import { withServerStopped } from "../sqlite/restore-file.ts";
import { sqliteRows } from "../sqlite/rows.ts";
import { batchesOf, copiedTables, filesTable, type Row, type RowSource } from "../table-rows.ts";
import { type DatabaseAddress, describeAddress } from "./address.ts";
import { copyHolder, migrate, readSchemaVersion } from "./migrate.ts";
import { connectOnce } from "./open.ts";
import { insertRows, postgresRows } from "./rows.ts";
import { insertParts } from "./tx.ts";

export interface Copied {
  /** Rows by table, those of an interrupted run included. */
  rows: Record<string, number>;
  files: number;
  bytes: number;
  /** Whether an interrupted copy was continued. */
  isContinued: boolean;
}

/**
 * Copies all rows and files, and verifies each of them. An interrupted copy is continued; no server
 * uses it before it is complete.
 * @param isDryRun only counts, and checks that the copy could begin
 * @throws DatabaseMismatch, DatabaseInUse, Unavailable
 */
export async function copyIntoServer(
  databaseFile: string,
  address: DatabaseAddress,
  isDryRun: boolean,
): Promise<Copied> {
  const run = async () => {
    const source = openCurrentFile(databaseFile);
    try {
      return await connectOnce(address, ({ client }) =>
        copy(sqliteRows(source), client, address, isDryRun),
      );
    } finally {
      source.close();
    }
  };
  return await (isDryRun ? run() : withServerStopped(databaseFile, run));
}

async function copy(
  source: RowSource,
  client: ClientBase,
  address: DatabaseAddress,
  isDryRun: boolean,
): Promise<Copied> {
  const isContinued = await checkTarget(client, address);
  if (!isDryRun) {
    await migrate(client);
    await client.query("UPDATE schema_version SET holder = $1 WHERE id = 1", [copyHolder]);
    for (const table of copiedTables) await copyTable(source, client, table);
    await copyFiles(source, client);
    for (const table of copiedTables) await setDeferred(source, client, table);
    await setNumbers(source, client);
  }
  const copied = await verify(source, isDryRun ? undefined : client);
  if (!isDryRun) {
    await client.query("UPDATE schema_version SET holder = NULL, copied_at = now() WHERE id = 1");
  }
  return { ...copied, isContinued };
}

/** Returns whether the database has an incomplete copy. @throws DatabaseMismatch if it has other data */
async function checkTarget(client: ClientBase, address: DatabaseAddress): Promise<boolean> {
  if ((await readSchemaVersion(client)) === undefined) return false;
  const { rows } = await client.query<{ holder: string | null; version: number }>(
    "SELECT holder, version FROM schema_version WHERE id = 1",
  );
  const [{ holder, version } = { holder: null, version: 0 }] = rows;
  if (holder === copyHolder || version === 0) return holder === copyHolder;
  const target = postgresRows(client);
  for (const table of copiedTables) {
    // The clock of a server that has only been started says nothing.
    if (table.name === "clock" || (await target.countRows(table)) === 0) continue;
    throw new DatabaseMismatch(
      `${describeAddress(address)} already has data (${table.name}). Copy into an empty database.`,
    );
  }
  await client.query("DELETE FROM clock");
  return false;
}

const withTransaction = async (client: ClientBase, work: () => Promise<void>) => {
  await client.query("BEGIN");
  await work();
  await client.query("COMMIT");
};

/** Rows are committed in the order of their keys: the highest says where to continue. */
async function copyTable(
  source: RowSource,
  client: ClientBase,
  table: (typeof copiedTables)[number],
): Promise<void> {
  const { rows } = await client.query({
    text: `SELECT max(${table.columns[0]}) FROM ${table.name}`,
    rowMode: "array",
  });
  const last = rows[0]![0] ?? undefined;
  for await (const batch of batchesOf(source, table, last)) {
    await withTransaction(client, () => insertRows(client, table, batch));
  }
}

async function copyFiles(source: RowSource, client: ClientBase): Promise<void> {
  const files = copiedTables.find(({ name }) => name === filesTable)!;
  const { rows } = await client.query<{ last: string | null }>(
    "SELECT max(file_id) AS last FROM uploaded_file_bytes",
  );
  const last = rows[0]!.last === null ? undefined : Number(rows[0]!.last);
  for await (const batch of batchesOf(source, files, last)) {
    for (const [id] of batch as [number][]) {
      const bytes = await source.readBytes(id);
      if (bytes) await insertParts(client, id, bytes);
    }
  }
}

async function setDeferred(
  source: RowSource,
  client: ClientBase,
  table: (typeof copiedTables)[number],
): Promise<void> {
  const { name, columns, deferred } = table;
  if (deferred.length === 0) return;
  const places = deferred.map((column) => columns.indexOf(column));
  const changes = deferred.map((column, index) => `${column} = $${index + 2}`).join(", ");
  for await (const batch of batchesOf(source, table)) {
    await withTransaction(client, async () => {
      for (const row of batch) {
        const values = places.map((place) => row[place]);
        if (values.every((value) => value === null)) continue;
        await client.query(`UPDATE ${name} SET ${changes} WHERE id = $1`, [row[0], ...values]);
      }
    });
  }
}

/** Numbers of deleted rows are not used again. */
async function setNumbers(source: RowSource, client: ClientBase): Promise<void> {
  for (const table of copiedTables) {
    const last = table.isNumbered ? await source.lastNumber(table) : 0;
    if (last > 0) await client.query("SELECT setval($1, $2)", [`${table.name}_id_seq`, last]);
  }
}

/** Compares every row, and every file with its checksum. Only counts without a client. */
async function verify(source: RowSource, client: ClientBase | undefined) {
  const target = client && postgresRows(client);
  const counts: Record<string, number> = {};
  let files = 0;
  let bytes = 0;
  for (const table of copiedTables) {
    let count = 0;
    for await (const batch of batchesOf(source, table)) {
      count += batch.length;
      const after = batch[0]![0];
      const found = target && (await readSame(target, table, after, batch.length));
      if (found && JSON.stringify(found) !== JSON.stringify(batch)) throw differs(table.name);
      if (table.name !== filesTable) continue;
      for (const row of batch) {
        const value = (column: string) => row[table.columns.indexOf(column)];
        files += 1;
        bytes += value("size") as number;
        const copied = target && (await target.readBytes(row[0] as number));
        const digest = copied && createHash("sha256").update(copied).digest("hex");
        if (target && digest !== value("sha256")) throw differs(`file ${row[0]}`);
      }
    }
    if (target && (await target.countRows(table)) !== count) throw differs(table.name);
    counts[table.name] = count;
  }
  return { rows: counts, files, bytes };
}

/** The rows from a key on. */
async function readSame(
  target: RowSource,
  table: (typeof copiedTables)[number],
  first: unknown,
  count: number,
): Promise<Row[]> {
  const rows = await target.readRows(table, (first as number) - 1);
  return rows.slice(0, count);
}

const differs = (what: string) =>
  new DatabaseMismatch(
    `The copy of ${what} differs from the file: it was changed while or after it was copied. Drop the database, create it again, and repeat the copy.`,
  );
