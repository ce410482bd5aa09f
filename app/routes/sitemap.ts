import { routeContext } from "../context.ts";
import { escapeXml } from "../domain/xml.ts";
import { listedPaths } from "../site.ts";
import type { Route } from "./+types/sitemap";

/** GET /sitemap.xml: all pages that search engines may list. */
export function loader({ context }: Route.LoaderArgs) {
  const { origin, articles, legalPages } = context.get(routeContext);
  const entry = (path: string, changed?: string) => {
    const lastmod = changed ? `<lastmod>${changed}</lastmod>` : "";
    return `<url><loc>${escapeXml(origin + path)}</loc>${lastmod}</url>`;
  };
  const updated = new Map(Object.entries(legalPages).map(([name, page]) => [name, page.updated]));
  const entries = [
    ...listedPaths().map((path) => entry(path, updated.get(path.slice(1)))),
    ...articles.map((one) => entry(`/${one.slug}`, one.updated ?? one.date)),
  ];
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("\n")}\n</urlset>\n`,
    { headers: { "Content-Type": "application/xml; charset=utf-8" } },
  );
}
