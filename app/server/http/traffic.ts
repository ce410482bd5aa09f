import type { RequestHandler } from "express";

/** Response counts since the start. */
export class Traffic {
  /** Responses by the first digit of their status; at 0, clients that disconnected before the response. */
  readonly responses = [0, 0, 0, 0, 0, 0];
  /** Pages served from the cache. */
  cachedPages = 0;
}

/** Returns middleware that counts responses. A cached page is sent when `next` returns, so it needs no listener. */
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
