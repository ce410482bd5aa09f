import { createHash } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import { acceptedEncodings, type Coding, type Variants } from "./encoding.ts";
import type { ResponseHeaders } from "./headers.ts";

/** Returns middleware that responds with what `find` returns, unless the request is a post. */
export const serveStored =
  (find: (request: Request) => StoredResponse | undefined): RequestHandler =>
  (request, response, next) => {
    const stored = request.method === "POST" ? undefined : find(request);
    if (stored) stored.send(request, response);
    else next();
  };

const officePrefix = "application/vnd.openxmlformats-officedocument.";

/** Media types by the extension of a file. */
export const mediaTypes: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".docx": `${officePrefix}wordprocessingml.document`,
  ".js": "text/javascript; charset=utf-8",
  ".mp4": "video/mp4",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".vtt": "text/vtt; charset=utf-8",
  ".webm": "video/webm",
  ".woff2": "font/woff2",
  ".xlsx": `${officePrefix}spreadsheetml.sheet`,
};

/** A response in memory, with all its headers for each encoding: setting them one by one takes a third longer. */
export class StoredResponse {
  /** Size of the bodies in all encodings, in bytes. */
  readonly size: number;
  readonly #status: number;
  readonly #acceptsRanges: boolean;
  readonly #variants = new Map<
    Coding,
    { etag: string; body: Buffer; fullHeaders: ResponseHeaders; baseHeaders: ResponseHeaders }
  >();

  /** @param acceptsRanges whether clients may request byte ranges, as video players do */
  constructor(
    status: number,
    headers: ResponseHeaders,
    variants: Variants,
    { acceptsRanges = false } = {},
  ) {
    this.#status = status;
    this.#acceptsRanges = acceptsRanges;
    const hash = createHash("sha256").update(variants.identity).digest("base64url").slice(0, 22);
    const isEncoded = Object.keys(variants).length > 1;
    for (const [encoding, body] of Object.entries(variants) as [Coding, Buffer][]) {
      const etag = `"${hash}${encoding === "identity" ? "" : `-${encoding}`}"`;
      const baseHeaders = {
        ...headers,
        ETag: etag,
        ...(isEncoded && { Vary: "Accept-Encoding" }),
        ...(acceptsRanges && { "Accept-Ranges": "bytes" }),
      };
      const fullHeaders = {
        ...baseHeaders,
        ...(encoding !== "identity" && { "Content-Encoding": encoding }),
        "Content-Length": String(body.length),
      };
      this.#variants.set(encoding, { etag, body, fullHeaders, baseHeaders });
    }
    this.size = Object.values(variants).reduce((sum, body) => sum + body.length, 0);
  }

  send(request: Request, response: Response): void {
    const { headers, method } = request;
    // Ranges apply to GET alone, and to the unencoded bytes.
    const plain = this.#variants.get("identity")!;
    const isRangeable = this.#acceptsRanges && method === "GET";
    const range = isRangeable ? parseRange(headers.range, plain.body.length) : undefined;
    const variant = range ? plain : this.#variantFor(headers["accept-encoding"]);
    if (headers["if-none-match"] !== undefined) {
      // Node's fetch sends `no-cache` with each If-None-Match, and Express would then never send a 304.
      delete headers["cache-control"];
      response.status(this.#status).set("ETag", variant.etag);
      if (request.fresh) {
        response.writeHead(304, variant.baseHeaders).end();
        return;
      }
    }
    if (range && (headers["if-range"] ?? variant.etag) === variant.etag) {
      this.#sendRange(range, response);
      return;
    }
    response.writeHead(this.#status, variant.fullHeaders);
    if (method === "HEAD") response.end();
    else response.end(variant.body);
  }

  #variantFor(accept: string | undefined) {
    const encoding = acceptedEncodings(accept).find((one) => this.#variants.has(one));
    return this.#variants.get(encoding ?? "identity")!;
  }

  #sendRange({ first, last }: Range, response: Response): void {
    const { body, baseHeaders } = this.#variants.get("identity")!;
    const length = body.length;
    if (first >= length) {
      response
        .writeHead(416, {
          ...baseHeaders,
          "Cache-Control": "no-store",
          "Content-Range": `bytes */${length}`,
          "Content-Length": "0",
        })
        .end();
      return;
    }
    response.writeHead(206, {
      ...baseHeaders,
      "Content-Range": `bytes ${first}-${last}/${length}`,
      "Content-Length": String(last - first + 1),
    });
    response.end(body.subarray(first, last + 1));
  }
}

/** The positions of the first and the last byte. If `first` is past the end of the body, the range has no bytes. */
interface Range {
  first: number;
  last: number;
}

/**
 * Parses a single range of a body of `length` bytes (RFC 9110, 14.1.2). Returns undefined for malformed and multiple
 * ranges: the whole body is sent. range-parser rejects some of these, and suffixes that are longer than the file.
 */
function parseRange(header: string | undefined, length: number): Range | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/i.exec(header ?? "") ?? [];
  const end = length - 1;
  if (from === "" && to === "") return undefined;
  if (from === "") return { first: Math.max(0, length - Number(to)), last: end };
  if (to === "") return { first: Number(from), last: end };
  if (Number(to) < Number(from)) return undefined;
  return { first: Number(from), last: Math.min(Number(to), end) };
}
