/** Longer pauses between two ticks mean that the process was suspended. */
const maxPauseMs = 2000;

let countedMs = 0;
let countedUntil = performance.now();

/**
 * Milliseconds that this process has run for. A pause of the process itself (SIGSTOP, a snapshot of
 * the machine) counts as two seconds at most, so that no client is blamed for it.
 */
export const runningMs = (): number =>
  countedMs + Math.min(performance.now() - countedUntil, maxPauseMs);

setInterval(() => {
  countedMs = runningMs();
  countedUntil = performance.now();
}, 1000).unref();
