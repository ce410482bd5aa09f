/**
 * When the system's clock may be used to delete data by age. A machine may start with a wrong time
 * and get the right one later.
 */

const dayMs = 24 * 60 * 60 * 1000;

/** A larger difference is suspicious. Machines that are switched off for a weekend stay below it. */
const maxStepMs = 3 * dayMs;

/** A suspicious clock is confirmed once the program has run by it for this long, restarts included. */
const confirmationMs = dayMs;

/** What the store remembers about the clock. */
export interface ClockRecord {
  /** The highest time of a confirmed clock. */
  confirmedAt: Date;
  /** Requests received since this time are dated by a wrong clock, if it is set. */
  misdatedSince: Date | null;
  /** A suspicious clock that is not confirmed yet. */
  suspicious: {
    /** Its time when it was first read. */
    since: Date;
    /** Its time when it was last read. */
    readAt: Date;
    /** How long the program has run by it. */
    uptimeMs: number;
  } | null;
}

/** One look at the system's clock. */
export interface ClockReading {
  time: Date;
  /** When the program was built: the clock cannot be earlier. */
  builtAt: Date;
  /** Time of the clock when the program started. */
  startedAt: Date;
  /** Since the program started, by a clock that cannot be set. */
  uptimeMs: number;
  /** The part of `uptimeMs` since the previous reading. */
  elapsedMs: number;
}

/** Only a "confirmed" clock may delete data; the others are early or late by days. */
export type ClockState = "confirmed" | "behind" | "ahead";

/** Returns the state of the clock, and what to remember. */
export function assessClock(
  record: ClockRecord,
  reading: ClockReading,
): { state: ClockState; record: ClockRecord } {
  const { time, builtAt } = reading;
  const { confirmedAt, suspicious } = record;
  const stepMs = time.getTime() - confirmedAt.getTime();
  const isBeforeBuild = time < builtAt;
  if (!isBeforeBuild && Math.abs(stepMs) <= maxStepMs) {
    if (stepMs < 0) return { state: "behind", record: { ...record, suspicious: null } };
    return { state: "confirmed", record: confirmedRecord(time) };
  }
  const isSteady = suspicious !== null && isNear(time, suspicious.readAt);
  const uptimeMs = isSteady ? suspicious.uptimeMs + reading.elapsedMs : 0;
  if (!isBeforeBuild && uptimeMs >= confirmationMs) {
    return { state: "confirmed", record: confirmedRecord(time) };
  }
  return {
    state: stepMs < 0 || isBeforeBuild ? "behind" : "ahead",
    record: {
      confirmedAt,
      misdatedSince: misdatedSince(record, reading, stepMs),
      suspicious: { since: isSteady ? suspicious.since : time, readAt: time, uptimeMs },
    },
  };
}

/** The earliest time that the program dates anything with. */
export const earliestTime = (
  { confirmedAt }: Pick<ClockRecord, "confirmedAt">,
  builtAt: Date,
): Date => (confirmedAt > builtAt ? confirmedAt : builtAt);

/** Whether two times are so close that the difference is not suspicious. */
export const isNear = (a: Date, b: Date): boolean =>
  Math.abs(a.getTime() - b.getTime()) <= maxStepMs;

const confirmedRecord = (confirmedAt: Date): ClockRecord => ({
  confirmedAt,
  misdatedSince: null,
  suspicious: null,
});

/**
 * A clock that is behind misdates what is received by it. One that is set forward while the program
 * runs was probably wrong since the start: a machine without a battery gets its time from the network.
 */
function misdatedSince(record: ClockRecord, reading: ClockReading, stepMs: number): Date | null {
  if (record.misdatedSince) return record.misdatedSince;
  const { time, builtAt, startedAt, uptimeMs } = reading;
  if (stepMs < 0 || time < builtAt) return earliestTime(record, builtAt);
  const wasSet = time.getTime() - startedAt.getTime() > uptimeMs + maxStepMs;
  return wasSet && uptimeMs < confirmationMs ? startedAt : null;
}
