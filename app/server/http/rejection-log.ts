import { counted } from "../../domain/counted.ts";
import type { Log } from "../log.ts";

const reportIntervalMs = 60_000;

/**
 * Logs a new reason of rejections at once, and then every minute how often it has recurred, so that a flood of requests
 * does not flood the log.
 */
export class RejectionLog {
  readonly #log: Log;
  /** How often each reason has recurred since it was logged. A reason that does not recur for a minute is new again. */
  readonly #unreported = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
    setInterval(() => this.report(), reportIntervalMs).unref();
  }

  /** @param reason one of a fixed set; never text from the request */
  count(reason: string): void {
    const previous = this.#unreported.get(reason);
    if (previous === undefined) this.#log.info(`rejected at the front door: ${reason}`);
    this.#unreported.set(reason, previous === undefined ? 0 : previous + 1);
  }

  report(): void {
    for (const [reason, count] of this.#unreported) {
      if (count === 0) this.#unreported.delete(reason);
      else {
        this.#log.info(`rejected at the front door: ${reason}, ${counted(count, "more time")}`);
        this.#unreported.set(reason, 0);
      }
    }
  }
}
