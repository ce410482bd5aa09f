import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import type { Log } from "../log.ts";

declare global {
  namespace Express {
    interface Locals {
      /**
       * The request's id. A page that reports an error shows it, and the log has it with the error's cause. Set before
       * posts and pages are handled.
       */
      requestId?: string;
    }
  }
}

export const newRequestId = () => randomUUID().replaceAll("-", "").slice(0, 12);

/**
 * Returns middleware that gives a request its id, and logs it once the response is sent or the client has disconnected.
 * @param isKnown whether a path is one of the site's; other paths may contain personal data, and are not logged
 */
export function logRequest(log: Log, isKnown?: (path: string) => boolean): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const { method, path } = request;
    const id = newRequestId();
    response.locals.requestId = id;
    response.on("close", () => {
      log.request({
        id,
        method,
        path: !isKnown || isKnown(path) ? path : "(unknown)",
        status: response.writableFinished ? response.statusCode : 0,
        ms: Math.round(performance.now() - startedAt),
      });
    });
    next();
  };
}
