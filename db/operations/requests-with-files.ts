import { isNull } from "drizzle-orm";
import type { Tx } from "../operation.ts";
import { filesReceived } from "../schema.ts";

/** References of the requests that have files, except those in quarantine. */
export async function listRequestsWithFiles(tx: Tx): Promise<string[]> {
  const rows = await tx
    .select({ reference: filesReceived.reference })
    .from(filesReceived)
    .where(isNull(filesReceived.spam))
    .groupBy(filesReceived.reference);
  return rows.map(({ reference }) => reference);
}
