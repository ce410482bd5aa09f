import { setImmediate as nextTurn } from "node:timers/promises";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import type { PageTurns } from "../../rendering.ts";
import { markingApiPrefix, resultsApiPrefix } from "../../site.ts";
import { type Release, Semaphore, type SemaphoreOptions } from "../semaphore.ts";
import { clientOf } from "./client-address.ts";
import { type ConnectionCount, disconnectSignal } from "./connections.ts";
import { linkTokenIn } from "./private-links.ts";

/** A render takes up to 2 MB while it is compressed; one thread renders all pages and parses all posts. */
export const renderLimits: SemaphoreOptions = {
  max: 4,
  maxPerClient: 2,
  maxWaitingPerClient: 500,
  maxWaitMs: 20_000,
  busy: "Many pages are being requested. Please try again in a minute.",
};

/**
 * Limits pages from before they read until they are rendered: a client may have 16 that wait for a slow store, and other
 * clients do not wait for these.
 */
const pageLimits: SemaphoreOptions = {
  ...renderLimits,
  max: Number.POSITIVE_INFINITY,
  maxPerClient: 16,
};

/** Limits pages from when they read a whole class, which takes up to 10 MB, until they are rendered. */
const readLimits: SemaphoreOptions = { ...pageLimits, maxPerClient: 4 };

/** A person decides one mark after another; hundreds of posts at once that read a class would fill the memory. */
const linkLimits: SemaphoreOptions = {
  // No limit for all links together: one must not keep others waiting.
  max: Number.POSITIVE_INFINITY,
  maxPerClient: 2,
  maxWaitingPerClient: 19,
  maxWaitMs: 20_000,
  busy: "Much is sent under this link at once, and this was not stored. Please send it again in a minute.",
};

/** A picture has up to 300 kB, and is read as a whole. A script of a hundred pages asks for all of them at once. */
const pictureLimits: SemaphoreOptions = {
  max: 32,
  maxPerClient: 8,
  maxWaitingPerClient: 500,
  maxWaitMs: 60_000,
  busy: "Many pages are being requested. Please try again in a minute.",
};

/**
 * Returns middleware that has clients wait for a place until their response has been sent, before anything is read.
 * @param clientIn undefined for requests that need none
 * @throws Rejection 503
 */
function waitForPlace(
  limits: SemaphoreOptions,
  clientIn: (request: Request, response: Response) => string | undefined,
): RequestHandler {
  const places = new Semaphore(limits);
  return async (request, response, next) => {
    const client = clientIn(request, response);
    if (client !== undefined) {
      const release = await places.acquire(client, { signal: disconnectSignal(response) });
      if (response.closed) return release();
      response.once("close", release);
    }
    next();
  };
}

/** Has the posts under a private link wait for each other. */
export const takeTurnsByLink = () =>
  waitForPlace(linkLimits, (request) =>
    request.method === "POST" ? linkTokenIn(request) : undefined,
  );

export const isPicture = ({ path }: Request): boolean =>
  [markingApiPrefix, resultsApiPrefix].some((prefix) => path.startsWith(prefix)) &&
  /\/pages\/\d+\/\d+$/.test(path);

/** Has the pictures of pages under a private link wait for each other; they take no turn of pages. */
export const takeTurnsForPictures = () =>
  waitForPlace(pictureLimits, (request, { locals }) =>
    isPicture(request) ? locals.limitKey : undefined,
  );

/**
 * Turns of the event loop after which work begins although each has accepted a connection. A turn accepts one: with a
 * render in each, visitors behind the connections of a flood would wait for seconds.
 */
const maxTurnsBeforeWork = 16;

/**
 * Resolves when a client may keep the thread busy, with a function that ends its turn. The signal, that the client
 * has disconnected, ends it too. @throws Rejection 503
 */
export type TakeTurn = (
  client: string,
  waiting: { signal: AbortSignal; isRejectable?: boolean },
) => Promise<Release>;

/** Returns a function that has clients take turns in what keeps the thread busy for milliseconds. */
export function openTurns(limits: SemaphoreOptions, connections: ConnectionCount): TakeTurn {
  const places = new Semaphore(limits);
  return async (client, waiting) => {
    const { signal } = waiting;
    const release = await places.acquire(client, waiting);
    if (signal.aborted) release();
    else signal.addEventListener("abort", release, { once: true });
    for (let turn = 0; turn < maxTurnsBeforeWork; turn += 1) {
      const { accepted } = connections;
      await nextTurn();
      if (connections.accepted === accepted) break;
    }
    return release;
  };
}

/** Returns the turns of a page; `begin` resolves when its loader may run. @throws Rejection 503 */
export type OpenPageTurns = (
  client: string,
  response: Response,
) => PageTurns & { begin(): Promise<void> };

/** Returns a function that has pages wait for those of the same client, then for all others. */
export function openPageTurns(takeTurn: TakeTurn): OpenPageTurns {
  const pages = new Semaphore(pageLimits);
  const reads = new Semaphore(readLimits);
  return (client, response) => {
    const signal = disconnectSignal(response);
    const waiting = { signal, isRejectable: false };
    let isEnded = response.closed;
    let place: Release | undefined;
    let toRead: Promise<Release> | undefined;
    let toRender: Promise<Release> | undefined;
    let pausing: NodeJS.Immediate | undefined;
    const pause = () => {
      giveBack(toRender);
      toRender = undefined;
    };
    const end = () => {
      isEnded = true;
      pause();
      giveBack(toRead);
      place?.();
    };
    const takeToRender = async () => {
      clearImmediate(pausing);
      if (isEnded) return;
      toRender ??= takeTurn(client, waiting);
      await toRender;
    };
    response.once("close", end);
    return {
      async begin() {
        place = await pages.acquire(client, { signal });
        if (isEnded) place();
        await takeToRender();
        // A loader that still runs then waits for the store.
        pausing = setImmediate(pause);
      },
      async takeToRead() {
        if (isEnded) return;
        toRead ??= reads.acquire(client, waiting);
        await toRead;
      },
      takeToRender,
      pause,
      end,
    };
  };
}

const giveBack = (place: Promise<Release> | undefined) =>
  place?.then(
    (release) => release(),
    // The client has disconnected.
    () => {},
  );

/** A browser sends six requests at a time. */
const maxPerTurn = 8;

/**
 * Returns middleware that begins few requests of each client in one turn of the event loop. A turn
 * accepts one connection: with a request of each connection of a flood in it, visitors would wait for seconds.
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
