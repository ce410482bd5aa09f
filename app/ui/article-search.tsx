import { counted } from "../domain/counted.ts";
import { maxQueryLength } from "../domain/search.ts";
import type { ArticleFilter } from "./article-filters.tsx";

const activeIn = (filter: ArticleFilter) =>
  Object.entries(filter).filter(([, value]) => value !== "");

/** A search within the filter, sent as a plain GET so that results can be linked to. */
export function ArticleSearch({ query, filter }: { query: string; filter: ArticleFilter }) {
  return (
    <search>
      <form action="/blog" method="get" className="article-search actions">
        <label htmlFor="q">Search the articles</label>
        <input id="q" name="q" type="search" defaultValue={query} maxLength={maxQueryLength} />
        {activeIn(filter).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" className="button quiet">
          Search
        </button>
      </form>
    </search>
  );
}

export function FoundCount({ filter, count }: { filter: ArticleFilter; count: number }) {
  const active = activeIn(filter);
  return (
    <p role="status">
      {count === 0
        ? "Nothing has been written about that yet. Try another word."
        : `${counted(count, "article")}${active.map(([, value]) => ` in “${value}”`).join("")}.`}{" "}
      <a href="/blog">Show all</a>
    </p>
  );
}
