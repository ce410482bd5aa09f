import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientNetwork, type TrustedProxyTest } from "./client-address.ts";

/** Open connections of all clients; the unit allows 16,384 descriptors. */
const maxConnections = 8_000;

/** A school of 200 behind one address opens 1,200: six for each browser. */
export const maxConnectionsPerClient = 1_500;

/**
 * New connections of a client in ten seconds. Further ones stay unread and are closed after a second, because a
 * client that reconnects at once would keep the server busy.
 */
const maxNewPerClient = 3_000;
const windowMs = 10_000;
const unreadMs = 1_000;

/** A connection without progress for this long is closed, such as one whose client does not read the response. */
const inactivityMs = 60_000;

/**
 * Requests that may wait behind the one in flight on their connection. Browsers and proxies send
 * none before they have the response; Node parses two thousand at once.
 */
const maxPipelined = 8;

/** Connections that have been accepted since the start. */
export interface ConnectionCount {
  accepted: number;
}

interface ConnectionOptions {
  /** The connections of these are not counted for a client: each serves many. */
  isTrustedProxy: TrustedProxyTest;
  /** Called when a connection is closed because its client has too many. */
  onReject(): void;
  count?: ConnectionCount;
  maxPerClient?: number;
}

/** Limits the open connections of all clients and of each, and closes those without progress. */
export function limitConnections(server: Server, options: ConnectionOptions): void {
  const { isTrustedProxy, onReject, maxPerClient: max = maxConnectionsPerClient } = options;
  const open = new Map<string, number>();
  const opened = new Map<string, number>();
  setInterval(() => opened.clear(), windowMs).unref();
  server.maxConnections = maxConnections;
  server.setTimeout(inactivityMs);
  server.on("drop", onReject);
  server.on("connection", (socket: Socket) => {
    if (options.count) options.count.accepted += 1;
    if (isTrustedProxy(socket.remoteAddress)) return;
    const client = clientNetwork(socket.remoteAddress ?? "") ?? "";
    const count = (open.get(client) ?? 0) + 1;
    const newCount = (opened.get(client) ?? 0) + 1;
    opened.set(client, newCount);
    if (count > max) {
      onReject();
      socket.destroy();
      return;
    }
    if (newCount > maxNewPerClient) {
      onReject();
      socket.pause();
      setTimeout(() => socket.destroy(), unreadMs);
    }
    open.set(client, count);
    socket.once("close", () => {
      const left = open.get(client)! - 1;
      if (left === 0) open.delete(client);
      else open.set(client, left);
    });
  });
}

/**
 * Returns a listener that gets the requests of a connection one after another. A connection with too
 * many of them is closed.
 */
export function inOrder(listener: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, { latest: ServerResponse; waiting: number }>();
  return (request: IncomingMessage, response) => {
    const { socket } = request;
    const { latest, waiting } = connections.get(socket) ?? { latest: undefined, waiting: 0 };
    const isFirst = latest === undefined || latest.writableFinished;
    connections.set(socket, { latest: response, waiting: isFirst ? 0 : waiting + 1 });
    if (isFirst) listener(request, response);
    else if (waiting >= maxPipelined) socket.destroy();
    else {
      latest.once("close", () => {
        // After a response with `Connection: close`, nothing more is handled.
        if (socket.writable) listener(request, response);
      });
    }
  };
}

/** Returns a signal that aborts if the client disconnects before the response is sent. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.closed) abort();
  else response.on("close", abort);
  return controller.signal;
}
