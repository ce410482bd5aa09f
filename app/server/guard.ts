import type { RequestHandler } from "express";

/**
 * Refuses what no visitor's browser sends, before the router reads any of it: React Router compares
 * origins for page actions only, and the calls under /api would take a post from any site.
 */
export const guard: RequestHandler = (request, response, next) => {
  if (!["GET", "HEAD", "POST"].includes(request.method)) {
    response.status(405).set("Allow", "GET, HEAD, POST").type("text").send("Method not allowed");
  } else if (request.method === "POST" && isFromElsewhere(request.headers)) {
    response.status(403).type("text").send("This form was posted from another site.");
  } else {
    next();
  }
};

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
