import type { Socket } from "node:net";
import type { Request, RequestHandler, Response } from "express";
import type { Problem } from "../../domain/problem.ts";
import type { Log } from "../log.ts";
import type { Rejection } from "../rejection.ts";
import { noStoreHeaders, type ResponseHeaders, sendJson } from "./headers.ts";
import { newRequestId } from "./request-log.ts";

/** Time that a client which is still sending gets to read the response. */
const lingerMs = 2_000;

/** Sends a rejection. The client may still be sending a body, which is discarded. */
export function sendRejection(request: Request, response: Response, rejection: Rejection): void {
  drainRequest(request, response);
  const { allow } = rejection;
  sendProblem(response, rejection.problem, allow === undefined ? {} : { Allow: allow });
}

/** Sends a problem as JSON, in the shape of every error that is not a page. */
export function sendProblem(
  response: Response,
  { status, error, code, fields, retryAfter }: Problem,
  headers: ResponseHeaders,
): void {
  const retry = retryAfter !== undefined && { "Retry-After": String(retryAfter) };
  sendJson(response, status, { error, code, fields }, { ...headers, ...retry });
}

/** Reports an unexpected error by the request's id alone; the log has its cause. */
export function sendFailure(response: Response, log: Log, cause: unknown): void {
  const { requestId = newRequestId() } = response.locals;
  log.error(`request ${requestId} failed`, cause);
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const error = `Something went wrong on our side. Please try again. (${requestId})`;
  const problem = { status: 500, code: "failed", error, fields: {} };
  sendProblem(response, problem, { "X-Request-Id": requestId });
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
function closeAfterResponse(request: Request, response: Response, ms = lingerMs): void {
  response.on("finish", () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.socket.destroy(), ms).unref();
    request.once("end", () => clearTimeout(timer));
  });
}

/** Closes the connection if the client is still sending its request some time after the response. */
export const disconnectAfterResponse: RequestHandler = (request, response, next) => {
  closeAfterResponse(request, response);
  next();
};

const statusByErrorCode: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Content Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/**
 * Reads and discards the body for a while: closing at once would reset the connection and lose the
 * response.
 */
export function drainRequest(request: Request, response: Response, ms = lingerMs): void {
  closeAfterResponse(request, response, ms);
  request.resume();
}
