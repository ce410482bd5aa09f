/** The filter of a list of articles, as in the URL; "" for any value. */
export interface ArticleFilter {
  shelf: string;
  reader: string;
  category: string;
}

/** Links to the articles of each shelf, and for each kind of reader. */
export function ArticleFilters({
  shelves,
  readers,
  filter,
}: {
  shelves: string[];
  readers: string[];
  filter: ArticleFilter;
}) {
  return (
    <>
      <FilterLinks title="Sections" name="shelf" values={shelves} current={filter.shelf} />
      <FilterLinks title="Where to begin" name="reader" values={readers} current={filter.reader} />
    </>
  );
}

function FilterLinks({
  title,
  name,
  values,
  current,
}: {
  title: string;
  name: keyof ArticleFilter;
  values: string[];
  current: string;
}) {
  if (values.length === 0) return null;
  return (
    <nav className="filters flush" aria-labelledby={`filter-${name}`}>
      <p className="hint" id={`filter-${name}`}>
        {title}
      </p>
      <ul className="links">
        {values.map((value) => (
          <li key={value}>
            <a
              href={`/blog?${name}=${encodeURIComponent(value)}`}
              {...(value === current && { "aria-current": "page" })}
            >
              {value}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
