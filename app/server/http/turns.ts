import { setImmediate as nextTurn } from "node:timers/promises";
import type { NextFunction, RequestHandler } from "express";
import { type Release, Semaphore, type SemaphoreOptions } from "../semaphore.ts";
import { clientOf } from "./client-address.ts";
import type { ConnectionCount } from "./connections.ts";

/** A render takes up to 2 MB while it is compressed; one thread renders all pages and parses all posts. */
export const renderLimits: SemaphoreOptions = {
  max: 4,
  maxPerClient: 2,
  maxWaitingPerClient: 500,
  maxWaitMs: 20_000,
  busy: "Many pages are being requested. Please try again in a minute.",
};

/**
 * Work waits for a turn of the event loop without a new connection, but not longer than these. A turn
 * accepts one: behind those of a flood, with a render in each turn, visitors would wait for seconds.
 */
const maxTurnsBeforeWork = 16;

/**
 * Resolves when a client may keep the thread busy. The function ends that, as does the signal: the client
 * has disconnected. @throws Rejection 503
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
