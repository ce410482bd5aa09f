import type { RouteContext } from "../context.ts";

export const rssPath = "/rss.xml";

/** Returns what the feeds share: the blog’s details, its last change, and an entry for each article. */
export function feedOf({
  origin,
  brand,
  articles,
}: Pick<RouteContext, "origin" | "brand" | "articles">) {
  const time = (day: string) => `${day}T00:00:00Z`;
  const entries = articles.map(
    ({ slug, title, excerpt, author, category, date, updated, html }) => ({
      url: `${origin}/${slug}`,
      title,
      excerpt,
      author,
      category,
      /** ISO times. */
      published: time(date),
      updated: time(updated ?? date),
      html: withAbsoluteLinks(withoutDrawings(html), { origin, slug }),
    }),
  );
  const changes = entries.map(({ updated }) => updated).sort();
  return {
    title: brand.name,
    description: "On marking, memos, moderation and feedback",
    language: "en-ZA",
    page: `${origin}/blog`,
    // A feed must have a date, even without an article.
    updated: changes.at(-1) ?? time("2021-07-31"),
    entries,
  };
}

/** Feed readers remove the tags of an SVG, and would show its numbers as text. */
const withoutDrawings = (html: string) => html.replace(/<svg.*?<\/svg>\s*/gs, "");

const withAbsoluteLinks = (html: string, { origin, slug }: { origin: string; slug: string }) =>
  html.replaceAll('href="/', `href="${origin}/`).replaceAll('href="#', `href="${origin}/${slug}#`);

/** Announces the RSS feed on the pages of the blog; root.tsx announces the other two feeds on all pages. */
export const rssLinks = () => [
  { rel: "alternate", href: rssPath, type: "application/rss+xml", title: "Articles" },
];
