/** A table of contents: links to the headings of a long text. Folded on narrow screens. */
export function ContentsList({
  title,
  contents,
}: {
  title: string;
  contents: { id: string; text: string }[];
}) {
  if (contents.length === 0) return null;
  return (
    <nav className="contents no-print" aria-labelledby="contents-title">
      <h2 id="contents-title" className="term">
        {title}
      </h2>
      <details>
        <summary className="term">{title}</summary>
        <ol>
          {contents.map(({ id, text }) => (
            <li key={id}>
              <a className="standalone-link" href={`#${id}`}>
                {text}
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}
