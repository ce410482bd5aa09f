import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { Operations } from "./store.ts";

/**
 * A transaction, as operations see it. Queries are awaited, and changed rows are counted by `returning`, so
 * that an operation can be written once for every engine.
 */
export interface Tx extends Pick<BetterSQLite3Database, "select" | "insert" | "update" | "delete"> {
  /**
   * Called when the transaction deletes a secret or personal data. The engine then keeps no copy of it in its
   * log once the transaction is committed.
   */
  scrubAfterCommit(): void;
}

/** How an engine runs an operation. */
export interface Operation<Args extends unknown[], Result> {
  run(tx: Tx, ...args: Args): Promise<Result>;
  /** A "read" may run beside a write of another process. */
  mode: "read" | "write";
  /** Its transaction may be part of a larger one, so that several calls share one commit. */
  sharesCommit?: true;
  /** A power failure may lose it; a later synced commit makes it durable. */
  isUnsynced?: true;
}

/** Every operation of the interface, in the form in which an engine runs it. */
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
