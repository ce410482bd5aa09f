import type { ArticleDownload } from "../../domain/article.ts";
import { downloadsPrefix } from "../../site.ts";
import { once } from "../once.ts";
import type { Handler } from "./exchange.ts";
import { type ResponseHeaders, strictPolicy } from "./headers.ts";
import { StoredResponse } from "./stored-response.ts";

const prefix = "application/vnd.openxmlformats-officedocument.";

const types: Record<string, string> = {
  docx: `${prefix}wordprocessingml.document`,
  xlsx: `${prefix}spreadsheetml.sheet`,
};

/**
 * Serves the files that articles offer. People pass their addresses on, so these have no hash; like
 * pages, files are revalidated by ETag.
 */
export function downloadFiles(downloads: ArticleDownload[], headers: ResponseHeaders): Handler {
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
  return (exchange) => {
    const file = exchange.isPost ? undefined : files.get(exchange.path);
    file?.().send(exchange);
    return file !== undefined;
  };
}
