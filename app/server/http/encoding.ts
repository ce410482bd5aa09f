import type { Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from "node:zlib";

/** In the order of preference; every browser of the last ten years takes one of them. */
export const encodings = ["br", "zstd", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

export type Variants = { identity: Buffer } & Partial<Record<Encoding, Buffer>>;

/** The text in every encoding in which it is smaller. */
export async function compress(text: Buffer): Promise<Variants> {
  const all: [Encoding, Buffer][] = await Promise.all([
    promisify(brotliCompress)(text).then((bytes) => ["br", bytes] as [Encoding, Buffer]),
    promisify(zstdCompress)(text, {
      params: { [constants.ZSTD_c_compressionLevel]: 19 },
    }).then((bytes) => ["zstd", bytes] as [Encoding, Buffer]),
    promisify(gzip)(text, { level: 9 }).then((bytes) => ["gzip", bytes] as [Encoding, Buffer]),
  ]);
  const smaller = all.filter(([, bytes]) => bytes.length < text.length);
  return { identity: text, ...Object.fromEntries(smaller) };
}

const quickly: Record<Encoding, () => Transform> = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: () => createZstdCompress(),
  gzip: () => createGzip(),
};

/** What compresses a text that is sent once, as it is written. Undefined where the client takes none of it. */
export function openEncoder(
  header: string | undefined,
): { encoding: Encoding; stream: Transform } | undefined {
  const encoding = acceptedEncodings(header)[0]!;
  return encoding === "identity" ? undefined : { encoding, stream: quickly[encoding]() };
}

const known = new Map<string, (Encoding | "identity")[]>();

/** The encodings that a client takes, best first, by its Accept-Encoding (RFC 9110, 12.5.3). */
export function acceptedEncodings(header: string | undefined): (Encoding | "identity")[] {
  if (header === undefined) return ["identity"];
  const before = known.get(header);
  if (before) return before;
  const weights = new Map(
    header.split(",").map((part) => {
      const [name = "", ...parameters] = part.trim().toLowerCase().split(";");
      const weight = /^\s*q=([\d.]+)$/.exec(parameters.join(";"))?.[1];
      return [name.trim(), weight === undefined ? 1 : Number(weight)];
    }),
  );
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  const accepted: (Encoding | "identity")[] = encodings.filter((name) => weightOf(name) > 0);
  accepted.sort((a, b) => weightOf(b) - weightOf(a));
  accepted.push("identity");
  // Browsers send a handful of different ones.
  if (known.size < 200) known.set(header, accepted);
  return accepted;
}
