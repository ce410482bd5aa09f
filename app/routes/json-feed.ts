import { routeContext } from "../context.ts";
import type { Route } from "./+types/json-feed";
import { feedOf } from "./feed-entries.ts";

/** All articles with their full text, as a JSON feed (jsonfeed.org, version 1.1). */
export function loader({ context }: Route.LoaderArgs) {
  const site = context.get(routeContext);
  const { title, description, language, page, entries } = feedOf(site);
  return Response.json(
    {
      version: "https://jsonfeed.org/version/1.1",
      title,
      description,
      home_page_url: page,
      feed_url: `${site.origin}/feed.json`,
      language,
      items: entries.map((entry) => ({
        id: entry.url,
        url: entry.url,
        title: entry.title,
        summary: entry.excerpt,
        content_html: entry.html,
        date_published: entry.published,
        date_modified: entry.updated,
        authors: [{ name: entry.author }],
        tags: [entry.category],
      })),
    },
    { headers: { "Content-Type": "application/feed+json" } },
  );
}
