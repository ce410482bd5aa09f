import type { Readable } from "node:stream";

/** How fast a client must send a body, so that a slow one cannot block an upload slot. */
export interface ClientPace {
  /** Longest silence. */
  maxIdleMs: number;
  /** Average, enforced after `maxIdleMs` of waiting; 0 disables it. */
  minBytesPerSecond: number;
}

/** The body of a post. A reader may stop early; the next one continues from there. */
export interface Body {
  source: Readable;
  pace: ClientPace;
}
