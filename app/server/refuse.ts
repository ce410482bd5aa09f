import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Refused } from "./guard.ts";
import { strictPolicy } from "./headers.ts";

/** How long an answer may take to be read by somebody who is still sending. */
const lingerMs = 2_000;

/** Answers what the guard refuses, in the shape of every error of the calls. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, error, headers: more = {} }: Refused,
  headers: [string, string][],
): void {
  const body = JSON.stringify({ error, code, fields: {} });
  response.writeHead(status, [
    ...headers.flat(),
    ...Object.entries(more).flat(),
    "Content-Type",
    "application/json; charset=utf-8",
    ...closedTo,
    "Content-Length",
    String(Buffer.byteLength(body)),
  ]);
  endUnread(request, response, body);
}

/** Sends the visitor on, with all that was posted. */
export function redirect(
  request: IncomingMessage,
  response: ServerResponse,
  location: string,
  headers: [string, string][],
): void {
  const more = ["Location", location, ...closedTo, "Content-Length", "0"];
  response.writeHead(308, [...headers.flat(), ...more]);
  endUnread(request, response, "");
}

/** Answers what Node's own parser refuses, or has waited for in vain. */
export function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: [string, string][],
): void {
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const lines = [...headers, [closedTo[0], closedTo[1]], [closedTo[2], closedTo[3]]]
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const status = unreadable[error.code ?? ""] ?? "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\n${lines}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Whoever goes on sending when the answer is out, beyond what was drained, is cut off. */
export function cutOffAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  response.on("finish", () => {
    if (!request.complete) setTimeout(() => request.socket.destroy(), lingerMs).unref();
  });
}

const closedTo = ["Cache-Control", "no-store", "Content-Security-Policy", strictPolicy] as const;

const unreadable: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Content Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

function endUnread(request: IncomingMessage, response: ServerResponse, body: string): void {
  cutOffAfterAnswer(request, response);
  response.end(request.method === "HEAD" ? undefined : body);
  // Read on for a while, so that the answer is read and not lost in a broken line.
  request.resume();
}
