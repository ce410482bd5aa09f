import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** An answer to what no visitor's browser sends, or where there is nothing to draw a page with. */
export interface Refused {
  status: 400 | 403 | 404 | 405 | 411 | 413 | 414 | 415 | 417 | 421 | 503;
  code: string;
  error: string;
  headers?: Record<string, string>;
}

const mostUrlBytes = 2048;

/**
 * Judges a request by what stands above its body, before the router reads any of it: React Router
 * compares origins for page actions only, and the calls under /api would take a post from any site.
 * @param site where visitors are to find it, or undefined where any address is good
 * @param mostBodyBytes over this nobody reads on, not even to say what is wrong
 */
export function judgeRequest(
  { method = "", url = "", headers, rawHeaders }: IncomingMessage,
  site: URL | undefined,
  mostBodyBytes: number,
): Refused | undefined {
  if (method !== "GET" && method !== "HEAD" && method !== "POST") {
    return {
      ...refuse(405, "method_not_allowed", "Please send GET, HEAD or POST."),
      headers: { Allow: "GET, HEAD, POST" },
    };
  }
  if (url.length > mostUrlBytes) return refuse(414, "url_too_long", "The address is too long.");
  if (!isDecodable(url)) return refuse(400, "bad_url", "The address cannot be read.");
  if (isBareData(url)) return refuse(404, "not_found", "There is nothing at this address.");
  if (countOf(rawHeaders, "host") !== 1 || !isHost(headers.host!)) {
    return refuse(400, "bad_host", "The request must name one host.");
  }
  if (site && headers.host!.toLowerCase() !== site.host) {
    return refuse(421, "other_host", "This site is found under another address.");
  }
  if (method === "POST") return judgePost(headers, rawHeaders, site, mostBodyBytes);
  if ((headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined) {
    return refuse(400, "unexpected_body", "Only a POST may have a body.");
  }
  return undefined;
}

function judgePost(
  headers: IncomingHttpHeaders,
  rawHeaders: string[],
  site: URL | undefined,
  mostBodyBytes: number,
): Refused | undefined {
  if (isFromElsewhere(headers, site)) {
    return refuse(403, "other_site", "This form was posted from another site.");
  }
  const length = headers["content-length"];
  if (length === undefined || headers["transfer-encoding"] !== undefined) {
    return refuse(411, "length_required", "The request must tell its length.");
  }
  if (Number(length) > mostBodyBytes) {
    return refuse(413, "too_large", "The request is far larger than it may be.");
  }
  if (headers["content-encoding"] !== undefined) {
    return refuse(415, "encoded", "Please send the body as it is, not compressed.");
  }
  if (countOf(rawHeaders, "content-type") > 1) {
    return refuse(400, "malformed", "The request must have one Content-Type.");
  }
  return undefined;
}

/** Judges a post by where it goes. */
export function judgePlace(
  path: string,
  takesPosts: (path: string) => boolean,
  isPage: (path: string) => boolean,
): Refused | undefined {
  if (takesPosts(path)) return undefined;
  if (!isPage(path)) return refuse(404, "not_found", "There is nothing at this address.");
  return {
    ...refuse(405, "method_not_allowed", "This address takes no forms."),
    headers: { Allow: "GET, HEAD" },
  };
}

function refuse(status: Refused["status"], code: string, error: string): Refused {
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
const isBareData = (url: string) => !import.meta.env.DEV && /^[^?]*(\.|%2e)data(\?|$)/i.test(url);

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
