import type { RequestHandler } from "express";

/**
 * The number of responses since the start, by the first digit of their status. Index 0 counts the clients that
 * disconnected before the response.
 */
export type Traffic = number[];

export const newTraffic = (): Traffic => [0, 0, 0, 0, 0, 0];

/** Returns middleware that counts responses. A cached page is sent when `next` returns, so it needs no listener. */
export function countResponse(traffic: Traffic): RequestHandler {
  const count = (status: number) => {
    traffic[Math.floor(status / 100)]! += 1;
  };
  return (_request, response, next) => {
    next();
    if (response.headersSent) count(response.statusCode);
    else response.once("close", () => count(response.headersSent ? response.statusCode : 0));
  };
}
