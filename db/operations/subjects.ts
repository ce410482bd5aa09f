import { eq, getTableColumns, getTableName, inArray, is, like, sql } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Subject } from "../../app/domain/subject.ts";
import { normaliseAddress } from "../../app/domain/subscription.ts";
import type { Tx } from "../operation.ts";
import * as schema from "../schema.ts";

/** Left out of the result: file contents do not belong in a JSON document. */
const bytesTable = schema.uploadedFileBytes;

const tables = Object.values(schema).filter((value) => is(value, SQLiteTable)) as SQLiteTable[];

/**
 * Finds the requests and the subscription of an address, the emails with their references, and
 * every row that would be deleted with one of these. Reads the foreign keys from the schema, so
 * that a new table cannot be forgotten here.
 */
export async function findSubject(tx: Tx, address: string): Promise<Subject> {
  const found = new Map<SQLiteTable, Set<number>>();
  for (const table of schema.tablesWithEmail) {
    const ids = await tx
      .select({ id: table.id })
      .from(table)
      .where(eq(sql`lower(trim(${table.email}))`, normaliseAddress(address)));
    await addWithChildren(
      tx,
      found,
      table,
      ids.map(({ id }) => id),
    );
  }
  const references: string[] = [];
  for (const table of schema.requestTables) {
    const ids = [...(found.get(table) ?? [])];
    const rows = await tx
      .select({ reference: table.reference })
      .from(table)
      .where(inArray(table.id, ids));
    references.push(...rows.map(({ reference }) => reference));
  }
  const { outbox } = schema;
  const emails = await tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(inArray(outbox.reference, references));
  await addWithChildren(
    tx,
    found,
    outbox,
    emails.map(({ id }) => id),
  );

  const rows: Subject["rows"] = {};
  for (const [table, ids] of found) {
    if (table === bytesTable || ids.size === 0) continue;
    rows[getTableName(table)] = await rowsOf(tx, table, [...ids]);
  }
  return { references, rows };
}

export async function findMentions(tx: Tx, address: string): Promise<string[]> {
  const { reference, message } = schema.inbox;
  const pattern = `%${normaliseAddress(address).replace(/[\\%_]/g, "\\$&")}%`;
  const found = await tx
    .select({ reference })
    .from(schema.inbox)
    .where(sql`${like(sql`lower(${message})`, pattern)} ESCAPE '\\'`);
  return found.map((row) => row.reference);
}

/** Adds rows of a table to `found`, and the rows that are deleted with them. */
async function addWithChildren(
  tx: Tx,
  found: Map<SQLiteTable, Set<number>>,
  table: SQLiteTable,
  ids: number[],
): Promise<void> {
  const known = found.get(table) ?? new Set();
  found.set(table, known);
  const added = ids.filter((id) => !known.has(id));
  if (added.length === 0) return;
  for (const id of added) known.add(id);
  for (const child of tables) {
    for (const key of getTableConfig(child).foreignKeys) {
      const { columns, foreignTable } = key.reference();
      if (foreignTable !== table || key.onDelete !== "cascade") continue;
      const owned = await tx
        .select({ id: sql<number>`${keyOf(child)}` })
        .from(child)
        .where(inArray(columns[0]!, added));
      await addWithChildren(
        tx,
        found,
        child,
        owned.map(({ id }) => id),
      );
    }
  }
}

/** Selects rows with every column under its SQL name and with its stored value, not decoded. */
async function rowsOf(tx: Tx, table: SQLiteTable, ids: number[]) {
  const columns = Object.values(getTableColumns(table)).map((column) => [
    column.name,
    sql<unknown>`${column}`,
  ]);
  return await tx
    .select(Object.fromEntries(columns))
    .from(table)
    .where(inArray(keyOf(table), ids));
}

/** Every table has one integer as its primary key. */
const keyOf = (table: SQLiteTable) =>
  getTableConfig(table).columns.find((column) => column.primary)!;
