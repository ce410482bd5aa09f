import { getCACertificates } from "node:tls";
import { type Client, type ClientBase, Pool, type PoolClient } from "pg";
import type { DatabaseAddress } from "./address.ts";

/** A client from the pool of the server that takes writes. */
export interface Connected {
  client: PoolClient;
  /** Whether the client's connection has ended. */
  isLost(): boolean;
  warnings: string[];
  /** Returns the client to its pool. Ends a connection that is lost or not usable: a transaction may be open. */
  release(isUsable: boolean): void;
}

/** Runs `work` with a client, and releases it. If `work` throws, the connection ends. */
export async function using<Result>(
  { client, release }: Connected,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work(client);
    release(true);
    return result;
  } catch (error) {
    release(false);
    throw error;
  }
}

/** The socket of a client. Every client of pg has a connection, but only the type Client declares it. */
export const socketOf = (client: ClientBase) => (client as Client).connection.stream;

/** The name of the connections in pg_stat_activity. */
const applicationName = "grading-site";

/** Long enough to reach another continent, or for a connection of this server to become free. */
const connectTimeoutMs = 2000;

/** The pools of connections to the servers of one database. One of these servers takes writes. */
export class Hosts {
  readonly #pools: Pool[];
  readonly #checked = new WeakSet<PoolClient>();
  /** The index of the pool whose server took writes last. */
  #current = 0;

  constructor({ hosts, database, user, password, tls }: DatabaseAddress, maxConnections: number) {
    const ssl = tls && { ca: tls.ca ?? knownAuthorities(), rejectUnauthorized: true };
    this.#pools = hosts.map(({ host, port }) => {
      const pool = new Pool({
        host,
        port,
        database,
        user,
        password,
        ssl,
        max: maxConnections,
        application_name: applicationName,
        connectionTimeoutMillis: connectTimeoutMs,
        idleTimeoutMillis: 60_000,
        keepAlive: true,
        allowExitOnIdle: true,
      });
      // Without this listener, the end of an idle connection would end the thread.
      pool.on("error", () => {});
      return pool;
    });
  }

  /** @throws the last server's error if none takes writes */
  async connect(): Promise<Connected> {
    let failure: unknown;
    for (let tried = 0; tried < this.#pools.length; tried++) {
      const index = this.#current;
      try {
        return await this.#connectTo(this.#pools[index]!);
      } catch (error) {
        failure = error;
        this.#moveOn(index);
      }
    }
    throw failure;
  }

  /** Has `connect` begin with the next server, unless another call has moved on already. */
  #moveOn(from: number): void {
    if (this.#current === from) this.#current = (from + 1) % this.#pools.length;
  }

  async #connectTo(pool: Pool): Promise<Connected> {
    const client = await pool.connect();
    let isLost = false;
    const warnings: string[] = [];
    const onError = () => {
      isLost = true;
    };
    const onNotice = ({ severity, message }: { severity?: string; message?: string }) => {
      if (severity === "WARNING") warnings.push(message ?? "");
    };
    client.on("error", onError).on("notice", onNotice);
    const release = (isUsable: boolean) => {
      client.off("error", onError).off("notice", onNotice);
      client.release(!isUsable || isLost);
    };
    try {
      if (this.#pools.length > 1 && !this.#checked.has(client)) await checkPrimary(client);
      this.#checked.add(client);
      return { client, isLost: () => isLost, warnings, release };
    } catch (error) {
      release(false);
      throw error;
    }
  }

  counts(): { open: number; idle: number; waiting: number } {
    const sum = (key: "totalCount" | "idleCount" | "waitingCount") =>
      this.#pools.reduce((total, pool) => total + pool[key], 0);
    return { open: sum("totalCount"), idle: sum("idleCount"), waiting: sum("waitingCount") };
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }
}

/** Node's authorities with those of NODE_EXTRA_CA_CERTS, and those of the operating system. */
const knownAuthorities = () => [
  ...new Set([...getCACertificates("default"), ...getCACertificates("system")]),
];

async function checkPrimary(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>(
    "SELECT pg_is_in_recovery() AS standby",
  );
  if (rows[0]!.standby) throw new Error("the server is a standby");
}
