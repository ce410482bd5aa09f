import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { acceptedEncodings, type Coding, type Variants } from "./encoding.ts";
import type { ResponseHeaders } from "./headers.ts";

/** A response in memory with all its headers, in every encoding: setting them one by one takes a third longer. */
export class StoredResponse {
  /** Bytes of all its bodies. */
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
    const range = this.#acceptsRanges && method === "GET" ? parseRange(headers.range) : undefined;
    const variant = range
      ? this.#variants.get("identity")!
      : this.#variantFor(headers["accept-encoding"]);
    if (headers["if-none-match"] !== undefined) {
      // Express sends no 304 for `no-cache`, which Node's fetch sends with each If-None-Match.
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
    for (const encoding of acceptedEncodings(accept)) {
      const variant = this.#variants.get(encoding);
      if (variant) return variant;
    }
    return this.#variants.get("identity")!;
  }

  #sendRange({ first, last }: Range, response: Response): void {
    const { body, baseHeaders } = this.#variants.get("identity")!;
    const length = body.length;
    const start = first ?? Math.max(0, length - last!);
    const end = first === undefined ? length - 1 : Math.min(last ?? length - 1, length - 1);
    if (start >= length) {
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
      "Content-Range": `bytes ${start}-${end}/${length}`,
      "Content-Length": String(end - start + 1),
    });
    response.end(body.subarray(start, end + 1));
  }
}

interface Range {
  /** Undefined for a suffix range: the last `last` bytes. */
  first: number | undefined;
  last: number | undefined;
}

/**
 * Parses a single range (RFC 9110, 14.1.2). Malformed and multiple ranges are ignored: the whole
 * body is sent. range-parser rejects some of these, and suffixes that are longer than the file.
 */
function parseRange(header: string | undefined): Range | undefined {
  const match = header === undefined ? null : /^bytes=(\d*)-(\d*)$/i.exec(header);
  if (!match || match[0].endsWith("=-")) return undefined;
  const [first, last] = match
    .slice(1)
    .map((digits) => (digits === "" ? undefined : Number(digits)));
  if (first !== undefined && last !== undefined && last < first) return undefined;
  return { first, last };
}
