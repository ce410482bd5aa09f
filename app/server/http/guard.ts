import type { IncomingHttpHeaders } from "node:http";
import type { Request, RequestHandler } from "express";
import { notFoundPath, operatorPaths, subscriptionPath } from "../../site.ts";
import { Rejection } from "../rejection.ts";
import { endpoints } from "./endpoints.ts";
import { noStoreHeaders } from "./headers.ts";
import type { DrainRequest } from "./reject.ts";

const maxUrlBytes = 2048;

/** Max bytes of a post to a page that has only buttons, by path. The buttons send a few dozen bytes. */
const maxButtonBytes: Record<string, number> = { [subscriptionPath]: 1024, "/test-forms": 8192 };

/**
 * Rejects requests by their request line and headers, before any of the body is read. React Router
 * compares origins for page actions only, so API endpoints depend on this check.
 * @param site the site's public URL; undefined accepts every host
 * @param formOrigins other sites whose pages may post to endpoints
 */
export function guard(
  site: URL | undefined,
  formOrigins: readonly string[],
  maxBodyBytes: number,
): RequestHandler {
  const isServed = (host: string, path: string) =>
    !site || host === site.host || (operatorPaths.includes(path) && isLocalName(host));
  return (request, _response, next) => {
    const { method, path, headers, rawHeaders } = request;
    // React Router's adapter would build URLs from these headers, which any client can send.
    delete headers["x-forwarded-host"];
    delete headers["x-forwarded-proto"];
    if (method !== "GET" && method !== "HEAD" && method !== "POST") {
      const allow = "GET, HEAD, POST";
      throw new Rejection(405, "method_not_allowed", "Please send GET, HEAD or POST.", { allow });
    }
    checkUrl(request);
    if (countHeaders(rawHeaders, "host") !== 1 || !isValidHost(headers.host!)) {
      throw new Rejection(400, "bad_host", "The request must name one host.");
    }
    if (!isServed(headers.host!.toLowerCase(), path)) {
      throw new Rejection(421, "other_host", "This site has another host name.");
    }
    if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) {
      throw new Rejection(417, "expectation_failed", "The request may only expect 100-continue.");
    }
    if (method === "POST") {
      const isListed = endpoints.has(path) && formOrigins.includes(headers.origin ?? "");
      if (isForeign(headers, site) && !isListed) {
        throw new Rejection(403, "other_site", "This form was posted from another site.");
      }
      checkPost(headers, rawHeaders, maxButtonBytes[path] ?? maxBodyBytes);
    } else if (
      (headers["content-length"] ?? "0") !== "0" ||
      headers["transfer-encoding"] !== undefined
    ) {
      throw new Rejection(400, "unexpected_body", "Only a POST may have a body.");
    }
    next();
  };
}

/**
 * Rejects a URL that no page can have. A browser that asks for an unreadable URL gets the page for unknown addresses.
 */
function checkUrl(request: Request): void {
  const { method, url, headers } = request;
  if (url.length > maxUrlBytes) {
    throw new Rejection(414, "url_too_long", "The address is too long.");
  }
  if (!isReadableUrl(url)) {
    if (method === "POST" || !headers.accept?.includes("text/html")) {
      throw new Rejection(400, "bad_url", "The address cannot be read.");
    }
    // The router fails at such a URL, or reads another path than the middleware.
    rewriteUrl(request, notFoundPath);
  }
  if (isDataRequest(url)) {
    throw new Rejection(404, "not_found", "There is nothing at this address.");
  }
}

function checkPost(headers: IncomingHttpHeaders, rawHeaders: string[], maxBytes: number): void {
  const length = headers["content-length"];
  if (length === undefined || headers["transfer-encoding"] !== undefined) {
    throw new Rejection(411, "length_required", "The request must have a Content-Length.");
  }
  if (Number(length) > maxBytes) {
    throw new Rejection(413, "too_large", "The request body is too large.");
  }
  if (headers["content-encoding"] !== undefined) {
    throw new Rejection(415, "encoded", "Please send the body uncompressed.");
  }
  if (countHeaders(rawHeaders, "content-type") > 1) {
    throw new Rejection(400, "malformed", "The request must have one Content-Type.");
  }
}

/** Redirects a path with repeated or trailing slashes to the one without. */
export function redirectToCanonicalPath(drain: DrainRequest): RequestHandler {
  return async (request, response, next) => {
    const { path, url } = request;
    const canonical = path.replace(/\/+/g, "/").replace(/(.)\/$/, "$1");
    if (canonical === path) return next();
    const draining = drain(request, response);
    if (draining) await draining;
    // After a 308 the client repeats the method and the body, so no form is lost.
    response.status(308).set({ ...noStoreHeaders, Location: canonical + url.slice(path.length) });
    response.end();
  };
}

/** Has the following middleware treat a request as one for another URL of the site. */
export function rewriteUrl(request: Request, url: string): void {
  request.url = url;
  request.originalUrl = url;
}

/**
 * Whether a URL starts with a slash and decodes to a path without control characters, backslashes or dot segments. The
 * router would resolve dot segments, so that middleware and router would see different paths.
 */
function isReadableUrl(url: string): boolean {
  if (!url.startsWith("/")) return false;
  try {
    const path = decodeURIComponent(url.replace(/\?.*$/s, ""));
    return !/[\p{Cc}\\]|\/\.{1,2}(\/|$)/u.test(path);
  } catch {
    return false;
  }
}

/** Whether a URL asks the router for a page's data alone. Vite's development mode does, so there it is false. */
const isDataRequest = (url: string) =>
  !import.meta.env.DEV && /^[^?]*(\.|%2e)data(\?|$)/i.test(url);

/** Whether a Host header is a name or address with an optional port, so that the router can build a URL from it. */
const isValidHost = (host: string) =>
  /^([a-z\d._-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host) && URL.canParse(`http://${host}`);

/**
 * Whether a host is an IP address or a name without a dot, as health checks use. A page of another
 * site that has its own name resolve to this machine (DNS rebinding) can send neither.
 */
const isLocalName = (host: string) => /^([^.]+|[\d.]+|\[[\da-f:.]+\])(:\d+)?$/.test(host);

/** @param rawHeaders names and values in turn */
const countHeaders = (rawHeaders: string[], name: string): number =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;

/**
 * Whether a browser sent this post from another site. There is no session that another site could
 * use; the check keeps visitors' browsers from being used for spam. Programs send no Origin, and pass.
 */
function isForeign({ origin, host }: IncomingHttpHeaders, site: URL | undefined): boolean {
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  // Without a public URL the scheme is unknown (a proxy may speak https), so compare hosts only.
  return site ? new URL(origin).origin !== site.origin : new URL(origin).host !== host;
}
