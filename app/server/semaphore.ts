import { Rejection } from "./rejection.ts";

/** Gives back a place. A second call has no effect. */
export type Release = () => void;

export interface SemaphoreOptions {
  /** Places, of which one client gets at most `maxPerClient`. */
  max: number;
  maxPerClient: number;
  /** Requests of one client that may wait. */
  maxWaitingPerClient: number;
  /** How long a request may wait. */
  maxWaitMs: number;
  /** The message of the rejection when no place becomes free. */
  busy: string;
}

interface Waiting {
  /** Ends the waiting when the client disconnects. */
  signal?: AbortSignal;
  /** Whether the limits on waiting apply; if false, the request waits for as long as it takes. Default: true. */
  isRejectable?: boolean;
  /** What the place is for, such as an upload. A client's requests whose owner has no place start first. */
  owner?: string | undefined;
  /** Limits in place of the semaphore's. They also make the request start later; see `#startNext`. */
  limits?: Pick<SemaphoreOptions, "maxWaitingPerClient" | "maxWaitMs">;
}

type Waiter = Pick<Waiting, "owner" | "limits"> & { start: () => void };

/** The waiting requests of one client. */
interface Queue {
  waiters: Set<Waiter>;
  /** Whether a request has been started since the client began to wait. */
  hasStarted: boolean;
}

/** Limits how many requests do something at the same time; the others wait. */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  /** Places in use, by client. */
  readonly #inUse = new Map<string, Set<Pick<Waiting, "owner">>>();
  /** Queues by client. A client moves to the end when it begins to wait and when one of its requests is started. */
  readonly #waiting = new Map<string, Queue>();

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  inUse = () => [...this.#inUse.values()].reduce((sum, { size }) => sum + size, 0);
  waiting = () => [...this.#waiting.values()].reduce((sum, { waiters }) => sum + waiters.size, 0);

  /**
   * Resolves when there is a place, with a function that gives it back.
   * @throws Rejection 503 if too many requests of the client wait, and on timeout or abort while the request waits
   */
  acquire(
    client: string,
    { signal, isRejectable = true, owner, limits }: Waiting = {},
  ): Promise<Release> {
    const { maxWaitingPerClient, maxWaitMs, busy } = { ...this.#options, ...limits };
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    const queue = this.#waiting.get(client) ?? { waiters: new Set(), hasStarted: false };
    const leave = () => {
      queue.waiters.delete(waiter);
      if (queue.waiters.size === 0) this.#waiting.delete(client);
      clearTimeout(timer);
      signal?.removeEventListener("abort", fail);
    };
    const fail = () => {
      leave();
      reject(new Rejection(503, "busy", busy, { retryAfter: 60 }));
    };
    const start = () => {
      leave();
      resolve(this.#take(client, owner));
    };
    const waiter: Waiter = { start, owner, limits };
    const timer = isRejectable ? setTimeout(fail, maxWaitMs).unref() : undefined;
    if (this.roomFor(client) > 0) start();
    else if (signal?.aborted || (isRejectable && queue.waiters.size >= maxWaitingPerClient)) fail();
    else {
      queue.waiters.add(waiter);
      this.#waiting.set(client, queue);
      signal?.addEventListener("abort", fail, { once: true });
    }
    return promise;
  }

  /** Acquires a place, and gives it back when the signal aborts, or at once if it has aborted before. */
  async acquireUntilAbort(
    client: string,
    waiting: Waiting & { signal: AbortSignal },
  ): Promise<Release> {
    const release = await this.acquire(client, waiting);
    releaseAtAbort(waiting.signal, release);
    return release;
  }

  /** How many more places a client would get now. */
  roomFor(client: string): number {
    const { max, maxPerClient } = this.#options;
    return Math.min(max - this.inUse(), maxPerClient - this.#countOf(client));
  }

  #countOf = (client: string) => this.#inUse.get(client)?.size ?? 0;

  #take(client: string, owner: string | undefined): Release {
    const places = this.#inUse.get(client) ?? new Set();
    const place = { owner };
    this.#inUse.set(client, places.add(place));
    return () => {
      if (!places.delete(place)) return;
      if (places.size === 0) this.#inUse.delete(client);
      this.#startNext();
    };
  }

  /**
   * Starts a waiting request of the client with the fewest places. Among equals, a client that has waited without any
   * start goes first, then the client whose latest start is the longest ago. Of the client's requests, those whose
   * owner has no place go first, then those without limits of their own, then the oldest.
   */
  #startNext(): void {
    const [next] = [...this.#waiting]
      .filter(([client]) => this.roomFor(client) > 0)
      .sort(
        ([a, one], [b, other]) =>
          this.#countOf(a) - this.#countOf(b) || falseFirst(one.hasStarted, other.hasStarted),
      );
    if (!next) return;
    const [client, queue] = next;
    queue.hasStarted = true;
    this.#waiting.delete(client);
    this.#waiting.set(client, queue);
    const holders = new Set([...(this.#inUse.get(client) ?? [])].map(({ owner }) => owner));
    const hasPlace = ({ owner }: Waiter) => owner !== undefined && holders.has(owner);
    const [first] = [...queue.waiters].sort(
      (a, b) =>
        falseFirst(hasPlace(a), hasPlace(b)) ||
        falseFirst(a.limits !== undefined, b.limits !== undefined),
    );
    first!.start();
  }
}

const falseFirst = (a: boolean, b: boolean) => Number(a) - Number(b);

/** Gives a place back when the signal aborts, or at once if it has aborted before. */
export function releaseAtAbort(signal: AbortSignal, release: Release): void {
  if (signal.aborted) release();
  else signal.addEventListener("abort", release, { once: true });
}
