import type { Brand } from "../brand.ts";
import type { Article, Card } from "../domain/article.ts";
import "../styles/reading.css";
import { ArticleDownloads, type DownloadLink } from "./article-downloads.tsx";
import { ArticlePicture } from "./article-picture.tsx";
import { ArticleSources } from "./article-sources.tsx";
import { ArticleStanding } from "./article-standing.tsx";
import { ButtonLink } from "./button.tsx";
import { ContentsList } from "./contents-list.tsx";
import { formatDay } from "./day.ts";
import { PageHead } from "./page-head.tsx";
import { blogPosting } from "./structured-data.ts";

interface ArticleLink {
  slug: string;
  title: string;
}

/** Search engines cut off longer titles. */
const maxTitleLength = 60;

/** Articles with fewer headings have no table of contents. */
const minHeadings = 4;

export function ArticlePage({
  article,
  card,
  brand,
  origin,
  note,
  downloads,
  readNext,
}: {
  article: Article;
  card: Card;
  brand: Brand;
  origin: string;
  /** Shown at the top of each article; "" for none. */
  note: string;
  downloads: DownloadLink[];
  readNext: ArticleLink[];
}) {
  const { slug, title, seoTitle = title, excerpt, description = excerpt } = article;
  const { html, contents, sources } = article;
  const branded = `${seoTitle}: ${brand.name}`;
  return (
    <div className="page article-page">
      <PageHead
        title={branded.length <= maxTitleLength ? branded : seoTitle}
        description={description}
        path={`/${slug}`}
        parents={[{ name: "Blog", path: "/blog" }]}
        type="article"
        card={card}
        data={blogPosting(article, card, brand, origin)}
      />
      <article>
        <ArticleHeader article={article} note={note} />
        {contents.length >= minHeadings && (
          <ContentsList title="In this article" contents={contents} />
        )}
        <ArticleDownloads downloads={downloads} />
        <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
        <ArticleSources sources={sources} />
      </article>
      <aside className="closing" aria-labelledby="closing-title">
        <h2 id="closing-title">See it mark in your own subject</h2>
        <p>Ask for a demo with your own rubric. You hear from us within 24 hours.</p>
        <ButtonLink href="/demo">{`Try ${brand.name} Demo`}</ButtonLink>
      </aside>
      {readNext.length > 0 && <ReadNext articles={readNext} />}
    </div>
  );
}

const ReadNext = ({ articles }: { articles: ArticleLink[] }) => (
  <nav className="related" aria-labelledby="related-title">
    <h2 id="related-title">Read next</h2>
    <ul>
      {articles.map(({ slug, title }) => (
        <li key={slug}>
          <a href={`/${slug}`}>{title}</a>
        </li>
      ))}
    </ul>
  </nav>
);

function ArticleHeader({ article, note }: { article: Article; note: string }) {
  const { title, excerpt, category, author, date, readTime, image } = article;
  return (
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
      </p>
      <h1>{title}</h1>
      <p className="lead">{excerpt}</p>
      <ArticleStanding article={article} note={note} />
      <ArticlePicture name={image} />
    </header>
  );
}
