import { setTimeout as sleep } from "node:timers/promises";

/** Work that is repeated until it is closed. */
export interface Loop {
  /** Ends the sleep. If the work is in progress, the next sleep is skipped. */
  wake(): void;
  /** Waits for the work in progress, then stops. */
  close(): Promise<void>;
}

/**
 * Repeats `work`, one run after another, and sleeps between two runs for as many milliseconds as it
 * returns.
 * @param work must not throw; its signal is aborted by `close`
 */
export function startLoop(work: (closing: AbortSignal) => Promise<number>): Loop {
  const closing = new AbortController();
  let woken = new AbortController();
  const run = async () => {
    while (!closing.signal.aborted) {
      woken = new AbortController();
      const sleepMs = await work(closing.signal);
      // `wake` makes the sleep reject, at once if `wake` was called during the work. Then the work is repeated.
      await sleep(sleepMs, undefined, { signal: woken.signal }).catch(() => {});
    }
  };
  const finished = run();
  return {
    wake: () => woken.abort(),
    close() {
      closing.abort();
      woken.abort();
      return finished;
    },
  };
}
