/** A balancer that gives each connection to the next server that accepts it. */
import { connect, createServer } from "node:net";
import type { Scope } from "./at-end.ts";
import { listen } from "./free-port.ts";

export interface Balancer {
  url: string;
  /** Sets the servers that get connections from now on. */
  use(urls: string[]): void;
}

export async function startBalancer(t: Scope): Promise<Balancer> {
  let ports: number[] = [];
  let next = 0;
  const server = createServer((client) => {
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
  return {
    url: `http://127.0.0.1:${await listen(t, server)}`,
    use(urls) {
      ports = urls.map((url) => Number(new URL(url).port));
    },
  };
}
