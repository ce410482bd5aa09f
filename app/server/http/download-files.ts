import type { RequestHandler } from "express";
import type { ArticleDownload } from "../../domain/article.ts";
import { downloadsPrefix } from "../../site.ts";
import { once } from "../system/once.ts";
import { type ResponseHeaders, strictPolicy } from "./headers.ts";
import { StoredResponse } from "./stored-response.ts";

const prefix = "application/vnd.openxmlformats-officedocument.";

const types: Record<string, string> = {
  docx: `${prefix}wordprocessingml.document`,
  xlsx: `${prefix}spreadsheetml.sheet`,
  pdf: "application/pdf",
};

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
        "Content-Type": types[name.replace(/^.*\./, "")]!,
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
  return (request, response, next) => {
    const file = request.method === "POST" ? undefined : files.get(request.path);
    if (file) file().send(request, response);
    else next();
  };
}
