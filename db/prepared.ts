import { getTableColumns, sql } from "drizzle-orm";
import type { SQLiteInsertValue, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Tx } from "./operation.ts";

/**
 * Returns a function that gives a statement, prepared once for each connection and each value of `key`. Meant for
 * statements of every post: building the SQL takes several times as long as running it (docs/benchmarks.md).
 */
export function prepared<Statement>(
  prepare: (tx: Tx, key: string) => Statement,
): (tx: Tx, key?: string) => Statement {
  const statements = new WeakMap<Tx, Map<string, Statement>>();
  return (tx, key = "") => {
    const own = statements.get(tx) ?? new Map<string, Statement>();
    statements.set(tx, own);
    const statement = own.get(key) ?? prepare(tx, key);
    own.set(key, statement);
    return statement;
  };
}

/** Returns the names of the columns for which a row has a value, joined to the key of its prepared insert. */
export const columnsIn = (table: SQLiteTable, row: Record<string, unknown>): string =>
  Object.keys(getTableColumns(table))
    .filter((name) => row[name] !== undefined)
    .join();

/** A placeholder for each column that is named. @param columns the names, as `columnsIn` joins them */
export const placeholders = <Table extends SQLiteTable>(table: Table, columns: string) => {
  const names = new Set(columns.split(","));
  const own = Object.keys(getTableColumns(table)).filter((name) => names.has(name));
  // The type of `fromEntries` loses the keys.
  return Object.fromEntries(
    own.map((name) => [name, sql.placeholder(name)]),
  ) as SQLiteInsertValue<Table>;
};
