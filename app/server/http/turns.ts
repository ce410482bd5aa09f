import { setImmediate as nextTurn } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import type { PageTurns } from "../../rendering.ts";
import { markingApiPrefix, resultsApiPrefix } from "../../site.ts";
import { type Release, releaseAtAbort, Semaphore, type SemaphoreOptions } from "../semaphore.ts";
import { clientOf } from "./client-address.ts";
import { type ConnectionCount, closeSignal } from "./connections.ts";
import { linkTokenIn } from "./private-links.ts";

/**
 * Limits renders and parsed posts. A render takes up to 2 MB while it is compressed, and one thread renders all pages
 * and parses all posts.
 */
export const renderLimits: SemaphoreOptions = {
  max: 4,
  maxPerClient: 2,
  maxWaitingPerClient: 500,
  maxWaitMs: 20_000,
  busy: "Many pages are being requested. Please try again in a minute.",
};

/**
 * Limits pages from before their data is read until they are rendered. If 16 pages of a client wait for a slow store,
 * they keep no other client waiting.
 */
const pageLimits: SemaphoreOptions = {
  ...renderLimits,
  max: Number.POSITIVE_INFINITY,
  maxPerClient: 16,
};

/** Limits pages that read a whole class, until they are rendered. Each takes up to 10 MB. */
const readLimits: SemaphoreOptions = { ...pageLimits, maxPerClient: 2 };

/** A class with this many marks is large. With 100,000 marks, a page about the class takes up to 200 MB of the heap. */
const largeClass = 20_000;

/** Limits pages that read a large class: two at a time, of all links together, on a server with 1 GB of memory. */
const largeReadLimits: SemaphoreOptions = {
  ...readLimits,
  max: Math.max(1, Math.floor(getHeapStatistics().heap_size_limit / 200_000_000)),
};

/**
 * Limits posts under a private link. A person decides one mark after another; hundreds of posts that read a class at
 * once would fill the memory.
 */
const linkLimits: SemaphoreOptions = {
  // No limit for all links together, so that one link never keeps another waiting.
  max: Number.POSITIVE_INFINITY,
  maxPerClient: 2,
  maxWaitingPerClient: 19,
  maxWaitMs: 20_000,
  busy: "Much is sent under this link at once, and this was not stored. Please send it again in a minute.",
};

/**
 * Limits pictures of pages. A picture has up to 300 kB, and is read as a whole. A browser asks for all pages of a
 * learner's work at once, which may be a hundred.
 */
const pictureLimits: SemaphoreOptions = {
  max: 32,
  maxPerClient: 8,
  maxWaitingPerClient: 500,
  maxWaitMs: 60_000,
  busy: "Many pages are being requested. Please try again in a minute.",
};

/**
 * Returns middleware that has a request wait for a place before any of it is read, and gives the place back when the
 * response is closed. The middleware throws a Rejection 503 if no place becomes free.
 * @param clientIn returns the client to count, or undefined if the request needs no place
 */
function waitForPlace(
  limits: SemaphoreOptions,
  clientIn: (request: Request, response: Response) => string | undefined,
): RequestHandler {
  const places = new Semaphore(limits);
  return async (request, response, next) => {
    const client = clientIn(request, response);
    if (client !== undefined) {
      await places.acquireUntilAbort(client, { signal: closeSignal(response) });
    }
    next();
  };
}

/** Returns middleware that has the posts under a private link take turns. */
export const takeTurnsByLink = () =>
  waitForPlace(linkLimits, (request) =>
    request.method === "POST" ? linkTokenIn(request) : undefined,
  );

export const isPicture = ({ path }: Request): boolean =>
  [markingApiPrefix, resultsApiPrefix].some((prefix) => path.startsWith(prefix)) &&
  /\/pages\/\d+\/\d+$/.test(path);

/** Returns middleware that has page images under a private link take turns, in a queue of their own. */
export const takeTurnsForPictures = () =>
  waitForPlace(pictureLimits, (request, { locals }) =>
    isPicture(request) ? locals.limitKey : undefined,
  );

/**
 * Work waits while new connections arrive, for at most this many turns of the event loop. A turn accepts one
 * connection: with a render in each turn, visitors behind the connections of a flood would wait for seconds.
 */
const maxTurnsBeforeWork = 16;

/**
 * Waits until a client may keep the thread busy, and resolves with a function that ends the client's turn. The signal
 * aborts when the response is closed, and ends the turn too. @throws Rejection 503 if no turn becomes free
 */
export type TakeTurn = (
  client: string,
  waiting: { signal: AbortSignal; isRejectable?: boolean },
) => Promise<Release>;

/** Returns a function by which clients take turns at work that takes milliseconds. */
export function openTurns(limits: SemaphoreOptions, connections: ConnectionCount): TakeTurn {
  const places = new Semaphore(limits);
  return async (client, waiting) => {
    const release = await places.acquireUntilAbort(client, waiting);
    for (let turn = 0; turn < maxTurnsBeforeWork; turn += 1) {
      const { accepted } = connections;
      await nextTurn();
      if (connections.accepted === accepted) break;
    }
    return release;
  };
}

/** Returns the turns of a page. `begin` resolves when the page's loader may run, or throws a Rejection 503. */
export type OpenPageTurns = (
  client: string,
  response: Response,
) => PageTurns & { begin(): Promise<void> };

/** Returns a function that has a page wait for the other pages of its client, then for the pages of all clients. */
export function openPageTurns(takeTurn: TakeTurn): OpenPageTurns {
  const pages = new Semaphore(pageLimits);
  const reads = new Semaphore(readLimits);
  const largeReads = new Semaphore(largeReadLimits);
  return (client, response) => {
    const ended = new AbortController();
    const signal = AbortSignal.any([closeSignal(response), ended.signal]);
    const waiting = { signal, isRejectable: false };
    let toRender: Promise<Release> | undefined;
    let pausing: NodeJS.Immediate | undefined;
    const pause = () => {
      toRender?.then(
        (release) => release(),
        // The page ended before it got the turn.
        () => {},
      );
      toRender = undefined;
    };
    const takeToRender = async () => {
      clearImmediate(pausing);
      if (signal.aborted) return;
      toRender ??= takeTurn(client, waiting);
      await toRender;
    };
    return {
      async begin() {
        await pages.acquireUntilAbort(client, { signal });
        await takeToRender();
        // A loader that takes longer than this turn of the event loop waits for the store: let others use the thread.
        pausing = setImmediate(pause);
      },
      async readClass(read, marks = 0) {
        const places = marks < largeClass ? reads : largeReads;
        const release = await places.acquire(client, waiting);
        try {
          return await read();
        } finally {
          // A page may end while its class is still read: the place is given back when both have ended.
          releaseAtAbort(signal, release);
        }
      },
      takeToRender,
      pause,
      end: () => ended.abort(),
    };
  };
}

/** Max requests of a client that begin in one turn of the event loop. A browser sends six at a time. */
const maxPerTurn = 8;

/**
 * Returns middleware that begins few requests of each client in one turn of the event loop. A turn accepts only one
 * connection: if all connections of a flood began a request in each turn, visitors would wait seconds for theirs.
 */
export function beginInTurns(): RequestHandler {
  const begun = new Map<string, number>();
  const waiting: { client: string; next: NextFunction }[] = [];
  const begin = (client: string, next: NextFunction) => {
    if (begun.size === 0) setImmediate(beginTurn);
    const count = begun.get(client) ?? 0;
    if (count === maxPerTurn) {
      waiting.push({ client, next });
      return;
    }
    begun.set(client, count + 1);
    next();
  };
  const beginTurn = () => {
    begun.clear();
    for (const { client, next } of waiting.splice(0)) begin(client, next);
  };
  return (request, _response, next) => begin(clientOf(request), next);
}
