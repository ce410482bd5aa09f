import { type Column, count, type SQL } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { AnySQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";

/**
 * The transaction in which an operation runs, on any engine. Operations await their queries and count
 * changed rows with `returning`. An engine may run an operation again, so an operation changes only the database.
 */
export interface Tx extends Pick<BetterSQLite3Database, "select" | "insert" | "update" | "delete"> {
  /** Has the engine remove deleted secrets and personal data from its WAL too, after the commit. */
  scrubAfterCommit(): void;
  /**
   * Makes a query lock the rows that it finds, if other servers may write too. A lock is a write: the commit waits for
   * the disk and the standby, so a response may confirm that these rows are stored.
   */
  locked<Query>(query: Query): Query;
  /** The time this many seconds from now, by the database's clock, because the clocks of servers differ. */
  fromNow(seconds: number): SQL<string>;
  /** The day of a time in the zone of pages and emails, as in 2026-11-21. */
  dayOf(time: Column): SQL<string>;
  /** Like `inArray`, for more values than a statement may have parameters. */
  isOneOf(column: Column, values: (string | number)[]): SQL;
  insertBytes(fileId: number, bytes: Buffer): Promise<void>;
  selectBytes(fileId: number): Promise<Buffer | undefined>;
  /** Throws if the database takes no writes. Writes a row on a database server; a file is only locked for writing. */
  tryWriting(): Promise<void>;
}

/** Columns of a table, to be selected under their names. */
export const pick = <Table extends object, Name extends keyof Table>(
  table: Table,
  ...names: readonly Name[]
) => Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<Table, Name>;

/** Deletes the rows that a condition selects, or all rows if it is undefined. Returns how many. */
export async function deleteRows(
  tx: Tx,
  table: SQLiteTable & { id: AnySQLiteColumn },
  isChosen: SQL | undefined,
): Promise<number> {
  const deleted = await tx.delete(table).where(isChosen).returning({ id: table.id });
  return deleted.length;
}

/** Changes the rows that a condition selects, or all rows if it is undefined. Returns how many. */
export async function updateRows<Table extends SQLiteTable & { id: AnySQLiteColumn }>(
  tx: Tx,
  table: Table,
  isChosen: SQL | undefined,
  values: SQLiteUpdateSetSource<Table>,
): Promise<number> {
  const updated = await tx.update(table).set(values).where(isChosen).returning({ id: table.id });
  return updated.length;
}

/** The number of rows that a condition selects, or of all rows if it is undefined. */
export async function countRows(tx: Tx, table: SQLiteTable, isChosen?: SQL): Promise<number> {
  const [counted] = await tx.select({ n: count() }).from(table).where(isChosen);
  return counted!.n;
}

/** An operation, and how an engine runs it. */
export interface Operation<Args extends unknown[], Result> {
  run(tx: Tx, ...args: Args): Promise<Result>;
  /** A "read" takes no write lock. */
  mode: "read" | "write";
  /** Several queued calls may run in one transaction and share its commit. Not for reads and unsynced writes. */
  sharesCommit?: true;
  /** The operation is committed without a sync: a power failure may undo it until a later commit is synced. */
  isUnsynced?: true;
  /** The operation may run again after a commit whose outcome is unknown, because running it twice does no harm. */
  isRepeatable?: true;
  /** How long an engine may try the operation, in milliseconds; by default as long as a visitor would wait. */
  timeoutMs?: number;
}

export const read = <Args extends unknown[], Result>(
  run: (tx: Tx, ...args: Args) => Promise<Result>,
  options: Pick<Operation<Args, Result>, "timeoutMs"> = {},
): Operation<Args, Result> => ({ run, mode: "read", ...options });

export const write = <Args extends unknown[], Result>(
  run: (tx: Tx, ...args: Args) => Promise<Result>,
  options: Omit<Operation<Args, Result>, "run" | "mode"> = {},
): Operation<Args, Result> => ({ run, mode: "write", ...options });
