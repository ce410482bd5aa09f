import { createContext } from "react-router";

/** How to render a page: set by the HTTP server, read by entry.server. */
export interface Rendering {
  /** True: wait for the complete page, for the cache. False: stream it. */
  isCacheable: boolean;
  /** Shown on error pages; the log has the cause under the same id. */
  requestId: string;
}

export const rendering = createContext<Rendering>({
  isCacheable: false,
  requestId: "",
});
