import { routeContext } from "../context.ts";
import { type Article, articlesOf, type Blog, type Shelf } from "../domain/article.ts";
import { maxQueryLength, passageOf, relevanceOf } from "../domain/search.ts";
import { subscriptionFor } from "../forms/subscription.ts";
import Subscription from "../islands/subscription.tsx";
import { type ArticleFilter, ArticleFilters } from "../ui/article-filters.tsx";
import { ArticleList, ArticleSections, type ListedArticle } from "../ui/article-list.tsx";
import { SmallDrawings } from "../ui/article-picture.tsx";
import { ArticleSearch, FoundCount } from "../ui/article-search.tsx";
import { FormPage } from "../ui/form-page.tsx";
import { Island } from "../ui/island.tsx";
import { LeadArticle } from "../ui/lead-article.tsx";
import { itemList } from "../ui/structured-data.ts";
import { rssLinks } from "./feed-entries.ts";
import "../styles/pages/blog.css";
import type { Route } from "./+types/blog";
import { formAction, formPageHeaders, loadFormPage } from "./form-route.ts";

export const links = rssLinks;

export function loader(args: Route.LoaderArgs) {
  const { request, context } = args;
  const { articles, blog, writesToSubscribers } = context.get(routeContext);
  const { searchParams } = new URL(request.url);
  const parameter = (name: string) => searchParams.get(name)?.trim() ?? "";
  const query = parameter("q").slice(0, maxQueryLength).toWellFormed();
  const filter = {
    shelf: parameter("shelf"),
    reader: parameter("reader"),
    category: parameter("category"),
  };
  const isFiltered = Boolean(query || filter.shelf || filter.reader || filter.category);
  const [lead] = articlesOf((blog.readingPaths[0] ?? blog.shelves[0])?.articles ?? [], articles);
  const own = {
    isWrittenTo: writesToSubscribers,
    query,
    filter,
    shelves: blog.shelves.map(({ title }) => title),
    readers: blog.readingPaths.map(({ reader }) => reader),
    all: articles.map(toListed),
    lead: lead && toListed(lead),
    list: isFiltered
      ? { found: findArticles(filtered(articles, blog, filter), query) }
      : { sections: sectionsOf(articles, blog.shelves) },
  };
  return loadFormPage(args, ["subscription"], own);
}

/** Returns the articles that match a filter: by shelf, or else by reader, and by category. All three are optional. */
function filtered(
  articles: Article[],
  { shelves, readingPaths }: Blog,
  { shelf, reader, category }: ArticleFilter,
): Article[] {
  const list = shelf
    ? shelves.find(({ title }) => title === shelf)
    : readingPaths.find((path) => path.reader === reader);
  const listed = shelf || reader ? articlesOf(list?.articles ?? [], articles) : articles;
  return listed.filter((article) => !category || article.category === category);
}

/** Articles that match a query, best first. */
function findArticles(articles: Article[], query: string): ListedArticle[] {
  return articles
    .map((article) => ({ article, relevance: relevanceOf(article.searchable, query) }))
    .filter(({ relevance }) => relevance > 0)
    .sort((a, b) => b.relevance - a.relevance)
    .map(({ article }) => ({ ...toListed(article), excerpt: excerptFor(article, query) }));
}

/** The excerpt; if the query matches only the text, the first passage that it matches. */
function excerptFor({ title, excerpt, text }: Article, query: string): string {
  if (!query || passageOf(`${title} ${excerpt}`, query)) return excerpt;
  return passageOf(text, query) ?? excerpt;
}

/** The shelves with their articles, and the articles on no shelf. */
function sectionsOf(articles: Article[], shelves: Shelf[]) {
  const shelved = new Set(shelves.flatMap((shelf) => shelf.articles));
  const others = articles.filter(({ slug }) => !shelved.has(slug));
  return [
    ...shelves.map((shelf) => ({
      title: shelf.title,
      articles: articlesOf(shelf.articles, articles).map(toListed),
    })),
    { title: "", articles: others.map(toListed) },
  ].filter((section) => section.articles.length > 0);
}

/** Picks what the list shows of an article, because React Router encodes all that a loader returns. */
function toListed(article: Article): ListedArticle {
  const { title, excerpt, author, date, category, image, slug, readTime } = article;
  return { title, excerpt, author, date, category, image, slug, readTime };
}

export const action = formAction("subscription", "/blog", "#stay-updated");
export const headers = formPageHeaders;

export default function BlogPage({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { brand, origin } = matches[0].loaderData;
  const { isWrittenTo, all, list } = loaderData;
  return (
    <FormPage
      page={{ ...loaderData, retentionDays: undefined }}
      returned={actionData}
      brand={brand}
      title={`Blog: ${brand.name} on marking, moderation and feedback`}
      description="Articles for educators on marking, memos, moderation, feedback, and what software can and cannot do about them."
      path="/blog"
      noindex={!list.sections}
      {...(list.sections && { data: itemList(all, origin) })}
      formHref="/blog#stay-updated"
      thanks={subscriptionFor(isWrittenTo).thanks}
    >
      <div className="page">
        <h1>Blog</h1>
        <Articles {...loaderData} />
        <section className="after-text sheet" id="stay-updated" aria-labelledby="subscribe-title">
          <h2 id="subscribe-title">Stay Updated</h2>
          <Island
            name="subscription"
            component={Subscription}
            props={{ company: brand.company, isWrittenTo, returned: actionData }}
          />
        </section>
      </div>
    </FormPage>
  );
}

function Articles(page: Route.ComponentProps["loaderData"]) {
  const { query, filter, shelves, readers, list, lead } = page;
  const filters = (
    <>
      <ArticleFilters shelves={shelves} readers={readers} filter={filter} />
      <ArticleSearch query={query} filter={filter} />
    </>
  );
  if (list.found) {
    const { found } = list;
    return (
      <>
        {filters}
        <FoundCount filter={filter} count={found.length} />
        <h2 className="visually-hidden">Articles</h2>
        {found.length > 0 && (
          <>
            <SmallDrawings of={found} />
            <ArticleList articles={found} start={1} query={query} />
          </>
        )}
      </>
    );
  }
  if (list.sections.length === 0) return <p className="lead">There are no articles yet.</p>;
  return (
    <>
      <p className="lead">
        On marking, memos, moderation and feedback, and on what software can and cannot do about
        them.
      </p>
      {lead && <LeadArticle article={lead} />}
      {filters}
      <p className="instruction term">Read any. In brackets: the minutes that an article takes.</p>
      <ArticleSections sections={list.sections} />
    </>
  );
}
