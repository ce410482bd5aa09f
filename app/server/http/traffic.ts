import type { RequestHandler } from "express";

/** Response counts since the start. */
export class Traffic {
  /** By the first digit of the status; 0 if the client disconnected before the response. */
  readonly responses = [0, 0, 0, 0, 0, 0];
  /** Pages served from the cache. */
  cachedPages = 0;
}

/** Counts each response: those from memory have been sent when `next` returns, and need no listener. */
export function countResponse({ responses }: Traffic): RequestHandler {
  const count = (status: number) => {
    responses[Math.floor(status / 100)]! += 1;
  };
  return (_request, response, next) => {
    next();
    if (response.headersSent) count(response.statusCode);
    else response.once("close", () => count(response.headersSent ? response.statusCode : 0));
  };
}
