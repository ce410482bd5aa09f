import { routeContext } from "../context.ts";
import { escapeXml } from "../domain/xml.ts";
import type { Route } from "./+types/rss";
import { feedOf, rssPath } from "./feed-entries.ts";

/** All articles with their full text, as RSS 2.0. `dc:creator` has the author, as RSS's `author` is an email address. */
export function loader({ context }: Route.LoaderArgs) {
  const site = context.get(routeContext);
  const { title, description, language, page, updated, entries } = feedOf(site);
  const time = (iso: string) => new Date(iso).toUTCString();
  const items = entries.map((entry) => {
    const url = escapeXml(entry.url);
    return `<item>
<title>${escapeXml(entry.title)}</title>
<link>${url}</link>
<guid>${url}</guid>
<pubDate>${time(entry.published)}</pubDate>
<dc:creator>${escapeXml(entry.author)}</dc:creator>
<category>${escapeXml(entry.category)}</category>
<description>${escapeXml(entry.excerpt)}</description>
<content:encoded>${escapeXml(entry.html)}</content:encoded>
</item>`;
  });
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>${escapeXml(title)}</title>
<link>${escapeXml(page)}</link>
<description>${escapeXml(description)}</description>
<language>${language}</language>
<lastBuildDate>${time(updated)}</lastBuildDate>
<atom:link rel="self" type="application/rss+xml" href="${escapeXml(site.origin + rssPath)}"/>
${items.join("\n")}
</channel>
</rss>
`,
    { headers: { "Content-Type": "application/rss+xml; charset=utf-8" } },
  );
}
