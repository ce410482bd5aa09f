import { connect } from "node:net";

/**
 * Asks on a number of connections, each again as soon as it has its answer, and returns how many
 * they were. It looks at the status and at where an answer ends and at nothing else, because on a small
 * machine a client that reads like a browser takes more time than the server that is measured.
 */
export async function load(
  url: string,
  request: () => string,
  status: number,
  { seconds, connections }: { seconds: number; connections: number },
): Promise<{ perSecond: number; answers: number }> {
  const { hostname, port } = new URL(url);
  const expected = `HTTP/1.1 ${status} `;
  let answers = 0;
  let running = true;
  const visitor = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      /** Bytes that are still to come; -1 until the next chunk "0" where the length is not told. */
      let left = 0;
      const ask = () => {
        if (running) socket.write(request(), "latin1");
        else socket.destroy();
      };
      socket.on("data", (bytes: Buffer) => {
        if (left === 0) {
          const length = lengthAfter(bytes, expected);
          if (length === undefined) {
            socket.destroy(new Error(`unexpected: ${bytes.toString("latin1", 0, 40)}`));
            return;
          }
          left = length;
        } else if (left > 0) left -= bytes.length;
        if (left === -1 && bytes.subarray(-5).equals(lastChunk)) left = 0;
        if (left === 0) {
          answers += 1;
          ask();
        }
      });
      socket.once("connect", ask);
      socket.once("error", reject);
      socket.once("close", resolve);
    });
  const visitors = Promise.all(Array.from({ length: connections }, visitor));
  const begun = performance.now();
  const stop = setTimeout(() => {
    running = false;
  }, seconds * 1000);
  await visitors.finally(() => clearTimeout(stop));
  return { answers, perSecond: (answers * 1000) / (performance.now() - begun) };
}

const lastChunk = Buffer.from("0\r\n\r\n");

/** From the beginning of an answer: the bytes that are still to come after these; undefined for another answer. */
function lengthAfter(bytes: Buffer, expected: string): number | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  const head = bytes.toString("latin1", 0, end);
  if (end === -1 || !head.startsWith(expected)) return undefined;
  const length = /\r\nContent-Length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return Number(length) + end + 4 - bytes.length;
  return expected.includes(" 304 ") ? 0 : -1;
}
