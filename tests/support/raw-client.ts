/** A connection whose bytes a test writes itself. */
import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { atEnd } from "./at-end.ts";

export interface Client {
  socket: Socket;
  /** What has arrived so far, a character for each byte. */
  received(): string;
  isClosed(): boolean;
}

/** Opens a connection from one of the addresses of the loopback network, until the end of the test. */
export function open(t: TestContext, url: string, localAddress = "127.0.0.1"): Client {
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port), localAddress });
  let received = "";
  let isClosed = false;
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    isClosed = true;
  });
  atEnd(t, () => socket.destroy());
  return { socket, received: () => received, isClosed: () => isClosed };
}
