import { connect, createServer, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { atEnd } from "./at-end.ts";

/** A slow line to a server, which can be cut. */
export interface Line {
  url: string;
  /** Bytes sent by the client so far, over all connections. */
  sent(): number;
  /** Cuts every connection; new ones work. */
  breakOnce(): void;
  /** Cuts every connection, and new ones at once, until `restore`. */
  cut(): void;
  /** Lets connections pass again. @param target the server from now on, if it is another one */
  restore(target?: string): void;
  /** Number of cuts so far. */
  cuts(): number;
}

/**
 * Opens a line to a server.
 * @param bytesPerSecond of what the client sends, over all connections; 0 is unlimited
 */
export async function openLine(t: TestContext, target: string, bytesPerSecond = 0): Promise<Line> {
  let { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const pairs = new Map<Socket, Socket>();
  let sent = 0;
  let cuts = 0;
  let isCut = false;
  let freeAt = 0;
  const cutNow = () => {
    cuts += 1;
    // The server's end is not reset, so that what has passed the line still arrives.
    for (const [client, server] of pairs) {
      reset(client);
      server.end();
    }
    pairs.clear();
  };
  const proxy = createServer((client) => {
    if (isCut) {
      reset(client);
      return;
    }
    const server = connect(Number(port), hostname);
    pairs.set(client, server);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("close", () => {
        sockets.delete(socket);
        pairs.delete(client);
      });
    }
    connectPair(client, server);
    client.on("data", (chunk) => {
      sent += chunk.length;
      server.write(chunk);
      if (bytesPerSecond === 0) return;
      // One line for all connections: each waits until what was sent before has passed.
      const now = performance.now();
      freeAt = Math.max(now, freeAt) + (chunk.length / bytesPerSecond) * 1000;
      client.pause();
      setTimeout(() => client.resume(), freeAt - now);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  atEnd(t, () => {
    // Connections on their way in are closed, too.
    isCut = true;
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return {
    url: `http://localhost:${(proxy.address() as { port: number }).port}`,
    sent: () => sent,
    breakOnce: cutNow,
    cut() {
      isCut = true;
      cutNow();
    },
    restore(newTarget) {
      if (newTarget !== undefined) ({ hostname, port } = new URL(newTarget));
      isCut = false;
    },
    cuts: () => cuts,
  };
}

/** Resets a connection. Node leaves a socket open for ever if it is reset after its `end`. */
function reset(socket: Socket): void {
  if (socket.writableEnded || socket.destroyed) socket.destroy();
  else socket.resetAndDestroy();
}

/** Passes on what the server sends, and the end of either connection to the other. */
function connectPair(client: Socket, server: Socket): void {
  for (const socket of [client, server]) socket.on("error", () => {});
  server.pipe(client);
  client.on("end", () => server.end());
  client.on("close", () => server.end());
  server.on("close", () => client.destroy());
}
