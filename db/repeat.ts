import { and, eq, gt } from "drizzle-orm";
import type { Db } from "./open.ts";
import { contactRequests, rubricRequests } from "./schema.ts";

export interface Submitted {
  id: number;
  reference: string;
}

/** The request that the very same post has made since a time, if any. */
export async function findRepeat(
  db: Db,
  fingerprint: string,
  since: Date,
): Promise<Submitted | undefined> {
  return repeatOf(db, fingerprint, since);
}

/** The same inside a transaction, where two equal posts at once cannot both find nothing. */
export function repeatOf(
  db: Pick<Db, "select">,
  fingerprint: string,
  since: Date,
): Submitted | undefined {
  for (const table of [contactRequests, rubricRequests]) {
    const { id, reference, createdAt } = table;
    const repeat = db
      .select({ id, reference })
      .from(table)
      .where(and(eq(table.fingerprint, fingerprint), gt(createdAt, since.toISOString())))
      .get();
    if (repeat) return repeat;
  }
  return undefined;
}
