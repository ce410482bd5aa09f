import { randomBytes } from "node:crypto";
import { types as pgTypes } from "pg";
import { atEnd, type Scope, wholeFile } from "./at-end.ts";
import { type PostgresServer, startEmbeddedPostgres, withClient } from "./embedded-postgres.ts";

export { withClient };

let shared: Promise<PostgresServer> | undefined;

/** The server of this test file, started when it is first needed: a real one, from an npm package. */
export const postgresServer = (): Promise<PostgresServer> => {
  shared ??= startPostgres();
  return shared;
};

/** Starts a server, stopped after the tests of the file. */
export async function startPostgres(): Promise<PostgresServer> {
  const server = await startEmbeddedPostgres();
  atEnd(wholeFile, server.stop);
  return server;
}

/** Creates a database and returns its URL. The database is dropped at the end of `t`. */
export async function newDatabase(t: Scope): Promise<string> {
  const server = await postgresServer();
  const name = `test_${randomBytes(6).toString("hex")}`;
  await withClient(server.urlOf("postgres"), (client) => client.query(`CREATE DATABASE ${name}`));
  atEnd(t, () =>
    withClient(server.urlOf("postgres"), (client) =>
      client.query(`DROP DATABASE ${name} WITH (FORCE)`),
    ),
  );
  return server.urlOf(name);
}

/** Queries a database as an administrator would. */
export const queryPostgres = <Row = Record<string, unknown>>(
  url: string,
  sql: string,
): Promise<Row[]> =>
  withClient(url, async (client) => (await client.query({ text: sql, types })).rows as Row[]);

/** The names of the tables that the product has in a database, without that of the schema version. */
export async function tablesOf(url: string): Promise<string[]> {
  const rows = await queryPostgres<{ name: string }>(
    url,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_version'",
  );
  return rows.map(({ name }) => name);
}

/** Parsers that return values as SQLite does: JSON as text, whole numbers as numbers, and booleans as 0 and 1. */
const parsers: Record<number, (text: string) => unknown> = {
  16: (text) => (text === "t" ? 1 : 0),
  20: Number,
  114: (text) => text,
};

/** Cast, because pg's type has an overload of `getTypeParser` for each format. */
export const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    parsers[oid] ?? pgTypes.getTypeParser(oid, format as "text"),
} as typeof pgTypes;

/** Locks a table, so that no query reads it, until the function has ended. */
export const whileLocked = (databaseUrl: string, table: string, run: () => Promise<void>) =>
  withClient(databaseUrl, async (client) => {
    await client.query("BEGIN");
    await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await run();
    await client.query("COMMIT");
  });
