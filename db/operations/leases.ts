import { type Column, eq, isNull, lt, or } from "drizzle-orm";
import type { Tx } from "../operation.ts";
import { leases } from "../schema.ts";

/** Selects the rows of a table that are not leased. */
export const isFree = (tx: Tx, { leasedUntil }: { leasedUntil: Column }) =>
  or(isNull(leasedUntil), lt(leasedUntil, tx.fromNow(0)));

/**
 * Leases work that one server at a time does, for some seconds. A holder that calls again prolongs its lease.
 * @param seconds 0 ends the holder's lease
 * @returns whether the holder has the lease
 */
export async function takeLease(
  tx: Tx,
  name: string,
  holder: string,
  seconds: number,
): Promise<boolean> {
  const lease = { holder, heldUntil: tx.fromNow(seconds) };
  const taken = await tx
    .insert(leases)
    .values({ name, ...lease })
    .onConflictDoUpdate({
      target: leases.name,
      set: lease,
      setWhere: or(eq(leases.holder, holder), lt(leases.heldUntil, tx.fromNow(0))),
    })
    .returning({ name: leases.name });
  return taken.length > 0;
}
