import type { Column, SQL } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";

/**
 * The transaction in which an operation runs, on any engine. Operations await their queries and count
 * changed rows with `returning`. An engine may run an operation again, so it only uses the database.
 */
export interface Tx extends Pick<BetterSQLite3Database, "select" | "insert" | "update" | "delete"> {
  /**
   * Call this when the transaction deletes a secret or personal data. After the commit, the engine
   * removes the deleted data from its write-ahead log too.
   */
  scrubAfterCommit(): void;
  /**
   * Makes a query lock the rows that it finds, where other servers write: what the answer confirms is
   * then as durable as a write of its own.
   */
  locked<Query>(query: Query): Query;
  /** A time from now on, by the database's clock: the clocks of servers differ. */
  fromNow(seconds: number): SQL<string>;
  /** The day (UTC) of a time, as in 2026-11-21. */
  dayOf(time: Column): SQL<string>;
  /** Like `inArray`, for more values than a statement may have parameters. */
  isOneOf(column: Column, values: (string | number)[]): SQL;
  insertBytes(fileId: number, bytes: Buffer): Promise<void>;
  /** Undefined if there is no such file. */
  selectBytes(fileId: number): Promise<Buffer | undefined>;
  /** Makes sure that a write can be committed. */
  tryWriting(): Promise<void>;
}

/** An operation, and how an engine runs it. */
export interface Operation<Args extends unknown[], Result> {
  run(tx: Tx, ...args: Args): Promise<Result>;
  /** A "read" takes no write lock. */
  mode: "read" | "write";
  /** Several queued calls may run in one transaction, so that they share a commit. */
  sharesCommit?: true;
  /** Committed without a sync: a power failure may lose it, until a later commit is synced. */
  isUnsynced?: true;
  /**
   * May run again after a commit whose outcome is unknown: if that commit succeeded, the result is the
   * same.
   */
  isRepeatable?: true;
  /** How long an engine may try, in milliseconds; default: as long as a visitor would wait. */
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
