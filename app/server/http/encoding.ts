import type { Transform } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import Negotiator from "negotiator";

/** In order of preference. Every browser of the last ten years supports one of them. */
export const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];
export type Coding = Encoding | "identity";

export type Variants = { identity: Buffer } & Partial<Record<Encoding, Buffer>>;

/** Compresses a text; leaves out encodings that do not make it smaller. */
export async function compress(text: Buffer): Promise<Variants> {
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(text),
    promisify(gzip)(text, { level: 9 }),
  ]);
  const all = Object.entries({ br, gzip: gz });
  const smaller = all.filter(([, bytes]) => bytes.length < text.length);
  return { identity: text, ...Object.fromEntries(smaller) };
}

const fastCompressors: Record<Encoding, () => Transform> = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip(),
};

/**
 * Returns a compressing stream for a response that is sent once; undefined if the client accepts no
 * encoding.
 */
export function openEncoder(
  header: string | undefined,
): { encoding: Encoding; stream: Transform } | undefined {
  const encoding = acceptedEncodings(header)[0]!;
  return encoding === "identity" ? undefined : { encoding, stream: fastCompressors[encoding]() };
}

const parsedHeaders = new Map<string, readonly Coding[]>();

/** Returns the encodings that a client accepts, best first, from its Accept-Encoding. */
export function acceptedEncodings(header: string | undefined): readonly Coding[] {
  if (header === undefined) return ["identity"];
  const cached = parsedHeaders.get(header);
  if (cached) return cached;
  const negotiator = new Negotiator({ headers: { "accept-encoding": header } });
  const accepted = [
    ...negotiator.encodings(encodings, { preferred: encodings }),
    "identity",
  ] as const;
  // Browsers send a handful of different values; the limit bounds the memory.
  if (parsedHeaders.size < 200) parsedHeaders.set(header, accepted);
  return accepted;
}
