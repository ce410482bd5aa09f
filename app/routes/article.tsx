import { data } from "react-router";
import { routeContext } from "../context.ts";
import { type Article, articlesOf } from "../domain/article.ts";
import { ArticlePage } from "../ui/article-page.tsx";
import { NotFound } from "../ui/not-found.tsx";
import type { Route } from "./+types/article";
import { rssLinks } from "./feed-entries.ts";

export function loader({ params, context }: Route.LoaderArgs) {
  const { articles, downloads, blog, cards } = context.get(routeContext);
  const article = articles.find(({ slug }) => slug === params.slug);
  if (!article) return data(null, { status: 404 });
  return data({
    article,
    card: cards.of(article),
    downloads: downloads
      .filter((download) => download.article === article.slug)
      .map(({ label, name, bytes }) => ({ label, name, size: bytes.length })),
    note: blog.note,
    readNext: nextAfter(article, articles).map(({ slug, title }) => ({ slug, title })),
  });
}

export const links = rssLinks;

export default function ArticleRoute({ loaderData, matches }: Route.ComponentProps) {
  if (!loaderData) return <NotFound />;
  const { brand, origin } = matches[0].loaderData;
  return <ArticlePage {...loaderData} brand={brand} origin={origin} />;
}

/** Returns the articles that an article names to read next; if it names none, at most three others of its category. */
function nextAfter({ slug, category, readNext }: Article, articles: Article[]): Article[] {
  if (readNext.length > 0) return articlesOf(readNext, articles);
  return articles.filter((other) => other.category === category && other.slug !== slug).slice(0, 3);
}
