import { routeContext } from "../context.ts";
import type { Article, Shelf } from "../domain/article.ts";
import { passageOf, relevanceOf } from "../domain/search.ts";
import Subscription from "../islands/subscription.tsx";
import { ArticleList, ArticleSections, type ListedArticle } from "../ui/article-list.tsx";
import { ArticleSearch } from "../ui/article-search.tsx";
import { FormPageHead } from "../ui/form-page.tsx";
import { Island } from "../ui/island.tsx";
import { ReadingPaths } from "../ui/reading-paths.tsx";
import { ReceiptPage } from "../ui/receipt-page.tsx";
import { itemList } from "../ui/structured-data.ts";
import { rssLinks } from "./feed-entries.ts";
import "../styles/blog.css";
import type { Route } from "./+types/blog";
import { formAction, formPageHeaders, loadFormPage } from "./form-route.ts";

export const links = rssLinks;

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = context.get(routeContext);
  const { searchParams } = new URL(request.url);
  const query = searchParams.get("q")?.trim() ?? "";
  const category = searchParams.get("category")?.trim() ?? "";
  const categories = [...new Set(site.articles.map((article) => article.category))].sort();
  const found = findArticles(site.articles, query, category);
  const sections = sectionsOf(site.articles, site.blog.shelves);
  const titles = new Map(site.articles.map(({ slug, title }) => [slug, title]));
  const readingPaths = site.blog.readingPaths.map(({ reader, articles }) => ({
    reader,
    articles: articles.map((slug) => ({ slug, title: titles.get(slug)! })),
  }));
  const list = query || category ? { found } : { found, sections };
  const own = { query, category, categories, readingPaths, ...list };
  return loadFormPage(request, site, ["subscription"], own);
}

/** Articles of a category (all if empty) that match a query, best first, each with the passage that matches. */
function findArticles(articles: Article[], query: string, category: string): ListedArticle[] {
  return articles
    .filter((article) => !category || article.category === category)
    .map((article) => ({ article, relevance: relevanceOf(article.searchable, query) }))
    .filter(({ relevance }) => relevance > 0)
    .sort((a, b) => b.relevance - a.relevance)
    .map(({ article }) => ({ ...toListed(article), excerpt: excerptFor(article, query) }));
}

/** The excerpt, or the first passage that matches if the match is only in the text. */
function excerptFor({ title, excerpt, text, searchable }: Article, query: string): string {
  if (!query || passageOf(`${title} ${excerpt}`, query)) return excerpt;
  return passageOf(text, query, searchable.lowerCase) ?? excerpt;
}

/** The shelves with their articles, and after them the articles on none. */
function sectionsOf(articles: Article[], shelves: Shelf[]) {
  const shelved = new Set(shelves.flatMap((shelf) => shelf.articles));
  const others = articles.filter(({ slug }) => !shelved.has(slug));
  return [
    ...shelves.map((shelf) => ({
      title: shelf.title,
      articles: shelf.articles.map((name) => toListed(articles.find(({ slug }) => slug === name)!)),
    })),
    { title: "", articles: others.map(toListed) },
  ].filter((section) => section.articles.length > 0);
}

/** React Router encodes all that a loader returns, so this is only what the list shows. */
function toListed(article: Article): ListedArticle {
  const { title, excerpt, author, date, category, image, slug, readTime } = article;
  return { title, excerpt, author, date, category, image, slug, readTime };
}

export const action = formAction("subscription", "/blog", "#stay-updated");
export const headers = formPageHeaders;

export default function Blog({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { brand, origin } = matches[0].loaderData;
  const { receipt, receiptMissing, query, category, found } = loaderData;
  const isFiltered = Boolean(query || category);
  return (
    <>
      <FormPageHead
        title={`Blog: ${brand.name} on marking, moderation and feedback`}
        description="Articles for South African educators on marking, memos, moderation, feedback, and what software can and cannot do about them."
        path="/blog"
        noindex={isFiltered}
        {...(!isFiltered && { data: itemList(found, origin) })}
        receipt={receipt}
        receiptMissing={receiptMissing}
        problem={actionData?.problem}
        formHref="/blog#stay-updated"
      />
      {receipt ? (
        <ReceiptPage receipt={receipt} brand={brand} retentionDays={undefined} />
      ) : (
        <div className="page blog">
          <h1>Blog</h1>
          <Articles {...loaderData} />
          <section className="subscribe" id="stay-updated" aria-labelledby="subscribe-title">
            <h2 id="subscribe-title">Stay Updated</h2>
            <Island
              name="subscription"
              component={Subscription}
              props={{
                company: loaderData.company,
                typed: actionData?.typed,
                problem: actionData?.problem,
              }}
            />
          </section>
        </div>
      )}
    </>
  );
}

function Articles({
  query,
  category,
  categories,
  found,
  sections,
  readingPaths,
}: Route.ComponentProps["loaderData"]) {
  const search = (
    <ArticleSearch query={query} category={category} categories={categories} count={found.length} />
  );
  if (!sections) {
    return (
      <>
        {search}
        <h2 className="visually-hidden">Articles</h2>
        <ArticleList articles={found} start={1} query={query} />
      </>
    );
  }
  return (
    <>
      <p className="lead">
        On marking, memos, moderation and feedback, and on what software can and cannot do about
        them.
      </p>
      <ReadingPaths paths={readingPaths} />
      {search}
      <p className="instruction">Read any. In brackets: the minutes that an article takes.</p>
      <ArticleSections sections={sections} />
    </>
  );
}
