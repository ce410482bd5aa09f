import { routeContext } from "../context.ts";
import { ArticleList } from "../ui/article-list.tsx";
import { ArticleSearch } from "../ui/article-search.tsx";
import { FormPageHead, useFormPage } from "../ui/form-page.tsx";
import { StaticHtml } from "../ui/static-html.tsx";
import { SubscribeBox } from "../ui/subscribe-box.tsx";
import "../styles/reading.css";
import type { Route } from "./+types/blog";
import { formPageHeaders, loadFormPage, respondToPost } from "./form-route.ts";

export const handle = { hydrate: true };

/** Script changes the URL to show the reference; the data stays valid. */
export const shouldRevalidate = () => false;

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = context.get(routeContext);
  const page = await loadFormPage(request, site, ["subscription"]);
  const { searchParams } = new URL(request.url);
  const query = searchParams.get("q")?.trim() ?? "";
  const category = searchParams.get("category")?.trim() ?? "";
  const categories = [...new Set(site.articles.map((article) => article.category))].sort();
  const found = site.articles
    .filter((article) => !category || article.category === category)
    .filter((article) => matchesQuery(article, query))
    .map(({ html: _, searchable: _text, contents: _contents, ...listed }) => listed);
  return { ...page, data: { ...page.data, query, category, categories, found } };
}

export async function action({ context }: Route.ActionArgs) {
  const outcome = await context.get(routeContext).submit("subscription");
  return respondToPost("subscription", outcome, "/blog", "#stay-updated");
}

export const headers = formPageHeaders;

export default function Blog({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  const { company, receiptMissing, query, category, categories, found } = loaderData;
  const page = useFormPage("/blog", loaderData.receipt, actionData?.problem);
  return (
    <>
      <FormPageHead
        title={`Blog: ${brand.name} on marking, moderation and feedback`}
        description="Articles for South African educators on marking, memos, moderation, feedback, and what software can and cannot do about them."
        path="/blog"
        noindex={Boolean(query || category)}
        receipt={page.receipt}
        receiptMissing={receiptMissing}
        problem={page.problem}
        formHref="/blog#stay-updated"
      />
      <div className="page blog">
        <StaticHtml id="articles">
          {import.meta.env.SSR && (
            <>
              <h1>Blog</h1>
              <p className="lead">
                On marking, memos, moderation and feedback, and on what software can and cannot do
                about them.
              </p>
              <ArticleSearch
                query={query}
                category={category}
                categories={categories}
                count={found.length}
              />
              <ArticleList articles={found} />
            </>
          )}
        </StaticHtml>
        <div data-needs-script>
          <SubscribeBox
            company={company}
            receipt={page.receipt}
            typed={actionData?.typed}
            problem={actionData?.problem}
            onReceived={page.onReceived}
            onResponse={page.onResponse}
          />
        </div>
      </div>
    </>
  );
}

/** Whether every word of the query occurs in the article, ignoring case. */
function matchesQuery({ searchable }: { searchable: string }, query: string): boolean {
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searchable.includes(word));
}
