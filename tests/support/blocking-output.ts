/**
 * Has the runner write each report before it goes on: --test-force-exit ends a process whose pipe is full together
 * with the reports that wait in it, so tests would be missing, and the failing one unnamed.
 */
interface Handle {
  setBlocking?(isBlocking: boolean): void;
}

(process.stdout as { _handle?: Handle })._handle?.setBlocking?.(true);
