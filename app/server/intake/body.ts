import type { Readable } from "node:stream";

/** How a body must come along, so that nobody holds a place for others by sending next to nothing. */
export interface Pace {
  /** How long its sender may be silent. */
  maxIdleMs: number;
  /** On average, once it has been waited for that long; 0 asks for nothing. */
  minBytesPerSecond: number;
}

/** A request's body on the wire. Whoever reads it may stop, and another goes on from there. */
export interface Body {
  source: Readable;
  pace: Pace;
}
