import type { RequestHandler } from "express";

/** The number of responses since the start, by class of status; "none" if the client disconnected before one. */
export type Traffic = Map<string, number>;

export const newTraffic = (): Traffic =>
  new Map(["1xx", "2xx", "3xx", "4xx", "5xx", "none"].map((status) => [status, 0]));

/** Returns middleware that counts responses. A cached page needs no listener: it is sent when `next` returns. */
export function countResponse(traffic: Traffic): RequestHandler {
  return (_request, response, next) => {
    const count = () => {
      const status = response.headersSent ? `${Math.floor(response.statusCode / 100)}xx` : "none";
      traffic.set(status, traffic.get(status)! + 1);
    };
    next();
    if (response.headersSent) count();
    else response.once("close", count);
  };
}
