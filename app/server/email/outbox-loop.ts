import type { Store } from "#db/store.ts";
import type { Channel, OutboxEmail } from "../../domain/email.ts";
import { type Loop, startLoop } from "../jobs/loop.ts";
import type { Log } from "../log.ts";

/** Commands release entries without calling `wake`, so the loop checks at least this often. */
const maxSleepMs = 60_000;

/**
 * Delivers the entries of a channel one at a time, oldest due first, until it is closed. A slow server
 * of one channel does not delay the other.
 * @param deliver sends the entry and stores whether that succeeded
 */
export function startOutboxLoop(
  channel: Channel,
  { store, now, log }: { store: Store; now: () => Date; log: Log },
  deliver: (entry: OutboxEmail) => Promise<void>,
): Loop {
  /** Returns how long to sleep afterwards, in milliseconds. */
  async function deliverDue(closing: AbortSignal): Promise<number> {
    try {
      while (!closing.aborted) {
        const entry = await store.takeDueEmail(now(), channel);
        if (!entry) break;
        await deliver(entry);
      }
      const due = await store.nextDueTime(channel);
      const untilDueMs = due ? due.getTime() - now().getTime() : maxSleepMs;
      return Math.min(Math.max(untilDueMs, 0), maxSleepMs);
    } catch (error) {
      log.error("reading or writing the outbox failed; retrying in a minute", error);
      return maxSleepMs;
    }
  }
  return startLoop(deliverDue);
}
