import type { Readable } from "node:stream";

/** A post of which the headers have arrived and the body is unread. */
export interface IncomingPost {
  /** The Content-Type header, or "". */
  contentType: string;
  /** The Content-Length header. */
  length: number;
  query: URLSearchParams;
  /** The body. */
  source: Readable;
  /** Aborted when the client disconnects, or has the response. */
  signal: AbortSignal;
  /**
   * Resolves when the thread may spend some milliseconds on the post, with a function to call when that
   * is done. @throws Rejection when the client disconnects
   */
  takeTurn(): Promise<() => void>;
  /** The client's IPv4 address, or the /64 network of its IPv6 address. Never stored. */
  clientAddress: string;
  /** Releases the place among uploads that the post has waited for; missing if the post holds no place. */
  place?: () => void;
  /** The upload by script that the post belongs to: the token of its draft. */
  upload?: { token: string } | undefined;
}
