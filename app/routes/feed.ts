import { routeContext } from "../context.ts";
import { escapeXml } from "../domain/xml.ts";
import type { Route } from "./+types/feed";
import { feedOf } from "./feed-entries.ts";

/** All articles with their full text, as an Atom feed (RFC 4287). */
export function loader({ context }: Route.LoaderArgs) {
  const site = context.get(routeContext);
  const { title, description, language, page, updated, entries } = feedOf(site);
  const self = escapeXml(`${site.origin}/feed.xml`);
  const items = entries.map((entry) => {
    const url = escapeXml(entry.url);
    return `<entry>
<id>${url}</id>
<title>${escapeXml(entry.title)}</title>
<link href="${url}"/>
<published>${entry.published}</published>
<updated>${entry.updated}</updated>
<author><name>${escapeXml(entry.author)}</name></author>
<category term="${escapeXml(entry.category)}"/>
<summary>${escapeXml(entry.excerpt)}</summary>
<content type="html">${escapeXml(entry.html)}</content>
</entry>`;
  });
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>${self}</id>
<title>${escapeXml(title)}</title>
<subtitle>${escapeXml(description)}</subtitle>
<link rel="self" href="${self}"/>
<link href="${escapeXml(page)}"/>
<updated>${updated}</updated>
${items.join("\n")}
</feed>
`,
    { headers: { "Content-Type": "application/atom+xml; charset=utf-8" } },
  );
}
