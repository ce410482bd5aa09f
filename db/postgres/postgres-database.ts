import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "../calls.ts";
import { causeOf, codeOf, Unavailable } from "../errors.ts";
import { type AnyOperation, operationOf } from "../operations/index.ts";
import type { Measurement } from "../store.ts";
import { type DatabaseAddress, describeAddress } from "./address.ts";
import { type Connected, Hosts, socketOf, using } from "./hosts.ts";
import { postgresTx } from "./tx.ts";

/** How long an operation is tried: as long as a visitor waits, even if a failover takes longer. */
const defaultTimeoutMs = 10_000;

/** The transaction was not committed, or may be run again: another attempt may succeed. */
class TryAgain extends Error {}

/** One PostgreSQL database. Operations run side by side, each in a transaction of its own. */
export class Database {
  readonly #hosts: Hosts;
  readonly #name: string;
  /** Transactions that were run again, since the start. */
  #repeated = 0;

  constructor(address: DatabaseAddress, maxConnections: number) {
    this.#hosts = new Hosts(address, maxConnections);
    this.#name = describeAddress(address);
  }

  /**
   * Runs an operation in a transaction of its own, again if the transaction or the connection fails.
   * @throws Unavailable if it cannot be committed in time, or if its outcome is unknown
   */
  async run(call: Call): Promise<unknown> {
    const operation = operationOf(call);
    const deadline = performance.now() + (operation.timeoutMs ?? defaultTimeoutMs);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(operation, call.args, deadline);
      } catch (error) {
        if (!(error instanceof TryAgain)) throw error;
        const pauseMs = Math.min(20 * 2 ** attempt, 500) * (0.5 + Math.random());
        if (performance.now() + pauseMs > deadline) {
          throw new Unavailable(`The database ${this.#name} cannot be used: ${error.message}.`);
        }
        this.#repeated++;
        await sleep(pauseMs);
      }
    }
  }

  async measure(): Promise<Measurement[]> {
    const { open, idle, waiting } = this.#hosts.counts();
    // Not every engine that speaks PostgreSQL's protocol can tell its size.
    const bytes = await this.#readSize().catch(() => undefined);
    return [
      {
        name: "database_connections",
        type: "gauge",
        help: "Connections of this server to the database, and operations that wait for one.",
        values: [
          [{ state: "used" }, open - idle],
          [{ state: "idle" }, idle],
          [{ state: "waiting" }, waiting],
        ],
      },
      {
        name: "database_repeated_transactions_total",
        type: "counter",
        help: "Transactions that were run again after a conflict or a lost connection.",
        values: [[{}, this.#repeated]],
      },
      {
        name: "database_bytes",
        type: "gauge",
        help: "Size of the database.",
        values: bytes === undefined ? [] : [[{}, bytes]],
      },
    ];
  }

  async #readSize(): Promise<number> {
    return await using(await this.#hosts.connect(), async (client) => {
      const text = "SELECT pg_database_size(current_database()) AS bytes";
      const { rows } = await client.query<{ bytes: string }>(text);
      return Number(rows[0]!.bytes);
    });
  }

  /** A connection for work that is not an operation. */
  connect(): Promise<Connected> {
    return this.#hosts.connect();
  }

  async close(): Promise<void> {
    await this.#hosts.end();
  }

  async #attempt(operation: AnyOperation, args: unknown[], deadline: number): Promise<unknown> {
    const connected = await this.#hosts.connect().catch((error) => {
      throw new TryAgain(messageOf(error));
    });
    const { client } = connected;
    // Cut the connection at the deadline: a cancel request would end the wait for a standby, and confirm the commit.
    const timer = setTimeout(() => socketOf(client).destroy(), deadline - performance.now());
    let isCommitting = false;
    try {
      await client.query(beginOf(operation));
      const result = await operation.run(postgresTx(client), ...args);
      isCommitting = true;
      await commit(connected);
      connected.release(true);
      return result;
    } catch (thrown) {
      const error = causeOf(thrown);
      const mayBeUsable = !isCommitting && !connected.isLost() && !isUnusableServer(error);
      const isUsable = mayBeUsable && (await rollBack(connected));
      connected.release(isUsable);
      if (isConflict(error)) throw new TryAgain(messageOf(error));
      if (isUsable) throw thrown;
      const isUnknown = isCommitting && operation.mode === "write" && !operation.isRepeatable;
      if (isUnknown) {
        throw new Unavailable(
          `The connection to ${this.#name} was lost during a commit: ${messageOf(error)}. Whether the change was stored is not known.`,
        );
      }
      throw new TryAgain(messageOf(error));
    } finally {
      clearTimeout(timer);
    }
  }
}

function beginOf({ mode, isUnsynced }: AnyOperation): string {
  // At this level, all queries of a read see one snapshot.
  if (mode === "read") return "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
  return isUnsynced ? "BEGIN; SET LOCAL synchronous_commit = off" : "BEGIN";
}

/** @throws if the server warns: its wait for a standby was cancelled, so the commit is on one machine only */
async function commit({ client, warnings }: Connected): Promise<void> {
  const before = warnings.length;
  const { command } = await client.query("COMMIT");
  if (command !== "COMMIT") throw new Error(`COMMIT was answered with ${command}`);
  if (warnings.length > before) throw new Error(warnings.at(-1));
}

/** Rolls the transaction back. Returns whether the connection can be used again. */
const rollBack = ({ client }: Connected): Promise<boolean> =>
  client.query("ROLLBACK").then(
    () => true,
    () => false,
  );

/** Serialization failures and deadlocks: the transaction was rolled back. */
const isConflict = (error: unknown) => /^40(001|P01)$/.test(codeOf(error));

/** The connection has failed (08), or the server lacks resources (53), is read-only (25006) or stops (57P0). */
const isUnusableServer = (error: unknown) => /^(08|53|25006|57P0)/.test(codeOf(error));

const messageOf = (error: unknown) => {
  const { code, message } = error as { code?: string; message: string };
  return message || code || "unknown error";
};
