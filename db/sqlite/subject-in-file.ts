import { getTableName } from "drizzle-orm";
import { normaliseAddress } from "../../app/domain/subscriber.ts";
import { tablesWithEmail } from "../schema.ts";
import { openForReading } from "./open-for-reading.ts";

/**
 * Whether a database or a backup, of any schema version, contains a request or a subscription of an
 * address.
 * @throws DatabaseMismatch
 */
export function containsSubject(file: string, address: string): boolean {
  const client = openForReading(file);
  try {
    const present = client
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all();
    return tablesWithEmail
      .map(getTableName)
      .filter((table) => present.includes(table))
      .some((table) =>
        client
          .prepare(`SELECT 1 FROM ${table} WHERE lower(trim(email)) = ? LIMIT 1`)
          .get(normaliseAddress(address)),
      );
  } finally {
    client.close();
  }
}
