import { and, eq, getTableColumns, getTableName, is, ne, sql } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Subject } from "../../app/domain/data-subject.ts";
import { normaliseAddress } from "../../app/domain/subscriber.ts";
import { countRows, type Tx } from "../operation.ts";
import * as schema from "../schema.ts";
import { importsOf, markingLinksOf, teamActionsOf } from "./erase-marker.ts";
import { isLike } from "./is-like.ts";

const tables = Object.values(schema).filter((value) => is(value, SQLiteTable)) as SQLiteTable[];

/**
 * Finds the rows of a person. An address finds requests, the subscription and emails; a name finds actions on the
 * team's page and imports. Both find marking links, with the decisions and stamps under them. Rows that foreign keys
 * delete with a found row are found too, except those of an import.
 */
export async function findSubject(tx: Tx, addressOrName: string): Promise<Subject> {
  const found: FoundRows = new Map();
  const isTheirs = (address: SQLiteColumn) =>
    eq(sql`lower(trim(${address}))`, normaliseAddress(addressOrName));
  const references: string[] = [];
  for (const table of schema.tablesWithEmail) {
    const rows = await tx
      .select({ id: table.id, reference: table.reference })
      .from(table)
      .where(isTheirs(table.email));
    await addWithChildren(tx, found, table, idsOf(rows));
    if (table !== schema.subscriptions) references.push(...rows.map(({ reference }) => reference));
  }
  const links = idsOf(await markingLinksOf(tx, addressOrName));
  const actions = idsOf(await teamActionsOf(tx, addressOrName));
  const proposed = idsOf(await importsOf(tx, addressOrName));
  // `named` leaves out what `found` has by now: rows that are deleted with the person's requests and subscription.
  const remaining = (table: SQLiteTable, all: number[]) =>
    all.filter((id) => !found.get(table)?.has(id)).length;
  const named = {
    markingLinks: remaining(schema.markingLinks, links),
    teamActions: remaining(schema.teamActions, actions),
    imports: remaining(schema.imports, proposed),
  };
  const { outbox } = schema;
  const toThem = await tx.select({ id: outbox.id }).from(outbox).where(isTheirs(outbox.recipient));
  await addWithChildren(tx, found, outbox, idsOf(toThem));
  await addWithChildren(tx, found, schema.markingLinks, links);
  for (const table of [schema.decisions, schema.stamps]) {
    const own = await tx
      .select({ id: table.id })
      .from(table)
      .where(tx.isOneOf(table.markingLinkId, links));
    await addWithChildren(tx, found, table, idsOf(own));
  }
  await addWithChildren(tx, found, schema.teamActions, actions);
  // `addWithChildren` would also add the results that the imports replaced, which are about learners.
  found.set(schema.imports, new Set([...(found.get(schema.imports) ?? []), ...proposed]));
  const isEmail = and(tx.isOneOf(outbox.id, [...found.get(outbox)!]), ne(outbox.kind, "webhook"));
  const emails = await countRows(tx, outbox, isEmail);
  return { references, ids: plainIds(found), named, emails };
}

/** The found ids by the names of their tables, without the table of file contents. */
export function plainIds(found: FoundRows): Subject["ids"] {
  const ids: Subject["ids"] = {};
  for (const [table, some] of found) {
    if (table !== schema.uploadedFileBytes && some.size > 0) ids[getTableName(table)] = [...some];
  }
  return ids;
}

/**
 * Returns rows with every column under its SQL name and with its stored value, not decoded. Bytes are left out, and
 * the links of unsent emails: these open the pages of other people.
 */
export async function readRows(
  tx: Tx,
  tableName: string,
  ids: number[],
): Promise<Record<string, unknown>[]> {
  const table = tables.find((one) => getTableName(one) === tableName)!;
  const columns = Object.values(getTableColumns(table))
    .filter((one) => one.columnType !== "SQLiteBlobBuffer" && one !== schema.outbox.link)
    .map((column) => [column.name, sql<unknown>`${column}`]);
  return await tx
    .select(Object.fromEntries(columns))
    .from(table)
    .where(tx.isOneOf(keyOf(table), ids));
}

/** References of requests whose message contains an address or a name, in capitals or not. */
export async function findMentions(tx: Tx, addressOrName: string): Promise<string[]> {
  const { reference, message } = schema.inbox;
  const wanted = normaliseAddress(addressOrName);
  // SQLite's lower() changes only ASCII characters, so SQL compares only the ASCII parts.
  const parts = wanted.split(/[^ -~]+/);
  const found = await tx
    .select({ reference, message })
    .from(schema.inbox)
    .where(isLike(sql`lower(${message})`, "", ...parts, ""));
  return found.flatMap((row) => (row.message.toLowerCase().includes(wanted) ? row.reference : []));
}

/** The ids of the rows that have been found, by table. */
export type FoundRows = Map<SQLiteTable, Set<number>>;

/** Adds rows of a table to `found`, and the rows that are deleted with them. */
export async function addWithChildren(
  tx: Tx,
  found: FoundRows,
  table: SQLiteTable,
  ids: number[],
): Promise<void> {
  const known = found.get(table) ?? new Set();
  found.set(table, known);
  const added = ids.filter((id) => !known.has(id));
  for (const id of added) known.add(id);
  if (added.length === 0) return;
  for (const { child, column } of childrenOf(table)) {
    const owned = await tx
      .select({ id: sql<number>`${keyOf(child)}` })
      .from(child)
      .where(tx.isOneOf(column, added));
    await addWithChildren(tx, found, child, idsOf(owned));
  }
}

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

/** The foreign keys by which rows are deleted together with rows of a table. */
const childrenOf = (table: SQLiteTable) =>
  tables.flatMap((child) =>
    getTableConfig(child).foreignKeys.flatMap((key) => {
      const { columns, foreignTable } = key.reference();
      const isOwned = foreignTable === table && key.onDelete === "cascade";
      return isOwned ? [{ child, column: columns[0]! }] : [];
    }),
  );

/** The primary key: one column, which is an integer in each table but `leases`. */
const keyOf = (table: SQLiteTable) =>
  getTableConfig(table).columns.find((column) => column.primary)!;
