import type { Socket } from "node:net";
import type { Problem } from "../../domain/problem.ts";
import type { Rejection } from "../rejection.ts";
import type { Exchange } from "./exchange.ts";
import { noStoreHeaders, type ResponseHeaders } from "./headers.ts";

/** Time that a client which is still sending gets to read the response. */
const lingerMs = 2_000;

/** Sends a rejection. The client may still be sending a body, which is discarded. */
export function sendRejection(exchange: Exchange, rejection: Rejection): void {
  drainRequest(exchange);
  const { allow } = rejection;
  sendProblem(exchange, rejection.problem, allow === undefined ? {} : { Allow: allow });
}

/** Sends a problem as JSON, in the shape of every error that is not a page. */
export function sendProblem(
  exchange: Exchange,
  { status, error, code, fields, retryAfter }: Problem,
  headers: ResponseHeaders,
): void {
  const retry = retryAfter !== undefined && { "Retry-After": String(retryAfter) };
  exchange.sendJson(status, { error, code, fields }, { ...headers, ...retry });
}

/** Reports an unexpected error by the exchange's id alone; the log has its cause. */
export function sendFailure(exchange: Exchange): void {
  const { response, id } = exchange;
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const error = `Something went wrong on our side. Please try again. (${id})`;
  const problem = { status: 500, code: "failed", error, fields: {} };
  sendProblem(exchange, problem, { "X-Request-Id": id });
}

/** Responds to a request that Node's parser rejected or that timed out. */
export function rejectUnparsable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: ResponseHeaders,
): void {
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const lines = Object.entries({ ...headers, ...noStoreHeaders })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const status = statusByErrorCode[error.code ?? ""] ?? "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\n${lines}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Closes the connection if the client is still sending its request `ms` after the response. */
export function disconnectAfterResponse({ request, response }: Exchange, ms = lingerMs): void {
  response.on("finish", () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.socket.destroy(), ms).unref();
    request.once("end", () => clearTimeout(timer));
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
export function drainRequest(exchange: Exchange, ms = lingerMs): void {
  disconnectAfterResponse(exchange, ms);
  exchange.request.resume();
}
