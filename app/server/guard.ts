import type { RequestHandler, Response } from "express";

/**
 * Refuses what no visitor's browser sends, before the router reads any of it: React Router compares
 * origins for page actions only, and the calls under /api would take a post from any site.
 */
export const guard: RequestHandler = (request, response, next) => {
  if (!["GET", "HEAD", "POST"].includes(request.method)) {
    response.set("Allow", "GET, HEAD, POST");
    refuse(response, 405, "method_not_allowed", "Please send GET, HEAD or POST.");
  } else if (request.method === "POST" && isFromElsewhere(request.headers)) {
    refuse(response, 403, "other_site", "This form was posted from another site.");
  } else {
    next();
  }
};

/** In the words of the calls, which whoever posts from elsewhere is most likely to read. */
function refuse(response: Response, status: number, code: string, error: string): void {
  response.status(status).json({ error, code, fields: {} });
}

/** Programs send neither header and are welcome. */
function isFromElsewhere(headers: {
  host?: string;
  origin?: string;
  "sec-fetch-site"?: string | string[];
}) {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  if (headers.origin === undefined) return false;
  return !URL.canParse(headers.origin) || new URL(headers.origin).host !== headers.host;
}
