import type { Log } from "../log.ts";

const pauseMs = 60_000;

/**
 * Tells the operator what was turned away at the door: a reason that is new at once, and then once a minute
 * how often it came again, so that whoever floods the site does not flood the log.
 */
export class Refusals {
  readonly #log: Log;
  /** How often each has come since it was last told; what does not come for a minute is new again. */
  readonly #untold = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
    setInterval(() => this.tell(), pauseMs).unref();
  }

  /** @param reason one of ours: nothing that was sent */
  count(reason: string): void {
    const before = this.#untold.get(reason);
    if (before === undefined) this.#log.info(`turned away at the door: ${reason}`);
    this.#untold.set(reason, before === undefined ? 0 : before + 1);
  }

  tell(): void {
    for (const [reason, count] of this.#untold) {
      if (count === 0) this.#untold.delete(reason);
      else {
        this.#log.info(`turned away at the door: ${reason}, ${count} times more`);
        this.#untold.set(reason, 0);
      }
    }
  }
}
