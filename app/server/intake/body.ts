import type { Readable } from "node:stream";
import { Rejection } from "../rejection.ts";

/** How fast a client must send a body, so that a slow client cannot block an upload slot. */
interface ClientPace {
  /** Longest time without a chunk. */
  maxIdleMs: number;
  /** Lowest average speed, enforced after `maxIdleMs` of waiting; 0 for none. */
  minBytesPerSecond: number;
  /** Longest time for the whole body, without the time that the server spends on it. */
  maxTotalMs?: number;
}

/** The pace of a body with files. A GPRS line is ten times as fast as the minimum. */
export const uploadPace: ClientPace = { maxIdleMs: 30_000, minBytesPerSecond: 500 };

/** The pace of a body without files. Such a body is small, so a deadline replaces the minimum speed. */
export const textPace: ClientPace = {
  maxIdleMs: 30_000,
  minBytesPerSecond: 0,
  maxTotalMs: 60_000,
};

/** The body of a post. A reader may stop early; the next reader continues from there. */
export interface Body {
  source: Readable;
  pace: ClientPace;
}

/**
 * Yields the chunks of a body; a later call continues where an earlier one stopped.
 * @throws Rejection 400 if the client is slower than the body's pace or disconnects
 */
export async function* chunksOf(body: Body): AsyncGenerator<Buffer> {
  const stalled = Promise.withResolvers<never>();
  stalled.promise.catch(() => {});
  const { maxIdleMs, minBytesPerSecond, maxTotalMs = Number.POSITIVE_INFINITY } = body.pace;
  let waitingSince = performance.now();
  let waitedMs = 0;
  let received = 0;
  const watch = setInterval(() => {
    const idleMs = Math.max(0, performance.now() - waitingSince);
    const totalMs = waitedMs + idleMs;
    const isSlow = totalMs > maxIdleMs && received * 1000 < totalMs * minBytesPerSecond;
    if (idleMs > maxIdleMs || isSlow || totalMs > maxTotalMs) stalled.reject(tooSlow());
  }, 1000);
  const chunks = body.source.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      waitingSince = performance.now();
      const { done, value } = await Promise.race([chunks.next(), stalled.promise]);
      if (done) return;
      waitedMs += performance.now() - waitingSince;
      received += value.length;
      waitingSince = busy;
      yield value;
    }
  } catch (error) {
    throw error instanceof Rejection ? error : malformed();
  } finally {
    clearInterval(watch);
    void chunks.return?.();
  }
}

/** The value of `waitingSince` while the server works and does not wait for the client. */
const busy = Number.POSITIVE_INFINITY;

/** Returns the rejection of a body that cannot be parsed or has ended early. */
export const malformed = () =>
  new Rejection(400, "malformed", "The form arrived incomplete or malformed. Please try again.");

export const tooLarge = () =>
  new Rejection(
    413,
    "too_large",
    "The form is too large. Please go back, shorten it and send it again.",
  );

const tooSlow = () =>
  new Rejection(400, "stalled", "The upload stopped before it was complete. Please send it again.");

/** Whether a body was cut off because it arrived too slowly. */
export const isCutOff = (error: unknown): boolean =>
  error instanceof Rejection && error.code === "stalled";

/**
 * Returns the max bytes of a post; larger posts are rejected unread. The limit exceeds that of every form, so that a
 * visitor who sends too much gets the form back with an explanation. docs/operating.md sets the same limit in nginx.
 */
export const maxPostBytes = (maxFileBytes: number): number =>
  Math.max(512 * 1_048_576, 64 * maxFileBytes);

/**
 * Reads and discards the rest of a body: many clients read the response only after sending all of it.
 * @param maxBytes more than the limit on the body, so that a client that has sent too much still reads the rejection
 */
export async function drain(body: Body, maxBytes: number): Promise<void> {
  let bytesLeft = maxBytes;
  try {
    for await (const chunk of chunksOf(body)) {
      bytesLeft -= chunk.length;
      if (bytesLeft < 0) return;
    }
  } catch {
    // The client has disconnected or is too slow: stop reading.
  }
}

/**
 * Reads a whole body into memory.
 * @throws Rejection 413 if it is over `maxBytes`, 400 if cut short
 */
export async function readBody(body: Body, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(body)) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
