import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { FairShare, type Release } from "../fair-share.ts";
import { clientNetwork, type TrustedProxyTest } from "./client-address.ts";

/**
 * Requests that may wait behind the one in flight on their connection. Browsers and proxies send
 * none before they have the response; Node parses two thousand at once.
 */
const maxPipelined = 8;

interface Connection {
  isFromProxy: boolean;
  latest: ServerResponse | undefined;
  /** Requests that wait for their response. */
  pipelined: number;
}

/** Of all clients; a response that makes no progress for the timeout is cut. */
export const connectionLimits = { max: 2000, writeTimeoutMs: 60_000 };

interface ConnectionOptions {
  /** Open connections of all clients. Those of trusted proxies are counted only while in use. */
  max: number;
  /** A connection is closed if a response makes no progress for as long as this. */
  writeTimeoutMs: number;
  isTrustedProxy: TrustedProxyTest;
  clientOf(request: IncomingMessage): string;
  /** Called when a connection is closed in favour of another. */
  onRevoke(): void;
}

/** Limits what the connections of one client can take from the others. */
export class Connections {
  readonly #options: ConnectionOptions;
  readonly #share: FairShare;
  readonly #connections = new WeakMap<Socket, Connection>();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#share = new FairShare(options.max);
  }

  /** Counts the server's connections, and closes those that do not read their response. */
  watch(server: Server): void {
    server.on("connection", (socket: Socket) => {
      const address = socket.remoteAddress;
      const isFromProxy = this.#options.isTrustedProxy(address);
      this.#connections.set(socket, { isFromProxy, latest: undefined, pipelined: 0 });
      if (isFromProxy) return;
      const release = this.#hold(socket, clientNetwork(address ?? "") ?? "");
      if (release) socket.once("close", release);
    });
    // Called after a time without progress, in either direction.
    server.setTimeout(this.#options.writeTimeoutMs, (socket: Socket) => {
      // Otherwise the request is still being received or handled, which have limits of their own.
      if (socket.writableLength > 0 || this.#isIdle(socket)) socket.destroy();
    });
  }

  /** Returns a listener that gets the requests of a connection one after another. */
  inOrder(listener: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request;
      const connection = this.#connections.get(socket)!;
      const handle = () => {
        if (!connection.isFromProxy || this.#holdForRequest(request, response)) {
          listener(request, response);
        }
      };
      const previous = connection.latest;
      connection.latest = response;
      if (!previous || previous.writableFinished) {
        connection.pipelined = 0;
        handle();
        return;
      }
      connection.pipelined += 1;
      if (connection.pipelined > maxPipelined) {
        socket.destroy();
        return;
      }
      previous.once("close", () => {
        // After a response with `Connection: close`, nothing more is handled.
        if (socket.writable) handle();
      });
    };
  }

  /** A proxy's connection serves many clients, so it counts for the one whose request is in flight. */
  #holdForRequest(request: IncomingMessage, response: ServerResponse): boolean {
    const release = this.#hold(request.socket, this.#options.clientOf(request));
    if (release) response.once("close", release);
    return release !== undefined;
  }

  #hold(socket: Socket, client: string): Release | undefined {
    const release = this.#share.take({
      client,
      amount: 1,
      isIdle: () => this.#isIdle(socket),
      revoke: () => {
        this.#options.onRevoke();
        socket.destroy();
      },
    });
    if (!release) {
      this.#options.onRevoke();
      socket.destroy();
    }
    return release;
  }

  #isIdle(socket: Socket): boolean {
    const latest = this.#connections.get(socket)?.latest;
    return latest === undefined || latest.writableFinished;
  }
}
