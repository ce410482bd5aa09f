import type { Brand } from "../brand.ts";
import type { Article, Card, Source } from "../domain/article.ts";
import { downloadsPrefix } from "../site.ts";
import "../styles/parts/reading.css";
import { formatDay, formatMonth } from "../domain/day.ts";
import { demoRequest } from "../forms/demo-request.ts";
import { replyTimeOf } from "../forms/reply-time.ts";
import { ArticlePicture } from "./article-picture.tsx";
import { ButtonLink } from "./button.tsx";
import { ContentsList } from "./contents-list.tsx";
import { PageHead } from "./page-head.tsx";
import { blogPosting } from "./structured-data.ts";
import { titleWith } from "./title.ts";

interface ArticleLink {
  slug: string;
  title: string;
}

/** An article with fewer headings has no table of contents. */
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
  return (
    <div className="page article-page">
      <PageHead
        title={titleWith(seoTitle, brand.name)}
        description={description}
        path={`/${slug}`}
        parents={[{ name: "Blog", path: "/blog" }]}
        type="article"
        card={card}
        data={blogPosting(article, card, brand, origin)}
      />
      <article className="with-contents">
        <ArticleHeader article={article} note={note} />
        {contents.length >= minHeadings && (
          <ContentsList title="In this article" contents={contents} />
        )}
        <ArticleDownloads downloads={downloads} />
        <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
        <ArticleSources sources={sources} />
      </article>
      <aside className="after-text sheet no-print" aria-labelledby="closing-title">
        <h2 id="closing-title">See it mark in your own subject</h2>
        <p>Ask for a demo with your own rubric. {replyTimeOf(demoRequest, brand).aim}</p>
        <ButtonLink href="/demo">{`Try ${brand.name} Demo`}</ButtonLink>
      </aside>
      {readNext.length > 0 && <ReadNext articles={readNext} />}
    </div>
  );
}

const ReadNext = ({ articles }: { articles: ArticleLink[] }) => (
  <nav className="after-text no-print" aria-labelledby="related-title">
    <h2 id="related-title">Read next</h2>
    <ul className="ruled">
      {articles.map(({ slug, title }) => (
        <li key={slug}>
          <a className="standalone-link" href={`/${slug}`}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

function ArticleHeader({ article, note }: { article: Article; note: string }) {
  const { title, excerpt, category, author, date, readTime, image } = article;
  return (
    <header>
      <a className="standalone-link no-print" href="/blog">
        Back to Blog
      </a>
      <p className="links hint">
        <a href={`/blog?category=${encodeURIComponent(category)}`}>
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

/** The month in which the article was written, and whether it was updated later. */
function ArticleStanding({ article, note }: { article: Article; note: string }) {
  const { date, updated } = article;
  return (
    <p className="standing hint">
      Written in {formatMonth(date)}
      {updated ? (
        <>
          {" "}
          and updated on <time dateTime={updated}>{formatDay(updated)}</time>.{" "}
          <WhereChanged article={article} />
        </>
      ) : (
        ". Facts, products and laws are as they were then. "
      )}
      {note}
    </p>
  );
}

/** Id of the section "Since then", in which an article says what has changed. */
const sinceThen = "since-then";

function WhereChanged({ article: { contents, hasDatedNotes } }: { article: Article }) {
  if (contents.some(({ id }) => id === sinceThen)) {
    return (
      <>
        What has changed is under <a href={`#${sinceThen}`}>Since then</a>.{" "}
      </>
    );
  }
  return hasDatedNotes && "What has changed is in notes with a date. ";
}

interface DownloadLink {
  label: string;
  name: string;
  /** In bytes. */
  size: number;
}

/** Names of programs, by the ending of a file's name. */
const programs: Record<string, string> = { docx: "Word", xlsx: "Excel", pdf: "PDF" };

function ArticleDownloads({ downloads }: { downloads: DownloadLink[] }) {
  if (downloads.length === 0) return null;
  return (
    <section className="noted flush no-print" aria-labelledby="downloads-title">
      <h2 id="downloads-title" className="term">
        To download
      </h2>
      <ul className="flush">
        {downloads.map(({ label, name, size }) => (
          <li key={name}>
            <a href={downloadsPrefix + name} download>
              {label}
            </a>{" "}
            ({programs[name.replace(/^.*\./, "")]}, {Math.ceil(size / 1000)} kB)
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The works that an article relies on, with links to the publishers. */
function ArticleSources({ sources }: { sources: Source[] }) {
  if (sources.length === 0) return null;
  return (
    <section className="sources" aria-labelledby="sources-title">
      <h2 id="sources-title" className="term">
        Sources
      </h2>
      <ul className="ruled">
        {sources.map(({ title, authors, year, publisher, url }) => (
          <li key={title}>
            {authors && `${authors}, `}
            <cite>
              {url ? (
                <a href={url} rel="noreferrer">
                  {title}
                </a>
              ) : (
                title
              )}
            </cite>
            , {publisher && publisher !== authors && `${publisher}, `}
            {year}
          </li>
        ))}
      </ul>
    </section>
  );
}
