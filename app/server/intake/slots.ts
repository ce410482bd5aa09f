import { Rejection } from "./rejection.ts";

/** Gives back a slot. */
export type Release = () => void;

export interface Slots {
  /** Resolves when it is one's turn. */
  take(clientAddress: string, signal: AbortSignal): Promise<Release>;
  inUse(): number;
  waiting(): number;
}

/**
 * Lets a few uploads in at a time, and a few more wait their turn, so that a crowd cannot fill the memory.
 * One sender has a share of both, so that nobody can keep all others out by sending slowly.
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
  /** Who has a slot, once for each. */
  const inUse: string[] = [];
  const waiting: { clientAddress: string; begin: () => void }[] = [];
  const maxWaiting = Math.ceil(queue * 0.75);

  const mayBegin = (clientAddress: string) =>
    inUse.length < slots && countOf(inUse, clientAddress) < Math.min(perClient, slots);

  const begin = (clientAddress: string): Release => {
    inUse.push(clientAddress);
    return once(() => {
      inUse.splice(inUse.indexOf(clientAddress), 1);
      const next = waiting.find((one) => mayBegin(one.clientAddress));
      if (next) next.begin();
    });
  };

  const take = async (clientAddress: string, signal: AbortSignal) => {
    if (mayBegin(clientAddress)) return begin(clientAddress);
    const waitingOfClient = waiting.filter((one) => one.clientAddress === clientAddress).length;
    if (waiting.length >= queue || waitingOfClient >= maxWaiting) throw busy();
    return new Promise<Release>((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        waiting.splice(waiting.indexOf(turn), 1);
      };
      const turn = {
        clientAddress,
        begin: () => {
          end();
          resolve(begin(clientAddress));
        },
      };
      // Whoever has waited too long, or is gone, makes room.
      const leave = () => {
        end();
        reject(busy());
      };
      const timer = setTimeout(leave, timeoutMs);
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(turn);
    });
  };
  return { take, inUse: () => inUse.length, waiting: () => waiting.length };
}

const countOf = (all: string[], one: string) => all.filter((each) => each === one).length;

const busy = () =>
  new Rejection(
    503,
    "busy",
    "Many people are uploading at this moment. Please send it again in a minute.",
    { retryAfter: 60 },
  );

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}
