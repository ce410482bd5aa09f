/**
 * A client that tries to stop the server, in a process of its own, so that it does not slow down the
 * visitors who are measured meanwhile: node flood.ts URL PLAN
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";

export interface FloodPlan {
  /** Connections, shared out among the addresses. */
  connections: number;
  /** Source addresses on the loopback network. */
  addresses: string[];
  /** The first bytes of each connection, before the `filler`; HOST is replaced by the server's host and port. */
  head: string;
  /** How often the head is sent, pipelined. */
  repeat?: number;
  /** Number of bytes that follow the head. */
  filler?: number;
  /** The character of these bytes; "<" by default. */
  fill?: string;
  /** Interval at which one more byte is sent. */
  dripMs?: number;
  /** Sends everything again at the end of each response. Without this and `reopens`, nothing is read. */
  reads?: true;
  /** Closes each connection after the first bytes of its response, and opens another. */
  reopens?: true;
}

/**
 * Starts a flood, which opens each connection again that ends. Resolves when it has begun to open the last connection,
 * with a function that ends the flood.
 */
export async function startFlood(url: string, plan: FloodPlan): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [import.meta.filename, url, JSON.stringify(plan)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await Promise.race([once(child.stdout, "data"), exited]);
  return () => {
    child.kill("SIGKILL");
    return exited;
  };
}

function flood(url: string, plan: FloodPlan): void {
  const { hostname, port, host } = new URL(url);
  const { connections, addresses, head, repeat = 1, dripMs, reads, reopens } = plan;
  const { filler = 0, fill = "<" } = plan;
  const request = Buffer.from(head.replaceAll("HOST", host));
  const payload = Buffer.concat([...Array(repeat).fill(request), Buffer.alloc(filler, fill)]);
  const open = (localAddress: string) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    let drip: NodeJS.Timeout | undefined;
    socket.once("connect", () => {
      socket.write(payload);
      if (dripMs) drip = setInterval(() => socket.write(fill), dripMs);
    });
    if (reopens) socket.once("data", () => socket.destroy());
    else if (reads) {
      const isAtEnd = newEndTest();
      socket.on("data", (chunk: Buffer) => {
        if (isAtEnd(chunk)) socket.write(payload);
      });
    } else socket.pause();
    socket.on("error", () => {});
    socket.once("close", () => {
      clearInterval(drip);
      setTimeout(() => open(localAddress), reopens ? 0 : 200);
    });
  };
  for (let number = 0; number < connections; number += 1) {
    setTimeout(() => {
      open(addresses[number % addresses.length]!);
      if (number === connections - 1) console.log("all are opened");
    }, number * 0.5);
  }
}

const lastChunk = Buffer.from("0\r\n\r\n");

/**
 * Returns a function that takes the bytes of a connection as they arrive, and says whether they end a response. The
 * first bytes of a response have its whole head, and the last ones its whole last chunk.
 */
function newEndTest(): (chunk: Buffer) => boolean {
  let left: number | undefined;
  return (chunk) => {
    if (left === undefined) {
      const headEnd = chunk.indexOf("\r\n\r\n") + 4;
      const length = /\r\nContent-Length: (\d+)/i.exec(chunk.toString("latin1", 0, headEnd))?.[1];
      left = length === undefined ? Number.POSITIVE_INFINITY : headEnd + Number(length);
    }
    left -= chunk.length;
    if (left > 0 && !(left === Number.POSITIVE_INFINITY && chunk.subarray(-5).equals(lastChunk))) {
      return false;
    }
    left = undefined;
    return true;
  };
}

if (import.meta.main) flood(process.argv[2]!, JSON.parse(process.argv[3]!));
