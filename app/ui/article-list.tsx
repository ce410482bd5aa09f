import type { Article } from "../domain/article.ts";
import { formatDay } from "../domain/day.ts";
import { hitsIn } from "../domain/search.ts";
import { SmallDrawings, SmallPicture } from "./article-picture.tsx";

/** What the list shows of an article. */
export type ListedArticle = Pick<
  Article,
  "title" | "excerpt" | "author" | "date" | "category" | "image" | "slug" | "readTime"
>;

interface ListedSection {
  /** The title of the shelf; empty for articles on no shelf. */
  title: string;
  articles: ListedArticle[];
}

/** All articles in lettered sections with one numbering, like the contents page of a question paper. */
export function ArticleSections({ sections }: { sections: ListedSection[] }) {
  return (
    <>
      <SmallDrawings of={articlesIn(sections)} />
      {sections.map(({ title, articles }, index) => {
        const name = String.fromCharCode("A".charCodeAt(0) + index);
        const id = `section-${name}`;
        const before = articlesIn(sections.slice(0, index));
        return (
          <section key={title} className="shelf" id={id} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>
              {sections.length > 1 && <span className="hint">Section {name}</span>}{" "}
              {title || "Articles"}
            </h2>
            <ArticleList articles={articles} start={1 + before.length} />
          </section>
        );
      })}
    </>
  );
}

const articlesIn = (sections: ListedSection[]) => sections.flatMap(({ articles }) => articles);

/** Needs SmallDrawings of the articles on the same page. @param query words to mark in the texts */
export function ArticleList({
  articles,
  start,
  query = "",
}: {
  articles: ListedArticle[];
  start: number;
  query?: string;
}) {
  return (
    <ol className="article-list" start={start}>
      {articles.map(({ slug, title, excerpt, author, date, category, image, readTime }, index) => (
        <li key={slug}>
          <span className="number figures term" aria-hidden="true">
            {start + index}
          </span>
          <h3>
            <a href={`/${slug}`}>
              <Hits text={title} query={query} />
            </a>
          </h3>
          <p className="excerpt">
            <Hits text={excerpt} query={query} />
          </p>
          <SmallPicture name={image} />
          <p className="byline links hint">
            <span className="badge">{category}</span>
            <time dateTime={date}>{formatDay(date)}</time>
            <span>{author}</span>
          </p>
          <p className="minutes figures term">
            <span aria-hidden="true">[{Number.parseInt(readTime, 10)}]</span>
            <span className="visually-hidden">{readTime}</span>
          </p>
        </li>
      ))}
    </ol>
  );
}

function Hits({ text, query }: { text: string; query: string }) {
  return hitsIn(text, query).map(({ text, isHit }, index) =>
    isHit ? <mark key={index}>{text}</mark> : text,
  );
}
