import type Sqlite from "better-sqlite3";
import { type Call, operationsVia } from "../calls.ts";
import type { Tx } from "../operation.ts";
import { type AnyOperation, operationNames, operationOf } from "../operations/index.ts";
import type { Measurement, Operations } from "../store.ts";
import { sqliteTx } from "./tx.ts";
import { truncateWalSoon } from "./wal.ts";

/** One open database. Await each operation before starting the next, or both would run in the same transaction. */
export class Connection {
  readonly client: Sqlite.Database;
  readonly #tx: Tx;
  readonly #lock: Sqlite.Database | undefined;
  #needsScrub = false;
  #isSynced = true;

  /** @param lock the server's lock on the database, released by `close` */
  constructor(client: Sqlite.Database, lock?: Sqlite.Database) {
    this.client = client;
    this.#lock = lock;
    this.#tx = sqliteTx(client, () => {
      this.#needsScrub = true;
    });
  }

  /** Runs an operation in a transaction of its own. */
  run(call: Call): Promise<unknown> {
    return this.#transaction(operationOf(call), () => this.#perform(call));
  }

  /**
   * Runs several operations in one transaction, with the mode and sync of the first. Each must have `sharesCommit`.
   * @returns their results; undefined if one of them failed and all were rolled back
   * @throws if the transaction cannot be begun or committed
   */
  async runTogether(calls: Call[]): Promise<unknown[] | undefined> {
    try {
      return await this.#transaction(operationOf(calls[0]!), () => this.#performAll(calls));
    } catch (error) {
      if (error instanceof OperationFailed) return undefined;
      throw error;
    }
  }

  /** @throws OperationFailed */
  async #performAll(calls: Call[]): Promise<unknown[]> {
    const results: unknown[] = [];
    try {
      for (const call of calls) results.push(await this.#perform(call));
    } catch {
      throw new OperationFailed();
    }
    return results;
  }

  /** A single connection has nothing to measure; app/server/http/metrics.ts measures the file's size. */
  async measure(): Promise<Measurement[]> {
    return [];
  }

  async close(): Promise<void> {
    this.client.close();
    this.#lock?.close();
  }

  #perform(call: Call): Promise<unknown> {
    return operationOf(call).run(this.#tx, ...call.args);
  }

  /** Turns the sync of commits on or off. It is on when the database is opened. */
  #setSynced(isSynced: boolean): void {
    if (isSynced === this.#isSynced) return;
    this.client.pragma(`synchronous = ${isSynced ? "FULL" : "NORMAL"}`);
    this.#isSynced = isSynced;
  }

  async #transaction<Result>(
    { mode, isUnsynced }: AnyOperation,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { client } = this;
    if (mode === "write") this.#setSynced(!isUnsynced);
    try {
      client.exec(mode === "write" ? "BEGIN IMMEDIATE" : "BEGIN");
      const result = await work();
      client.exec("COMMIT");
      if (this.#needsScrub) truncateWalSoon(client);
      return result;
    } finally {
      if (client.inTransaction) client.exec("ROLLBACK");
      this.#needsScrub = false;
    }
  }
}

class OperationFailed extends Error {}

/** The operations of a store on a connection of this thread, run one after another. */
export function operationsOver(connection: Connection): Operations {
  let last: Promise<unknown> = Promise.resolve();
  return operationsVia(operationNames, (call) => {
    const result = last.then(() => connection.run(call));
    last = result.catch(() => {});
    return result;
  });
}
