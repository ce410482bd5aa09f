/** Turns of uploads: a school is one address, whose teachers send at the same time. */
import type { Release, Semaphore } from "../semaphore.ts";

/** Max time that a request waits for its turn: shorter than proxies and pages wait for a response. */
const heldMs = 20_000;

/** The first request of an upload gets its response sooner, so that the page can say why it waits. */
const firstHeldMs = 1_000;

/** How long an upload may be silent while it waits, and how long a place waits for its next file. */
const silentMs = 15_000;

/**
 * A file of at most `bytes`, such as a rubric, does not use up a turn: the place waits `keptMs` for the next file,
 * unless the turn has taken `maxTurnMs`.
 */
const small = { bytes: 65_536, keptMs: 3_000, maxTurnMs: 5_000 };

/** Limits of waiting uploads. Many may wait for minutes: their files are still in the browsers, and take no memory. */
const limits = { maxWaitingPerClient: 100, maxWaitMs: 5 * 60_000 };

/** An upload that waits for a place, or has one for its next file. */
interface Turn {
  place: { release: Release; grantedAt: number } | undefined;
  /** Resolves when there is a place. */
  granted: Promise<void>;
  /** How many requests of the upload wait for the place. */
  asking: number;
  /** Ends the turn after so many milliseconds. */
  endIn: (ms: number) => void;
  cancelEnd: () => void;
  /** Ends a turn without a place after `silentMs`, unless a request of the upload waits for the place. */
  endUnlessAsked: () => void;
}

/**
 * Gives places to uploads. An upload by script asks for a place before it sends a file, and the place waits for the
 * file. So the requests that wait are small, and no file waits in the buffer of a connection.
 */
export class UploadTurns {
  readonly #places: Semaphore;
  /** Turns by the token of their upload. */
  readonly #turns = new Map<string, Turn>();
  /** Functions that end the waiting of a request. */
  readonly #held = new Set<() => void>();
  #isStopping = false;

  constructor(places: Semaphore) {
    this.#places = places;
  }

  /**
   * Waits for an upload's turn. Returns how many files it may send at once; 0 if it has to ask again.
   * @throws Rejection 503 after minutes without a place, or if too many uploads of the client wait
   */
  async wait(client: string, token: string, signal: AbortSignal): Promise<number> {
    const known = this.#turns.get(token);
    const turn = known ?? this.#begin(client, token);
    turn.asking += 1;
    turn.endUnlessAsked();
    const ended = Promise.withResolvers<void>();
    const timer = setTimeout(ended.resolve, known ? heldMs : firstHeldMs);
    signal.addEventListener("abort", () => ended.resolve(), { once: true });
    this.#held.add(ended.resolve);
    if (this.#isStopping) ended.resolve();
    try {
      await Promise.race([turn.granted, ended.promise]);
    } finally {
      clearTimeout(timer);
      this.#held.delete(ended.resolve);
      turn.asking -= 1;
      turn.endUnlessAsked();
    }
    if (!turn.place) return 0;
    return this.isCrowded() ? 1 : 1 + this.#places.roomFor(client);
  }

  /**
   * Waits until files may be read; an upload that has a turn does not wait. Resolves with a function that gives the
   * place back.
   * @param upload its token, and the length of the file that it brings
   * @throws Rejection 503
   */
  async take(
    client: string,
    signal: AbortSignal,
    upload?: { token: string; length: number },
  ): Promise<Release> {
    const turn = upload && this.#turns.get(upload.token);
    if (!upload || !turn?.place)
      return await this.#places.acquire(client, { signal, owner: upload?.token });
    const { token, length } = upload;
    const { release, grantedAt } = turn.place;
    turn.cancelEnd();
    this.#turns.delete(token);
    // A length that is not known is NaN, and counts as large.
    if (!(length <= small.bytes)) return release;
    return () => {
      const isLong = Date.now() - grantedAt > small.maxTurnMs;
      if (isLong || !this.isCrowded() || this.#turns.has(token)) return release();
      this.#turns.set(token, turn);
      turn.endIn(small.keptMs);
    };
  }

  /** Whether uploads wait for a place. If so, every upload asks for its turn before its next file. */
  isCrowded = () => this.#places.waiting() > 0;

  /** Responds to the waiting requests at once, because they would delay the shutdown of the server. */
  stop(): void {
    this.#isStopping = true;
    for (const endWaiting of this.#held) endWaiting();
  }

  #begin(client: string, token: string): Turn {
    const ended = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const end = () => {
      this.#turns.delete(token);
      ended.abort();
      turn.place?.release();
    };
    const cancelEnd = () => clearTimeout(timer);
    const endIn = (ms: number) => {
      cancelEnd();
      timer = setTimeout(end, ms).unref();
    };
    const endUnlessAsked = () => {
      if (turn.place || this.#turns.get(token) !== turn) return;
      if (turn.asking === 0) endIn(silentMs);
      else cancelEnd();
    };
    const granted = this.#places
      .acquire(client, { signal: ended.signal, owner: token, limits })
      .then(
        (release) => {
          turn.place = { release, grantedAt: Date.now() };
          endIn(silentMs);
        },
        (error) => {
          this.#turns.delete(token);
          throw error;
        },
      );
    granted.catch(() => {});
    const turn: Turn = {
      place: undefined,
      granted,
      asking: 0,
      endIn,
      cancelEnd,
      endUnlessAsked,
    };
    this.#turns.set(token, turn);
    return turn;
  }
}
