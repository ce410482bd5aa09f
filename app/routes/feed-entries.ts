import type { RouteContext } from "../context.ts";

export const rssPath = "/rss.xml";

/** What the feeds share: the blog’s details, its last change, and an entry for each article. */
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
      /** The full text, with absolute links and without drawings: readers strip SVG and leave its numbers. */
      html: html
        .replace(/<svg[\s\S]*?<\/svg>\s*/g, "")
        .replaceAll('href="#', `href="/${slug}#`)
        .replaceAll('href="/', `href="${origin}/`),
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

/** Announces the RSS feed on the pages of the blog; root.tsx announces the other two feeds on all pages. */
export const rssLinks = () => [
  { rel: "alternate", href: rssPath, type: "application/rss+xml", title: "Articles" },
];
