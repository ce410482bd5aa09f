import type Sqlite from "better-sqlite3";
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { Tx } from "../operation.ts";
import { placeholders } from "../prepared.ts";
import * as schema from "../schema.ts";

/** The queries of operations, on one connection. */
export function sqliteTx(client: Sqlite.Database, scrubAfterCommit: () => void): Tx {
  const database = drizzle({ client, schema });
  const { fileId, bytes } = schema.uploadedFileBytes;
  const insertFileBytes = database
    .insert(schema.uploadedFileBytes)
    .values(placeholders(schema.uploadedFileBytes, "fileId,bytes"))
    .prepare();
  return Object.assign(database, {
    scrubAfterCommit,
    // Rows need no lock, because only one connection writes at a time.
    locked: (query) => query,
    fromNow: (seconds) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${seconds} || ' seconds')`,
    dayOf: (time) => sql`date(${time}, '+2 hours')`,
    isOneOf: (column, values) =>
      sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`,
    async insertBytes(id, content) {
      await insertFileBytes.execute({ fileId: id, bytes: content });
    },
    async selectBytes(id) {
      const [file] = await database
        .select({ bytes })
        .from(schema.uploadedFileBytes)
        .where(eq(fileId, id));
      return file?.bytes;
    },
    // The transaction has already taken the lock that a write needs.
    async tryWriting() {},
  } satisfies Omit<Tx, "select" | "insert" | "update" | "delete">);
}
