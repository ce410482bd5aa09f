import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/**
 * The response to a request that gets no page: JSON with a status, a code for programs and a
 * message.
 */
export interface GuardRejection {
  status: 400 | 403 | 404 | 405 | 411 | 413 | 414 | 415 | 417 | 421 | 503;
  code: string;
  error: string;
  headers?: Record<string, string>;
}

const maxUrlBytes = 2048;

/**
 * Checks a request line and headers before any of the body is read; returns undefined if they are
 * good. React Router compares origins for page actions only, so API endpoints depend on this check.
 * @param site the site's public URL; undefined accepts every host
 * @param maxBodyBytes larger bodies are rejected unread
 */
export function checkRequest(
  { method = "", url = "", headers, rawHeaders }: IncomingMessage,
  site: URL | undefined,
  maxBodyBytes: number,
): GuardRejection | undefined {
  if (method !== "GET" && method !== "HEAD" && method !== "POST") {
    return {
      ...rejection(405, "method_not_allowed", "Please send GET, HEAD or POST."),
      headers: { Allow: "GET, HEAD, POST" },
    };
  }
  if (url.length > maxUrlBytes) return rejection(414, "url_too_long", "The address is too long.");
  if (!isDecodable(url)) return rejection(400, "bad_url", "The address cannot be read.");
  if (isDataRequest(url)) return rejection(404, "not_found", "There is nothing at this address.");
  if (countHeaders(rawHeaders, "host") !== 1 || !isValidHost(headers.host!)) {
    return rejection(400, "bad_host", "The request must name one host.");
  }
  if (site && headers.host!.toLowerCase() !== site.host) {
    return rejection(421, "other_host", "This site has another host name.");
  }
  if (method === "POST") return checkPost(headers, rawHeaders, site, maxBodyBytes);
  if ((headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined) {
    return rejection(400, "unexpected_body", "Only a POST may have a body.");
  }
  return undefined;
}

function checkPost(
  headers: IncomingHttpHeaders,
  rawHeaders: string[],
  site: URL | undefined,
  maxBodyBytes: number,
): GuardRejection | undefined {
  if (isCrossSite(headers, site)) {
    return rejection(403, "other_site", "This form was posted from another site.");
  }
  const length = headers["content-length"];
  if (length === undefined || headers["transfer-encoding"] !== undefined) {
    return rejection(411, "length_required", "The request must have a Content-Length.");
  }
  if (Number(length) > maxBodyBytes) {
    return rejection(413, "too_large", "The request body is too large.");
  }
  if (headers["content-encoding"] !== undefined) {
    return rejection(415, "encoded", "Please send the body uncompressed.");
  }
  if (countHeaders(rawHeaders, "content-type") > 1) {
    return rejection(400, "malformed", "The request must have one Content-Type.");
  }
  return undefined;
}

/** Checks that a post goes to a path that accepts posts; returns undefined if it does. */
export function checkTarget(
  path: string,
  isPostTarget: (path: string) => boolean,
  isPage: (path: string) => boolean,
): GuardRejection | undefined {
  if (isPostTarget(path)) return undefined;
  if (!isPage(path)) return rejection(404, "not_found", "There is nothing at this address.");
  return {
    ...rejection(405, "method_not_allowed", "This address does not accept POST requests."),
    headers: { Allow: "GET, HEAD" },
  };
}

function rejection(status: GuardRejection["status"], code: string, error: string): GuardRejection {
  return { status, code, error };
}

/**
 * Whether a URL starts with a slash and decodes to a path without control characters or
 * backslashes.
 */
function isDecodable(url: string): boolean {
  if (!url.startsWith("/")) return false;
  // Fast path: nothing to decode.
  if (/^[\w/.-]*$/.test(url)) return true;
  try {
    const path = decodeURIComponent(url.replace(/\?.*$/s, ""));
    return !/[\p{Cc}\\]/u.test(path);
  } catch {
    return false;
  }
}

/**
 * Whether a URL asks the router for a page's data alone; only Vite's development mode needs that.
 */
const isDataRequest = (url: string) =>
  !import.meta.env.DEV && /^[^?]*(\.|%2e)data(\?|$)/i.test(url);

/** The host that was last found valid: nearly all requests have the same one. */
let lastValidHost = "";

/**
 * Whether a Host header is a name or address with an optional port, so that the router can build a
 * URL from it.
 */
function isValidHost(host: string): boolean {
  if (host === lastValidHost) return true;
  const isValid =
    /^([a-z\d._-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host) && URL.canParse(`http://${host}`);
  if (isValid) lastValidHost = host;
  return isValid;
}

function countHeaders(rawHeaders: string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() === name) count += 1;
  }
  return count;
}

/**
 * Whether a browser sent this post from another site. Programs send none of the three headers, and
 * pass.
 */
function isCrossSite(
  { host, origin, referer, "sec-fetch-site": from }: IncomingHttpHeaders,
  site: URL | undefined,
): boolean {
  if (from !== undefined && from !== "same-origin" && from !== "none") return true;
  // Browsers from before 2020 name the form's origin in the Referer alone.
  const source = origin ?? (from === undefined ? referer : undefined);
  if (source === undefined) return false;
  if (!URL.canParse(source)) return true;
  // Without a public URL the scheme is unknown (a proxy may speak https), so compare hosts only.
  return site ? new URL(source).origin !== site.origin : new URL(source).host !== host;
}
