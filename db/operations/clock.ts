import { and, eq, gt, lt, max } from "drizzle-orm";
import {
  assessClock,
  type ClockReading,
  type ClockRecord,
  type ClockState,
  isNear,
} from "../../app/domain/clock.ts";
import type { Tx } from "../operation.ts";
import { clock, outbox, requestTables } from "../schema.ts";

/** No retry is planned further ahead than an hour, so such an email was dated by a wrong clock. */
const maxRetryMs = 60 * 60 * 1000;

/**
 * Compares the system's clock with what is known about time, and remembers it. Once a clock is
 * confirmed, corrects the dates that a wrong one has given to requests and emails.
 * @returns its state, and the highest confirmed time
 */
export async function readClock(
  tx: Tx,
  reading: ClockReading,
): Promise<{ state: ClockState; confirmedAt: Date }> {
  const previous = (await storedRecord(tx)) ?? (await firstRecord(tx, reading));
  const { state, record } = assessClock(previous, reading);
  await storeRecord(tx, record);
  if (state === "confirmed") await correctDates(tx, previous, reading.time);
  return { state, confirmedAt: record.confirmedAt };
}

async function storedRecord(tx: Tx): Promise<ClockRecord | undefined> {
  const [row] = await tx.select().from(clock);
  if (!row) return undefined;
  const { suspiciousSince, suspiciousReadAt } = row;
  return {
    confirmedAt: new Date(row.confirmedAt),
    misdatedSince: row.misdatedSince === null ? null : new Date(row.misdatedSince),
    suspicious:
      suspiciousSince === null || suspiciousReadAt === null
        ? null
        : {
            since: new Date(suspiciousSince),
            readAt: new Date(suspiciousReadAt),
            uptimeMs: row.suspiciousUptimeMs,
          },
  };
}

/** The record of a database without one: its newest request proves a time. */
async function firstRecord(tx: Tx, { time, builtAt }: ClockReading): Promise<ClockRecord> {
  const newest: string[] = [];
  for (const table of requestTables) {
    const [found] = await tx.select({ at: max(table.createdAt) }).from(table);
    if (found?.at) newest.push(found.at);
  }
  const earliest = time > builtAt ? time : builtAt;
  const confirmedAt = newest.length > 0 ? new Date(newest.sort().at(-1)!) : earliest;
  return { confirmedAt, misdatedSince: null, suspicious: null };
}

async function storeRecord(tx: Tx, { confirmedAt, misdatedSince, suspicious }: ClockRecord) {
  const row = {
    confirmedAt: confirmedAt.toISOString(),
    misdatedSince: misdatedSince?.toISOString() ?? null,
    suspiciousSince: suspicious?.since.toISOString() ?? null,
    suspiciousReadAt: suspicious?.readAt.toISOString() ?? null,
    suspiciousUptimeMs: Math.round(suspicious?.uptimeMs ?? 0),
  };
  await tx
    .insert(clock)
    .values({ id: 1, ...row })
    .onConflictDoUpdate({ target: clock.id, set: row });
}

/** Replaces the dates that a wrong clock has given. */
async function correctDates(tx: Tx, previous: ClockRecord, time: Date): Promise<void> {
  const { misdatedSince, suspicious } = previous;
  for (const table of requestTables) {
    const { createdAt } = table;
    // If the clock is near the confirmed time again, the dates are off by days at most.
    if (misdatedSince && suspicious && !isNear(time, previous.confirmedAt)) {
      const since = suspicious.since.toISOString();
      const isMisdated = and(gt(createdAt, misdatedSince.toISOString()), lt(createdAt, since));
      await tx.update(table).set({ createdAt: since }).where(isMisdated);
    }
    const now = time.toISOString();
    await tx.update(table).set({ createdAt: now }).where(gt(createdAt, now));
  }
  await tx
    .update(outbox)
    .set({ nextAttemptAt: time.toISOString() })
    .where(
      and(
        eq(outbox.status, "pending"),
        gt(outbox.nextAttemptAt, new Date(time.getTime() + maxRetryMs).toISOString()),
      ),
    );
}
