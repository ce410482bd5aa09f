import { createContext } from "react-router";

/** How the server wants a page drawn; set by what answers requests, read by entry.server. */
export interface Rendering {
  /** True: sent once all of it is there, to be kept. False: streamed as it comes. */
  whole: boolean;
  /** Stands at every script of a page that is not kept. */
  nonce: string | undefined;
  /** Shown where something fails; the log tells the cause under it. */
  requestId: string;
}

export const rendering = createContext<Rendering>({
  whole: false,
  nonce: undefined,
  requestId: "",
});
