import type { ClientBase } from "pg";
import type { CopiedTable, Row, RowSource } from "../table-rows.ts";
import { columnTypes, readParts } from "./tx.ts";

/** The rows of a PostgreSQL database, with the values that a database file has for them. */
export function postgresRows(client: ClientBase): RowSource {
  const query = async (text: string, values: unknown[] = []) =>
    (await client.query({ text, values, rowMode: "array", types: columnTypes })).rows as Row[];
  return {
    readRows({ name, columns, batchRows }, after) {
      const [key] = columns;
      return query(
        `SELECT ${columns.join(", ")} FROM ${name} WHERE ${key} > $1 ORDER BY ${key} LIMIT ${batchRows}`,
        [after],
      );
    },
    async countRows({ name }) {
      const [row] = await query(`SELECT count(*) FROM ${name}`);
      return row![0] as number;
    },
    readBytes: (fileId) => readParts(client, fileId),
    async lastKeyGiven({ name }) {
      // Before any key is given, `last_value` is already the first key, so 0 is selected.
      const [row] = await query(
        `SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${name}_id_seq`,
      );
      return row![0] as number;
    },
  };
}

/** Adds rows, in the caller's transaction. Columns that refer to later tables stay null. */
export async function insertRows(
  client: ClientBase,
  { name, columns, deferred }: CopiedTable,
  rows: Row[],
): Promise<void> {
  const values: unknown[] = [];
  const tuples = rows.map((row) => {
    const placeholders = row.map((value, index) => {
      values.push(deferred.includes(columns[index]!) ? null : value);
      return `$${values.length}`;
    });
    return `(${placeholders.join(", ")})`;
  });
  await client.query(
    `INSERT INTO ${name} (${columns.join(", ")}) VALUES ${tuples.join(", ")}`,
    values,
  );
}
