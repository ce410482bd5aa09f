import { type Column, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/pg-proxy";
import { type ClientBase, type PoolClient, types } from "pg";
import type { Tx } from "../operation.ts";
import { sourceOf } from "./schema.ts";

/** Max bytes of a file in one row, because distributed engines are not made for large values. */
const partBytes = 256 * 1024;

const parseTime = types.getTypeParser(1184);

/** Functions that parse values for the columns of ../schema.ts, by the number of the type in pg_type. */
const parsers: Record<number, (text: string) => unknown> = {
  // boolean
  16: (text) => (text === "t" ? 1 : 0),
  // bigint
  20: Number,
  // json: parsed by the column
  114: (text) => text,
  // timestamptz
  1184: (text) => (parseTime(text) as Date).toISOString(),
};

export const columnTypes = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    parsers[oid] ?? types.getTypeParser(oid, format as "text"),
} as typeof types;

const transactions = new WeakMap<PoolClient, Tx>();

/** The queries of operations on one connection; always the same object, so that `prepared` finds its statements. */
export function postgresTx(client: PoolClient): Tx {
  const known = transactions.get(client);
  if (known) return known;
  const tx = newTx(client);
  transactions.set(client, tx);
  return tx;
}

function newTx(client: PoolClient): Tx {
  // The statements have no name, because a pooler such as PgBouncer gives each transaction another connection.
  const query = (text: string, values: unknown[]) =>
    client.query({ text, values, rowMode: "array", types: columnTypes });
  const database = drizzle(async (text, values) => ({ rows: (await query(text, values)).rows }));
  const select = (...fields: []) => {
    const builder = database.select(...fields);
    const from = builder.from.bind(builder);
    return Object.assign(builder, {
      from: (source: Parameters<typeof from>[0]) => from(sourceOf(source)),
    });
  };
  return {
    select,
    insert: database.insert.bind(database),
    update: database.update.bind(database),
    delete: database.delete.bind(database),
    // PostgreSQL's vacuum removes deleted rows, see docs/scaling.md.
    scrubAfterCommit() {},
    locked: (found: { for(strength: "update"): unknown }) => found.for("update"),
    fromNow: (seconds: number) => sql`now() + ${seconds} * interval '1 second'`,
    dayOf: (time: Column) => sql`to_char(${time} AT TIME ZONE 'Africa/Johannesburg', 'YYYY-MM-DD')`,
    isOneOf: (column: Column, values: (string | number)[]): SQL =>
      sql`${column} = ANY(${sql.param(values)})`,
    insertBytes: (fileId: number, bytes: Buffer) => insertParts(client, fileId, bytes),
    selectBytes: (fileId: number) => readParts(client, fileId),
    async tryWriting() {
      await query(
        "INSERT INTO leases (name, holder, held_until) VALUES ($1, $1, now()) ON CONFLICT (name) DO UPDATE SET held_until = excluded.held_until",
        [probeName],
      );
    },
    // The builders are typed for SQLite's dialect; tests/store.contract.test.ts runs them on this one.
  } as unknown as Tx;
}

/** Stores the bytes of a file in rows of `partBytes`. */
export async function insertParts(
  client: ClientBase,
  fileId: number,
  bytes: Buffer,
): Promise<void> {
  const parts: Buffer[] = [];
  do parts.push(bytes.subarray(parts.length * partBytes, (parts.length + 1) * partBytes));
  while (parts.length * partBytes < bytes.length);
  const rows = parts.map((_, part) => `($1, ${part}, $${part + 2})`);
  await client.query(
    `INSERT INTO uploaded_file_bytes (file_id, part, bytes) VALUES ${rows.join(", ")}`,
    [fileId, ...parts],
  );
}

/** The bytes of a file, from its rows in order; undefined if there is no such file. */
export async function readParts(client: ClientBase, fileId: number): Promise<Buffer | undefined> {
  const { rows } = await client.query<{ bytes: Buffer }>(
    "SELECT bytes FROM uploaded_file_bytes WHERE file_id = $1 ORDER BY part",
    [fileId],
  );
  return rows.length === 0 ? undefined : Buffer.concat(rows.map(({ bytes }) => bytes));
}

/** Each server tries to write in a row of its own, so that no server waits for another's commit. */
const probeName = `probe ${crypto.randomUUID()}`;
