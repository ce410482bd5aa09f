import type Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { Operation, OperationName, Tx } from "../operation.ts";
import { operations } from "../operations/index.ts";
import * as schema from "../schema.ts";
import type { Operations } from "../store.ts";
import { truncateWalSoon } from "./wal.ts";

type AnyOperation = Operation<unknown[], unknown>;

/** A call of an operation: its name and its arguments. */
export interface Call {
  name: OperationName;
  args: unknown[];
}

/**
 * One open database. It runs one operation at a time: await each before the next is started, or both would
 * be in the same transaction.
 */
export class Connection {
  readonly client: Sqlite.Database;
  readonly #tx: Tx;
  readonly #lock: Sqlite.Database | undefined;
  #needsScrub = false;

  /** @param lock held by the one server that works on the file */
  constructor(client: Sqlite.Database, lock?: Sqlite.Database) {
    this.client = client;
    this.#lock = lock;
    this.#tx = Object.assign(drizzle({ client, schema }), {
      scrubAfterCommit: () => {
        this.#needsScrub = true;
      },
    });
  }

  /** Runs an operation in a transaction of its own. */
  run(call: Call): Promise<unknown> {
    return this.#transaction(operationOf(call), () => this.#perform(call));
  }

  /**
   * Runs several operations, each of which shares its commit, in one transaction.
   * @returns undefined if any of them failed: then all are undone
   * @throws if the transaction cannot be begun or committed
   */
  async runTogether(calls: Call[]): Promise<unknown[] | undefined> {
    try {
      return await this.#transaction(operationOf(calls[0]!), () => this.#performAll(calls));
    } catch (error) {
      if (error instanceof OneFailed) return undefined;
      throw error;
    }
  }

  /** @throws OneFailed */
  async #performAll(calls: Call[]): Promise<unknown[]> {
    const results: unknown[] = [];
    try {
      for (const call of calls) results.push(await this.#perform(call));
    } catch {
      throw new OneFailed();
    }
    return results;
  }

  close(): void {
    this.client.close();
    this.#lock?.close();
  }

  #perform(call: Call): Promise<unknown> {
    return operationOf(call).run(this.#tx, ...call.args);
  }

  async #transaction<Result>(
    { mode, isUnsynced }: AnyOperation,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { client } = this;
    if (isUnsynced) client.pragma("synchronous = NORMAL");
    try {
      client.exec(mode === "write" ? "BEGIN IMMEDIATE" : "BEGIN");
      const result = await work();
      client.exec("COMMIT");
      if (this.#needsScrub) truncateWalSoon(client);
      return result;
    } finally {
      if (client.inTransaction) client.exec("ROLLBACK");
      if (isUnsynced) client.pragma("synchronous = FULL");
      this.#needsScrub = false;
    }
  }
}

class OneFailed extends Error {}

export const operationOf = ({ name }: { name: OperationName }) =>
  operations[name] as unknown as AnyOperation;

/** The operations of a store, given what calls them by name. */
export function operationsVia(call: (call: Call) => Promise<unknown>): Operations {
  const names = Object.keys(operations) as OperationName[];
  const methods = names.map((name) => [name, (...args: unknown[]) => call({ name, args })]);
  return Object.fromEntries(methods) as Operations;
}

/** The operations of a store over a connection in this process, run strictly one after another. */
export function operationsOver(connection: Connection): Operations {
  let last: Promise<unknown> = Promise.resolve();
  return operationsVia((call) => {
    const result = last.then(() => connection.run(call));
    last = result.catch(() => {});
    return result;
  });
}
