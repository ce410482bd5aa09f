import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { acceptedEncodings, type Encoding, type Variants } from "./encoding.ts";

type Headers = [name: string, value: string][];

/** An answer that is kept in memory with all its headers, in every encoding: sending it is one call. */
export class StoredResponse {
  /** Bytes that it takes in memory. */
  readonly size: number;
  readonly #status: number;
  readonly #ranges: boolean;
  readonly #variants = new Map<
    Encoding | "identity",
    { etag: string; body: Buffer; full: string[]; bare: string[] }
  >();

  /** @param ranges whether parts of it may be asked for, as players of films do */
  constructor(status: number, headers: Headers, variants: Variants, ranges = false) {
    this.#status = status;
    this.#ranges = ranges;
    const hash = createHash("sha256").update(variants.identity).digest("base64url").slice(0, 22);
    const isEncoded = Object.keys(variants).length > 1;
    for (const [encoding, body] of Object.entries(variants) as [Encoding, Buffer][]) {
      const etag = `"${hash}${(encoding as string) === "identity" ? "" : `-${encoding}`}"`;
      const bare = [
        ...headers.flat(),
        "ETag",
        etag,
        ...(isEncoded ? ["Vary", "Accept-Encoding"] : []),
        ...(ranges ? ["Accept-Ranges", "bytes"] : []),
      ];
      const full = [
        ...bare,
        ...((encoding as string) === "identity" ? [] : ["Content-Encoding", encoding]),
        "Content-Length",
        String(body.length),
      ];
      this.#variants.set(encoding, { etag, body, full, bare });
    }
    this.size = Object.values(variants).reduce((sum, body) => sum + body.length, 0);
  }

  send(request: IncomingMessage, response: ServerResponse): void {
    const { headers, method } = request;
    // Ranges are of the bytes as they are, and for GET alone.
    const range = this.#ranges && method === "GET" ? rangeIn(headers.range) : undefined;
    const variant = range
      ? this.#variants.get("identity")!
      : this.#variantFor(headers["accept-encoding"]);
    const asked = headers["if-none-match"];
    if (asked !== undefined && this.#status === 200 && names(asked, variant.etag)) {
      response.writeHead(304, variant.bare).end();
      return;
    }
    if (range && (headers["if-range"] ?? variant.etag) === variant.etag) {
      this.#sendRange(range, response);
      return;
    }
    response.writeHead(this.#status, variant.full);
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

  #sendRange({ first, last }: Range, response: ServerResponse): void {
    const { body, bare } = this.#variants.get("identity")!;
    const length = body.length;
    const start = first ?? Math.max(0, length - last!);
    const end = first === undefined ? length - 1 : Math.min(last ?? length - 1, length - 1);
    if (start >= length) {
      const lasting = bare.indexOf("Cache-Control");
      const none = ["Content-Range", `bytes */${length}`, "Content-Length", "0"];
      response.writeHead(416, [...bare.with(lasting + 1, "no-store"), ...none]).end();
      return;
    }
    response.writeHead(206, [
      ...bare,
      "Content-Range",
      `bytes ${start}-${end}/${length}`,
      "Content-Length",
      String(end - start + 1),
    ]);
    response.end(body.subarray(start, end + 1));
  }
}

interface Range {
  /** Without it: the last bytes, as many as `last` says. */
  first: number | undefined;
  last: number | undefined;
}

/** One range (RFC 9110, 14.1.2). What is malformed counts as not said; several are answered with the whole. */
function rangeIn(header: string | undefined): Range | undefined {
  const match = header === undefined ? null : /^bytes=(\d*)-(\d*)$/i.exec(header);
  if (!match || match[0].endsWith("=-")) return undefined;
  const [first, last] = match
    .slice(1)
    .map((digits) => (digits === "" ? undefined : Number(digits)));
  if (first !== undefined && last !== undefined && last < first) return undefined;
  return { first, last };
}

/** Whether an If-None-Match names the tag; weakness does not matter for that (RFC 9110, 13.1.2). */
function names(header: string, etag: string): boolean {
  return (
    header === etag ||
    header.trim() === "*" ||
    header.split(",").some((one) => one.trim().replace(/^W\//, "") === etag)
  );
}
