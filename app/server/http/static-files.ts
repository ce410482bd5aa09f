import { readdirSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { encodings, type Variants } from "./encoding.ts";
import { strictPolicy } from "./headers.ts";
import { StoredResponse } from "./stored-response.ts";

const types: Record<string, string> = {
  ".avif": "image/avif",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mp4": "video/mp4",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".vtt": "text/vtt; charset=utf-8",
  ".webm": "video/webm",
  ".woff2": "font/woff2",
};

/** SVGs carry inline styles. */
const svgPolicy = `${strictPolicy}; style-src 'unsafe-inline'`;

/** Handles requests for files; calls `next` for all others. */
export type Assets = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * Serves the built scripts, styles, fonts, pictures and videos. Each is read on its first request
 * and then stays in memory: files inside the executable cannot be streamed, and some may never be
 * requested. Names contain a hash of the content, so files never change.
 * @param folder the build's folder, with compressed variants beside the originals: a.js, a.js.br …
 */
export function assetsFrom(folder: string, headers: [string, string][]): Assets {
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
    const fileHeaders: [string, string][] = [
      ["Content-Type", types[extension] ?? "application/octet-stream"],
      ["Cache-Control", "public, max-age=31536000, immutable"],
      ["Content-Security-Policy", extension === ".svg" ? svgPolicy : strictPolicy],
    ];
    return new StoredResponse(200, [...headers, ...fileHeaders], variants, true);
  };
  const files = new Map(
    [...names]
      .filter((file) => !isCompressed(file))
      .map((file) => [`/${path.relative(folder, file).split(path.sep).join("/")}`, file]),
  );
  const loaded = new Map<string, StoredResponse>();
  return (request, response, next) => {
    const url = request.url!;
    let stored = loaded.get(url);
    const file = files.get(url);
    if (!stored && file) {
      stored = read(file);
      loaded.set(url, stored);
    }
    if (stored && (request.method === "GET" || request.method === "HEAD")) {
      stored.send(request, response);
    } else next();
  };
}

/**
 * Lists files recursively; readdir's own `recursive` option does not work inside the executable.
 */
function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    return statSync(file).isDirectory() ? filesUnder(file) : [file];
  });
}
