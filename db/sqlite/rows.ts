import type Sqlite from "better-sqlite3";
import type { CopiedTable, Row, RowSource } from "../table-rows.ts";

/** The rows of a database file, as copies read them. */
export const sqliteRows = (client: Sqlite.Database): RowSource => ({
  async readRows({ name, columns, batchRows }, after) {
    const [key] = columns;
    return client
      .prepare<[number], Row>(
        `SELECT ${columns.join(", ")} FROM ${name} WHERE ${key} > ? ORDER BY ${key} LIMIT ${batchRows}`,
      )
      .raw()
      .all(after);
  },
  countRows: async ({ name }) =>
    client.prepare(`SELECT count(*) FROM ${name}`).pluck().get() as number,
  readBytes: async (fileId) =>
    client.prepare("SELECT bytes FROM uploaded_file_bytes WHERE file_id = ?").pluck().get(fileId) as
      | Buffer
      | undefined,
  lastKeyGiven: async ({ name }) =>
    (client.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?").pluck().get(name) ??
      0) as number,
});

/** Adds rows to a file whose foreign keys are checked afterwards. */
export function insertRows(
  client: Sqlite.Database,
  { name, columns }: CopiedTable,
  rows: Row[],
): void {
  const insert = client.prepare(
    `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  for (const row of rows) insert.run(...row);
}
