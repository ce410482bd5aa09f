/**
 * The tables of ../schema.ts in PostgreSQL's types, for drizzle-kit and the views. Operations use the
 * tables of ../schema.ts on both engines: a query needs only their names and how values are encoded.
 */
import { is, type SQL } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  customType,
  doublePrecision,
  foreignKey,
  index,
  json,
  type PgColumnBuilderBase,
  type PgTable,
  type PgViewWithSelection,
  pgTable,
  pgView,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import {
  type ForeignKey,
  getTableConfig,
  getViewConfig,
  type Index,
  type SQLiteColumn,
  SQLiteTable,
  SQLiteView,
} from "drizzle-orm/sqlite-core";
import * as schema from "../schema.ts";

/** Times to the millisecond, as in the texts that the program writes. */
const time = customType<{ data: string }>({ dataType: () => "timestamp (3) with time zone" });
const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** PostgreSQL's types by those of SQLite. JSON is not `jsonb`, which would not return the same text. */
const kinds = {
  SQLiteInteger: (name: string) => bigint(name, { mode: "number" }),
  SQLiteBoolean: boolean,
  SQLiteReal: doublePrecision,
  SQLiteText: text,
  SQLiteTextJson: json,
  SQLiteCustomColumn: time,
  SQLiteBlobBuffer: bytea,
} as unknown as Record<string, (name: string) => ColumnBuilder>;

/** The methods that columns of every kind have: the types of Drizzle differ for each kind. */
type ColumnBuilder = PgColumnBuilderBase & {
  notNull(): ColumnBuilder;
  default(value: unknown): ColumnBuilder;
  unique(name: string): ColumnBuilder;
  primaryKey(): ColumnBuilder;
  generatedByDefaultAsIdentity(): ColumnBuilder;
};

type Columns = Record<string, ColumnBuilder>;

const built = new Map<SQLiteTable, PgTable>();
const views = new Map<SQLiteView, PgViewWithSelection>();
for (const value of Object.values(schema)) {
  if (is(value, SQLiteTable)) built.set(value, tableOf(value));
  if (is(value, SQLiteView)) views.set(value, viewOf(value));
}

/** The view that queries use in PostgreSQL; any other source is returned as it is. */
export const sourceOf = <Source>(source: Source): Source =>
  (views.get(source as SQLiteView) as Source | undefined) ?? source;

function tableOf(table: SQLiteTable): PgTable {
  const { name, columns, indexes, checks, foreignKeys } = getTableConfig(table);
  const hasParts = table === schema.uploadedFileBytes;
  const builders: Columns = Object.fromEntries(
    columns.map((column) => [column.name, builderOf(column, hasParts)]),
  );
  // Each row has a part of a file, see `partBytes` in tx.ts.
  if (hasParts) builders.part = kinds.SQLiteInteger!("part").notNull();
  return pgTable(name, builders, (own) => {
    const ownColumn = (column: SQLiteColumn) => (own as Record<string, never>)[column.name]!;
    return [
      ...(hasParts ? [primaryKey({ columns: [own.file_id!, own.part!] as never })] : []),
      ...indexes.map((one) => indexLike(one, ownColumn)),
      // Without an index, deleting a row is slow: it looks for the rows that refer to it.
      ...unindexedReferences(table).map((column) =>
        index(`${name}_${column.name}`).on(ownColumn(column)),
      ),
      ...checks.map((one) => check(one.name, one.value)),
      ...foreignKeys.map((key) => foreignKeyLike(key, ownColumn)),
    ];
  });
}

type OwnColumn = (column: SQLiteColumn) => never;

function indexLike({ config }: Index, ownColumn: OwnColumn) {
  const { name, unique, columns, where } = config;
  const [first, ...rest] = (columns as SQLiteColumn[]).map(ownColumn);
  const on = (unique ? uniqueIndex : index)(name).on(first!, ...rest);
  return where ? on.where(where) : on;
}

/** The columns that refer to another table and are first in no index. The index that `unique` makes does not count. */
function unindexedReferences(table: SQLiteTable): SQLiteColumn[] {
  const { indexes, foreignKeys } = getTableConfig(table);
  const indexed = indexes.map(({ config }) => config.columns[0]);
  return foreignKeys
    .map((key) => key.reference().columns[0]!)
    .filter((column) => !column.primary && !indexed.includes(column));
}

function foreignKeyLike(key: ForeignKey, ownColumn: OwnColumn) {
  const { columns, foreignTable, foreignColumns } = key.reference();
  const foreign = foreignKey({
    columns: columns.map(ownColumn) as never,
    // Drizzle reads this later, when all tables are built.
    get foreignColumns() {
      const target = built.get(foreignTable) as unknown as Record<string, never>;
      return foreignColumns.map(({ name }) => target[name]!) as never;
    },
  });
  return key.onDelete ? foreign.onDelete(key.onDelete) : foreign;
}

function builderOf(column: SQLiteColumn, hasParts: boolean): ColumnBuilder {
  const { columnType, name, primary, notNull, isUnique, uniqueName } = column;
  let builder = kinds[columnType]!(name);
  if (notNull) builder = builder.notNull();
  if (column.hasDefault) builder = builder.default(column.default);
  if (isUnique) builder = builder.unique(uniqueName!);
  if (!primary || hasParts) return builder;
  const isNumbered = "autoIncrement" in column && column.autoIncrement;
  return (isNumbered ? builder.generatedByDefaultAsIdentity() : builder).primaryKey();
}

function viewOf(view: SQLiteView): PgViewWithSelection {
  const { name, query, selectedFields } = getViewConfig(view);
  const columns = Object.values(selectedFields as Record<string, SQLiteColumn>);
  const builders: Columns = Object.fromEntries(
    columns.map((column) => [column.name, kinds[column.columnType]!(column.name)]),
  );
  return pgView(name, builders).as(query as SQL) as unknown as PgViewWithSelection;
}

/** The tables and views by the names of their exports in ../schema.ts. */
export const sources = Object.fromEntries(
  Object.entries(schema).flatMap(([name, value]) => {
    const source = built.get(value as SQLiteTable) ?? views.get(value as SQLiteView);
    return source ? [[name, source]] : [];
  }),
);
