import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { atEnd, type Scope } from "./at-end.ts";

/** What the scanner does with each file. */
export type ScannerMode = "scans" | "is silent" | "drips" | "floods" | "hangs up" | "fails";

/** A file with this text is harmful to the scanner below. */
export const harmfulText = "harmful to the scanner of the tests";

/**
 * A scanner that speaks the protocol of ClamAV's daemon (clamd(8)) as far as it is used. It is pinged with success in
 * every mode but those that never end.
 * @param listenAt a port, or the path of a socket
 */
export async function startClamd(t: Scope, listenAt: number | string = 0) {
  const scanned: number[] = [];
  const state = { mode: "scans" as ScannerMode };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    let received: Buffer = Buffer.alloc(0);
    socket.on("data", (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      const command = received.subarray(0, received.indexOf(0)).toString();
      if (command === "zPING" && !respondWithoutEnd(socket)) socket.end("PONG\0");
      if (command !== "zINSTREAM") return;
      const file = fileOf(received.subarray("zINSTREAM\0".length));
      if (file) respond(socket, file);
    });
  });
  /**
   * In a mode that never ends, sends a byte now and then, or as many as the other end takes. Returns whether it is one.
   */
  const respondWithoutEnd = (socket: Socket): boolean => {
    if (state.mode !== "drips" && state.mode !== "floods") return false;
    const bytes = Buffer.alloc(state.mode === "drips" ? 1 : 1_000_000, "x");
    const timer = setInterval(
      () => {
        if (socket.writableLength < 10_000_000) socket.write(bytes);
      },
      state.mode === "drips" ? 100 : 1,
    );
    socket.on("close", () => clearInterval(timer));
    return true;
  };
  const respond = (socket: Socket, file: Buffer) => {
    if (state.mode === "hangs up") socket.destroy();
    if (state.mode === "fails") socket.end("INSTREAM size limit exceeded. ERROR\0");
    if (state.mode !== "scans") {
      respondWithoutEnd(socket);
      return;
    }
    scanned.push(file.length);
    socket.end(file.includes(harmfulText) ? "stream: Test.Harmful FOUND\0" : "stream: OK\0");
  };
  server.listen(
    typeof listenAt === "string" ? { path: listenAt } : { port: listenAt, host: "127.0.0.1" },
  );
  await once(server, "listening");
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  atEnd(t, close);
  const address = server.address()!;
  return {
    address: typeof address === "string" ? address : `127.0.0.1:${address.port}`,
    /** The sizes of the files that were scanned. */
    scanned,
    state,
    close,
  };
}

/** Joins the chunks of a stream, each after its length, up to one of length 0; undefined if some is missing. */
function fileOf(stream: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; at + 4 <= stream.length; ) {
    const size = stream.readUInt32BE(at);
    if (size === 0) return Buffer.concat(chunks);
    if (at + 4 + size > stream.length) return undefined;
    chunks.push(stream.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return undefined;
}
