/** Rows of whole tables, as the SQL of both engines sees them: for copies between engines. */
import { getTableName, is } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "./schema.ts";

/** A row's values, in the order of the columns of its table. */
export type Row = unknown[];

export interface CopiedTable {
  name: string;
  /** The first is the primary key, by which rows are in order. */
  columns: string[];
  /** Columns that refer to rows of later tables: null at first, set when those are there. */
  deferred: string[];
  /** Whether the database numbers its rows. */
  isNumbered: boolean;
}

const tables = Object.values(schema).filter((value) => is(value, SQLiteTable)) as SQLiteTable[];

/** Each table after those that it refers to, or else after those that it must refer to. */
function inOrder(unordered: SQLiteTable[]): CopiedTable[] {
  const placed: SQLiteTable[] = [];
  const ordered: CopiedTable[] = [];
  const isMissing = ({ target }: Reference) => !placed.includes(target);
  while (placed.length < unordered.length) {
    const rest = unordered.filter((table) => !placed.includes(table));
    const next =
      rest.find((table) => !referencesOf(table).some(isMissing)) ??
      rest.find((table) => !referencesOf(table).some((one) => one.isNeeded && isMissing(one)))!;
    const deferred = referencesOf(next).filter(isMissing);
    ordered.push(
      describe(
        next,
        deferred.map(({ column }) => column),
      ),
    );
    placed.push(next);
  }
  return ordered;
}

interface Reference {
  column: string;
  target: SQLiteTable;
  isNeeded: boolean;
}

const referencesOf = (table: SQLiteTable): Reference[] =>
  getTableConfig(table).foreignKeys.map((key) => {
    const { columns, foreignTable } = key.reference();
    const [column] = columns as [SQLiteColumn];
    return { column: column.name, target: foreignTable, isNeeded: column.notNull };
  });

function describe(table: SQLiteTable, deferred: string[]): CopiedTable {
  const { columns } = getTableConfig(table);
  const key = columns.find((column) => column.primary)!;
  return {
    name: getTableName(table),
    columns: [key, ...columns.filter((column) => column !== key)].map(({ name }) => name),
    deferred,
    isNumbered: (key as SQLiteColumn & { autoIncrement?: boolean }).autoIncrement === true,
  };
}

/** All tables but those of one server at a time (leases) and of the bytes, in an order for copying. */
export const copiedTables: CopiedTable[] = inOrder(
  tables.filter((table) => table !== schema.leases && table !== schema.uploadedFileBytes),
);

export const filesTable = getTableName(schema.uploadedFiles);

/** Rows of one message or statement. */
export const batchRows = 500;

/** Where rows are read from. */
export interface RowSource {
  /** At most `batchRows` rows after a key, in its order; from the first if it is undefined. */
  readRows(table: CopiedTable, after: unknown): Promise<Row[]>;
  countRows(table: CopiedTable): Promise<number>;
  /** The bytes of a file; undefined if they are missing. */
  readBytes(fileId: number): Promise<Buffer | undefined>;
  /** The highest number that a table has given to a row, whether or not the row still exists. */
  lastNumber(table: CopiedTable): Promise<number>;
}

/** All rows of a table, in batches. */
export async function* batchesOf(source: RowSource, table: CopiedTable, after?: unknown) {
  let last = after;
  for (;;) {
    const rows = await source.readRows(table, last);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)![0];
  }
}
