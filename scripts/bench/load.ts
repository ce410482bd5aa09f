import { connect } from "node:net";

/**
 * Sends requests over a number of connections, each as soon as the previous response has arrived,
 * and returns how many there were. Reads only the status and the length of responses: on a small
 * machine a full HTTP client takes more time than the server under test.
 */
export async function load(
  url: string,
  request: () => string,
  status: number,
  { seconds, connections }: { seconds: number; connections: number },
): Promise<{ perSecond: number; responses: number }> {
  const { hostname, port } = new URL(url);
  const statusLine = `HTTP/1.1 ${status} `;
  let responses = 0;
  let isRunning = true;
  const client = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      /** Bytes of the response still to come; -1 for a chunked one until its last chunk. */
      let remaining = 0;
      const send = () => {
        if (isRunning) socket.write(request(), "latin1");
        else socket.destroy();
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
        if (remaining === 0) {
          responses += 1;
          send();
        }
      });
      socket.once("connect", send);
      socket.once("error", reject);
      socket.once("close", resolve);
    });
  const clients = Promise.all(Array.from({ length: connections }, client));
  const begin = performance.now();
  const timer = setTimeout(() => {
    isRunning = false;
  }, seconds * 1000);
  await clients.finally(() => clearTimeout(timer));
  return { responses, perSecond: (responses * 1000) / (performance.now() - begin) };
}

const lastChunk = Buffer.from("0\r\n\r\n");

/**
 * Returns how many bytes of a response follow its first ones: -1 if it is chunked, undefined if its
 * status is not the expected one.
 */
function remainingAfter(bytes: Buffer, statusLine: string): number | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  const head = bytes.toString("latin1", 0, end);
  if (end === -1 || !head.startsWith(statusLine)) return undefined;
  const length = /\r\nContent-Length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return Number(length) + end + 4 - bytes.length;
  return statusLine.includes(" 304 ") ? 0 : -1;
}
