import { Rejection } from "./rejection.ts";

/** Gives back a place. Has no effect the second time. */
export type Release = () => void;

export interface SemaphoreOptions {
  /** Places, of which one client gets at most `maxPerClient`. */
  max: number;
  maxPerClient: number;
  /** Requests of one client that may wait, and for how long. */
  maxWaitingPerClient: number;
  maxWaitMs: number;
  /** Says to people what is busy. */
  busy: string;
}

/** The requests of one client that wait. */
interface Queue {
  starts: Set<() => void>;
  /** Whether one has been started since the client began to wait. */
  hasStarted: boolean;
}

/** Limits how many requests do something at the same time; the others wait. */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  /** Places in use, by client. */
  readonly #inUse = new Map<string, number>();
  /** By client: the one that was started last comes last. */
  readonly #waiting = new Map<string, Queue>();

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  inUse = () => [...this.#inUse.values()].reduce((sum, count) => sum + count, 0);
  waiting = () => [...this.#waiting.values()].reduce((sum, { starts }) => sum + starts.size, 0);

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
    const queue = this.#waiting.get(client) ?? { starts: new Set(), hasStarted: false };
    const leave = () => {
      queue.starts.delete(start);
      if (queue.starts.size === 0) this.#waiting.delete(client);
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
    if (this.#hasPlaceFor(client)) start();
    else if (signal?.aborted || (isRejectable && queue.starts.size >= maxWaitingPerClient)) fail();
    else {
      queue.starts.add(start);
      this.#waiting.set(client, queue);
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

  /**
   * Clients with the fewest places go first, of these newcomers, the others in turn; of each client the
   * request that has waited longest.
   */
  #startNext(): void {
    const rank = ([client, { hasStarted }]: [string, Queue]) =>
      this.#countOf(client) + (hasStarted ? 0.5 : 0);
    const [next] = [...this.#waiting]
      .filter(([client]) => this.#hasPlaceFor(client))
      .sort((a, b) => rank(a) - rank(b));
    if (!next) return;
    const [client, queue] = next;
    queue.hasStarted = true;
    this.#waiting.delete(client);
    this.#waiting.set(client, queue);
    queue.starts.values().next().value!();
  }
}
