import { randomInt } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { atEnd, type Scope } from "./at-end.ts";

/** Lets a server listen on a port, by default on any, until the end of the test. Returns the port. */
export async function listen(t: Scope, server: Server, port = 0): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.on("close", () => sockets.delete(socket));
  });
  atEnd(t, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/**
 * Returns a port that was free a moment ago. It is below those that Linux gives to sockets which ask for any port, so
 * that none of these takes it before it is used.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
