import { Refusal } from "./rejection.ts";

/** Gives back a slot. */
export type Release = () => void;

export interface Slots {
  /** Resolves when it is one's turn. */
  take(sender: string, signal: AbortSignal): Promise<Release>;
  inUse(): number;
  waiting(): number;
}

/**
 * Lets a few uploads in at a time, and a few more wait their turn, so that a crowd cannot fill the memory.
 * One sender has a share of both, so that nobody can keep all others out by sending slowly.
 */
export function newSlots({
  slots,
  perSender,
  queue,
  patienceMs,
}: {
  slots: number;
  perSender: number;
  queue: number;
  patienceMs: number;
}): Slots {
  /** Who has a slot, once for each. */
  const inUse: string[] = [];
  const waiting: { sender: string; begin: () => void }[] = [];
  const mostWaiting = Math.ceil(queue * 0.75);

  const mayBegin = (sender: string) =>
    inUse.length < slots && countOf(inUse, sender) < Math.min(perSender, slots);

  const begin = (sender: string): Release => {
    inUse.push(sender);
    return once(() => {
      inUse.splice(inUse.indexOf(sender), 1);
      const next = waiting.find((one) => mayBegin(one.sender));
      if (next) next.begin();
    });
  };

  const take = async (sender: string, signal: AbortSignal) => {
    if (mayBegin(sender)) return begin(sender);
    const waitingOfSender = waiting.filter((one) => one.sender === sender).length;
    if (waiting.length >= queue || waitingOfSender >= mostWaiting) throw busy();
    return new Promise<Release>((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        waiting.splice(waiting.indexOf(turn), 1);
      };
      const turn = {
        sender,
        begin: () => {
          end();
          resolve(begin(sender));
        },
      };
      // Whoever has waited too long, or is gone, makes room.
      const leave = () => {
        end();
        reject(busy());
      };
      const timer = setTimeout(leave, patienceMs);
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(turn);
    });
  };
  return { take, inUse: () => inUse.length, waiting: () => waiting.length };
}

const countOf = (all: string[], one: string) => all.filter((each) => each === one).length;

const busy = () =>
  new Refusal(
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
