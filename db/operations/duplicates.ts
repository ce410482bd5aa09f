import { and, eq, gt, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { StoredRequest } from "../../app/domain/new-request.ts";
import type { Tx } from "../operation.ts";
import { prepared } from "../prepared.ts";
import { type RequestTable, requestTables } from "../schema.ts";

/** Run it in the transaction that stores the post, so that two equal posts at once store one. */
export async function findDuplicate(
  tx: Tx,
  fingerprint: string,
  since: Date,
): Promise<StoredRequest | undefined> {
  const [found] = await query(tx).execute({ fingerprint, since: since.toISOString() });
  return found;
}

export async function findStored(tx: Tx, reference: string): Promise<StoredRequest | undefined> {
  for (const table of requestTables) {
    const { id, reference: column } = table;
    const [found] = await tx
      .select({ id, reference: column })
      .from(table)
      .where(eq(column, reference));
    if (found) return found;
  }
  return undefined;
}

const query = prepared((tx) => {
  const [first, second, ...rest] = requestTables.map((table) => equalPosts(tx, table));
  return unionAll(first!, second!, ...rest).prepare();
});

function equalPosts(tx: Tx, table: RequestTable) {
  const { id, reference, fingerprint, createdAt } = table;
  return tx
    .select({ id, reference })
    .from(table)
    .where(
      and(eq(fingerprint, sql.placeholder("fingerprint")), gt(createdAt, sql.placeholder("since"))),
    );
}
