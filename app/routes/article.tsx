import { data } from "react-router";
import { routeContext } from "../context.ts";
import { ArticlePage } from "../ui/article-page.tsx";
import { NotFound } from "../ui/not-found.tsx";
import type { Route } from "./+types/article";

export function loader({ params, context }: Route.LoaderArgs) {
  const { articles, cards } = context.get(routeContext);
  const index = articles.findIndex(({ slug }) => slug === params.slug);
  const article = articles[index];
  if (!article) return data(null, { status: 404 });
  const related = articles.filter(
    ({ category, slug }) => category === article.category && slug !== article.slug,
  );
  return data({
    article,
    card: cards.of(article),
    previous: linkTo(articles[index - 1]),
    next: linkTo(articles[index + 1]),
    related: related.slice(0, 3).map((other) => linkTo(other)!),
  });
}

export const action = () => data(null, { status: 404 });

export default function ArticleRoute({ loaderData, matches }: Route.ComponentProps) {
  if (!loaderData) return <NotFound />;
  return <ArticlePage {...loaderData} brand={matches[0].loaderData.brand} />;
}

const linkTo = (article: { slug: string; title: string } | undefined) =>
  article && { slug: article.slug, title: article.title };
