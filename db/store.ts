/**
 * The store, in domain types, for the server, its jobs and the commands. Its operations are the functions of
 * db/operations/, which run on an engine such as db/sqlite/.
 *
 * Each call is one transaction. The current time is passed in (`now`); leases and the age of staged files are measured
 * by the database's clock. Any call may throw Unavailable (errors.ts).
 */
import type { Operation } from "./operation.ts";
import type { operations } from "./operations/index.ts";
import type { finish } from "./whole-class.ts";

export {
  AccessDenied,
  AddonNotLoaded,
  causeOf,
  DatabaseInUse,
  DatabaseMismatch,
  FilesGone,
  isDamaged,
  isTemporary,
  isWriteDenied,
  NewerSchema,
  Unavailable,
  UnusableFile,
  WrongAccount,
} from "./errors.ts";
export { newToken } from "./token.ts";

type Table = typeof operations;
type Finish = typeof finish;

export type OperationName = keyof Table;

/** The operations of every store, whatever its engine. */
export type Operations = {
  [Name in OperationName]: Table[Name] extends Operation<infer Args, infer Result>
    ? (...args: Args) => Name extends keyof Finish ? ReturnType<Finish[Name]> : Promise<Result>
    : never;
};

export interface Measurement {
  /** For example database_bytes. */
  name: string;
  type: "counter" | "gauge";
  help: string;
  /** Labels are empty for a single value. */
  values: [labels: Record<string, string>, value: number][];
}

export interface Store extends Operations {
  close(): Promise<void>;
}

export interface ServerStore extends Store {
  /** Measures a database server: connections, repeated transactions, size. Returns nothing for a database file. */
  measure(): Promise<Measurement[]>;
}

/**
 * The store of a command. The server may be running. On a file, calls throw SQLite's own errors in place of Unavailable
 * (see `isTemporary`).
 */
export interface CommandStore extends Store {
  /**
   * Makes sure that deleted rows can no longer be read in the database's file. A database server keeps them until it
   * reclaims their room.
   * @param vacuum whether to rewrite the whole file; otherwise unused pages may contain parts of deleted rows
   * @throws Unavailable while another program reads an old state; SQLite's own error, for example if the disk is full
   */
  scrub(options: { vacuum: boolean }): Promise<void>;
}
