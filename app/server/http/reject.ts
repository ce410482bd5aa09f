import type { Socket } from "node:net";
import type { Request, RequestHandler, Response } from "express";
import type { Problem } from "../../domain/problem.ts";
import type { Log } from "../log.ts";
import { clientOf } from "./client-address.ts";
import { type ConnectionCount, closeSignal, maxConnectionsPerClient } from "./connections.ts";
import { noStoreHeaders, type ResponseHeaders, sendJson } from "./headers.ts";
import { newRequestId } from "./request-log.ts";
import { openTurns } from "./turns.ts";

/** Time for a client that is still sending to read the response. */
const lingerMs = 2_000;

/** Sends a problem as JSON, in the shape of every error that is not a page. */
export function sendProblem(
  response: Response,
  { status, error, code, fields, retryAfter }: Problem,
  headers: ResponseHeaders,
): void {
  const retry = retryAfter !== undefined && { "Retry-After": String(retryAfter) };
  sendJson(response, status, { error, code, fields }, { ...headers, ...retry });
}

/**
 * Logs the cause of an unexpected error. Responds with a 500 that reveals no more than the request's id. A response
 * that has begun is cut off.
 */
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
function closeAfterResponse(request: Request, response: Response, ms: number): void {
  response.on("finish", () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.socket.destroy(), ms).unref();
    request.once("end", () => clearTimeout(timer));
  });
}

/** Middleware that closes the connection if the client is still sending its request `lingerMs` after the response. */
export const disconnectAfterResponse: RequestHandler = (request, response, next) => {
  closeAfterResponse(request, response, lingerMs);
  next();
};

const statusByErrorCode: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Content Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Bodies up to this size arrive with their headers, so discarding them needs no turn. */
const smallBytes = 16 * 1024;

/** Limits of bodies that are discarded at the same time: many, because a slow client keeps its place for long. */
const drainLimits = {
  max: 100,
  maxPerClient: 8,
  maxWaitingPerClient: maxConnectionsPerClient,
  maxWaitMs: 60_000,
  busy: "Too much is being rejected.",
};

/**
 * Reads and discards a body for a while: closing at once would reset the connection and lose the response.
 * Send the response when the returned promise resolves. If undefined is returned, send it at once: during an `await`,
 * the parser could reject the rest of the packet and close the connection.
 */
export type DrainRequest = (
  request: Request,
  response: Response,
  ms?: number,
) => Promise<void> | undefined;

/**
 * Returns a function that discards large bodies in turns: the bodies of a flood, read all at once, would keep the
 * thread busy. A client sends its next body when it has the response, which waits for the turn.
 */
export function openDrains(connections: ConnectionCount): DrainRequest {
  const takeTurn = openTurns(drainLimits, connections);
  const waitForTurn = async (request: Request, response: Response) => {
    const signal = closeSignal(response);
    const release = await takeTurn(clientOf(request), { signal }).catch(() => undefined);
    if (!release) request.socket.destroy();
    else if (request.closed) release();
    else request.once("close", release);
  };
  return (request, response, ms = lingerMs) => {
    const drain = () => {
      closeAfterResponse(request, response, ms);
      request.resume();
    };
    const isLarge = Number(request.headers["content-length"]) > smallBytes;
    if (isLarge) return waitForTurn(request, response).then(drain);
    drain();
    return undefined;
  };
}
