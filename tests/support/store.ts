import { copyFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { Pool } from "pg";
import type * as callsModule from "../../db/calls.ts";
import type * as operationsModule from "../../db/operations/index.ts";
import type * as addressModule from "../../db/postgres/address.ts";
import type * as postgresModule from "../../db/postgres/open.ts";
import type * as connectionModule from "../../db/sqlite/connection.ts";
import type * as openModule from "../../db/sqlite/open.ts";
import type { Operations } from "../../db/store.ts";
import { atEnd, wholeFile } from "./at-end.ts";
import { newDatabase, tablesOf, types } from "./postgres.ts";
import { newFolder } from "./server.ts";
import { loadSource } from "./source.ts";

export interface OpenedStore {
  store: Operations;
  /** Queries or changes the database past the store's operations. */
  query<Row = Record<string, unknown>>(sql: string): Promise<Row[]>;
  /** The URL of a PostgreSQL database; undefined for a file. */
  url?: string;
  /** Copies what is stored. Returns what `openStore` takes to begin with it. */
  keep(): Promise<string>;
}

interface OpenedFile extends OpenedStore {
  connection: connectionModule.Connection;
  file: string;
}

/**
 * A store in this process, over a new file, or over PostgreSQL if the test file has set that.
 * @param kept what `keep` of another store returned; without it, nothing is stored
 */
export const openStore = (t: TestContext, kept?: string): Promise<OpenedStore> =>
  process.env.TEST_ENGINE === "postgres" ? resetPostgresStore(kept) : openFileStore(t, kept);

export async function openFileStore(t: TestContext, kept?: string): Promise<OpenedFile> {
  const { operationsOver } = await loadSource<typeof connectionModule>("/db/sqlite/connection.ts");
  const file = path.join(newFolder(t), "store.db");
  migratedFile ??= newMigratedFile();
  copyFileSync(kept ?? (await migratedFile), file);
  const connection = await openFile(file);
  atEnd(t, () => connection.close());
  // Tests of power failures start the executable, and a process that is killed loses nothing without a sync.
  connection.client.pragma("synchronous = OFF");
  return {
    store: operationsOver(connection),
    connection,
    file,
    query: async <Row>(sql: string) => {
      const statement = connection.client.prepare(sql);
      return (statement.reader ? statement.all() : [statement.run()]) as Row[];
    },
    keep: async () => {
      const copy = path.join(newFolder(wholeFile), "kept.db");
      connection.client.pragma("wal_checkpoint(TRUNCATE)");
      copyFileSync(file, copy);
      return copy;
    },
  };
}

let migratedFile: Promise<string> | undefined;

/** The path of a migrated database file, which takes less time to copy than to migrate. */
async function newMigratedFile(): Promise<string> {
  const file = path.join(newFolder(wholeFile), "migrated.db");
  (await openFile(file)).close();
  return file;
}

async function openFile(file: string): Promise<connectionModule.Connection> {
  const { openDatabase } = await loadSource<typeof openModule>("/db/sqlite/open.ts");
  return await openDatabase(file, path.join(path.dirname(file), "backups"));
}

type PostgresStore = OpenedStore & { url: string; reset(kept?: string): Promise<unknown> };

let postgresStore: Promise<PostgresStore> | undefined;

/** The store of this test file on PostgreSQL: a database for each test takes three times as long. */
async function resetPostgresStore(kept?: string): Promise<PostgresStore> {
  const isNew = !postgresStore;
  postgresStore ??= openPostgresStore();
  const opened = await postgresStore;
  if (!isNew) await opened.reset(kept);
  return opened;
}

async function openPostgresStore(): Promise<PostgresStore> {
  const url = await newDatabase(wholeFile);
  const { operationsVia } = await loadSource<typeof callsModule>("/db/calls.ts");
  const { operationNames } = await loadSource<typeof operationsModule>("/db/operations/index.ts");
  const database = await openPostgres(url);
  atEnd(wholeFile, () => database.close());
  const tables = await tablesOf(url);
  const deletions = tables.map((table) => `DELETE FROM ${table};`);
  let copies = 0;
  // One connection for all tests, or the next if a test ends it: a new one reads the catalogue first.
  const client = new Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  client.on("error", () => {});
  atEnd(wholeFile, () => client.end());
  return {
    store: operationsVia(operationNames, (call) => database.run(call)),
    url,
    query: async <Row>(text: string) => (await client.query({ text, types })).rows as Row[],
    // Fails, and does not wait for ever, if a test before has left a transaction open. One query is one transaction.
    reset: (kept = "") =>
      client.query(`
        SET LOCAL lock_timeout = '10s'; SET LOCAL session_replication_role = replica;
        ${deletions.join(" ")}
        SELECT setval(format('%I', sequencename)::regclass, 1, false)
        FROM pg_sequences WHERE last_value IS NOT NULL; ${kept}`),
    keep: async () => {
      copies += 1;
      await client.query(`CREATE SCHEMA kept_${copies}`);
      const insertions = [];
      for (const table of tables) {
        const copy = `kept_${copies}.${table}`;
        const { rowCount } = await client.query(`CREATE TABLE ${copy} AS TABLE ${table}`);
        if (rowCount) insertions.push(`INSERT INTO ${table} TABLE ${copy};`);
      }
      const { rows } = await client.query(`
        SELECT format('SELECT setval(%L, %s);', quote_ident(sequencename), last_value) AS sql
        FROM pg_sequences WHERE last_value IS NOT NULL`);
      return [...insertions, ...rows.map(({ sql }) => sql)].join(" ");
    },
  };
}

/** Opens a database as a server does. */
export async function openPostgres(url: string, connections = 5) {
  const { openDatabase } = await loadSource<typeof postgresModule>("/db/postgres/open.ts");
  const { parseAddress } = await loadSource<typeof addressModule>("/db/postgres/address.ts");
  return await openDatabase(parseAddress(url), connections);
}
