import { and, eq, gt, sql } from "drizzle-orm";
import type { StoredRequest } from "../../app/domain/new-request.ts";
import type { Tx } from "../operation.ts";
import { prepared } from "../prepared.ts";
import { type RequestTable, requestTables } from "../schema.ts";

/** Inside the transaction of a submission, two equal posts at once cannot both find nothing. */
export async function findDuplicate(
  tx: Tx,
  fingerprint: string,
  since: Date,
): Promise<StoredRequest | undefined> {
  for (const query of queries) {
    const [found] = await query(tx).execute({ fingerprint, since: since.toISOString() });
    if (found) return found;
  }
  return undefined;
}

const queries = requestTables.map((table) => preparedQuery(table));

function preparedQuery(table: RequestTable) {
  const { id, reference, fingerprint, createdAt } = table;
  return prepared((tx) =>
    tx
      .select({ id, reference })
      .from(table)
      .where(
        and(
          eq(fingerprint, sql.placeholder("fingerprint")),
          gt(createdAt, sql.placeholder("since")),
        ),
      )
      .limit(1)
      .prepare(),
  );
}
