/** Rows of whole tables, for copies between engines. Their values are the same from either engine. */
import { getTableName, is } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "./schema.ts";

/** A row's values, in the order of the columns of its table; the first is the key. */
export type Row = unknown[];

/** The key of a row. Every copied table has an integer as its primary key. */
export const keyOf = ([key]: Row) => key as number;

export interface CopiedTable {
  name: string;
  /** The first is the primary key, by which rows are ordered. */
  columns: string[];
  /** Columns that refer to rows of later tables: null at first, and set once those tables are copied. */
  deferred: string[];
  /** Whether the table numbers its rows, and gives no number twice. */
  hasAutoIncrement: boolean;
  /** Number of rows in one batch: fewer for tables with pictures or scans. */
  batchRows: number;
}

/** Tables in the order of copying. Leases are left out, because they belong to servers; bytes are copied by file. */
export const copiedTables: CopiedTable[] = inOrder(
  Object.values(schema).filter(
    (value) =>
      is(value, SQLiteTable) && value !== schema.leases && value !== schema.uploadedFileBytes,
  ) as SQLiteTable[],
);

export const filesTable = copiedTables.find(
  ({ name }) => name === getTableName(schema.uploadedFiles),
)!;

/** Less than every key. */
const beforeFirst = Number.MIN_SAFE_INTEGER;

export interface RowSource {
  /** At most `table.batchRows` rows whose keys are above `after`, in the order of keys. */
  readRows(table: CopiedTable, after: number): Promise<Row[]>;
  countRows(table: CopiedTable): Promise<number>;
  readBytes(fileId: number): Promise<Buffer | undefined>;
  /** The highest key that a table with `hasAutoIncrement` has given, even to a deleted row; 0 if none. */
  lastKeyGiven(table: CopiedTable): Promise<number>;
}

export async function* batchesOf(source: RowSource, table: CopiedTable) {
  let last = beforeFirst;
  for (;;) {
    const rows = await source.readRows(table, last);
    if (rows.length === 0) return;
    yield rows;
    last = keyOf(rows.at(-1)!);
  }
}

/** Puts each table after those that it refers to. In a circle of tables, references that may be null are deferred. */
function inOrder(tables: SQLiteTable[]): CopiedTable[] {
  const ordered = new Map<SQLiteTable, CopiedTable>();
  const isMissing = ({ target }: Reference) => !ordered.has(target);
  while (ordered.size < tables.length) {
    const rest = tables.filter((table) => !ordered.has(table));
    const next =
      rest.find((table) => !referencesOf(table).some(isMissing)) ??
      rest.find((table) => !referencesOf(table).some((one) => one.isNeeded && isMissing(one)))!;
    ordered.set(next, copiedTableOf(next, referencesOf(next).filter(isMissing)));
  }
  return [...ordered.values()];
}

interface Reference {
  column: string;
  target: SQLiteTable;
  isNeeded: boolean;
}

function referencesOf(table: SQLiteTable): Reference[] {
  return getTableConfig(table).foreignKeys.map((key) => {
    const { columns, foreignTable } = key.reference();
    const [column] = columns as [SQLiteColumn];
    return { column: column.name, target: foreignTable, isNeeded: column.notNull };
  });
}

function copiedTableOf(table: SQLiteTable, deferred: Reference[]): CopiedTable {
  const { columns } = getTableConfig(table);
  const key = columns.find((column) => column.primary)!;
  return {
    name: getTableName(table),
    columns: [key, ...columns.filter((column) => column !== key)].map(({ name }) => name),
    deferred: deferred.map(({ column }) => column),
    hasAutoIncrement: "autoIncrement" in key && key.autoIncrement === true,
    batchRows: columns.some(({ columnType }) => columnType === "SQLiteBlobBuffer") ? 8 : 500,
  };
}
