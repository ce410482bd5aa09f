import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** An answer to what no visitor's browser sends, or where there is nothing to draw a page with. */
export interface GuardRejection {
  status: 400 | 403 | 404 | 405 | 411 | 413 | 414 | 415 | 417 | 421 | 503;
  code: string;
  error: string;
  headers?: Record<string, string>;
}

const maxUrlBytes = 2048;

/**
 * Judges a request by what stands above its body, before the router reads any of it: React Router
 * compares origins for page actions only, and the calls under /api would take a post from any site.
 * @param site where visitors are to find it, or undefined where any address is good
 * @param mostBodyBytes over this nobody reads on, not even to say what is wrong
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
  if (countOf(rawHeaders, "host") !== 1 || !isHost(headers.host!)) {
    return rejection(400, "bad_host", "The request must name one host.");
  }
  if (site && headers.host!.toLowerCase() !== site.host) {
    return rejection(421, "other_host", "This site is found under another address.");
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
  if (isFromElsewhere(headers, site)) {
    return rejection(403, "other_site", "This form was posted from another site.");
  }
  const length = headers["content-length"];
  if (length === undefined || headers["transfer-encoding"] !== undefined) {
    return rejection(411, "length_required", "The request must tell its length.");
  }
  if (Number(length) > maxBodyBytes) {
    return rejection(413, "too_large", "The request is far larger than it may be.");
  }
  if (headers["content-encoding"] !== undefined) {
    return rejection(415, "encoded", "Please send the body as it is, not compressed.");
  }
  if (countOf(rawHeaders, "content-type") > 1) {
    return rejection(400, "malformed", "The request must have one Content-Type.");
  }
  return undefined;
}

/** Judges a post by where it goes. */
export function checkTarget(
  path: string,
  takesPosts: (path: string) => boolean,
  isPage: (path: string) => boolean,
): GuardRejection | undefined {
  if (takesPosts(path)) return undefined;
  if (!isPage(path)) return rejection(404, "not_found", "There is nothing at this address.");
  return {
    ...rejection(405, "method_not_allowed", "This address takes no forms."),
    headers: { Allow: "GET, HEAD" },
  };
}

function rejection(status: GuardRejection["status"], code: string, error: string): GuardRejection {
  return { status, code, error };
}

/** An address from the root that decodes to plain text, without control characters or backslashes. */
function isDecodable(url: string): boolean {
  if (!url.startsWith("/")) return false;
  // Most have nothing to decode.
  if (/^[\w/.-]*$/.test(url)) return true;
  try {
    const path = decodeURIComponent(url.replace(/\?.*$/s, ""));
    return !/[\p{Cc}\\]/u.test(path);
  } catch {
    return false;
  }
}

/** Where the router would hand out a page's data without the page: only Vite's development mode asks for that. */
const isDataRequest = (url: string) =>
  !import.meta.env.DEV && /^[^?]*(\.|%2e)data(\?|$)/i.test(url);

/** The last that was found to be one: visitors nearly always name the same. */
let goodHost = "";

/** A name or address with or without a port, out of which an address for the router can be made. */
function isHost(host: string): boolean {
  if (host === goodHost) return true;
  const isGood =
    /^([a-z\d._-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host) && URL.canParse(`http://${host}`);
  if (isGood) goodHost = host;
  return isGood;
}

function countOf(rawHeaders: string[], name: string): number {
  let count = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    if (rawHeaders[place]!.toLowerCase() === name) count += 1;
  }
  return count;
}

/** Programs send none of the three headers and are welcome. */
function isFromElsewhere(
  { host, origin, referer, "sec-fetch-site": from }: IncomingHttpHeaders,
  site: URL | undefined,
): boolean {
  if (from !== undefined && from !== "same-origin" && from !== "none") return true;
  // Browsers from before 2020 tell where a form stood by the Referer alone.
  const told = origin ?? (from === undefined ? referer : undefined);
  if (told === undefined) return false;
  if (!URL.canParse(told)) return true;
  // Without a public URL nobody knows whether a proxy in front speaks https.
  return site ? new URL(told).origin !== site.origin : new URL(told).host !== host;
}
