import type { Log } from "../log.ts";

const pauseMs = 60_000;

/**
 * Tells the operator what was turned away at the door: a reason that is new at once, and then once a minute
 * how often it came again, so that whoever floods the site does not flood the log.
 */
export class RejectionLog {
  readonly #log: Log;
  /** How often each has come since it was last told; what does not come for a minute is new again. */
  readonly #unreported = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
    setInterval(() => this.report(), pauseMs).unref();
  }

  /** @param reason one of ours: nothing that was sent */
  count(reason: string): void {
    const before = this.#unreported.get(reason);
    if (before === undefined) this.#log.info(`turned away at the door: ${reason}`);
    this.#unreported.set(reason, before === undefined ? 0 : before + 1);
  }

  report(): void {
    for (const [reason, count] of this.#unreported) {
      if (count === 0) this.#unreported.delete(reason);
      else {
        this.#log.info(`turned away at the door: ${reason}, ${count} times more`);
        this.#unreported.set(reason, 0);
      }
    }
  }
}
