import { connect } from "node:net";

const timeoutMs = 60_000;

export interface RawResponse {
  /** The status; 0 if the connection was closed without a response. */
  status: number;
  /** The headers in the order and spelling in which they were sent. */
  headers: [name: string, value: string][];
  /** Everything after the headers, undecoded. */
  body: string;
}

/**
 * Sends bytes on a new connection. Returns what was received until the server closed the connection, or sent nothing
 * for `idleMs` after a response.
 * @throws Error if it cannot connect, or there is no response in time
 */
export function sendRaw(
  url: string,
  sent: string | Buffer | (string | Buffer)[],
  { idleMs = 60 } = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = "";
    const isHead = String([sent].flat()[0]).startsWith("HEAD ");
    let idleTimer: NodeJS.Timeout | undefined;
    const done = () => {
      clearTimeout(idleTimer);
      clearTimeout(timeout);
      socket.destroy();
      resolve(parse(received));
    };
    const timeout = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no response within ${timeoutMs} ms to ${String(sent).slice(0, 120)}`));
    }, timeoutMs);
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      clearTimeout(idleTimer);
      if (isComplete(received, isHead)) idleTimer = setTimeout(done, idleMs);
    });
    // A reset means that the server closed while we were sending; keep what was received before it.
    socket.on("error", (error) => {
      const isOfConnecting = !("syscall" in error) || error.syscall === "connect";
      if (socket.bytesWritten === 0 && isOfConnecting) reject(error);
    });
    socket.on("close", done);
    for (const piece of Array.isArray(sent) ? sent : [sent]) {
      socket.write(typeof piece === "string" ? Buffer.from(piece, "latin1") : piece);
    }
  });
}

/** Whether the final response is complete; 100 Continue is not final. */
function isComplete(received: string, isHead: boolean): boolean {
  if (!finalResponse(received).includes("\r\n\r\n")) return false;
  const { status, headers, body } = parse(received);
  if (isHead || [204, 304].includes(status)) return true;
  const header = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1];
  if (header("transfer-encoding") === "chunked") return body.includes("0\r\n\r\n");
  return body.length >= Number(header("content-length") ?? 0);
}

const finalResponse = (received: string) =>
  received.replace(/^(HTTP\/1\.1 1\d\d [^\r]*\r\n(.+\r\n)*\r\n)+/, "");

function parse(received: string): RawResponse {
  const text = finalResponse(received);
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, Math.max(0, end)).split("\r\n");
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? 0),
    headers: lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
    body: end < 0 ? "" : text.slice(end + 4),
  };
}
