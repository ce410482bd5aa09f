import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientNetwork, type TrustedProxyTest } from "./client-address.ts";

/** Max open connections of all clients; the systemd unit allows the process 16,384 file descriptors. */
const maxConnections = 8_000;

/** Max open connections of a client. A school of 200 people behind one address opens 1,200: six for each browser. */
export const maxConnectionsPerClient = 1_500;

/**
 * Max new connections of a client in `windowMs`. Further connections stay unread for `unreadMs` and are then closed,
 * because a client that is disconnected at once reconnects at once, and would keep the server busy.
 */
const maxNewConnectionsPerClient = 3_000;
const windowMs = 10_000;
const unreadMs = 1_000;

/** A connection without progress for this long is closed, such as one whose client does not read the response. */
const inactivityMs = 60_000;

/**
 * Requests that may wait behind the one in flight on their connection. Browsers and proxies send the next request
 * after the response, so few wait; without a limit Node would parse two thousand at once.
 */
const maxPipelined = 8;

/** Connections that have been accepted since the start. */
export interface ConnectionCount {
  accepted: number;
}

interface ConnectionOptions {
  /** Whether a peer is a trusted proxy: its connections serve many clients, and have no limit per client. */
  isTrustedProxy: TrustedProxyTest;
  /** Called when a connection is closed because there are too many, in all or of its client. */
  onReject(): void;
  count?: ConnectionCount;
  maxPerClient?: number;
  maxNewPerClient?: number;
}

/** Limits open connections, in all and per client, and new ones per client; closes connections without progress. */
export function limitConnections(server: Server, options: ConnectionOptions): void {
  const { isTrustedProxy, onReject, count, maxPerClient = maxConnectionsPerClient } = options;
  const { maxNewPerClient = maxNewConnectionsPerClient } = options;
  const openByClient = new Map<string, number>();
  const newByClient = new Map<string, number>();
  setInterval(() => newByClient.clear(), windowMs).unref();
  server.maxConnections = maxConnections;
  server.setTimeout(inactivityMs);
  server.on("drop", onReject);
  server.on("connection", (socket: Socket) => {
    if (count) count.accepted += 1;
    if (isTrustedProxy(socket.remoteAddress)) return;
    const client = clientNetwork(socket.remoteAddress ?? "") ?? "";
    const openCount = (openByClient.get(client) ?? 0) + 1;
    const newCount = (newByClient.get(client) ?? 0) + 1;
    newByClient.set(client, newCount);
    if (openCount > maxPerClient) {
      onReject();
      socket.destroy();
      return;
    }
    if (newCount > maxNewPerClient) {
      onReject();
      // Until the socket has a listener, Node's parser reads it even while it is paused.
      socket.on("data", () => {}).pause();
      setTimeout(() => socket.destroy(), unreadMs);
    }
    openByClient.set(client, openCount);
    socket.once("close", () => {
      const left = openByClient.get(client)! - 1;
      if (left === 0) openByClient.delete(client);
      else openByClient.set(client, left);
    });
  });
}

/**
 * Returns a listener that passes on the requests of each connection one after another. A connection with more than
 * `maxPipelined` waiting requests is closed.
 */
export function inOrder(listener: RequestListener): RequestListener {
  const connections = new WeakMap<
    Socket,
    { latest: ServerResponse | undefined; waiting: number }
  >();
  return (request: IncomingMessage, response) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? { latest: undefined, waiting: 0 };
    const { latest } = connection;
    connection.latest = response;
    connections.set(socket, connection);
    if (!latest || latest.writableFinished) listener(request, response);
    else if (connection.waiting >= maxPipelined) socket.destroy();
    else {
      connection.waiting += 1;
      latest.once("close", () => {
        connection.waiting -= 1;
        // After a response with `Connection: close` the socket is ended: drop the requests that wait on it.
        if (socket.writable) listener(request, response);
      });
    }
  };
}

/** Returns a signal that aborts when the response is sent, or its client has disconnected. */
export function closeSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.closed) controller.abort();
  else response.once("close", () => controller.abort());
  return controller.signal;
}
