import { formatDay } from "./day.ts";

/** What the list shows of an article. */
export interface ListedArticle {
  title: string;
  excerpt: string;
  author: string;
  date: string;
  category: string;
  slug: string;
  readTime: string;
}

export function ArticleList({ articles }: { articles: ListedArticle[] }) {
  return (
    <ul className="article-list">
      {articles.map(({ slug, title, excerpt, author, date, category, readTime }) => (
        <li key={slug}>
          <p className="byline">
            <span className="badge">{category}</span>
            <time dateTime={date}>{formatDay(date)}</time>
            <span>{readTime}</span>
          </p>
          <h2>
            <a href={`/${slug}`}>{title}</a>
          </h2>
          <p>{excerpt}</p>
          <p className="faded">{author}</p>
        </li>
      ))}
    </ul>
  );
}
