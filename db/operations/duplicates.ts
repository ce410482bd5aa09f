import { and, eq, gt, lte, sql } from "drizzle-orm";
import type { StoredRequest } from "../../app/domain/new-request.ts";
import type { Tx } from "../operation.ts";
import { prepared } from "../prepared.ts";
import { type RequestTable, requestTables } from "../schema.ts";

export async function findDuplicate(
  tx: Tx,
  fingerprint: string,
  since: Date,
): Promise<StoredRequest | undefined> {
  for (const table of requestTables) {
    const { id, reference, createdAt } = table;
    const isEqual = and(eq(table.fingerprint, fingerprint), gt(createdAt, since.toISOString()));
    const [found] = await tx.locked(tx.select({ id, reference }).from(table).where(isEqual));
    if (found) return found;
  }
  return undefined;
}

export async function findStored(tx: Tx, reference: string): Promise<StoredRequest | undefined> {
  for (const table of requestTables) {
    const { id, reference: column } = table;
    const isThis = eq(column, reference);
    const [found] = await tx.locked(tx.select({ id, reference: column }).from(table).where(isThis));
    if (found) return found;
  }
  return undefined;
}

/**
 * Runs the insert of a request, which does nothing if another one has its fingerprint. The unique
 * index lets two equal posts at once store one, on two servers too: the second waits for the first.
 * @returns the stored request, and whether it is the new one
 */
export async function insertOnce(
  tx: Tx,
  table: RequestTable,
  { fingerprint, since }: { fingerprint: string; since: Date },
  insert: () => Promise<StoredRequest[]>,
): Promise<StoredRequest & { isNew: boolean }> {
  await clearFingerprint[requestTables.indexOf(table)]!(tx).execute({
    fingerprint,
    since: since.toISOString(),
  });
  const [stored] = await insert();
  if (stored) return { ...stored, isNew: true };
  const { id, reference } = table;
  const isEqual = eq(table.fingerprint, fingerprint);
  const [earlier] = await tx.locked(tx.select({ id, reference }).from(table).where(isEqual));
  return { ...earlier!, isNew: false };
}

/** Clears the fingerprint of a request that is too old to be the same. */
const clearFingerprint = requestTables.map((table) =>
  prepared((tx) =>
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
);
