/** For each kind of reader, the articles to read first; closed until opened. */
export function ReadingPaths({
  paths,
}: {
  paths: { reader: string; articles: { slug: string; title: string }[] }[];
}) {
  if (paths.length === 0) return null;
  return (
    <section className="reading-paths" aria-labelledby="reading-paths-title">
      <h2 id="reading-paths-title">Where to begin</h2>
      {paths.map(({ reader, articles }) => (
        <details key={reader}>
          <summary>{reader}</summary>
          <ol>
            {articles.map(({ slug, title }) => (
              <li key={slug}>
                <a href={`/${slug}`}>{title}</a>
              </li>
            ))}
          </ol>
        </details>
      ))}
    </section>
  );
}
