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

/** Pictures draw themselves: their style stands in them. */
const svgPolicy = `${strictPolicy}; style-src 'unsafe-inline'`;

/** Answers requests for files, or passes them on. */
export type Assets = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * The built scripts, styles, fonts, pictures and films, each read when it is first asked for and kept from
 * then on: the executable's snapshot cannot be streamed from, and most of it, the films above all, nobody
 * may ask for. Their names hold a hash of what is in them, so they never change.
 * @param folder as the build leaves it, with compressed twins beside the texts: a.js, a.js.br …
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
    const about: [string, string][] = [
      ["Content-Type", types[extension] ?? "application/octet-stream"],
      ["Cache-Control", "public, max-age=31536000, immutable"],
      ["Content-Security-Policy", extension === ".svg" ? svgPolicy : strictPolicy],
    ];
    return new StoredResponse(200, [...headers, ...about], variants, true);
  };
  const files = new Map(
    [...names]
      .filter((file) => !isCompressed(file))
      .map((file) => [`/${path.relative(folder, file).split(path.sep).join("/")}`, file]),
  );
  const answers = new Map<string, StoredResponse>();
  return (request, response, next) => {
    const address = request.url!;
    let answer = answers.get(address);
    const file = files.get(address);
    if (!answer && file) {
      answer = read(file);
      answers.set(address, answer);
    }
    if (answer && (request.method === "GET" || request.method === "HEAD")) {
      answer.send(request, response);
    } else next();
  };
}

/** By hand, because a recursive readdir does not work inside the executable. */
function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    return statSync(file).isDirectory() ? filesUnder(file) : [file];
  });
}
