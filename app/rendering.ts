import { createContext, type RouterContextProvider } from "react-router";
import type { Late } from "./domain/late.ts";
import type { Problem } from "./domain/problem.ts";

/** How to render a page: set by the HTTP server, read by entry.server. */
export interface Rendering {
  /** True: wait for the complete page, for the cache. False: stream it. */
  isCacheable: boolean;
  /** The Content-Encoding of a streamed page. */
  encoding: "br" | "gzip" | "identity";
  /** For a page that may be streamed; undefined for one that is sent whole. */
  streaming?: {
    /** Of the inline scripts that put into a page what was late. */
    nonce: string;
    /** Has the page's policy allow them, while no header has been sent. */
    allowScripts(): void;
  };
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

/** How long a page waits for a list, in milliseconds: one that is ready by then is in the page, which needs no script. */
const listTimeoutMs = 500;

/** The parameter of a page that is wanted whole. */
const wholeParameter = "whole";

/** Of a loader. */
export interface LateArgs {
  request: Request;
  context: Readonly<RouterContextProvider>;
}

/** Waits for what a page shows below its heading; in a page that is streamed, not for long. */
export async function inTime<T>(
  found: Promise<T>,
  { request, context }: LateArgs,
): Promise<Late<T>> {
  const url = new URL(request.url);
  const { streaming } = context.get(rendering);
  if (!streaming || url.searchParams.has(wholeParameter)) return { ready: await found };
  const timeUp = new Promise<undefined>((resolve) => setTimeout(resolve, listTimeoutMs, undefined));
  const ready = found.then((value) => ({ ready: value }));
  const first = await Promise.race([ready, timeUp]);
  if (first) return first;
  streaming.allowScripts();
  url.searchParams.set(wholeParameter, "");
  // The page reports it if it fails.
  found.catch(() => {});
  return { late: found, wholeUrl: url.pathname + url.search };
}
