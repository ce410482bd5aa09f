import type { Brand } from "../brand.ts";
import type { Article, Card } from "../domain/article.ts";
import "../styles/reading.css";
import { ArticlePicture } from "./article-picture.tsx";
import { ButtonLink } from "./button.tsx";
import { ContentsList } from "./contents-list.tsx";
import { formatDay } from "./day.ts";
import { PageHead } from "./page-head.tsx";

interface ArticleLink {
  slug: string;
  title: string;
}

/** Articles with fewer headings have no table of contents. */
const minHeadings = 4;

export function ArticlePage({
  article,
  card,
  brand,
  previous,
  next,
  related,
}: {
  article: Article;
  card: Card;
  brand: Brand;
  previous: ArticleLink | undefined;
  next: ArticleLink | undefined;
  related: ArticleLink[];
}) {
  const { slug, title, excerpt, category, author, date, updated, readTime, image, html, contents } =
    article;
  return (
    <div className="page article-page">
      <PageHead
        title={`${title}: ${brand.name}`}
        description={excerpt}
        path={`/${slug}`}
        parents={[{ name: "Blog", path: "/blog" }]}
        type="article"
        card={card}
        data={{
          "@type": "BlogPosting",
          headline: title,
          description: excerpt,
          datePublished: date,
          dateModified: updated ?? date,
          author: { "@type": "Organization", name: author },
          publisher: { "@type": "Organization", name: brand.company },
          articleSection: category,
          inLanguage: "en-ZA",
        }}
      />
      <article>
        <header>
          <p className="no-print">
            <a className="standalone-link" href="/blog">
              Back to Blog
            </a>
          </p>
          <p className="byline">
            <a className="badge-link" href={`/blog?category=${encodeURIComponent(category)}`}>
              <span className="badge">{category}</span>
            </a>
            <time dateTime={date}>{formatDay(date)}</time>
            <span>{author}</span>
            <span>{readTime}</span>
            {updated && (
              <span>
                Updated <time dateTime={updated}>{formatDay(updated)}</time>
              </span>
            )}
          </p>
          <h1>{title}</h1>
          <p className="lead">{excerpt}</p>
          <ArticlePicture name={image} />
        </header>
        {contents.length >= minHeadings && (
          <ContentsList title="In this article" contents={contents} />
        )}
        <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
      </article>
      <aside className="closing" aria-labelledby="closing-title">
        <h2 id="closing-title">See it mark in your own subject</h2>
        <p>Ask for a demo with your own rubric. You hear from us within 24 hours.</p>
        <ButtonLink href="/demo">{`Try ${brand.name} Demo`}</ButtonLink>
      </aside>
      {related.length > 0 && (
        <nav className="related" aria-labelledby="related-title">
          <h2 id="related-title">More on {category}</h2>
          <ul>
            {related.map(({ slug, title }) => (
              <li key={slug}>
                <a href={`/${slug}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <nav className="neighbours" aria-label="Other articles">
        {previous && (
          <a href={`/${previous.slug}`} rel="prev">
            <span className="faded">Previous</span> {previous.title}
          </a>
        )}
        {next && (
          <a href={`/${next.slug}`} rel="next">
            <span className="faded">Next</span> {next.title}
          </a>
        )}
      </nav>
    </div>
  );
}
