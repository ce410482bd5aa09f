/** A balancer that gives each connection to the next server that accepts it. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { atEnd, type Scope } from "./at-end.ts";

export interface Balancer {
  url: string;
  /** Sets the servers that get connections from now on. */
  use(urls: string[]): void;
}

export async function startBalancer(t: Scope): Promise<Balancer> {
  let ports: number[] = [];
  let next = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => {});
    client.on("close", () => sockets.delete(client));
    const offer = (left: number) => {
      if (left === 0) return void client.destroy();
      next += 1;
      const upstream = connect(ports[next % ports.length]!, "localhost");
      upstream.once("error", () => offer(left - 1));
      upstream.once("connect", () => {
        upstream.removeAllListeners("error").on("error", () => client.destroy());
        client.once("close", () => upstream.destroy());
        upstream.once("close", () => client.destroy());
        client.pipe(upstream).pipe(client);
      });
    };
    offer(ports.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(t, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(urls) {
      ports = urls.map((url) => Number(new URL(url).port));
    },
  };
}
