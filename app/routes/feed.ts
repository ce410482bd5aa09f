import { routeContext } from "../context.ts";
import { escapeXml } from "../domain/xml.ts";
import type { Route } from "./+types/feed";

/** All articles with their full text, as an Atom feed (RFC 4287). */
export function loader({ context }: Route.LoaderArgs) {
  const { origin, brand, articles } = context.get(routeContext);
  const time = (day: string) => `${day}T00:00:00Z`;
  const latest = articles
    .map(({ date, updated }) => updated ?? date)
    .sort()
    .at(-1);
  const entries = articles.map(
    ({ slug, title, excerpt, author, category, date, updated, html }) => {
      const url = escapeXml(`${origin}/${slug}`);
      // Feed readers need absolute links.
      const text = html.replaceAll('href="/', `href="${origin}/`);
      return `<entry>
<id>${url}</id>
<title>${escapeXml(title)}</title>
<link href="${url}"/>
<published>${time(date)}</published>
<updated>${time(updated ?? date)}</updated>
<author><name>${escapeXml(author)}</name></author>
<category term="${escapeXml(category)}"/>
<summary>${escapeXml(excerpt)}</summary>
<content type="html">${escapeXml(text)}</content>
</entry>`;
    },
  );
  const home = escapeXml(origin);
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-ZA">
<id>${home}/feed.xml</id>
<title>${escapeXml(brand.name)}</title>
<subtitle>On marking, memos, moderation and feedback</subtitle>
<link rel="self" href="${home}/feed.xml"/>
<link href="${home}/blog"/>
<updated>${time(latest ?? "2021-07-31")}</updated>
${entries.join("\n")}
</feed>
`,
    { headers: { "Content-Type": "application/atom+xml; charset=utf-8" } },
  );
}
