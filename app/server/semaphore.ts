import { Rejection } from "./rejection.ts";

/** Gives back a place. Has no effect the second time. */
export type Release = () => void;

interface SemaphoreOptions {
  /** Places, of which one client gets at most `maxPerClient`. */
  max: number;
  maxPerClient: number;
  /** Requests of one client that may wait, and for how long. */
  maxWaitingPerClient: number;
  maxWaitMs: number;
  /** Says to people what is busy. */
  busy: string;
}

/** Limits how many requests do something at the same time; the others wait. */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  /** Places in use, by client. */
  readonly #inUse = new Map<string, number>();
  /** The functions that start what waits, by client: the one that was started last comes last. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  inUse = () => [...this.#inUse.values()].reduce((sum, count) => sum + count, 0);
  waiting = () => [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);

  /**
   * Resolves when there is a place.
   * @param signal ends the waiting when the client disconnects
   * @param isRejectable false: waits for as long as it takes
   * @throws Rejection 503 if too many requests of the client wait, on timeout and on abort
   */
  acquire(
    client: string,
    { signal, isRejectable = true }: { signal?: AbortSignal; isRejectable?: boolean } = {},
  ): Promise<Release> {
    const { maxWaitingPerClient, maxWaitMs, busy } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    const leave = () => {
      const others = this.#waiting.get(client);
      others?.delete(start);
      if (others?.size === 0) this.#waiting.delete(client);
      clearTimeout(timer);
      signal?.removeEventListener("abort", fail);
    };
    const fail = () => {
      leave();
      reject(new Rejection(503, "busy", busy, { retryAfter: 60 }));
    };
    const start = () => {
      leave();
      resolve(this.#take(client));
    };
    const timer = isRejectable ? setTimeout(fail, maxWaitMs).unref() : undefined;
    const queue = this.#waiting.get(client) ?? new Set();
    if (this.#hasPlaceFor(client)) start();
    else if (signal?.aborted || (isRejectable && queue.size >= maxWaitingPerClient)) fail();
    else {
      this.#waiting.set(client, queue.add(start));
      signal?.addEventListener("abort", fail, { once: true });
    }
    return promise;
  }

  #hasPlaceFor(client: string): boolean {
    const { max, maxPerClient } = this.#options;
    return this.inUse() < max && this.#countOf(client) < maxPerClient;
  }

  #countOf = (client: string) => this.#inUse.get(client) ?? 0;

  #take(client: string): Release {
    this.#inUse.set(client, this.#countOf(client) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const left = this.#countOf(client) - 1;
      if (left === 0) this.#inUse.delete(client);
      else this.#inUse.set(client, left);
      this.#startNext();
    };
  }

  /** Clients with the fewest places go first, in turn; of each, the request that has waited longest. */
  #startNext(): void {
    let next: string | undefined;
    for (const client of this.#waiting.keys()) {
      if (!this.#hasPlaceFor(client)) continue;
      if (next === undefined || this.#countOf(client) < this.#countOf(next)) next = client;
    }
    if (next === undefined) return;
    const queue = this.#waiting.get(next)!;
    this.#waiting.delete(next);
    this.#waiting.set(next, queue);
    queue.values().next().value!();
  }
}
