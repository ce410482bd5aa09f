import { createContext } from "react-router";
import type { Problem } from "./domain/problem.ts";

/** How to render a page: set by the HTTP server, read by entry.server. */
export interface Rendering {
  /** True: wait for the complete page, for the cache. False: stream it. */
  isCacheable: boolean;
  /** The Content-Encoding of a streamed page. */
  encoding: "br" | "gzip" | "identity";
  /** Shown on error pages; the log has the cause under the same id. */
  requestId: string;
  /** Why the request was rejected: rendered in place of the page. */
  rejection?: Problem;
  /**
   * Resolves when the page may be rendered, with a function to call when that is done; the client may
   * still be receiving it. Undefined for the cache, which renders each page once.
   */
  takeTurn?(): Promise<() => void>;
}

/** Renders a whole page, as every visitor gets it. */
export const cacheable: Rendering = { isCacheable: true, encoding: "identity", requestId: "" };

export const rendering = createContext<Rendering>({ ...cacheable, isCacheable: false });
