import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems give to sockets without one, which another test would get before this one is used. */
const first = 10_000;
const count = 20_000;
/** Test files are processes that run at the same time. */
let next = process.pid * 16;

/** Returns a port that is free. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (next % count);
    next += 1;
    const server = createServer();
    const isFree = new Promise<boolean>((resolve) => {
      server.once("listening", () => resolve(true)).once("error", () => resolve(false));
    });
    server.listen(port, "127.0.0.1");
    if (!(await isFree)) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
