import type { RequestHandler } from "express";

/** What every answer carries. */
export const setHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    "X-Content-Type-Options": "nosniff",
    // Not no-referrer: with it browsers send `Origin: null`, and forms without JavaScript are refused.
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Frame-Options": "DENY",
  });
  next();
};
