import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { Operations } from "./store.ts";

/**
 * The transaction in which an operation runs. Operations await their queries and count changed rows
 * with `returning`, so that they also work on an asynchronous engine.
 */
export interface Tx extends Pick<BetterSQLite3Database, "select" | "insert" | "update" | "delete"> {
  /**
   * Call this when the transaction deletes a secret or personal data. After the commit, the engine
   * removes the deleted data from its write-ahead log too.
   */
  scrubAfterCommit(): void;
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
}

/** Every operation of the store, as an engine runs it. */
export type OperationTable = {
  [Name in keyof Operations]: Operation<
    Parameters<Operations[Name]>,
    Awaited<ReturnType<Operations[Name]>>
  >;
};

export type OperationName = keyof Operations;

export const read = <Args extends unknown[], Result>(
  run: (tx: Tx, ...args: Args) => Promise<Result>,
): Operation<Args, Result> => ({ run, mode: "read" });

export const write = <Args extends unknown[], Result>(
  run: (tx: Tx, ...args: Args) => Promise<Result>,
  options: Pick<Operation<Args, Result>, "sharesCommit" | "isUnsynced"> = {},
): Operation<Args, Result> => ({ run, mode: "write", ...options });
