/** Recognises a wrong clock, such as that of a machine without a battery after a start. */
import { dayMs } from "../../domain/duration.ts";

/** A longer time since the last cleanup is doubtful; machines that are off for a weekend stay below it. */
const maxPauseMs = 3 * dayMs;

/** The clocks of servers that share a database may differ by this much. */
const maxSkewMs = 10 * 60 * 1000;

/** Times that have passed, if the clock is right. */
export interface PastTimes {
  builtAt: Date;
  newestRequest: Date | undefined;
  lastCleanup: Date | undefined;
}

interface Doubt {
  /** Continues a sentence about the clock. */
  reason: string;
  isBehind: boolean;
}

/** Returns why the clock may be wrong; undefined if the time is plausible. */
export function doubtAbout(time: Date, past: PastTimes): Doubt | undefined {
  const { builtAt, newestRequest, lastCleanup } = past;
  const behind = (reason: string) => ({ reason, isBehind: true });
  if (time < builtAt) return behind(`this program was built at ${builtAt.toISOString()}`);
  if (newestRequest && time.getTime() < newestRequest.getTime() - maxSkewMs) {
    return behind(`the newest request was received at ${newestRequest.toISOString()}`);
  }
  if (!lastCleanup || time.getTime() <= lastCleanup.getTime() + maxPauseMs) return undefined;
  const reason = `the last cleanup was at ${lastCleanup.toISOString()}, more than three days before`;
  return { reason, isBehind: false };
}

/**
 * Returns the clock for all dates that the program stores: the system's, but never earlier than the build and the last
 * cleanup. Rows dated years too early would expire as soon as the clock is corrected.
 */
export function openClock({ builtAt, lastCleanup }: PastTimes): () => Date {
  const earliest = Math.max(builtAt.getTime(), lastCleanup?.getTime() ?? 0);
  const openedMs = performance.now();
  return () => new Date(Math.max(Date.now(), earliest + performance.now() - openedMs));
}
