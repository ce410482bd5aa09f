import type { Article } from "../domain/article.ts";
import { ListedPicture } from "./article-picture.tsx";
import { formatDay } from "./day.ts";

/** What the list shows of an article. */
export type ListedArticle = Pick<
  Article,
  "title" | "excerpt" | "author" | "date" | "category" | "image" | "slug" | "readTime"
>;

export function ArticleList({ articles }: { articles: ListedArticle[] }) {
  return (
    <ul className="article-list">
      {articles.map(({ slug, title, excerpt, author, date, category, image, readTime }) => (
        <li key={slug}>
          <p className="byline">
            <span className="badge">{category}</span>
            <time dateTime={date}>{formatDay(date)}</time>
            <span>{readTime}</span>
          </p>
          <h2>
            <a href={`/${slug}`}>{title}</a>
          </h2>
          <ListedPicture name={image} />
          <p>{excerpt}</p>
          <p className="faded">{author}</p>
        </li>
      ))}
    </ul>
  );
}
