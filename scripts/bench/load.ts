import { connect } from "node:net";

interface Load {
  url: string;
  /** Returns the bytes of the next request, as latin1. */
  request: () => string;
  expectedStatus: number;
  seconds: number;
  connections: number;
}

/**
 * Sends requests over a number of connections, each as soon as the previous response has arrived,
 * and returns the number of responses. Reads only the status and the length of responses: on a small
 * machine a full HTTP client takes more time than the server under test.
 */
export async function load(options: Load): Promise<{ perSecond: number; responses: number }> {
  const begin = performance.now();
  const ended = AbortSignal.timeout(options.seconds * 1000);
  const counts = await Promise.all(
    Array.from({ length: options.connections }, (_, index) =>
      loadConnection(options, `127.0.0.${index + 2}`, ended),
    ),
  );
  const responses = counts.reduce((sum, count) => sum + count, 0);
  return { responses, perSecond: (responses * 1000) / (performance.now() - begin) };
}

/** Returns the number of responses over one connection, from an address of its own, as a visitor has. */
function loadConnection(
  { url, request, expectedStatus }: Load,
  localAddress: string,
  ended: AbortSignal,
): Promise<number> {
  const port = Number(new URL(url).port);
  const socket = connect({ host: "127.0.0.1", port, localAddress }).setNoDelay(true);
  const statusLine = `HTTP/1.1 ${expectedStatus} `;
  let responses = 0;
  /** Bytes of the response still to come; -1 for a chunked one until its last chunk. */
  let remaining = 0;
  const send = () => {
    if (ended.aborted) socket.destroy();
    else socket.write(request(), "latin1");
  };
  socket.on("data", (bytes: Buffer) => {
    if (remaining === 0) {
      const length = remainingAfter(bytes, statusLine);
      if (length === undefined) {
        socket.destroy(new Error(`Unexpected response: ${bytes.toString("latin1", 0, 40)}`));
        return;
      }
      remaining = length;
    } else if (remaining > 0) remaining -= bytes.length;
    if (remaining === -1 && bytes.subarray(-5).equals(lastChunk)) remaining = 0;
    if (remaining !== 0) return;
    responses += 1;
    send();
  });
  socket.once("connect", send);
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("close", () => resolve(responses));
  });
}

const lastChunk = Buffer.from("0\r\n\r\n");

/**
 * Returns how many bytes of a response follow its first `bytes`; -1 if the response is chunked, undefined if its status
 * is not the expected one.
 */
function remainingAfter(bytes: Buffer, statusLine: string): number | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  const head = bytes.toString("latin1", 0, end);
  if (end === -1 || !head.startsWith(statusLine)) return undefined;
  const length = /\r\nContent-Length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return Number(length) + end + 4 - bytes.length;
  return statusLine.includes(" 304 ") ? 0 : -1;
}
