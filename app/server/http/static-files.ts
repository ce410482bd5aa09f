import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { RequestHandler } from "express";
import { once } from "../system/once.ts";
import { encodings, type Variants } from "./encoding.ts";
import { type ResponseHeaders, strictPolicy } from "./headers.ts";
import { mediaTypes, StoredResponse, serveStored } from "./stored-response.ts";

/** The policy of SVGs, which have inline styles. */
const svgPolicy = `${strictPolicy}; style-src 'unsafe-inline'`;

/**
 * Serves the built scripts, styles, fonts, pictures and videos. Each file is read on its first request
 * and then stays in memory: files inside the executable cannot be streamed, and some may never be
 * requested. Names contain a hash of the content, so files never change.
 * @param folder the build's folder, with compressed variants beside the originals: a.js, a.js.br …
 */
export function staticFiles(folder: string, headers: ResponseHeaders): RequestHandler {
  const names = new Set(filesUnder(folder));
  const isCompressed = (file: string) =>
    encodings.some((encoding) => file.endsWith(`.${encoding}`));
  const read = (file: string): StoredResponse => {
    const variants: Variants = { identity: readFileSync(file) };
    for (const encoding of encodings) {
      const compressed = `${file}.${encoding}`;
      if (names.has(compressed)) variants[encoding] = readFileSync(compressed);
    }
    const extension = path.extname(file);
    const fileHeaders = {
      ...headers,
      "Content-Type": mediaTypes[extension] ?? "application/octet-stream",
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Security-Policy": extension === ".svg" ? svgPolicy : strictPolicy,
    };
    return new StoredResponse(200, fileHeaders, variants, { acceptsRanges: true });
  };
  const files = new Map(
    [...names]
      .filter((file) => !isCompressed(file))
      .map((file) => [
        `/${path.relative(folder, file).split(path.sep).join("/")}`,
        once(() => read(file)),
      ]),
  );
  return serveStored(({ url }) => files.get(url)?.());
}

/** Lists files recursively; readdir's own `recursive` option does not work inside the executable. */
function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    return statSync(file).isDirectory() ? filesUnder(file) : [file];
  });
}
