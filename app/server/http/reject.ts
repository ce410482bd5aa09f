import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { GuardRejection } from "./guard.ts";
import { noStoreHeaders } from "./headers.ts";
import { sendJson } from "./json-response.ts";

/** Time that a client which is still sending gets to read the response. */
const lingerMs = 2_000;

/** Sends a rejection as JSON, in the shape of every API error. */
export function sendRejection(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, error, headers: extraHeaders = {} }: GuardRejection,
  headers: [string, string][],
): void {
  drainRequest(request, response);
  const problem = { error, code, fields: {} };
  sendJson(response, status, problem, [...headers, ...Object.entries(extraHeaders)]);
}

/** Redirects with 308, which repeats the method and the body. */
export function redirect(
  request: IncomingMessage,
  response: ServerResponse,
  location: string,
  headers: [string, string][],
): void {
  drainRequest(request, response);
  const extraHeaders = ["Location", location, ...noStoreHeaders, "Content-Length", "0"];
  response.writeHead(308, [...headers.flat(), ...extraHeaders]).end();
}

/** Responds to a request that Node's parser rejected or that timed out. */
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
    .map((word, index) => (index % 2 === 0 ? `${word}: ` : `${word}\r\n`))
    .join("");
  const status = statusByErrorCode[error.code ?? ""] ?? "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\n${lines}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Closes the connection if the client is still sending `lingerMs` after the response. */
export function disconnectAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  response.on("finish", () => {
    if (!request.complete) setTimeout(() => request.socket.destroy(), lingerMs).unref();
  });
}

const statusByErrorCode: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Content Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/**
 * Reads and discards the body for a while: closing at once would reset the connection and lose the
 * response.
 */
function drainRequest(request: IncomingMessage, response: ServerResponse): void {
  disconnectAfterResponse(request, response);
  request.resume();
}
