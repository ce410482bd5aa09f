import path from "node:path";
import type { RequestHandler } from "express";
import type { ArticleDownload } from "../../domain/article.ts";
import { downloadsPrefix } from "../../site.ts";
import { once } from "../system/once.ts";
import { type ResponseHeaders, strictPolicy } from "./headers.ts";
import { mediaTypes, StoredResponse, serveStored } from "./stored-response.ts";

/**
 * Serves the files that articles offer. Their URLs have no hash of the content, because people pass the URLs on; so
 * browsers revalidate the files by ETag, like pages.
 */
export function downloadFiles(
  downloads: ArticleDownload[],
  headers: ResponseHeaders,
): RequestHandler {
  const responseOf = ({ name, bytes }: ArticleDownload) =>
    new StoredResponse(
      200,
      {
        ...headers,
        // `mediaTypes` has every extension that content-folder.ts accepts for downloads.
        "Content-Type": mediaTypes[path.extname(name)]!,
        "Content-Disposition": `attachment; filename="${name}"`,
        "Cache-Control": "no-cache",
        "Content-Security-Policy": strictPolicy,
      },
      { identity: Buffer.from(bytes) },
      { acceptsRanges: true },
    );
  const files = new Map(
    downloads.map((download) => [
      downloadsPrefix + download.name,
      once(() => responseOf(download)),
    ]),
  );
  return serveStored((request) => files.get(request.path)?.());
}
