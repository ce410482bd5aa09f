import { FairShare, type Holder, type Release } from "../fair-share.ts";
import { Rejection } from "../rejection.ts";

/** Each takes up to 2 MB while it is rendered and compressed; one thread renders them all. */
const maxRunning = 8;

/** About a quarter of a second of rendering; a longer queue would only delay the response. */
const maxWaiting = 64;

/** Turns of the event loop that a render leaves to new connections; each takes a fraction of it. */
const maxDeferrals = 16;

type Waiting = Holder & { start(): void };

/**
 * Places for pages that are rendered for one request. The client with the fewest goes first.
 * The event loop accepts one new connection in each turn, so at most one render is started in a
 * turn, and none for a few turns while there are new connections: the others would queue up.
 */
export class RenderQueue {
  #running = 0;
  #isScheduled = false;
  #hasNewConnection = false;
  #deferrals = 0;
  readonly #pages = new FairShare<Waiting>(maxWaiting);
  /** Never revoked; the rate limit and the connections bound their number. */
  readonly #posts = new FairShare<Waiting>(Number.POSITIVE_INFINITY);
  #isPostNext = false;

  /** To be called for each new connection. */
  readonly deferForConnection = (): void => {
    this.#hasNewConnection = true;
  };

  /**
   * Resolves when a page may be rendered.
   * @param signal aborted when the client disconnects, which frees its place
   * @throws Rejection 503
   */
  take(client: string, signal: AbortSignal): Promise<Release> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        release?.();
        signal.removeEventListener("abort", fail);
      };
      const fail = () => {
        leave();
        reject(tooManyPages());
      };
      const start = () => {
        leave();
        resolve(this.#start());
      };
      const release = this.#pages.take({ client, amount: 1, revoke: fail, start });
      if (release) signal.addEventListener("abort", fail, { once: true });
      else fail();
      this.#schedule();
    });
  }

  /** Resolves when the response to a post may be rendered, however many others wait. */
  takeForPost(client: string): Promise<Release> {
    return new Promise((resolve) => {
      const start = () => {
        leave?.();
        resolve(this.#start());
      };
      const leave = this.#posts.take({ client, amount: 1, revoke: () => {}, start });
      this.#schedule();
    });
  }

  #start(): Release {
    this.#running += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#running -= 1;
      this.#schedule();
    };
  }

  #schedule(): void {
    if (this.#isScheduled || this.#running === maxRunning) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#hasNewConnection && this.#deferrals < maxDeferrals) {
        this.#hasNewConnection = false;
        this.#deferrals += 1;
        this.#schedule();
        return;
      }
      this.#deferrals = 0;
      // Pages and posts take turns.
      const [first, second] = this.#isPostNext
        ? [this.#posts, this.#pages]
        : [this.#pages, this.#posts];
      this.#isPostNext = !this.#isPostNext;
      const next = first.next() ?? second.next();
      next?.start();
      if (next) this.#schedule();
    });
  }
}

const tooManyPages = () =>
  new Rejection(503, "busy", "Many pages are being requested. Please try again in a minute.", {
    retryAfter: 60,
  });
