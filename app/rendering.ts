import { createContext, type RouterContextProvider } from "react-router";
import type { Late } from "./domain/late.ts";
import type { Problem } from "./domain/problem.ts";

/** How to render a page. The HTTP server makes it for root.tsx, loaders and entry.server.tsx. */
export interface Rendering {
  /** Whether the page is the same for all visitors, so that browsers may store it and revalidate it. */
  isCacheable: boolean;
  /** The Content-Encoding of a page that is rendered for one request; the cache compresses its pages itself. */
  encoding: "br" | "gzip" | "identity";
  /** Undefined for a page that is sent whole. */
  streaming?: {
    /** The CSP nonce of the inline scripts that insert late parts into the page. */
    nonce: string;
    /** The data of a late part; undefined if the page has none. */
    late?: Promise<unknown>;
    /** Lets the page's Content-Security-Policy allow the scripts. Call it before the headers are sent. */
    allowScripts(): void;
  };
  /** Shown on error pages; the log has the cause under the same id. */
  requestId: string;
  /** Why the request was rejected. An error page that says so is rendered in place of the page. */
  rejection?: Problem;
  /** Set once a loader or the action has failed because the database cannot be used now. */
  unavailable?: Problem;
  /** Undefined for the cache, which renders each page once. */
  turns?: PageTurns;
}

/** The turns that a page takes at work, so that no client keeps the others waiting. */
export interface PageTurns {
  /**
   * Reads a whole class in the page's turn: only few pages of one client read a class at a time, and only few pages of
   * all clients a large one.
   * @param markCount the number of the class's marks, if it is known before the class is read
   * @throws Rejection 503 if the page ends while it waits
   */
  readClass<T>(read: () => Promise<T>, markCount?: number): Promise<T>;
  /** Resolves when the page may keep the thread busy. */
  takeToRender(): Promise<void>;
  /** Lets others render while the page waits for the store or the client. */
  pause(): void;
  /** Gives back the page's turns before work that needs none; otherwise they end with the response. */
  end(): void;
}

/** Reads a whole class in the page's turn (`PageTurns.readClass`), or at once if the page takes none. */
export const readClass = <T>(
  context: Readonly<RouterContextProvider>,
  read: () => Promise<T>,
  markCount?: number,
): Promise<T> => context.get(rendering).turns?.readClass(read, markCount) ?? read();

/** For a whole page that is the same for all visitors. */
export const cacheable: Rendering = { isCacheable: true, encoding: "identity", requestId: "" };

export const rendering = createContext<Rendering>({ ...cacheable, isCacheable: false });

/** How long a page waits for a list, in milliseconds. A list that is ready by then needs no script. */
const listTimeoutMs = 500;

/** The query parameter that asks for a whole page. */
const wholeParameter = "whole";

/** The arguments of a loader whose data may be late. */
export interface LateArgs {
  request: Request;
  context: Readonly<RouterContextProvider>;
}

/**
 * Waits for what a page shows below its heading. In a page that is streamed, it waits no longer than `listTimeoutMs`
 * and then returns a late part.
 */
export async function inTime<T>(
  found: Promise<T>,
  { request, context }: LateArgs,
): Promise<Late<T>> {
  const url = new URL(request.url);
  const { streaming, turns } = context.get(rendering);
  if (!streaming || url.searchParams.has(wholeParameter)) return readyPart(await found);
  const timeUp = new Promise<undefined>((resolve) => setTimeout(resolve, listTimeoutMs, undefined));
  const ready = found.then(readyPart);
  const first = await Promise.race([ready, timeUp]);
  if (first) return first;
  streaming.allowScripts();
  url.searchParams.set(wholeParameter, "");
  const late = found.then(async (value) => {
    await turns?.takeToRender();
    return value;
  });
  // The page reports a failure; without a handler here, Node would end the process.
  late.catch(() => {});
  streaming.late = late;
  return notEnumerable({ late, wholeUrl: url.pathname + url.search });
}

export const readyPart = <T>(ready: T) => notEnumerable({ ready });

/**
 * Hides loader data from React Router, which would encode all enumerable data for a script. This site does not send
 * that script, and encoding a whole class takes as long as reading it.
 */
function notEnumerable<Part extends object>(part: Part): Part {
  for (const name of Object.keys(part)) Object.defineProperty(part, name, { enumerable: false });
  return part;
}
