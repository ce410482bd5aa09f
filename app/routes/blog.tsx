import { routeContext } from "../context.ts";
import { matchesQuery } from "../domain/search.ts";
import Received from "../islands/received.tsx";
import Subscription from "../islands/subscription.tsx";
import { ArticleList } from "../ui/article-list.tsx";
import { ArticleSearch } from "../ui/article-search.tsx";
import { FormPageHead } from "../ui/form-page.tsx";
import { Island } from "../ui/island.tsx";
import { ReadingPaths } from "../ui/reading-paths.tsx";
import { itemList } from "../ui/structured-data.ts";
import "../styles/reading.css";
import type { Route } from "./+types/blog";
import { formAction, formPageHeaders, loadFormPage } from "./form-route.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = context.get(routeContext);
  const page = await loadFormPage(request, site, ["subscription"]);
  const { searchParams } = new URL(request.url);
  const query = searchParams.get("q")?.trim() ?? "";
  const category = searchParams.get("category")?.trim() ?? "";
  const categories = [...new Set(site.articles.map((article) => article.category))].sort();
  const found = site.articles
    .filter((article) => !category || article.category === category)
    .filter((article) => matchesQuery(article.searchable, query))
    .map(({ html: _, searchable: _text, contents: _contents, ...listed }) => listed);
  const titles = new Map(site.articles.map(({ slug, title }) => [slug, title]));
  const readingPaths = site.blog.readingPaths.map(({ reader, articles }) => ({
    reader,
    articles: articles.map((slug) => ({ slug, title: titles.get(slug)! })),
  }));
  return { ...page, data: { ...page.data, query, category, categories, found, readingPaths } };
}

export const action = formAction("subscription", "/blog", "#stay-updated");
export const headers = formPageHeaders;

export default function Blog({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { brand, origin } = matches[0].loaderData;
  const { company, receipt, receiptMissing } = loaderData;
  const { query, category, categories, found, readingPaths } = loaderData;
  const isFiltered = Boolean(query || category);
  const { typed, problem } = actionData ?? {};
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
        problem={problem}
        formHref="/blog#stay-updated"
      />
      <div className="page blog">
        <h1>Blog</h1>
        <p className="lead">
          On marking, memos, moderation and feedback, and on what software can and cannot do about
          them.
        </p>
        {!isFiltered && <ReadingPaths paths={readingPaths} />}
        <ArticleSearch
          query={query}
          category={category}
          categories={categories}
          count={found.length}
        />
        <ArticleList articles={found} />
        <section className="subscribe" id="stay-updated" aria-labelledby="subscribe-title">
          <h2 id="subscribe-title">Stay Updated</h2>
          {receipt ? (
            <Island name="received" component={Received} props={{ receipt }} />
          ) : (
            <Island
              name="subscription"
              component={Subscription}
              props={{ company, typed, problem }}
            />
          )}
        </section>
      </div>
    </>
  );
}
