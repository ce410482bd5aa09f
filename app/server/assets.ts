import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { RequestHandler } from "express";

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** The built scripts, styles and fonts, read into memory once: the executable's snapshot cannot be streamed from. */
export function assetsFrom(folder: string): RequestHandler {
  const files = new Map(
    filesUnder(folder).map((file) => [
      `/${path.relative(folder, file).split(path.sep).join("/")}`,
      readFileSync(file),
    ]),
  );
  return (request, response, next) => {
    const content = files.get(request.path);
    if (!content || !["GET", "HEAD"].includes(request.method)) {
      next();
      return;
    }
    const hashed = request.path.startsWith("/assets/");
    response
      .set("Content-Type", types[path.extname(request.path)] ?? "application/octet-stream")
      .set("Cache-Control", hashed ? "public, max-age=31536000, immutable" : "public, max-age=3600")
      .send(content);
  };
}

/** By hand, because a recursive readdir does not work inside the executable. */
function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    return statSync(file).isDirectory() ? filesUnder(file) : [file];
  });
}
