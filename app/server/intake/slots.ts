import { Rejection } from "../rejection.ts";
import { runningMs } from "./running-time.ts";

export interface Slot {
  /** Frees the slot. To be called once. */
  release(): void;
  /**
   * Counts the bytes of a second in which the upload waited for its client. Returns true if the
   * upload loses its slot, because it is the slowest and another waits for it.
   */
  mustYield(bytes: number): boolean;
}

/** While others wait, an upload keeps its slot at this pace: 2 MB in two minutes. */
const minBytesPerSecond = 20_000;

/** The pace is measured over this time, so that a short gap in a radio link does not matter. */
const measuredSeconds = 10;

interface Upload {
  clientAddress: string;
  /** Bytes in each of the last seconds in which it waited for its client. */
  recentBytes: number[];
  isYielding: boolean;
}

interface Waiting {
  clientAddress: string;
  start: () => void;
  fail: () => void;
}

export interface SlotLimits {
  slots: number;
  /** Slots that one client may use. */
  perClient: number;
  /** Uploads that wait, of which one client may have three quarters. */
  queue: number;
  /** How long an upload waits. */
  timeoutMs: number;
}

/**
 * Limits concurrent uploads, and queues a few more, so that memory stays bounded. Each client may
 * use only a share of the slots and of the queue; those with the fewest uploads come first; and
 * slow uploads yield to others that wait.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #inUse: Upload[] = [];
  readonly #waiting: Waiting[] = [];

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  inUse = () => this.#inUse.length;
  waiting = () => this.#waiting.length;

  /**
   * Resolves when a slot is free.
   * @throws Rejection 503 if the queue is full, on timeout and on abort
   */
  async take(clientAddress: string, signal: AbortSignal): Promise<Slot> {
    const { slots, queue } = this.#limits;
    if (this.#inUse.length < slots && this.#hasShareLeft({ clientAddress })) {
      return this.#start(clientAddress);
    }
    const isShareUsed = countOf(this.#waiting, clientAddress) >= Math.ceil(queue * 0.75);
    const isFull = this.#waiting.length >= queue;
    if (isShareUsed || (isFull && !this.#displaceFor(clientAddress))) throw busyRejection();
    return this.#wait(clientAddress, signal);
  }

  #start(clientAddress: string): Slot {
    const upload: Upload = { clientAddress, recentBytes: [], isYielding: false };
    this.#inUse.push(upload);
    return {
      release: () => {
        this.#inUse.splice(this.#inUse.indexOf(upload), 1);
        this.#startNext();
      },
      mustYield: (bytes) => {
        upload.recentBytes = [...upload.recentBytes, bytes].slice(-measuredSeconds);
        upload.isYielding ||= this.#hasToYield(upload);
        return upload.isYielding;
      },
    };
  }

  #wait(clientAddress: string, signal: AbortSignal): Promise<Slot> {
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    const since = runningMs();
    const leaveQueue = () => {
      clearInterval(timer);
      signal.removeEventListener("abort", entry.fail);
      this.#waiting.splice(this.#waiting.indexOf(entry), 1);
    };
    const entry: Waiting = {
      clientAddress,
      start: () => {
        leaveQueue();
        resolve(this.#start(clientAddress));
      },
      fail: () => {
        leaveQueue();
        reject(busyRejection());
      },
    };
    const { timeoutMs } = this.#limits;
    const timer = setInterval(() => {
      if (runningMs() - since > timeoutMs) entry.fail();
    }, 1000);
    signal.addEventListener("abort", entry.fail, { once: true });
    this.#waiting.push(entry);
    return promise;
  }

  /** Starts the upload of the client with the fewest slots; of those, the one that waits longest. */
  #startNext(): void {
    const inUseBy = (one: Waiting) => countOf(this.#inUse, one.clientAddress);
    const [next] = this.#waiting
      .filter((one) => this.#hasShareLeft(one))
      .sort((a, b) => inUseBy(a) - inUseBy(b));
    next?.start();
  }

  #hasShareLeft({ clientAddress }: { clientAddress: string }): boolean {
    const { slots, perClient } = this.#limits;
    return countOf(this.#inUse, clientAddress) < Math.min(perClient, slots);
  }

  /** How many uploads of other clients could start in this one's place. */
  #waitingFor({ clientAddress }: Upload): number {
    return this.#waiting.filter(
      (one) => one.clientAddress !== clientAddress && this.#hasShareLeft(one),
    ).length;
  }

  /** Whether others wait for this upload, more than already get a slot, and for no slower one. */
  #hasToYield(upload: Upload): boolean {
    const pace = paceOf(upload);
    const others = this.#inUse.filter((other) => other !== upload);
    const yielding = others.filter(({ isYielding }) => isYielding).length;
    const isSlower = (other: Upload) =>
      !other.isYielding && paceOf(other) < pace && this.#waitingFor(other) > 0;
    return (
      pace < minBytesPerSecond && this.#waitingFor(upload) > yielding && !others.some(isSlower)
    );
  }

  /** Makes room in a full queue if another client has at least two more entries in it. */
  #displaceFor(clientAddress: string): boolean {
    const entriesOf = (one: Waiting) => countOf(this.#waiting, one.clientAddress);
    const [largest] = this.#waiting.toSorted((a, b) => entriesOf(b) - entriesOf(a));
    if (!largest || entriesOf(largest) < countOf(this.#waiting, clientAddress) + 2) return false;
    this.#waiting.findLast((one) => one.clientAddress === largest.clientAddress)!.fail();
    return true;
  }
}

/** In bytes per second; infinite until an upload has been measured for long enough. */
const paceOf = ({ recentBytes }: Upload) =>
  recentBytes.length < measuredSeconds
    ? Number.POSITIVE_INFINITY
    : recentBytes.reduce((sum, bytes) => sum + bytes) / measuredSeconds;

const countOf = (all: { clientAddress: string }[], clientAddress: string) =>
  all.filter((one) => one.clientAddress === clientAddress).length;

const busyRejection = () =>
  new Rejection(
    503,
    "busy",
    "Many people are uploading at this moment. Please send it again in a minute.",
    { retryAfter: 60 },
  );
