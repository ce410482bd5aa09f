import type { Source } from "../domain/article.ts";

/** The works that an article relies on, with links to the publishers. */
export function ArticleSources({ sources }: { sources: Source[] }) {
  if (sources.length === 0) return null;
  return (
    <section className="sources" aria-labelledby="sources-title">
      <h2 id="sources-title">Sources</h2>
      <ul>
        {sources.map(({ title, authors, year, publisher, url }) => (
          <li key={url + title}>
            {authors && `${authors}, `}
            <cite>
              <a href={url} rel="noreferrer">
                {title}
              </a>
            </cite>
            , {publisher && publisher !== authors && `${publisher}, `}
            {year}
          </li>
        ))}
      </ul>
    </section>
  );
}
