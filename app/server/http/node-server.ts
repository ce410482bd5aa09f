import { chmodSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { localOrigin } from "../config/link-origin.ts";
import { type ServerAddress, socketState } from "../config/server-address.ts";

/** Time that requests in flight get to finish during shutdown. */
const graceMs = 30_000;

/** Creates a server with the limits and timeouts that Node enforces itself. */
export function createLimitedServer(listener: RequestListener): Server {
  const server = createServer(
    {
      // The default of Node; a browser sends 1 to 2 kB.
      maxHeaderSize: 16 * 1024,
      // Headers fit into a few packets, which a slow connection delivers within seconds.
      headersTimeout: 15_000,
      // Enough for a large upload on a slow connection: 105 MB at 500 kbit/s takes 28 minutes.
      requestTimeout: 60 * 60_000,
      // Slightly longer than the usual 60 s of proxies, so that the proxy closes first.
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1_000,
      // The guard checks the Host header, and sends an error in the shape of all other errors.
      requireHostHeader: false,
    },
    listener,
  );
  // Node would send 100 Continue to every request; `acceptPosts` sends it once a post is accepted.
  server.on("checkContinue", listener);
  // Node would send 417, and go on reading a body without end; the guard rejects the request.
  server.on("checkExpectation", listener);
  // 0 is no limit. Node drops headers beyond a limit, so the guard would not see them; maxHeaderSize limits them.
  server.maxHeadersCount = 0;
  return server;
}

/** Starts listening. @returns the site's URL on this machine, or the path of its Unix socket */
export async function listen(server: Server, address: ServerAddress): Promise<string> {
  const isSocket = "path" in address;
  if (isSocket && (await socketState(address.path)) === "stale") rmSync(address.path);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, resolve);
  });
  if (isSocket) {
    // Let the proxy's group connect, whatever the umask. Node removes the file when the server is closed.
    try {
      chmodSync(address.path, 0o660);
    } catch (error) {
      server.close();
      throw error;
    }
    return address.path;
  }
  const { host } = address;
  const { port } = server.address() as AddressInfo;
  return localOrigin({ listenAddress: { host, port } });
}

/** Takes no new connections, and resolves when the requests in flight have finished, or are cut off after `graceMs`. */
export function closeGracefully(server: Server): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 500);
  const forcedClose = setTimeout(() => server.closeAllConnections(), graceMs);
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(forcedClose);
      clearInterval(idle);
      resolve();
    });
    server.closeIdleConnections();
  });
}
