import type { Store } from "#db/store.ts";
import { type ClockState, earliestTime, isNear } from "../domain/clock.ts";

/** The program's clock: the system's, unless that is days behind a time that is known to be past. */
export interface Clock {
  now(): Date;
  /** Reads the system's clock, and returns whether it may delete data by age. */
  check(): Promise<ClockState>;
  /** The highest time of a confirmed clock. */
  confirmedAt(): Date;
}

/** Opens the clock and checks it once. @param builtAt the clock cannot be earlier */
export async function openClock(
  store: Pick<Store, "readClock">,
  builtAt: Date,
  systemTime = () => new Date(),
): Promise<Clock> {
  const startedAt = { time: systemTime(), ms: performance.now() };
  let checkedMs = startedAt.ms;
  /** The latest time that `now` returned. */
  let latest = startedAt;
  let confirmedAt = startedAt.time;

  const now = () => {
    const time = systemTime();
    const ms = performance.now();
    if (time < latest.time && !isNear(time, latest.time)) {
      return new Date(latest.time.getTime() + ms - latest.ms);
    }
    if (time > latest.time) latest = { time, ms };
    return time;
  };
  const check = async () => {
    const ms = performance.now();
    const time = systemTime();
    const read = await store.readClock({
      time,
      builtAt,
      startedAt: startedAt.time,
      uptimeMs: ms - startedAt.ms,
      elapsedMs: ms - checkedMs,
    });
    checkedMs = ms;
    confirmedAt = read.confirmedAt;
    const earliest = earliestTime(read, builtAt);
    const isBehind = time < earliest && !isNear(time, earliest);
    if (!isBehind) latest = { time, ms };
    else if (latest.time < earliest) latest = { time: earliest, ms };
    return read.state;
  };
  await check();
  return { now, check, confirmedAt: () => confirmedAt };
}
