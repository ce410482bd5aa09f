import { routeContext } from "../context.ts";
import type { Route } from "./+types/json-feed";

/** All articles with their full text, as a JSON feed (jsonfeed.org, version 1.1). */
export function loader({ context }: Route.LoaderArgs) {
  const { origin, brand, articles } = context.get(routeContext);
  const time = (day: string) => `${day}T00:00:00Z`;
  return Response.json(
    {
      version: "https://jsonfeed.org/version/1.1",
      title: brand.name,
      home_page_url: `${origin}/blog`,
      feed_url: `${origin}/feed.json`,
      language: "en-ZA",
      items: articles.map(({ slug, title, excerpt, author, category, date, updated, html }) => ({
        id: `${origin}/${slug}`,
        url: `${origin}/${slug}`,
        title,
        summary: excerpt,
        // Feed readers need absolute links.
        content_html: html.replaceAll('href="/', `href="${origin}/`),
        date_published: time(date),
        date_modified: time(updated ?? date),
        authors: [{ name: author }],
        tags: [category],
      })),
    },
    { headers: { "Content-Type": "application/feed+json" } },
  );
}
