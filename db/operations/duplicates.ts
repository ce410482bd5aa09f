import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { StoredRequest } from "../../app/domain/new-request.ts";
import type { Tx } from "../operation.ts";
import { columnsIn, placeholders, prepared } from "../prepared.ts";
import { type RequestTable, requestTables } from "../schema.ts";

/** The request with this fingerprint that was stored after `since`, if any. */
export async function findDuplicate(
  tx: Tx,
  fingerprint: string,
  since: Date,
): Promise<StoredRequest | undefined> {
  return await findIn(tx, requestTables, (table) =>
    and(eq(table.fingerprint, fingerprint), gt(table.createdAt, since.toISOString())),
  );
}

/** The request with this reference; undefined if there is none. */
export async function findStored(tx: Tx, reference: string): Promise<StoredRequest | undefined> {
  return await findIn(tx, requestTables, (table) => eq(table.reference, reference));
}

/**
 * Inserts a request unless another one has its fingerprint. Of two equal posts at once, even on two servers, only one
 * is stored. The other waits for it at the unique index.
 * @param row values of columns; a key that the table has no column for is ignored
 * @param since requests from then or before do not count as equal
 * @returns the stored request, and whether it is the new one
 */
export async function insertOnce(
  tx: Tx,
  table: RequestTable,
  row: { fingerprint: string },
  since: Date,
): Promise<StoredRequest & { isNew: boolean }> {
  const { fingerprint } = row;
  const { clearFingerprint, insert } = statements.get(table)!;
  await clearFingerprint(tx).execute({ fingerprint, since: since.toISOString() });
  const [stored] = await insert(tx, columnsIn(table, row)).execute(row);
  if (stored) return { ...stored, isNew: true };
  const earlier = await findIn(tx, [table], () => eq(table.fingerprint, fingerprint));
  return { ...earlier!, isNew: false };
}

/** The statements of insertOnce for each table. */
const statements = new Map(
  requestTables.map((table) => [
    table,
    {
      /** Removes the fingerprint of a request that is too old to be the same. */
      clearFingerprint: prepared((tx) =>
        tx
          .update(table)
          .set({ fingerprint: null })
          .where(
            and(
              eq(table.fingerprint, sql.placeholder("fingerprint")),
              lte(table.createdAt, sql.placeholder("since")),
            ),
          )
          .prepare(),
      ),
      insert: prepared((tx, columns) =>
        tx
          .insert(table)
          .values(placeholders(table, columns))
          .onConflictDoNothing({ target: table.fingerprint })
          .returning({ id: table.id, reference: table.reference })
          .prepare(),
      ),
    },
  ]),
);

/** The first request that a condition selects. It is locked, because a visitor is told that it is stored. */
async function findIn(
  tx: Tx,
  tables: readonly RequestTable[],
  conditionOf: (table: RequestTable) => SQL | undefined,
): Promise<StoredRequest | undefined> {
  for (const table of tables) {
    const { id, reference } = table;
    const query = tx.select({ id, reference }).from(table).where(conditionOf(table));
    const [found] = await tx.locked(query);
    if (found) return found;
  }
  return undefined;
}
