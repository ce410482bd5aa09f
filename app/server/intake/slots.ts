import { Rejection } from "../rejection.ts";

/** Frees a slot. To be called once. */
export type Release = () => void;

export interface Slots {
  /**
   * Resolves when a slot is free.
   * @throws Rejection 503 if the queue is full, on timeout and on abort
   */
  take(clientAddress: string, signal: AbortSignal): Promise<Release>;
  inUse(): number;
  waiting(): number;
}

/**
 * Limits concurrent uploads, and queues a few more, so that memory stays bounded. Each client may
 * use only a share of the slots and of the queue, so that a slow one cannot block the others.
 */
export function newSlots({
  slots,
  perClient,
  queue,
  timeoutMs,
}: {
  slots: number;
  perClient: number;
  queue: number;
  timeoutMs: number;
}): Slots {
  /** Client addresses, one entry per slot in use. */
  const inUse: string[] = [];
  const waiting: { clientAddress: string; start: () => void }[] = [];
  const maxWaiting = Math.ceil(queue * 0.75);

  const canStart = (clientAddress: string) =>
    inUse.length < slots && countOf(inUse, clientAddress) < Math.min(perClient, slots);

  const start = (clientAddress: string): Release => {
    inUse.push(clientAddress);
    return () => {
      inUse.splice(inUse.indexOf(clientAddress), 1);
      waiting.find((one) => canStart(one.clientAddress))?.start();
    };
  };

  const take = async (clientAddress: string, signal: AbortSignal) => {
    if (canStart(clientAddress)) return start(clientAddress);
    const waitingOfClient = waiting.filter((one) => one.clientAddress === clientAddress).length;
    if (waiting.length >= queue || waitingOfClient >= maxWaiting) throw busyRejection();
    return new Promise<Release>((resolve, reject) => {
      const leaveQueue = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", fail);
        waiting.splice(waiting.indexOf(entry), 1);
      };
      const entry = {
        clientAddress,
        start: () => {
          leaveQueue();
          resolve(start(clientAddress));
        },
      };
      const fail = () => {
        leaveQueue();
        reject(busyRejection());
      };
      const timer = setTimeout(fail, timeoutMs);
      signal.addEventListener("abort", fail, { once: true });
      waiting.push(entry);
    });
  };
  return { take, inUse: () => inUse.length, waiting: () => waiting.length };
}

const countOf = (all: string[], one: string) => all.filter((each) => each === one).length;

const busyRejection = () =>
  new Rejection(
    503,
    "busy",
    "Many people are uploading at this moment. Please send it again in a minute.",
    { retryAfter: 60 },
  );
