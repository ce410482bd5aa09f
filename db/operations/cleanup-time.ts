import { and, eq, gt, max } from "drizzle-orm";
import { dayMs } from "../../app/domain/duration.ts";
import type { Tx } from "../operation.ts";
import { clock, outbox, requestTables } from "../schema.ts";

/** When data was last deleted by age, and when the newest request was received; each is undefined before that. */
export async function findPastTimes(tx: Tx) {
  const times: string[] = [];
  for (const table of requestTables) {
    const [newest] = await tx.select({ at: max(table.createdAt) }).from(table);
    if (newest?.at) times.push(newest.at);
  }
  const newest = times.sort().at(-1);
  const newestRequest = newest === undefined ? undefined : new Date(newest);
  const [row] = await tx.select({ at: clock.lastCleanupAt }).from(clock);
  return { newestRequest, lastCleanup: row && new Date(row.at) };
}

/** Records the time of a cleanup. Emails due more than a day ahead become due: a wrong clock put them off. */
export async function recordCleanup(tx: Tx, now: Date): Promise<void> {
  const row = { lastCleanupAt: now.toISOString() };
  await tx
    .insert(clock)
    .values({ id: 1, ...row })
    .onConflictDoUpdate({ target: clock.id, set: row });
  const tomorrow = new Date(now.getTime() + dayMs).toISOString();
  await tx
    .update(outbox)
    .set({ nextAttemptAt: now.toISOString() })
    .where(and(eq(outbox.status, "pending"), gt(outbox.nextAttemptAt, tomorrow)));
}
