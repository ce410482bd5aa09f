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
  const found = new FoundRows();
  const isTheirs = (address: SQLiteColumn) =>
    eq(sql`lower(trim(${address}))`, normaliseAddress(addressOrName));
  const references: string[] = [];
  for (const table of schema.tablesWithEmail) {
    const rows = await tx
      .select({ id: table.id, reference: table.reference })
      .from(table)
      .where(isTheirs(table.email));
    await found.addWithChildren(tx, table, idsOf(rows));
    if (table !== schema.subscriptions) references.push(...rows.map(({ reference }) => reference));
  }
  const links = idsOf(await markingLinksOf(tx, addressOrName));
  const actions = idsOf(await teamActionsOf(tx, addressOrName));
  const proposed = idsOf(await importsOf(tx, addressOrName));
  // Rows that were found with the person's own requests are not counted.
  const named = {
    markingLinks: await found.addWithChildren(tx, schema.markingLinks, links),
    teamActions: await found.addWithChildren(tx, schema.teamActions, actions),
    // Without children: the results that an import replaced are about learners.
    imports: found.add(schema.imports, proposed).length,
  };
  const { outbox } = schema;
  const toThem = await tx.select({ id: outbox.id }).from(outbox).where(isTheirs(outbox.recipient));
  await found.addWithChildren(tx, outbox, idsOf(toThem));
  for (const table of [schema.decisions, schema.stamps]) {
    const own = await tx
      .select({ id: table.id })
      .from(table)
      .where(tx.isOneOf(table.markingLinkId, links));
    await found.addWithChildren(tx, table, idsOf(own));
  }
  const isEmail = and(tx.isOneOf(outbox.id, found.ids(outbox)), ne(outbox.kind, "webhook"));
  const emails = await countRows(tx, outbox, isEmail);
  return { references, ids: found.idsByName(), named, emails };
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
export class FoundRows {
  readonly #byTable = new Map<SQLiteTable, Set<number>>();

  ids = (table: SQLiteTable): number[] => [...(this.#byTable.get(table) ?? [])];

  /** The ids by the names of their tables, without the table of file contents. */
  idsByName(): Subject["ids"] {
    const named = [...this.#byTable].map(([table, ids]) => [getTableName(table), [...ids]]);
    const { [getTableName(schema.uploadedFileBytes)]: _, ...ids } = Object.fromEntries(named);
    return ids;
  }

  /** Adds rows, and returns the ids of those that had not been found. */
  add(table: SQLiteTable, ids: number[]): number[] {
    const known = new Set(this.ids(table));
    const added = ids.filter((id) => !known.has(id));
    if (added.length > 0) this.#byTable.set(table, new Set([...known, ...added]));
    return added;
  }

  /** Adds rows, and the rows that are deleted with them. Returns how many of these ids had not been found. */
  async addWithChildren(tx: Tx, table: SQLiteTable, ids: number[]): Promise<number> {
    const added = this.add(table, ids);
    if (added.length === 0) return 0;
    for (const { child, column } of childrenOf(table)) {
      const owned = await tx
        .select({ id: sql<number>`${keyOf(child)}` })
        .from(child)
        .where(tx.isOneOf(column, added));
      await this.addWithChildren(tx, child, idsOf(owned));
    }
    return added.length;
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
