import { connect } from "node:net";

export interface RawResponse {
  /** 0 where the connection was closed without an answer. */
  status: number;
  /** Names as they were sent, in their order. */
  headers: [name: string, value: string][];
  /** All that came after the headers, undecoded. */
  body: string;
}

/**
 * Sends these very bytes on a connection of its own, and gives back what came until the other end
 * closed, or until it has been silent for a while after an answer. Throws where nothing came in time.
 */
export function exchange(
  url: string,
  sent: string | Buffer | (string | Buffer)[],
  { deadlineMs = 10_000, silenceMs = 60 } = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let got = "";
    let silence: NodeJS.Timeout | undefined;
    const done = () => {
      clearTimeout(silence);
      clearTimeout(deadline);
      socket.destroy();
      resolve(parse(got));
    };
    const deadline = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer within ${deadlineMs} ms to ${String(sent).slice(0, 120)}`));
    }, deadlineMs);
    socket.on("data", (chunk) => {
      got += chunk.toString("latin1");
      clearTimeout(silence);
      if (isWhole(got)) silence = setTimeout(done, silenceMs);
    });
    // A reset is what a connection cut off in mid-sending looks like; what came before it counts.
    socket.on("error", (error) => {
      if (socket.bytesWritten === 0 && !("syscall" in error && error.syscall !== "connect")) {
        reject(error);
      }
    });
    socket.on("close", done);
    for (const piece of Array.isArray(sent) ? sent : [sent]) {
      socket.write(typeof piece === "string" ? Buffer.from(piece, "latin1") : piece);
    }
  });
}

/** Whether the final answer's headers are there; 100 Continue is none. */
const isWhole = (got: string) => final(got).includes("\r\n\r\n");

const final = (got: string) => got.replace(/^(HTTP\/1\.1 1\d\d [^\r]*\r\n(.+\r\n)*\r\n)+/, "");

function parse(got: string): RawResponse {
  const text = final(got);
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
