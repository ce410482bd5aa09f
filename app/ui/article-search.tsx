import { counted } from "../domain/counted.ts";

/** Search and category filter, sent as a plain GET so that results can be linked to. */
export function ArticleSearch({
  query,
  category,
  categories,
  count,
}: {
  query: string;
  category: string;
  categories: string[];
  count: number;
}) {
  const isFiltered = Boolean(query || category);
  return (
    <search>
      <form action="/blog" method="get" className="article-search">
        <div>
          <label htmlFor="q">Search the articles</label>
          <input id="q" name="q" type="search" defaultValue={query} maxLength={100} />
        </div>
        <div>
          <label htmlFor="category">Category</label>
          <select id="category" name="category" defaultValue={category}>
            <option value="">All categories</option>
            {categories.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
        <button type="submit" className="button quiet">
          Search
        </button>
      </form>
      {isFiltered && (
        <p role="status">
          {count === 0
            ? "Nothing has been written about that yet. Try a single word, or another category."
            : `${counted(count, "article")}.`}{" "}
          <a href="/blog">Show all</a>
        </p>
      )}
    </search>
  );
}
