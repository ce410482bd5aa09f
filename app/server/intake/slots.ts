import { Refusal } from "./refusal.ts";

/** Gives back a slot. */
export type Release = () => void;

export interface Slots {
  /** Resolves when it is one's turn. */
  take(signal: AbortSignal): Promise<Release>;
  inUse(): number;
  waiting(): number;
}

/** Lets a few uploads in at a time, and a few more wait their turn, so that a crowd cannot fill the memory. */
export function newSlots({
  slots,
  queue,
  patienceMs,
}: {
  slots: number;
  queue: number;
  patienceMs: number;
}): Slots {
  let free = slots;
  const waiting: (() => void)[] = [];

  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  const take = async (signal: AbortSignal) => {
    if (free > 0) {
      free -= 1;
      return once(release);
    }
    if (waiting.length >= queue) throw busy();
    await new Promise<void>((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        resolve();
      };
      // Whoever has waited too long, or is gone, makes room.
      const leave = () => {
        clearTimeout(timer);
        waiting.splice(waiting.indexOf(turn), 1);
        reject(busy());
      };
      const timer = setTimeout(leave, patienceMs);
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(turn);
    });
    return once(release);
  };
  return { take, inUse: () => slots - free, waiting: () => waiting.length };
}

const busy = () =>
  new Refusal(
    503,
    "busy",
    "Many people are uploading at this moment. Please send it again in a minute.",
    { retryAfter: 60 },
  );

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}
