import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { GuardRejection } from "./guard.ts";
import { noStoreHeaders } from "./headers.ts";
import { sendJson } from "./json-response.ts";

/** How long an answer may take to be read by somebody who is still sending. */
const lingerMs = 2_000;

/** Answers what the guard refuses, in the shape of every error of the calls. */
export function sendRejection(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, error, headers: more = {} }: GuardRejection,
  headers: [string, string][],
): void {
  readOn(request, response);
  const problem = { error, code, fields: {} };
  sendJson(response, status, problem, [...headers, ...Object.entries(more)]);
}

/** Sends the visitor on, with all that was posted. */
export function redirect(
  request: IncomingMessage,
  response: ServerResponse,
  location: string,
  headers: [string, string][],
): void {
  readOn(request, response);
  const more = ["Location", location, ...noStoreHeaders, "Content-Length", "0"];
  response.writeHead(308, [...headers.flat(), ...more]).end();
}

/** Answers what Node's own parser refuses, or has waited for in vain. */
export function rejectUnparsable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: [string, string][],
): void {
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const lines = [...headers.flat(), ...noStoreHeaders]
    .map((word, place) => (place % 2 === 0 ? `${word}: ` : `${word}\r\n`))
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

const unreadable: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Content Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** For a while, so that the answer is read and not lost in a broken line. */
function readOn(request: IncomingMessage, response: ServerResponse): void {
  cutOffAfterAnswer(request, response);
  request.resume();
}
